package replay

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/dangerous"
	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// Where the examples of the tables are read.
const (
	exampleDir  = "/home/dev/project"
	exampleHome = "/home/dev"
)

// A Danger is an example of the tables of dangers that a policy allows.
type Danger struct {
	// Line is the command, "" for a file, and Rule the id of the dangerous pattern.
	Line, Rule string
	// Why says for people that it would be allowed too.
	Why string
}

// covers says which dangerous call one policy allows and another does not, ""
// if none of the examples of the tables of dangers is one.
func covers(before, after *policy.Engine) string {
	d, _ := Covers(before, after)
	return d.Why
}

// Covers returns the first example of a dangerous command, or of a sensitive path, that one
// engine allows and another does not; ok is false where there is none.
func Covers(before, after *policy.Engine) (d Danger, ok bool) {
	if d, ok := loosened(before, after); ok {
		return d, true
	}
	entries := sensitive.Entries()
	for i := range entries {
		if entries[i].Role == sensitive.Project {
			continue // what a permission allows there is what people allow in a project
		}
		for _, path := range entries[i].Hit {
			for tool, input := range fileInputs(path) {
				if loosens(before, after, &policy.Call{Tool: tool, Input: input, Dir: exampleDir}) {
					return Danger{Why: fmt.Sprintf("it would also allow %s %s, which %s", tool, path, entries[i].Why)}, true
				}
			}
		}
	}
	return d, false
}

// loosened is [Covers] for commands.
func loosened(before, after *policy.Engine) (d Danger, ok bool) {
	rules := dangerous.Rules()
	for i := range rules {
		for _, line := range rules[i].Hit {
			if loosens(before, after, policy.Shell(line, exampleDir)) {
				return Danger{line, rules[i].ID, fmt.Sprintf("it would also allow %s (%s)", clip.Text(line, maxSample), rules[i].ID)}, true
			}
		}
	}
	return d, false
}

// loosens reports whether one engine allows a call that another does not.
func loosens(before, after *policy.Engine, c *policy.Call) bool {
	c.Home = exampleHome
	now, err := after.Decide(context.Background(), nil, c)
	if err != nil || now.Decision != policy.Allow {
		return false
	}
	was, err := before.Decide(context.Background(), nil, c)
	return err == nil && was.Decision != policy.Allow
}

// Reserves returns permissions that may ask about a danger beside one that allows what a
// head names: each names an option by which an example of the dangerous pattern is
// dangerous, and so means it in whatever spelling.
func (d *Danger) Reserves(head string) (matches []string) {
	rules := dangerous.Rules()
	i := slices.IndexFunc(rules, func(r hazard.Rule) bool { return r.ID == d.Rule })
	if i < 0 {
		return nil
	}
	for _, line := range slices.Concat([]string{d.Line}, rules[i].Hit) {
		l := eval.Read(line, eval.Env{Dir: exampleDir, Home: exampleHome})
		for k := range l.Commands {
			c := &l.Commands[k]
			if commandHead(c).name != head {
				continue
			}
			for o := range c.Args.Options {
				match := "shell " + head + " " + bare(c, &c.Args.Options[o])
				if !strings.HasSuffix(match, " ") && !slices.Contains(matches, match) {
					matches = append(matches, match)
				}
			}
		}
	}
	// Long options come first: they say more to who reads the policy.
	slices.SortStableFunc(matches, func(a, b string) int { return strings.Count(b, "--") - strings.Count(a, "--") })
	return matches
}

// bare returns an option as it is written, "" where its argument is attached: a permission
// that names it would mean that argument alone.
func bare(c *command.Command, o *command.Option) string {
	word, ok := c.Words[o.At].Literal()
	if !ok || strings.TrimLeft(word, "-") != o.Name {
		return ""
	}
	return word
}

// fileInputs yields the tools that touch files, with arguments for a path.
func fileInputs(path string) iter.Seq2[string, map[string]any] {
	return func(yield func(string, map[string]any) bool) {
		for _, tool := range []string{"read", "write", "edit", "multi_edit"} {
			if !yield(tool, map[string]any{"file_path": path}) {
				return
			}
		}
		yield("apply_patch", map[string]any{"input": "*** Begin Patch\n*** Update File: " + path + "\n*** End Patch"})
	}
}
