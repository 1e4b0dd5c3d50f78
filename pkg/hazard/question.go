package hazard

import (
	"github.com/policyctl/policyctl/internal/command"
)

// A Question is what several rules of a table ask about one command. It is
// answered once while a [Table] looks at the command.
type Question[T any] struct {
	// Answer finds the answer. It is the same for the same command of a scene.
	Answer func(s *Scene, c *command.Command) *T
}

// An answer is what was found out about a command.
type answer struct {
	question any // the *Question
	command  *command.Command
	is       any // the *T
}

// About returns the answer for a command, nil where there is none.
func (q *Question[T]) About(s *Scene, c *command.Command) *T {
	for i := range s.found[:s.asked] {
		if a := &s.found[i]; a.command == c && a.question == any(q) {
			return a.is.(*T)
		}
	}
	is := q.Answer(s, c)
	if s.asked < len(s.found) {
		s.found[s.asked] = answer{q, c, is}
		s.asked++
	}
	return is
}
