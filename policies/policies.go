// Package policies holds ready policies for teams to start from. Each is a
// YAML file with comments that is meant to be copied and changed; README.md
// explains them.
//
// The package applies no policy, and nothing of it applies unless it is
// loaded.
package policies

import _ "embed"

//go:embed baseline.yaml
var baseline string

// Baseline returns a copy of the policy for a team that lets agents work on
// its repositories.
func Baseline() []byte { return []byte(baseline) }
