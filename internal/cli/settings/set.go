package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/cli/inforce"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/internal/support/atomicfile"
	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// newConfigGet returns the command config get.
func newConfigGet(p *console.Process) *cobra.Command {
	s := &shower{Process: p}
	cmd := &cobra.Command{
		Use:   "get KEY",
		Short: "Print the value of a key, and nothing else",
		Long: `Print the value of a key that is in force, and nothing else: a line for each entry
of a list, none for a key without a value. Exits 2 if the policy is invalid.`,
		Example:           "  policyctl config get approvals.mode",
		Args:              console.OneOf("key", "policyctl config get approvals.mode"),
		ValidArgsFunction: console.CompletesArgs(keyNames),
		RunE:              func(_ *cobra.Command, args []string) error { return s.get(args[0]) },
	}
	s.Register(cmd)
	console.Directory(cmd, &s.dir)
	return cmd
}

func (s *shower) get(key string) error {
	i := slices.IndexFunc(inforce.Keys(), func(k config.Key) bool { return k.Path == key })
	if i < 0 {
		return console.Unknown("key", key, keyNames(), "see policyctl config show")
	}
	l, err := s.read()
	if err != nil {
		return err
	}
	if l.Err != nil {
		return console.Usagef("the policy is invalid: see policyctl check")
	}
	for _, v := range inforce.Values(l, inforce.Keys()[i]) {
		if _, err := fmt.Fprintln(s.Stdout, render.Plain(v.Value)); err != nil {
			return err
		}
	}
	return nil
}

// A setter writes one value into a policy file.
type setter struct {
	*console.Process
	project   bool
	dir, file string
}

func newConfigSet(p *console.Process) *cobra.Command {
	s := &setter{Process: p}
	cmd := &cobra.Command{
		Use:   "set KEY VALUE",
		Short: "Write a value into your policy, or a project's",
		Long: `Write the value of a key into your policy file, and create the file if it is
missing. The rest of the file stays as it is, comments included. config set refuses
a value that would make the policy invalid. Edit lists and rules by hand.`,
		Example: `  policyctl config set approvals.mode auto
  policyctl config set --project doom_loop.threshold 3`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return console.Usagef("a key and a value are needed: write policyctl config set approvals.mode auto")
			}
			return nil
		},
		ValidArgsFunction: completeSetting,
		RunE:              func(_ *cobra.Command, args []string) error { return s.run(args[0], args[1]) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&s.project, "project", false, "write the policy of the project, which may only tighten")
	flags.StringVar(&s.file, "file", "", "write the policy in `FILE`")
	console.Directory(cmd, &s.dir)
	return cmd
}

// completeSetting offers the keys, and behind a key its values where these are words.
func completeSetting(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	values := scalarNames
	switch {
	case len(args) == 1:
		values = func() []string { return wordsOf(args[0]) }
	case len(args) > 1:
		values = func() []string { return nil }
	}
	return console.CompletesArgs(values)(cmd, args, begun)
}

func scalarNames() (names []string) {
	for _, k := range inforce.Keys() {
		if k.Scalar {
			names = append(names, k.Path)
		}
	}
	return names
}

func (s *setter) run(key, value string) error {
	switch {
	case slices.Contains(scalarNames(), key):
	case slices.Contains(keyNames(), key):
		return console.Usagef("%s has no single value: edit the file, see policyctl config path", key)
	default:
		return console.Unknown("key", key, scalarNames(), "see policyctl config show")
	}
	name, layer, text, err := s.target()
	if err != nil {
		return err
	}
	after, err := assign(text, key, value)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return s.save(name, layer, after)
}

// save writes another text of a policy, if it is valid.
func (s *setter) save(name, layer string, text []byte) error {
	if err := valid(name, layer, text); err != nil {
		console.Warn(s.Stderr, "", err)
		return console.Usagef("nothing was written: the policy would be invalid")
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return fmt.Errorf("%s: the directory cannot be made: %w", filepath.Dir(name), plainfile.Bare(err))
	}
	if err := s.write(name, text); err != nil {
		return err
	}
	_, err := fmt.Fprintf(s.Stdout, "wrote  %s\n", render.Plain(name))
	return err
}

// target returns the file to write, with its text, and whose policy it is.
func (s *setter) target() (name, layer string, text []byte, err error) {
	place, dir, err := s.PoliciesIn(s.dir)
	switch {
	case err != nil:
		return "", "", nil, err
	case s.file != "" && s.project:
		return "", "", nil, console.Usagef("both --file and --project are given: write one after the other")
	case s.file != "":
		name, layer = s.file, config.User
	case s.project:
		name, layer = layers.ProjectFile(dir), config.Project
	default:
		name, layer = place.UserFile(), config.User
	}
	if ext := filepath.Ext(name); ext != ".yaml" && ext != ".yml" {
		return "", "", nil, console.Usagef("%s: only YAML is edited: change the file by hand", name)
	}
	text, err = os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", "", nil, fmt.Errorf("%s: %w", name, plainfile.Bare(err))
	}
	return name, layer, text, nil
}

// valid returns what is wrong with a policy.
func valid(name, layer string, text []byte) error {
	admit := config.Everything
	if layer == config.Project {
		admit = config.Tightening
	}
	l, err := config.Load(policy.Defaults(), config.File{Layer: layer, Name: name, Data: text, Admit: admit})
	if err == nil {
		_, err = policy.New(l.Settings, policy.Options{})
	}
	return err
}

// write replaces a file whose mode it keeps.
func (s *setter) write(name string, text []byte) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(name); err == nil {
		mode = info.Mode().Perm()
	} else if s.project {
		mode = 0o644
	}
	if err := atomicfile.Write(name, ".policy-", text); err != nil {
		return err
	}
	return plainfile.Bare(os.Chmod(name, mode))
}

// read reads the policy in force.
func (s *shower) read() (*layers.Policy, error) {
	dir, err := s.Absolute(s.dir)
	if err != nil {
		return nil, err
	}
	l, err := s.Read(s.Process, dir)
	if err != nil {
		return nil, err
	}
	_, err = l.Engine(nil) // it may refuse what the files have
	if l.Err != nil {
		effective.Tell(s.Stderr, l)
	}
	return l, err
}
