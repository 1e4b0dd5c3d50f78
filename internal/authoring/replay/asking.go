package replay

import (
	"context"

	"github.com/policyctl/policyctl/pkg/policy"
)

// An Asking is the one thing that asks in a call.
type Asking struct {
	// Name is what asks, for people. Match is the permission for all of it, "" with
	// Why where none should be.
	Name, Match, Why string
	// Words are those of the command as far as they are plain text, with the sub-command
	// right behind the program; nil for a call of another tool than the shell. Whole
	// says that these are all.
	Words []string
	Whole bool
	// Runs says that a word of the command is a program or code, which it runs.
	Runs bool
	// Dangerous are the ids of the dangerous patterns that it matches.
	Dangerous []string
}

// AsksAlone returns what asks in a call under an engine, because nothing allows it. ok
// is false where the call does not ask, or several things ask in it.
func AsksAlone(ctx context.Context, e *policy.Engine, own []policy.Tool, c *policy.Call) (a Asking, ok bool) {
	x, err := e.Explain(ctx, nil, c)
	if err != nil || x.Verdict.Decision != policy.Ask || !byDefault(&x.Verdict) {
		return a, false
	}
	list := heads(newToolNames(own), c, &x)
	if len(list) != 1 {
		return a, false
	}
	a = Asking{Name: list[0].name, Match: list[0].match, Why: list[0].why, Runs: list[0].runs, Dangerous: list[0].dangerous}
	if x.Line == nil {
		return a, true
	}
	for i := range x.Line.Commands {
		command := &x.Line.Commands[i]
		if commandHead(command).name != a.Name {
			continue
		}
		words := []string{command.Name}
		for k := max(command.Args.Verb, 1); k < len(command.Words); k++ {
			v, plain := command.Words[k].Literal()
			if !plain || !isPlain(v) {
				break
			}
			words = append(words, v)
		}
		a.Words, a.Whole = words, max(command.Args.Verb, 1)+len(words)-1 == len(command.Words)
		break
	}
	return a, true
}

// isPlain reports whether a word stands for itself in a permission.
func isPlain(word string) bool {
	for _, r := range word {
		if r <= ' ' || r == '*' || r == '?' || r == '[' || r == '\\' || r == '"' || r == '\'' || r >= 0x7f {
			return false
		}
	}
	return word != ""
}

// Covers says which dangerous command, or sensitive path, one engine allows and another
// does not; "" for none.
func Covers(before, after *policy.Engine) string { return covers(before, after) }
