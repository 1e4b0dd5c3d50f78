package pattern

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/record"
)

// A world makes random conditions and records of few paths and values, so that
// they meet.
type world struct{ *rand.Rand }

func newWorld(t *testing.T) world {
	return world{rand.New(rand.NewPCG(seed.New(t), 1))}
}

var lawPaths = []string{"x.a", "x.b", "y.c", "x.o", "x.o.k", "verb", "tags", "time"}

func draw[T any](w world, list []T) T { return list[w.IntN(len(list))] }

// argument returns a value as JSON.
func (w world) argument() string {
	return draw(w, []string{`"a"`, `"ab"`, `"B"`, `""`, `"/a/b"`, `1`, `2.5`, `"2"`, `"10.0.0.1"`, `true`, `null`})
}

func (w world) arguments() string {
	list := make([]string, 1+w.IntN(3))
	for i := range list {
		list[i] = w.argument()
	}
	return "[" + strings.Join(list, ",") + "]"
}

func (w world) text() string {
	return draw(w, []string{`"a"`, `"ab"`, `"b"`, `""`, `"a*"`, `"*b"`, `"?"`, `"**/b"`, `"^a"`})
}

func (w world) operator() string {
	switch draw(w, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
	case 0:
		return `"in":` + w.arguments()
	case 1:
		return `"equals":` + draw(w, []string{w.argument(), w.arguments(), `{"k":` + w.argument() + `}`})
	case 2:
		return fmt.Sprintf(`"exists":%t`, w.IntN(2) == 0)
	case 3:
		return `"contains":` + draw(w, []string{`"a"`, `"b"`, `1`})
	case 4:
		return `"notContains":` + draw(w, []string{`"a"`, `"b"`, `1`})
	case 5:
		return draw(w, []string{`"startsWith":`, `"endsWith":`, `"glob":`, `"globPath":`}) + w.text()
	case 6:
		return `"pattern":"^a?b*$","flags":"i"`
	case 7:
		return draw(w, []string{`"cidr":"10.0.0.0/8"`, `"size":2`, `"size":{"gt":0,"lte":3}`, `"semver":"^1.2.0"`})
	default:
		return draw(w, []string{`"gt":`, `"gte":`, `"lt":`, `"lte":`}) + draw(w, []string{"0", "1", "2", "2.5"})
	}
}

func (w world) condition(depth int) string {
	if depth > 0 && w.IntN(2) == 0 {
		kids := make([]string, 1+w.IntN(3))
		for i := range kids {
			kids[i] = w.condition(depth - 1)
		}
		list := "[" + strings.Join(kids, ",") + "]"
		return draw(w, []string{`{"all":` + list + `}`, `{"any":` + list + `}`, `{"not":` + kids[0] + `}`})
	}
	path := draw(w, lawPaths)
	switch {
	case path == "time":
		return `{"time":{"from":"09:00","to":"17:00"}}`
	case w.IntN(6) == 0:
		return fmt.Sprintf(`{%q:%s}`, path, draw(w, []string{w.arguments(), w.argument()}))
	}
	return fmt.Sprintf(`{%q:{%s}}`, path, w.operator())
}

// value returns a value of a record.
func (w world) value() any {
	text := `{"k":` + w.argument() + `}`
	switch w.IntN(4) {
	case 0:
		text = w.arguments()
	case 1, 2:
		text = w.argument()
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		panic(err)
	}
	if list, ok := v.([]any); ok && w.IntN(2) == 0 {
		return slices.Clone(list)
	}
	return v
}

