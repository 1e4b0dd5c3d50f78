// Package rules has the commands for who writes rules: test, preview, diff, import and
// export. What a rule means is not decided here.
package rules

import (
	"os"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/replay"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/cli/judge"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// rulesOf returns the rules of a policy, lowest layer first.
func rulesOf(l *layers.Policy) (all []*pattern.Rule) {
	for _, layer := range l.Rules {
		all = append(all, layer.Rules...)
	}
	return all
}

// A ruleset is a policy with its rules.
type ruleset struct {
	*effective.Policy
	rules []*pattern.Rule
}

// loadRuled reads files as one policy alone, or without any the policy that
// applies in a directory. A policy that is invalid is told of, and an error.
func loadRuled(p *console.Process, f *effective.Flags, dir string) (*ruleset, error) {
	e, loaded, err := f.Open(p, dir)
	if err != nil {
		return nil, err
	}
	if e.Broken {
		return nil, console.Exit(console.ExitUsage)
	}
	return &ruleset{e, rulesOf(loaded)}, nil
}

// pick returns the rule that a person names: the only one of a file, or one of
// the policy by its id.
func (r *ruleset) pick(id, from string) (*pattern.Rule, error) {
	var ids []string
	for _, rule := range r.rules {
		if rule.ID == id {
			return rule, nil
		}
		ids = append(ids, rule.ID)
	}
	switch {
	case len(r.rules) == 0:
		return nil, console.Usagef("%s has no rules: see policyctl help preview", from)
	case id == "" && len(r.rules) == 1:
		return r.rules[0], nil
	case id == "":
		return nil, console.Usagef("%s has %d rules: choose one with --rule %s", from, len(r.rules), strings.Join(ids[:min(3, len(ids))], "|"))
	}
	return nil, console.Unknown("rule", id, ids, from+" has "+console.Count(len(ids), "rule"))
}

// isPolicyFile reports whether an argument names a file and not the id of a rule.
func isPolicyFile(arg string) bool {
	info, err := os.Stat(arg)
	return err == nil && !info.IsDir() || strings.ContainsAny(arg, `/\`) ||
		effective.IsFormat(arg)
}

// only returns the engine of a policy that has nothing but one source, and
// tools beside the built-in ones.
func only(s policy.Source, tools []policy.Tool, world policy.World) (*policy.Engine, error) {
	settings := policy.Defaults()
	settings.Tools = tools
	return policy.New(settings, policy.Options{Sources: []policy.Source{s}, World: world})
}

// recordings returns the recordings that are named, each once.
func recordings(p *console.Process, names []string) ([]replay.Input, []replay.Problem) {
	return (&judge.Recorded{Process: p}).Inputs(names)
}

// within checks a number that a flag gives.
func within(flag string, n, least, most int) error {
	if n < least || n > most {
		return console.Usagef("--%s must be from %d to %d, not %d", flag, least, most, n)
	}
	return nil
}
