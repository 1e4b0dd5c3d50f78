package hardline

import (
	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/own"
)

// decidesAtService matches a request to the approval service of the machine
// that logs in, decides, or changes its rules or tokens.
func decidesAtService(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	if s.Own == nil || !local(s, c) {
		return shell.Span{}, false
	}
	for i := range s.Line.Commands {
		if &s.Line.Commands[i] == c {
			return c.Span, s.Own.Contact(s.Line, i) == own.Decides
		}
	}
	return shell.Span{}, false
}

// MatchRequest returns the rule against a request to a URL that logs in to the
// approval service, decides there, or changes its rules or tokens.
func MatchRequest(s *hazard.Scene, url string) (*hazard.Rule, bool) {
	if s.Own.Request("", url) != own.Decides {
		return nil, false
	}
	return ruleByID("self-approval"), true
}
