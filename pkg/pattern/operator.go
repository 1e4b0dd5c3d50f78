package pattern

import (
	"net/netip"
	"regexp"
	"time"
)

// An Input holds what operators need beside the record.
type Input struct {
	// Now is the instant of the call. The zero value is unknown, and neither
	// is one before the year 1678 or after 2261.
	Now time.Time
}

// HasTime reports whether the instant of the call is known. An OPA counts
// nanoseconds in 64 bits, and both engines know the same instants.
func (i *Input) HasTime() bool {
	year := i.Now.UTC().Year()
	return !i.Now.IsZero() && firstYear <= year && year <= lastYear
}

const firstYear, lastYear = 1678, 2261

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
	bounds   []bound
	versions versions
	hours    schedule
}

// row returns what the table knows of the operator.
func (o *operator) row() *operatorRow { return &operatorTable[o.kind] }

// An operatorRow is all that the dialect knows of an operator. What is nil
// does not apply.
type operatorRow struct {
	// name is that in rules; a bare list has none.
	name string
	// aliases are the names that other languages have for it, and negations
	// those for its opposite, which is written below not here.
	aliases, negations string
	parse              func(c *compiler, o *operator, a argument)

	// text, texts and value evaluate it on a text, on a list of texts, and on
	// what is neither; nil is false. Texts have functions of their own so that
	// they need no place on the heap.
	text  func(o *operator, text string) bool
	texts func(o *operator, texts []string) bool
	value func(o *operator, v any) Truth
	// instant evaluates it where it is about the time of the call, which is
	// known, and not about a value.
	instant func(o *operator, now time.Time) bool
	// absent reports whether it holds where there is no value.
	absent func(o *operator) bool
	// negates turns around what text, texts and value say.
	negates bool

	// plan returns what it implies of the value at a path, for the index.
	plan func(o *operator, path string) plan
	// export fills in the argument for a translation; the text is there.
	export func(o *operator, t *Test)

	// pins: it accepts no value but those that its argument names, or lists of
	// them. elements: it looks for an element of a list.
	pins, elements bool
	// counts: it is about how much a value holds.
	counts bool
	// spelled is the argument as rules write it, "" for none; nil for a text.
	spelled func(o *operator) string
	// traits fills in what the operator alone knows of its traits.
	traits func(o *operator, t *Traits)
}
