package layers

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/policyctl/policyctl/internal/support/atomicfile"
	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// Trust is the record of which content of which project policy a person
// trusts. The zero value trusts nothing.
type Trust struct {
	Version int            `json:"version"`
	Files   []TrustedEntry `json:"files"`
}

// A TrustedEntry is one trusted file. Another content is not trusted.
type TrustedEntry struct {
	Path   string    `json:"path"`
	SHA256 string    `json:"sha256"`
	At     time.Time `json:"at"`
}

// digest returns the content of a file that is trusted, "" for none.
func (t Trust) digest(path string) string {
	for _, e := range t.Files {
		if e.Path == path {
			return e.SHA256
		}
	}
	return ""
}

// State says what a file is that was trusted: trusted, changed, or why it
// cannot be read.
func (t Trust) State(e TrustedEntry) string {
	all := sourcesIn(config.Project, filepath.Dir(e.Path), config.Tightening)
	i := slices.IndexFunc(all, func(s Source) bool { return s.Path == e.Path })
	if i < 0 {
		return ErrAbsent.Error()
	}
	switch s := t.judge(all[i]); {
	case s.Err != nil:
		return s.Err.Error()
	case s.Changed:
		return "changed since"
	}
	return "trusted"
}

// trustFile is the name of the record in the directory of the state.
const trustFile = "trust.json"

// grantFile is the name of the record of approvals beside it.
const grantFile = "grants.json"

// trustVersion is the form of the record.
const trustVersion = 1

// ReadTrust returns the record of trust. Where it cannot be read, nothing is
// trusted, and the error says why.
func (p Place) ReadTrust() (Trust, error) {
	name := filepath.Join(p.State, trustFile)
	f, err := plainfile.OpenOwn(name)
	data, err := readOpen(f, err, name, maxFile)
	if err == ErrAbsent {
		return Trust{}, nil
	}
	if err != nil {
		return Trust{}, fmt.Errorf("%s: %w: no project is trusted until it can be read", name, err)
	}
	var t Trust
	if err := strictjson.Decode(data, &t); err != nil || t.Version != trustVersion {
		return Trust{}, fmt.Errorf("%s: it is not a record of trust of version %d: no project is trusted; remove it and trust projects again", name, trustVersion)
	}
	return t, nil
}

// Add trusts the content of a project's policy with a digest, in place of any
// other content of it, and stores the record.
func (p Place) Add(path, digest string, now time.Time) error {
	return p.change(func(t *Trust) {
		t.remove(path)
		t.Files = append(t.Files, TrustedEntry{Path: path, SHA256: digest, At: now.UTC().Truncate(time.Second)})
	})
}

// Remove trusts no content of a project's policy. It reports whether one was.
func (p Place) Remove(path string) (removed bool, err error) {
	err = p.change(func(t *Trust) { removed = t.remove(path) })
	return removed, err
}

func (t *Trust) remove(path string) bool {
	var kept []TrustedEntry
	for _, e := range t.Files {
		if e.Path != path {
			kept = append(kept, e)
		}
	}
	removed := len(kept) < len(t.Files)
	t.Files = kept
	return removed
}

// change stores what edit makes of the record, one process after the other.
func (p Place) change(edit func(*Trust)) error {
	if err := os.MkdirAll(p.State, 0o700); err != nil {
		return err
	}
	name := filepath.Join(p.State, trustFile)
	lock := plainfile.Lock(name + ".lock")
	if err := lock.Lock(); err != nil {
		return err
	}
	defer lock.Unlock() // the end of the process unlocks too
	t, err := p.ReadTrust()
	if err != nil {
		return err
	}
	t.Version = trustVersion
	edit(&t)
	return replace(name, t)
}

// replace writes the file anew.
func replace(name string, t Trust) error {
	data, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(name, trustFile+".", append(data, '\n'))
}
