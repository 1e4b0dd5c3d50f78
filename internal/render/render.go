// Package render shows verdicts and what led to them: to programs as JSON, in
// a fixed order of keys, and to people as a [Page] of aligned text.
//
// Text that a command or a policy brought along never reaches a terminal as it
// is: controls and marks that a reader cannot see are shown as escapes.
//
// The package decides nothing and knows neither flags nor exit codes.
package render

import (
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A Decided is a call with its verdict and what led to it.
type Decided struct {
	Call *policy.Call
	policy.Explanation
	// Took is how long the decision took; 0 is not shown.
	Took time.Duration
}
