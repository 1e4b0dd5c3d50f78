package command

import (
	"encoding/json"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/script"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// CodeOutput returns what the program of an interpreter prints. It is always open.
func CodeOutput(c *Command) shell.Set {
	out := shell.Set{Open: true}
	if c.Context != program.Local {
		return out
	}
	for _, code := range c.Code() {
		if code.Program == nil {
			continue
		}
		for _, text := range code.Program.Output {
			out.Values = append(out.Values, script.Filled(text, "unknown"))
		}
	}
	return out
}

// Queried returns what jq prints for a program that is a literal, one of its
// arguments, or the name of a member of the text that it reads.
func Queried(c *Command, input func() shell.Set) shell.Set {
	out := shell.Set{Open: true}
	program, ok := CodeOf(c)
	program = strings.TrimSpace(program)
	if !ok || !c.Args.Has("r", "raw-output", "j", "join-output", "raw-output0") {
		return out
	}
	var v any
	name, isArgument := strings.CutPrefix(program, "$")
	switch {
	case isArgument:
		for k := 1; k+2 < len(c.Words); k++ {
			if value, ok := c.Words[k+2].Literal(); ok && c.Words[k].Has("--arg") && c.Words[k+1].Has(name) {
				v = value
			}
		}
	case strings.HasPrefix(program, `"`) && !strings.Contains(program, `\(`):
		if json.Unmarshal([]byte(program), &v) != nil {
			return out
		}
	case strings.HasPrefix(program, "."):
		in := input()
		if len(in.Values) != 1 || json.Unmarshal([]byte(in.Values[0]), &v) != nil {
			return out
		}
		for key := range strings.SplitSeq(strings.TrimPrefix(program, "."), ".") {
			if m, ok := v.(map[string]any); ok && key != "" {
				v = m[key]
			}
		}
	}
	if text, ok := v.(string); ok {
		out.Values = []string{text + "\n"}
	}
	return out
}
