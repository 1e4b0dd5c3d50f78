package pattern

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/record"
)

// A rate is a condition on how often calls that meet the rest of it were made. Records
// carry the number, under a field of a facet of its own, so that every evaluator compares
// it as any other.
type rate struct {
	path record.Path
	by   string
	per  time.Duration
	more int // the limit, which the calls must exceed
}

const (
	rateKey   = "rate" // of the condition, and of the facet
	maxRate   = 500
	minPeriod = time.Second
	maxPeriod = 24 * time.Hour
)

// rateKeys are the keys of a rate, and rateBys those whose calls count together.
var (
	rateKeys = []string{"more_than", "per", "by"}
	rateBys  = []string{"session", "agent", "all"}
)

// rate compiles a rate: a comparison of what records carry.
func (c *compiler) rate(key, n document.Node) Condition {
	r := &rate{by: rateBys[0], more: -1}
	if n.Kind != document.Map {
		c.Fail(n, "rate takes a mapping such as {more_than: 10, per: 1m}, not %s", n.Describe())
		return Condition{}
	}
	before := len(c.Problems)
	c.Repeated(n)
	for i, k := range n.Keys {
		value := n.Items[i]
		switch k.Text {
		case "more_than":
			r.more = c.rateLimit(value)
		case "per":
			r.per = c.period(value)
		case "by":
			if r.by = value.Text; !slices.Contains(rateBys, value.Text) {
				c.Suggest(value, spelling.Nearest(value.Text, rateBys), "by takes one of %s, not %s", strings.Join(rateBys, ", "), value.Describe())
			}
		default:
			c.Suggest(k, spelling.Nearest(k.Text, rateKeys), "unknown key %s of rate: one of %s", clip.Quote(k.Text), strings.Join(rateKeys, ", "))
		}
	}
	switch {
	case len(c.Problems) > before:
		return Condition{}
	case r.more < 0 || r.per == 0:
		c.Fail(key, "rate needs more_than and per, as in {more_than: 10, per: 1m}")
		return Condition{}
	case !c.besides:
		c.Fail(key, "rate counts the calls that meet the rest of the condition, which is missing here")
	}
	text, err := c.whole.MarshalJSON()
	if err != nil {
		c.Fail(key, "the condition has no form in JSON: %v", err)
		return Condition{}
	}
	sum := sha256.Sum256(text)
	path, err := record.ParsePath(rateKey + "." + r.by + "-" + r.per.String() + "-" + hex.EncodeToString(sum[:4]))
	if err != nil {
		panic(err) // it has letters, digits and hyphens
	}
	r.path = path
	return Condition{op: test, leaf: leaf{path: path, rate: r, tests: []operator{{kind: gt, number: integer(int64(r.more))}}}}
}

func (c *compiler) rateLimit(n document.Node) int {
	v, ok := parseNumber(n.Text)
	if n.Kind != document.Number || !ok || v.near < 0 || v.near > maxRate || v.near != float64(int(v.near)) {
		c.Fail(n, "more_than takes a whole number up to %d, not %s", maxRate, n.Describe())
		return 0
	}
	return int(v.near)
}

func (c *compiler) period(n document.Node) time.Duration {
	d, err := time.ParseDuration(n.Text)
	if n.Kind != document.Text || err != nil || d < minPeriod || d > maxPeriod {
		c.Fail(n, "per takes a time between %v and %v such as 1m, not %s", minPeriod, maxPeriod, n.Describe())
		return minPeriod
	}
	return d
}

// rates returns the rates of a condition.
func (c *Condition) rates() (out []*rate) {
	if c.op == test {
		if c.leaf.rate != nil {
			out = append(out, c.leaf.rate)
		}
		return out
	}
	for i := range c.kids {
		out = append(out, c.kids[i].rates()...)
	}
	return out
}

// count puts into the records of a call how often calls were made that meet what rules
// about rates say beside the rate. What may meet it counts too.
func (j *sourceCall) count(parts []record.Part) {
	if !j.s.rated {
		return
	}
	for _, rule := range j.ordered() {
		rates := rule.When.rates()
		if len(rates) == 0 || !rule.Scope.Covers(j.scope) {
			continue
		}
		n := j.meeting(rule, parts)
		if n == 0 {
			continue
		}
		for _, r := range rates {
			before, ok := j.in.Count(r.path.Field(), r.by, r.per, n, r.more+1)
			for i := range parts {
				carry(parts[i].Record, r, before+n, ok)
			}
		}
	}
}

// looksAtRates reports whether rules that need so much of records look at rates.
func looksAtRates(n record.Needs) bool {
	p, err := record.ParsePath(rateKey + ".n")
	return err != nil || n&p.Needs() != 0
}

// meeting returns how many commands, or records of another call, may meet a condition
// whatever its rate is.
func (j *sourceCall) meeting(rule *Rule, parts []record.Part) (n int) {
	command := -1
	for i := range parts {
		p := &parts[i]
		if p.Command >= 0 && p.Command == command {
			continue
		}
		r := *p.Record
		r.Unknown = append(slices.Clip(r.Unknown), rateKey)
		if rule.When.Eval(&r, &j.input) != False {
			n, command = n+1, p.Command
		}
	}
	return n
}

// carry puts a number into a record.
func carry(r *record.Record, of *rate, n int, known bool) {
	if !known {
		r.Unknown = append(slices.Clip(r.Unknown), of.path.String())
		return
	}
	f := r.Facets[rateKey]
	if f == nil {
		if r.Facets == nil {
			r.Facets = make(map[string]map[string]any, 1)
		}
		f = make(map[string]any, 1)
		r.Facets[rateKey] = f
	}
	f[of.path.Field()] = float64(n)
}
