package hardline

import (
	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/sed"
	"github.com/policyctl/policyctl/pkg/hazard"
)

func isSed(c *command.Command) bool { return program.LanguageOf(c.Name) == program.Sed }

func isAWK(c *command.Command) bool { return program.LanguageOf(c.Name) == program.AWK }

// sedRunsCatastrophe reports whether a script of sed runs what the floor denies.
func sedRunsCatastrophe(s *hazard.Scene, c *command.Command, script string) bool {
	for _, cmd := range sed.Read(script) {
		switch {
		case !cmd.Runs:
		case cmd.Text == "":
			if anyInput(s, c, func(v string) bool { return catastrophic(s, c, v) }) {
				return true
			}
		case catastrophic(s, c, cmd.Text):
			return true
		}
	}
	return false
}
