package policy

import "slices"

// A Threshold says which approvals need a passkey: those of calls that can do more harm
// than it says. The zero value says none.
type Threshold string

// AllRequests has every approval need a passkey.
const AllRequests Threshold = "none"

// thresholds are those there are, the loosest first.
var thresholds = []Threshold{"", "medium", "low", AllRequests}

// Thresholds returns the thresholds that have a name, the loosest first.
func Thresholds() []string {
	names := make([]string, 0, len(thresholds)-1)
	for _, t := range thresholds[1:] {
		names = append(names, string(t))
	}
	return names
}

// Strictness orders thresholds: the higher, the more approvals need a passkey. One that
// is unknown is the strictest.
func (t Threshold) Strictness() int {
	if at := slices.Index(thresholds, t); at >= 0 {
		return at
	}
	return len(thresholds)
}

// Needs reports whether to approve a call of so much harm takes a passkey. Harm that is
// unknown takes one, unless none does.
func (t Threshold) Needs(risk string) bool {
	switch t {
	case "":
		return false
	case "medium":
		return risk != "medium" && risk != "low"
	case "low":
		return risk != "low"
	}
	return true
}
