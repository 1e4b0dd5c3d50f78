package pattern

import (
	"net/netip"
	"regexp"
	"time"
)

// An Input holds what operators need beside the record.
type Input struct {
	// Now is the instant of the call. The zero value is not known, and neither
	// is one before the year 1678 or after 2261.
	Now time.Time
}

// HasTime says whether the instant of the call is known. An OPA counts
// nanoseconds in 64 bits, and both engines know the same instants.
func (i *Input) HasTime() bool {
	year := i.Now.UTC().Year()
	return !i.Now.IsZero() && firstYear <= year && year <= lastYear
}

const firstYear, lastYear = 1678, 2261

// An operatorKind names an operator.
type operatorKind uint8

// The operators, in the order of the reference.
const (
	equals operatorKind = iota
	in
	listed // a bare list: equal to a list value element by element, else one of
	matches
	contains
	notContains
	glob
	globPath
	exists
	startsWith
	endsWith
	gt
	gte
	lt
	lte
	cidr
	within // time
)

// operatorNames are the names in rules; a bare list has none.
var operatorNames = [...]string{
	"equals", "in", "", "pattern", "contains", "notContains", "glob", "globPath", "exists", "startsWith", "endsWith",
	"gt", "gte", "lt", "lte", "cidr", "time",
}

// An operator is one compiled test of a value. Arguments are texts, booleans,
// nil, [number]s, and []any and map[string]any of those.
type operator struct {
	kind operatorKind
	// value is the argument of equals, contains and notContains; values those
	// of in and of a bare list.
	value  any
	values []any
	// text is the argument of the operators on texts as it was written, folded
	// that of contains and notContains, see [fold].
	text, folded string
	// re is that of pattern, with its flags.
	re *regexp.Regexp
	// wild is that of glob and globPath.
	wild wildcard
	// want is the argument of exists.
	want     bool
	number   number
	prefixes []netip.Prefix
	hours    schedule
}
