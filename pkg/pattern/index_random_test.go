package pattern

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/record"
)

// hardWords are hard to fold, to fit together, or to keep apart.
var hardWords = []string{
	"", "a", "b", "ab", "abc", "git", "GIT", "push", "K", "k", "\u212a", "ß", "ẞ", "ss", "SS", "ſ", "s", "İ", "i", "ı", "I", "i̇",
	"Σ", "σ", "ς", "é", "日本", "\u2028", "\n", " ", "/", ".", "-", "https://", "api.example.com", "etc/passwd", "\ufffd", "$", "(",
}

// A ruleMaker makes random rules, and records that are likely to meet them.
type ruleMaker struct {
	*rand.Rand
	leaves []target // of the rule at hand
}

// A target is a path with an operator, and a way to make values that meet it.
type target struct {
	path, operator string
	sample         func() any // nil: leave the value out
}

var hardPaths = []string{
	"http.method", "http.url", "http.status", "x.a", "x.b", "x.list", "y.n", "y.o.k", "facets.y.o.l", `z."d.t".v`, "type", "verb", "summary", "description", "sensitivity", "primary", "tags",
}

func (g *ruleMaker) chance(percent int) bool { return g.IntN(100) < percent }

func pickOne[T any](g *ruleMaker, list []T) T { return list[g.IntN(len(list))] }

func (g *ruleMaker) text() string {
	var b strings.Builder
	for range g.IntN(4) {
		b.WriteString(pickOne(g, hardWords))
	}
	return b.String()
}

// wild is a text of a record, which need not be valid.
func (g *ruleMaker) wild() string {
	if g.chance(5) {
		return g.text() + "\xff\xe2\x84" + g.text()
	}
	return g.text()
}

func (g *ruleMaker) number() string {
	return pickOne(g, []string{"0", "-0", "1", "1.0", "1e0", "7", "-3.25", "100", "9007199254740993", "9007199254740992", "1e300", "0.1"})
}

// scalar is a value and how a record may have it.
func (g *ruleMaker) scalar() (document.Node, any) {
	switch g.IntN(8) {
	case 0:
		n := g.number()
		var f float64
		if fmt.Sscan(n, &f); g.chance(50) && n != "1e300" {
			return document.Node{Kind: document.Number, Text: n}, f
		}
		return document.Node{Kind: document.Number, Text: n}, json.Number(n)
	case 1:
		return document.Node{Kind: document.Bool, Text: "true"}, true
	case 2:
		return document.Node{Kind: document.Bool, Text: "false"}, false
	case 3:
		return document.Node{Kind: document.Null, Text: "null"}, nil
	}
	text := g.text()
	if g.chance(5) {
		text = pickOne(g, record.Sensitivities())
	}
	return asText(text), text
}

func asText(text string) document.Node { return document.Node{Kind: document.Text, Text: text} }

// list is a list; objects is the chance in percent that an element is one.
func (g *ruleMaker) list(objects int) (document.Node, []any) {
	n, values := document.Node{Kind: document.List}, []any{}
	for range 1 + g.IntN(3) {
		item, v := g.scalar()
		if g.chance(objects) {
			item, v = g.object()
		}
		n.Items, values = append(n.Items, item), append(values, v)
	}
	return n, values
}

func (g *ruleMaker) object() (document.Node, any) {
	item, v := g.scalar()
	return document.Node{Kind: document.Map, Keys: []document.Node{asText("k")}, Items: []document.Node{item}}, map[string]any{"k": v}
}

// value is any value of a record.
func (g *ruleMaker) value() any {
	switch g.IntN(8) {
	case 0:
		_, v := g.list(10)
		return v
	case 1:
		return []string{g.wild(), g.wild()}
	case 2:
		_, v := g.object()
		return v
	case 3, 4:
		_, v := g.scalar()
		return v
	}
	return g.wild()
}

