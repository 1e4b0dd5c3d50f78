// Package pattern evaluates rules over records: uniform descriptions of what a
// call does, such as {"type": "http.request", "facets": {"http": {"method":
// "DELETE"}}}. A rule is a condition on a record and a decision; the first rule
// of a [Set] that matches decides.
//
// Evaluation has three values: what a record says is unknown is neither true
// nor false, and a rule that cannot be evaluated never allows. A [Set] is
// immutable and safe for concurrent use. The package opens no file but those
// of time zones, knows no clock, and asks nobody.
package pattern

// A Truth is what a condition says of a record, in Kleene's logic.
type Truth uint8

// The truth values, in order: and is their minimum, or their maximum.
const (
	False Truth = iota
	Unknown
	True
)

// String returns "false", "unknown" or "true".
func (t Truth) String() string { return [...]string{"false", "unknown", "true"}[t] }

func not(t Truth) Truth { return True - t }

func truth(b bool) Truth {
	if b {
		return True
	}
	return False
}
