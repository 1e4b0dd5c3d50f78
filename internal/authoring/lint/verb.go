package lint

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/record"
)

// noSub reports a rule that demands a sub-command of a program of which none
// is known: there the verb is the program.
func (l *linter) noSub(s *subject) {
	verbs := s.claimed("\x00verb")
	if s.Scope.Plugin != "" || len(s.witnesses) == 0 {
		return
	}
	for _, program := range s.claimed("shell\x00program") {
		if program == "" || hasVerb(program, verbs) {
			continue
		}
		l.suspicious(s, Warning, nil,
			fmt.Sprintf("verb is never %s for %s: its sub-commands are unknown, and its verb is %s", clip.Quote(verbs[0]), program, clip.Quote(program)),
			fmt.Sprintf("test shell.argv: {contains: %s}", verbs[0]))
	}
}

// hasVerb reports whether a command of a program may have one of the verbs. It is
// true where there are none.
func hasVerb(program string, verbs []string) bool {
	for _, verb := range verbs {
		line := eval.Argv(append([]string{program}, strings.Fields(verb)...), eval.Env{})
		for i := range line.Commands {
			if got, known := record.VerbOf(&line.Commands[i]); !known || got == verb {
				return true
			}
		}
	}
	return len(verbs) == 0
}
