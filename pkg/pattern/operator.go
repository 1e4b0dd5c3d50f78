package pattern

import (
	"net/netip"
	"regexp"
	"time"
)

// An Input holds what operators need beside the record.
type Input struct {
	// Now is the instant of the call; the zero value is not known.
	Now time.Time
}

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
