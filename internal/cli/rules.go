package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/layers"
	"github.com/policyctl/policyctl/internal/replay"
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

// A ruled is a policy with its rules.
type ruled struct {
	*effective
	rules []*pattern.Rule
}

// loadRuled reads files as one policy alone, or without any the policy that
// applies in a directory. A policy that is invalid is told of, and an error.
func loadRuled(p *Process, f *policyFlags, dir string) (*ruled, error) {
	loaded, err := f.read(p, dir)
	if err != nil {
		return nil, err
	}
	engine, err := loaded.Engine(f.world)
	if err != nil {
		return nil, err
	}
	tell(p.Stderr, loaded)
	if loaded.Err != nil {
		return nil, exit(exitUsage)
	}
	return &ruled{&effective{Engine: engine, settings: loaded.Settings, world: f.world}, rulesOf(loaded)}, nil
}

// alone returns flags that name files as the only policy.
func (f *policyFlags) alone(files ...string) *policyFlags {
	return &policyFlags{files: files, noConfig: true, flags: f.flags, world: f.world}
}

// pick returns the rule that a person names: the only one of a file, or one of
// the policy by its id.
func (r *ruled) pick(id, from string) (*pattern.Rule, error) {
	var ids []string
	for _, rule := range r.rules {
		if rule.ID == id {
			return rule, nil
		}
		ids = append(ids, rule.ID)
	}
	switch {
	case len(r.rules) == 0:
		return nil, usagef("%s has no rules: see policyctl help preview", from)
	case id == "" && len(r.rules) == 1:
		return r.rules[0], nil
	case id == "":
		return nil, usagef("%s has %d rules: choose one with --rule %s", from, len(r.rules), strings.Join(ids[:min(3, len(ids))], "|"))
	}
	return nil, unknown("rule", id, ids, from+" has "+count(len(ids), "rule"))
}

// isPolicyFile says whether an argument names a file and not the id of a rule.
func isPolicyFile(arg string) bool {
	info, err := os.Stat(arg)
	return err == nil && !info.IsDir() || strings.ContainsAny(arg, `/\`) ||
		slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(arg))
}

// only returns the engine of a policy that has nothing but one source, and
// tools beside the built-in ones.
func only(s policy.Source, tools []policy.Tool) (*policy.Engine, error) {
	settings := policy.Defaults()
	settings.Tools = tools
	return policy.New(settings, policy.Options{Sources: []policy.Source{s}})
}

// recordings returns the recordings that are named, each once.
func recordings(p *Process, names []string) ([]replay.Input, []replay.Problem) {
	return (&recorded{Process: p}).inputs(names)
}

// within checks a number that a flag gives.
func within(flag string, n, least, most int) error {
	if n < least || n > most {
		return usagef("--%s must be from %d to %d, not %d", flag, least, most, n)
	}
	return nil
}

var errNoCalls = errors.New("no call was found in the recordings: see policyctl help replay for the formats")

// unreadable is an error where recordings could not be read.
func unreadable(problems []replay.Problem) error {
	n := 0
	for _, p := range problems {
		if p.Unread {
			n += p.Count
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%d of the recordings could not be read: see the problems in the report", n)
}