// leaf makes a path with an operator, or two.
func (g *ruleMaker) leaf(operator string) (key, value document.Node) {
	if operator == "time" {
		g.leaves = append(g.leaves, target{operator: operator})
		return asText("time"), keyed("from", asText("08:00"), "to", asText("20:00"), "tz", asText("UTC"))
	}
	path := pickOne(g, hardPaths)
	n, sample := g.argument(operator)
	g.leaves = append(g.leaves, target{path, operator, sample})
	switch {
	case operator == "":
		return asText(path), n
	case g.chance(10) && operator != "exists":
		return asText(path), keyed(operator, n, "exists", document.Node{Kind: document.Bool, Text: "true"})
	case operator == "equals" && n.Kind != document.Map && n.Kind != document.List && g.chance(50):
		return asText(path), n
	}
	return asText(path), keyed(operator, n)
}

// keyed makes a mapping of keys and values in turn.
func keyed(entries ...any) document.Node {
	n := document.Node{Kind: document.Map}
	for i := 0; i < len(entries); i += 2 {
		n.Keys, n.Items = append(n.Keys, asText(entries[i].(string))), append(n.Items, entries[i+1].(document.Node))
	}
	return n
}

// when makes a condition that uses an operator.
func (g *ruleMaker) when(operator string, depth int) document.Node {
	key, value := g.leaf(operator)
	n := document.Node{Kind: document.Map, Keys: []document.Node{key}, Items: []document.Node{value}}
	if depth == 0 {
		return n
	}
	other := func() document.Node { return g.when(pickOne(g, operatorTable).name, depth-1) }
	switch g.IntN(6) {
	case 0:
		return keyed("all", document.Node{Kind: document.List, Items: []document.Node{n, other()}})
	case 1:
		return keyed("any", document.Node{Kind: document.List, Items: []document.Node{n, other()}})
	case 2:
		return keyed("not", n)
	case 3:
		if key.Text != "not" {
			n.Keys, n.Items = append(n.Keys, asText("not")), append(n.Items, other())
		}
	}
	return n
}

// record makes a record that is likely to meet what was aimed at.
func (g *ruleMaker) record(aims []target) *record.Record {
	r := &record.Record{
		Type: g.wild(), Summary: g.wild(), Verb: g.wild(), Sensitivity: record.Sensitivity(g.IntN(4)),
		Facets: map[string]map[string]any{},
	}
	for range g.IntN(3) {
		r.Tags = append(r.Tags, g.wild())
	}
	for _, path := range hardPaths {
		if g.chance(30) {
			g.set(r, path, g.value())
		}
	}
	for _, a := range aims {
		if a.sample != nil && a.path != "" && g.chance(90) {
			g.set(r, a.path, a.sample())
		}
		if g.chance(12) {
			r.Unknown = append(r.Unknown, a.path)
		} else if g.chance(8) {
			r.Unknown = append(r.Unknown, a.path+"["+fmt.Sprint(g.IntN(3))+"]")
		}
	}
	if g.chance(5) {
		r.Unknown = append(r.Unknown, pickOne(g, []string{"x", "y", "y.o", "facets.z", "http", "other", "verb"}))
	}
	return r
}

// set puts a value where a path finds it, as far as it can be there.
func (g *ruleMaker) set(r *record.Record, path string, v any) {
	text, _ := v.(string)
	switch path {
	case "type":
		r.Type = text
	case "verb":
		r.Verb = text
	case "summary":
		r.Summary = text
	case "description":
		r.Description = text
	case "primary":
		r.Primary = text
	case "sensitivity":
		_ = r.Sensitivity.UnmarshalText([]byte(text))
	case "tags":
		r.Tags = append(r.Tags[:0:0], text)
	default:
		p, _ := record.ParsePath(path)
		if r.Facets[p.Facet()] == nil {
			r.Facets[p.Facet()] = map[string]any{}
		}
		for i := len(p.Deeper()) - 1; i >= 0; i-- {
			v = map[string]any{p.Deeper()[i]: v}
		}
		r.Facets[p.Facet()][p.Field()] = v
	}
}

// instant is unknown, or in the hours that rules name more often than not.
func (g *ruleMaker) instant() *Input {
	if g.chance(20) {
		return &Input{}
	}
	return &Input{Now: time.Date(2026, 3, 1+g.IntN(20), 6+g.IntN(16), 0, 0, 0, time.UTC)}
}
