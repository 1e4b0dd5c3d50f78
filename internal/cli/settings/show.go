package settings

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/cli/inforce"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/config"
)

// shower shows the values in force.
type shower struct {
	*console.Process
	effective.Flags
	dir          string
	origin, json bool
}

func newConfigShow(p *console.Process) *cobra.Command {
	s := &shower{Process: p}
	cmd := &cobra.Command{
		Use:   "show [KEY…]",
		Short: "Show each value in force",
		Long: `Show each value in force, in the order of the reference, or those of some keys
or sections. Values without effect are shown as held back, with the reason. Exits 2
if the policy is invalid, and shows the values that apply until it is fixed.`,
		Example: `  policyctl config show --origin
  policyctl config show approvals doom_loop.threshold
  policyctl config show --json permissions`,
		ValidArgsFunction: console.CompletesArgs(keyNames),
		RunE:              func(_ *cobra.Command, args []string) error { return s.run(args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&s.origin, "origin", false, "add where each value comes from")
	flags.BoolVar(&s.json, "json", false, "print the values and their origins as JSON")
	s.Register(cmd)
	console.Directory(cmd, &s.dir)
	return cmd
}

func keyNames() []string {
	var names []string
	for _, k := range inforce.Keys() {
		names = append(names, k.Path)
	}
	return names
}

func (s *shower) run(args []string) error {
	keys, err := named(args)
	if err != nil {
		return err
	}
	l, err := s.read()
	if err != nil {
		return err
	}
	if l.Err != nil {
		console.Warn(s.Stderr, "", effective.Invalid(l))
	}
	if err := s.show(l, keys); err != nil || l.Err == nil {
		return err
	}
	return console.Exit(console.ExitUsage)
}

// named returns the keys that some names mean, all for no name.
func named(names []string) ([]config.Key, error) {
	if len(names) == 0 {
		return inforce.Keys(), nil
	}
	for _, name := range names {
		if !slices.ContainsFunc(inforce.Keys(), func(k config.Key) bool { return inSection(k.Path, name) }) {
			return nil, console.Unknown("key", name, keyNames(), "see policyctl config show")
		}
	}
	return slices.DeleteFunc(inforce.Keys(), func(k config.Key) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return inSection(k.Path, name) })
	}), nil
}

func (s *shower) show(l *layers.Policy, keys []config.Key) error {
	out := inForce{Valid: l.Err == nil, Revision: console.OrNull(l.Revision)}
	for _, k := range keys {
		out.Keys = append(out.Keys, shownKey{k.Path, inforce.Values(l, k), inforce.Held(l, k)})
	}
	if s.json {
		return render.JSON(s.Stdout, out)
	}
	return s.PrintTable(out.table(s.origin))
}

// An inForce is the effective policy as JSON.
type inForce struct {
	Valid    bool       `json:"valid"`
	Revision *string    `json:"revision"`
	Keys     []shownKey `json:"keys"`
}

// A shownKey is a key with its values: one, none, or those of a section.
type shownKey struct {
	Key    string              `json:"key"`
	Values []inforce.Value     `json:"values"`
	Held   []inforce.HeldValue `json:"held"`
}

func (f *inForce) table(origin bool) [][]string {
	var rows [][]string
	row := func(key, from, value string) {
		if origin {
			rows = append(rows, []string{key, from, value})
			return
		}
		rows = append(rows, []string{key, value})
	}
	row("KEY", "ORIGIN", "VALUE")
	for _, k := range f.Keys {
		for _, v := range k.Values {
			from := "built in"
			if v.Origin != nil {
				from = *v.Origin
			}
			row(k.Key, from, v.Value)
		}
		if len(k.Values) == 0 {
			row(k.Key, "-", "-")
		}
		for _, h := range k.Held {
			row(k.Key, h.Origin, fmt.Sprintf("held back: %s (%s)", h.Value, h.Why))
		}
	}
	return rows
}
