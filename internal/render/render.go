// Package render shows verdicts and what led to them: to programs as JSON, in
// a fixed order of keys, and to people as a [Page] of aligned text.
//
// Text that a command or a policy brought along never reaches a terminal as it
// is: controls and marks that a reader cannot see are shown as escapes.
//
// The package decides nothing and knows neither flags nor exit codes.
package render

import (
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A Decided is a call with its verdict and what led to it.
type Decided struct {
	Call *policy.Call
	policy.Explanation
	// Took is how long the decision took; 0 is not shown.
	Took time.Duration
	// Hook is what the hook of the call's agent would say, none for no known agent.
	Hook []HookAnswer
}

// A HookAnswer is what the hook of an agent says in some of the agent's modes.
type HookAnswer struct {
	Agent string `json:"agent"`
	// Says is allow, ask or deny, or "" where the agent's own rules go on.
	Says  string   `json:"says"`
	Modes []string `json:"modes"`
}

// String says it in words.
func (h HookAnswer) String() string {
	says := h.Says
	if says == "" {
		says = "left to " + h.Agent + "'s own rules"
	}
	return says + " (" + strings.Join(h.Modes, ", ") + ")"
}
