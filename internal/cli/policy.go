package cli

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// policyFlags say under which policy a call is decided.
type policyFlags struct {
	files    []string
	sets     []string
	noConfig bool
	yolo     bool
}

func (f *policyFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.files, "policy", nil, "a policy `FILE`; repeat it to stack several")
	flags.StringArrayVar(&f.sets, "set", nil, "set one key of the policy, as `KEY=VALUE`; may repeat")
	flags.BoolVar(&f.noConfig, "no-config", false, "read no policy but those of --policy and --set (there are no others yet)")
	flags.BoolVar(&f.yolo, "yolo", false, "allow whatever is not denied")
}

// An effective is a policy in force.
type effective struct {
	*policy.Engine
	settings policy.Settings
	// broken says that the policy is invalid, so that only the floor and asks
	// are left of it.
	broken bool
	yolo   bool
}

// session returns a session that remembers nothing.
func (e *effective) session(id string) *policy.Session {
	return &policy.Session{ID: id, Yolo: e.yolo}
}

// load reads the policy and tells people of all its problems.
func (f *policyFlags) load(stderr io.Writer) (*effective, error) {
	settings, revision, err := f.read(stderr)
	if err == nil {
		var engine *policy.Engine
		if engine, err = policy.New(settings, policy.Options{Revision: revision}); err == nil {
			return &effective{engine, settings, false, f.yolo}, nil
		}
	}
	warn(stderr, "", err)
	warn(stderr, "", errors.New("the policy is invalid and does not apply: until it is corrected, only the floor denies and the rest asks"))
	engine, err := policy.New(policy.Defaults(), policy.Options{Broken: errInvalid})
	if err != nil {
		return nil, err
	}
	return &effective{engine, policy.Defaults(), true, f.yolo}, nil
}

var errInvalid = errors.New("it is invalid")

// read returns the settings of all files and assignments, or the problems of
// all of them.
func (f *policyFlags) read(stderr io.Writer) (settings policy.Settings, revision string, err error) {
	files, errs := openPolicies(f.files)
	loaded, err := config.Load(policy.Defaults(), files...)
	for i := range loaded.Warnings {
		warn(stderr, "warning: ", &loaded.Warnings[i])
	}
	settings = loaded.Settings
	if err != nil {
		settings = policy.Defaults()
		errs = append(errs, err)
	}
	for _, s := range f.sets {
		next, err := config.Set(settings, s)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		settings = next
	}
	return settings, f.revision(loaded), errors.Join(errs...)
}

// revision returns the identity of the policy with what --set changes.
func (f *policyFlags) revision(l config.Loaded) string {
	if len(f.sets) == 0 {
		return l.Revision
	}
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%s %q", l.Revision, f.sets)))
}

// maxPolicy bounds how much of a file is read; config refuses far less.
const maxPolicy = 2 << 20

func openPolicies(names []string) (files []config.File, errs []error) {
	for _, name := range names {
		data, err := readFile(name)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w: check the path of --policy", name, err))
			continue
		}
		files = append(files, config.File{Layer: "policy", Name: name, Data: data})
	}
	return files, errs
}

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, bare(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxPolicy))
	return data, bare(err)
}

// bare returns the error of a file operation without its path.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// warn tells people something on a line of its own, or on one for each line
// of the error.
func warn(stderr io.Writer, kind string, err error) {
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintf(stderr, "policyctl: %s%s\n", kind, render.Plain(strings.TrimRight(line, "\n")))
	}
}
