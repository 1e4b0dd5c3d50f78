package replay

import (
	"context"
	"fmt"
	"iter"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/dangerous"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// Where the examples of the tables are read.
const (
	exampleDir  = "/home/dev/project"
	exampleHome = "/home/dev"
)

// covers says which dangerous call one policy allows and another does not, ""
// if none of the examples of the tables of dangers is one.
func covers(before, after *policy.Engine) string {
	loosens := func(c *policy.Call) bool {
		c.Home = exampleHome
		now, err := after.Decide(context.Background(), nil, c)
		if err != nil || now.Decision != policy.Allow {
			return false
		}
		was, err := before.Decide(context.Background(), nil, c)
		return err == nil && was.Decision != policy.Allow
	}
	rules := dangerous.Rules()
	for i := range rules {
		for _, line := range rules[i].Hit {
			if loosens(policy.Shell(line, exampleDir)) {
				return fmt.Sprintf("it would also allow %s (%s)", clip.Text(line, maxSample), rules[i].ID)
			}
		}
	}
	entries := sensitive.Entries()
	for i := range entries {
		if entries[i].Role == sensitive.Project {
			continue // what a permission allows there is what people allow in a project
		}
		for _, path := range entries[i].Hit {
			for tool, input := range fileInputs(path) {
				if loosens(&policy.Call{Tool: tool, Input: input, Dir: exampleDir}) {
					return fmt.Sprintf("it would also allow %s %s, which %s", tool, path, entries[i].Why)
				}
			}
		}
	}
	return ""
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