// record returns a record that knows everything, the same with holes, and the
// holes.
func (w world) record() (whole, holed *record.Record, holes []string) {
	whole = &record.Record{Verb: draw(w, []string{"a", "b", ""}), Tags: draw(w, [][]string{nil, {"a"}, {"a", "b"}}), Facets: map[string]map[string]any{"x": {}, "y": {}}}
	for _, f := range []string{"a", "b", "o"} {
		if w.IntN(4) > 0 {
			whole.Facets["x"][f] = w.value()
		}
	}
	if w.IntN(2) == 0 {
		whole.Facets["y"]["c"] = w.value()
	}
	holed = &record.Record{Verb: whole.Verb, Tags: whole.Tags, Facets: map[string]map[string]any{"x": {}, "y": {}}}
	for facet, fields := range whole.Facets {
		for f, v := range fields {
			holed.Facets[facet][f] = v
		}
	}
	for _, path := range []string{"x.a", "x.b", "y.c", "x.o", "x.o.k", "verb", "tags", "x", "y"} {
		if w.IntN(4) == 0 {
			holes = append(holes, path)
		}
	}
	for facet, fields := range holed.Facets {
		for f, v := range fields {
			list, ok := v.([]any)
			if !ok || len(list) == 0 || w.IntN(2) == 0 {
				continue
			}
			list = slices.Clone(list)
			i := w.IntN(len(list))
			list[i] = "unknown"
			fields[f] = list
			holes = append(holes, fmt.Sprintf("%s.%s[%d]", facet, f, i))
		}
	}
	holed.Unknown = holes
	return whole, holed, holes
}

// TestMoreKnowledge shows that what is unknown never flips a definite
// answer: whatever holds, or does not, of a record with holes does so of every
// record that fills them. Holes in holed hold other values than in whole.
func TestMoreKnowledge(t *testing.T) {
	w := newWorld(t)
	counts := map[Truth]int{}
	for range 60_000 {
		text := w.condition(3)
		c := compile(t, text)
		whole, holed, _ := w.record()
		w.scramble(holed)
		for _, now := range []time.Time{{}, noon} {
			before := c.Eval(holed, &Input{Now: now})
			after := c.Eval(whole, &Input{Now: noon})
			counts[before]++
			if before != Unknown && before != after {
				t.Fatalf("%s\nis %s of %s\nbut %s of %s", text, before, asJSON(holed), after, asJSON(whole))
			}
		}
	}
	for _, v := range []Truth{False, Unknown, True} {
		if counts[v] < 10_000 {
			t.Errorf("only %d are %s", counts[v], v)
		}
	}
}

// scramble changes what is unknown: it must not be looked at.
func (w world) scramble(r *record.Record) {
	for _, path := range r.Unknown {
		switch path {
		case "verb":
			r.Verb = "a"
		case "tags":
			r.Tags = []string{"b"}
		case "x.a", "x.b", "x.o":
			r.Facets["x"][path[2:]] = w.value()
			if strings.Contains(fmt.Sprint(r.Unknown), path+"[") {
				r.Facets["x"][path[2:]] = []any{"a"}
			}
		case "y.c":
			delete(r.Facets["y"], "c")
		}
	}
}

func asJSON(r *record.Record) string {
	data, err := json.Marshal(r)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// TestKleene shows the laws of the three values on random conditions.
func TestKleene(t *testing.T) {
	w := newWorld(t)
	for range 20_000 {
		a, b := w.condition(2), w.condition(2)
		_, r, _ := w.record()
		eval := func(text string) Truth {
			c := compile(t, text)
			return c.Eval(r, &Input{Now: noon})
		}
		x, y := eval(a), eval(b)
		for _, law := range []struct {
			name, condition string
			want            Truth
		}{
			{"and", `{"all":[` + a + `,` + b + `]}`, min(x, y)},
			{"or", `{"any":[` + a + `,` + b + `]}`, max(x, y)},
			{"not", `{"not":` + a + `}`, not(x)},
			{"twice", `{"not":{"not":` + a + `}}`, x},
			{"De Morgan", `{"not":{"any":[{"not":` + a + `},{"not":` + b + `}]}}`, min(x, y)},
		} {
			if got := eval(law.condition); got != law.want {
				t.Fatalf("%s: %s is %s, not %s, of %s", law.name, law.condition, got, law.want, asJSON(r))
			}
		}
	}
}
