package rendezvous

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/policyctl/policyctl/internal/support/atomicfile"
	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// A Kept says where services of the machine keep files outside of the directory
// of state, also those that do not run now.
type Kept struct {
	// Private are databases and directories of databases, Logs the files to
	// which the output of a service goes. All are absolute.
	Private []string `json:"private,omitempty"`
	Logs    []string `json:"logs,omitempty"`
}

// keptFile returns the path of the file of a [Kept].
func keptFile(state string) string { return filepath.Join(Dir(state), "kept.json") }

// Remember adds what a service keeps to what is known, and forgets what is gone.
func Remember(state string, k Kept) error {
	have, err := ReadKept(state)
	if err != nil {
		return err
	}
	k.Private, k.Logs = joined(have.Private, k.Private), joined(have.Logs, k.Logs)
	text, err := json.Marshal(k)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(Dir(state), 0o700); err != nil {
		return err
	}
	return atomicfile.Write(keptFile(state), "kept-", append(text, '\n'))
}

// maxKept bounds that file, in bytes.
const maxKept = 1 << 20

// ReadKept returns what services keep. There is nothing where none ran.
func ReadKept(state string) (k Kept, err error) {
	text, err := plainfile.ReadOwn(keptFile(state), maxKept)
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &k)
	}
	return k, err
}

// joined returns the paths of two lists that exist, each once.
func joined(a, b []string) []string {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(p string) bool {
		_, err := os.Lstat(p)
		return err != nil || !filepath.IsAbs(p)
	})
}
