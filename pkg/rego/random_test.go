package rego

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// A generator draws rules, and records that are likely to meet them.
type generator struct {
	*rand.Rand
	aims []aim // of the rules at hand
}

// An aim is a value that meets an operator at a path.
type aim struct {
	path  string
	value document.Node
}

// paths of fields of each type, and of facets that nobody knows.
var textPaths = []string{"http.method", "http.url", "shell.program", "type", "verb", "summary", "sensitivity", "primary"}
var listPaths = []string{"shell.argv", "shell.hosts", "tags"}
var anyPaths = []string{"x.a", "x.b", "y.o.k", `z."d.t".v`, "x.not"}

var words = []string{
	"", "a", "b", "ab", "git", "GIT", "push", "K", "\u212a", "ß", "ss", "İ", "i̇", "Σ", "ς", "日本", "\u2028", "\n", " ", "/", "etc/passwd",
	"https://", "api.example.com", "\ufffd", "$", "(", "*", "\"", "\\", "${x}", "{{", "`", "\x7f", "\x00", "\ufeff", "\U0001F600", "10.1.2.3", "fe80::1%eth0", "::ffff:10.1.2.3", "12", "-3.5e2", "+.5", "5.", "0012", "1e9999",
}

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

func one[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

func (g *generator) text() string {
	var b strings.Builder
	for range g.IntN(3) {
		b.WriteString(one(g, words))
	}
	return b.String()
}

func textNode(s string) document.Node { return document.Node{Kind: document.Text, Text: s} }

func numberNode(s string) document.Node { return document.Node{Kind: document.Number, Text: s} }

func boolNode(b bool) document.Node { return document.Node{Kind: document.Bool, Text: fmt.Sprint(b)} }

func listNode(items ...document.Node) document.Node {
	return document.Node{Kind: document.List, Items: items}
}

func mapNode(entries ...any) document.Node {
	n := document.Node{Kind: document.Map}
	for i := 0; i < len(entries); i += 2 {
		n.Keys, n.Items = append(n.Keys, textNode(entries[i].(string))), append(n.Items, entries[i+1].(document.Node))
	}
	return n
}

func nullNode() document.Node { return document.Node{Text: "null"} }

func (g *generator) number() document.Node {
	return numberNode(one(g, []string{"0", "-0", "1", "1.0", "1e0", "7", "-3.25", "100", "9007199254740993", "9007199254740992", "1e400", "0.1", "123456789012345678901234567890"}))
}

func (g *generator) scalar() document.Node {
	switch g.IntN(8) {
	case 0:
		return g.number()
	case 1:
		return boolNode(g.chance(50))
	case 2:
		return nullNode()
	}
	return textNode(g.text())
}

// value is a value that a path may have.
func (g *generator) value(path string) document.Node {
	switch {
	case slices.Contains(textPaths, path):
		return textNode(g.text())
	case slices.Contains(listPaths, path):
		return g.list(func() document.Node { return textNode(g.text()) })
	}
	switch g.IntN(6) {
	case 0:
		return g.list(g.scalar)
	case 1:
		return mapNode("k", g.scalar())
	case 2:
		return listNode(listNode(g.scalar()), mapNode("k", g.scalar()))
	}
	return g.scalar()
}

func (g *generator) list(element func() document.Node) document.Node {
	var items []document.Node
	for range g.IntN(4) {
		items = append(items, element())
	}
	return listNode(items...)
}

// path draws a path; want says for which type.
func (g *generator) path(want ...[]string) string { return one(g, slices.Concat(want...)) }

// condition draws a path with an operator, and aims at it.
func (g *generator) condition(operator string) (path string, argument document.Node) {
	anyText := g.path(textPaths, anyPaths)
	if g.chance(5) { // no list meets a test of texts
		switch operator {
		case "startsWith", "endsWith", "glob", "globPath", "pattern":
			return g.path(listPaths), textNode(g.text())
		}
	}
	switch operator {
	case "equals":
		path = g.path(textPaths, listPaths, anyPaths, anyPaths)
		v := g.value(path)
		return path, g.aim(path, v, v)
	case "":
		return g.bare()
	case "in":
		path = g.path(textPaths, listPaths, anyPaths)
		v := g.scalar()
		return path, g.aim(path, listNode(g.scalar(), v, g.scalar()), g.around(path, v))
	case "contains", "notContains":
		path = g.path(textPaths, listPaths, anyPaths)
		if slices.Contains(listPaths, path) || g.chance(30) {
			v := textNode(g.text())
			if g.chance(20) {
				v = g.number()
			}
			return path, g.aim(path, v, g.around(path, v))
		}
		v := g.text()
		return path, g.aim(path, textNode(v), textNode(g.text()+g.recased(v)+g.text()))
	case "exists":
		path = g.path(textPaths, listPaths, anyPaths, anyPaths)
		return path, g.aim(path, boolNode(g.chance(50)), g.value(path))
	case "startsWith":
		v := g.text()
		return anyText, g.aim(anyText, textNode(v), textNode(v+g.text()))
	case "endsWith":
		v := g.text()
		return anyText, g.aim(anyText, textNode(v), textNode(g.text()+v))
	case "glob", "globPath":
		a, b, c := g.text(), g.text(), g.text()
		wild := one(g, []string{"*", "?", "**", "**/", "/**/"})
		return anyText, g.aim(anyText, textNode(one(g, []string{"", a})+wild+b+one(g, []string{"", "*"})), textNode(a+one(g, []string{"", "x", "/", "x/y/", "\n"})+b+c))
	case "pattern":
		a := g.text()
		quoted := strings.NewReplacer("(", `\(`, "*", `\*`, "$", `\$`, "+", `\+`, "{", `\{`, "\\", `\\`, ".", `\.`, "?", `\?`, "[", `\[`, "|", `\|`, "^", `\^`, ")", `\)`, "}", `\}`).Replace(a)
		return anyText, g.aim(anyText, textNode(one(g, []string{"", "^"})+quoted+one(g, []string{"", "$", ".*", "[a-z/]?"})), textNode(g.recased(a)+one(g, []string{"", g.text()})))
	case "gt", "gte", "lt", "lte":
		path = g.path(anyPaths, textPaths)
		v := one(g, []document.Node{g.number(), textNode("12"), textNode("1e3"), numberNode("-5"), textNode(one(g, words))})
		if slices.Contains(textPaths, path) {
			v = textNode(v.Text)
		}
		return path, g.aim(path, one(g, []document.Node{g.number(), textNode("3.5")}), v)
	case "size":
		path = g.path(textPaths, listPaths, anyPaths)
		limit := func() document.Node { return numberNode(fmt.Sprint(g.IntN(5))) }
		argument := one(g, []document.Node{limit(), mapNode("gt", limit()), mapNode("gte", limit(), "lt", limit()), mapNode("lte", limit())})
		return path, g.aim(path, argument, g.value(path))
	case "semver":
		return anyText, g.aim(anyText, textNode(one(g, []string{"1.2.3", ">=1.2.0 <2.0.0", "^0.3.1", "~1.2.3-rc.1", ">1.0.0-alpha.beta, <=1.0.0 || =2.0.0", "^0.0.4"})),
			textNode(one(g, versionTexts)))
	case "cidr":
		return anyText, g.aim(anyText, one(g, []document.Node{textNode("10.0.0.0/8"), listNode(textNode("192.168.0.0/16"), textNode("fe80::/10")), textNode("::/0"), textNode("10.1.2.3"), textNode("::ffff:10.0.0.0/104")}),
			textNode(one(g, []string{"10.1.2.3", "10.1.2.03", "192.168.7.7", "fe80::1", "fe80::1%eth0", "fe80::1%", "::ffff:10.1.2.3", "11.0.0.1", "10.1.2.3/8", "api.example.com", "", "0x0a.1.2.3", "1.2.3"})))
	}
	panic("no such operator: " + operator)
}

// versionTexts are versions, and what is nearly one.
var versionTexts = []string{
	"1.2.3", "v1.2.3", "V1.2.3", "vv1.2.3", "1.2", "1.2.3.4", "01.2.3", "1.2.3-", "1.2.3-rc.1", "1.2.3-rc.01", "1.2.3-rc.1+build.5", "1.2.3+build", "1.2.3+", "1.0.0-alpha",
	"1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "2.0.0-0", "2.0.0", "0.3.1", "0.3.9", "0.4.0-0", "0.0.4", "0.0.5", "1.2.4-0",
	"1.3.0-0", "1.2.3-rc.1.0", "1.2.3-RC.1", "1.2.3-rc-1", "1.2.3-1a", "1.2.3--", "999999999999999.0.0", "1000000000000000.0.0", "1.2.3-1000000000000000", "1.2.3-999999999999999",
	" 1.2.3", "1.2.3 ", "1.2.3\n", "", "latest", "1.2.x", "١.2.3",
}

// bare draws a path with a bare list: a list that equals it, or one of it.
func (g *generator) bare() (path string, argument document.Node) {
	path = g.path(textPaths, listPaths, anyPaths, anyPaths)
	if slices.Contains(listPaths, path) {
		v := listNode(textNode(g.text()), textNode(g.text()))
		return path, g.aim(path, v, v)
	}
	v := g.value(path)
	list := listNode(g.scalar(), v)
	if slices.Contains(anyPaths, path) && g.chance(40) {
		v = list
	}
	return path, g.aim(path, list, v)
}

// aim keeps a value that meets an argument, and returns the argument.
func (g *generator) aim(path string, argument, value document.Node) document.Node {
	g.aims = append(g.aims, aim{path, value})
	return argument
}

// around is a value, or where the path has lists one with the value in it.
func (g *generator) around(path string, v document.Node) document.Node {
	switch {
	case slices.Contains(textPaths, path):
		return textNode(v.Text)
	case slices.Contains(listPaths, path):
		return listNode(textNode(g.text()), textNode(v.Text))
	case g.chance(50):
		return listNode(g.scalar(), v)
	}
	return v
}

func (g *generator) recased(s string) string {
	switch g.IntN(3) {
	case 0:
		return strings.ToUpper(s)
	case 1:
		return strings.ToLower(s)
	}
	return s
}

// when draws a condition that uses an operator.
func (g *generator) when(operator string, depth int) document.Node {
	var n document.Node
	if operator == "time" {
		n = mapNode("time", one(g, []document.Node{
			mapNode("from", textNode("08:00"), "to", textNode("20:00")),
			mapNode("from", textNode("20:00"), "to", textNode("08:00"), "days", listNode(textNode("mon"), textNode("fri")), "tz", textNode("America/New_York")),
			mapNode("days", listNode(textNode("sat"), textNode("sun")), "tz", textNode("Asia/Kolkata")),
		}))
	} else {
		path, argument := g.condition(operator)
		switch {
		case operator == "", operator == "equals" && argument.Kind != document.Map && argument.Kind != document.List && g.chance(50):
			n = mapNode(path, argument)
		case operator == "pattern" && g.chance(30):
			n = mapNode(path, mapNode(operator, argument, "flags", textNode(one(g, []string{"i", "m", "s", "im"}))))
		case operator != "exists" && g.chance(10):
			n = mapNode(path, mapNode(operator, argument, "exists", boolNode(true)))
		default:
			n = mapNode(path, mapNode(operator, argument))
		}
	}
	if depth == 0 {
		return n
	}
	other := func() document.Node { return g.when(one(g, allOperators), depth-1) }
	switch g.IntN(7) {
	case 0:
		return mapNode("all", listNode(n, other()))
	case 1:
		return mapNode("any", listNode(n, other()))
	case 2:
		return mapNode("not", n)
	case 3:
		return mapNode("not", mapNode("any", listNode(n, mapNode("not", other()))))
	case 4:
		return mapNode("all", listNode(n, mapNode("not", other())))
	}
	return n
}

// allOperators are those of a mapping, a bare list and the instant.
var allOperators = append(slices.DeleteFunc(pattern.Operators(), func(name string) bool { return name == "flags" }), "")

// set draws rules that use an operator.
func (g *generator) set(t testing.TB, operator string) *pattern.Set {
	g.aims = nil
	var rules []*pattern.Rule
	for i := range 1 + g.IntN(5) {
		when := g.when(operator, g.IntN(3))
		condition, problems := pattern.CompileWhen(when)
		if len(problems) > 0 {
			if isExpression(problems) {
				continue
			}
			t.Fatalf("%+v: %+v", when, problems)
		}
		r := &pattern.Rule{ID: fmt.Sprintf("r%d-%s", i, one(g, words)), When: condition, Source: when, Priority: g.IntN(3)}
		r.Decision.Verb = pattern.Verb(g.IntN(4))
		if g.chance(20) {
			r.Scope.Plugin = "p"
		}
		if g.chance(10) {
			r.Scope.Profile = "q\""
		}
		if g.chance(40) {
			r.Reason = g.text()
		}
		if g.chance(20) {
			r.Label = g.text()
		}
		switch r.Decision.Verb {
		case pattern.RequireHuman:
			r.Decision.Approver, r.Decision.Timeout, r.Decision.OnTimeout = g.text(), time.Duration(g.IntN(3))*time.Minute, policy.Decision(g.IntN(3))
			r.Decision.Quorum = g.IntN(3)
		case pattern.RequireLLM:
			r.Decision.Model, r.Decision.Prompt, r.Decision.CacheTTL, r.Decision.FailOpen = g.text(), g.text(), time.Duration(g.IntN(2))*time.Hour, g.chance(50)
		}
		rules = append(rules, r)
	}
	return pattern.NewSet(rules)
}

// isExpression says that nothing but a random regular expression or a number
// that is too large is wrong.
func isExpression(problems []document.Problem) bool {
	return !slices.ContainsFunc(problems, func(p document.Problem) bool {
		return !strings.HasPrefix(p.Text, "pattern: ") && !strings.HasPrefix(p.Text, "the number ")
	})
}

// record draws a record that is likely to meet what was aimed at.
func (g *generator) record(t testing.TB) *record.Record {
	values := map[string]document.Node{}
	var unknown []document.Node
	for _, path := range slices.Concat(textPaths, listPaths, anyPaths) {
		if g.chance(20) {
			values[path] = g.value(path)
		}
	}
	for _, a := range g.aims {
		if g.chance(75) {
			values[a.path] = a.value
		}
		switch {
		case g.chance(8):
			unknown = append(unknown, textNode(a.path))
		case g.chance(6):
			unknown = append(unknown, textNode(fmt.Sprintf("%s[%d]", a.path, g.IntN(4))))
		}
	}
	for _, path := range []string{"http.method", "http.url", "shell.program", "shell.argv"} {
		if g.chance(3) {
			values[path] = nullNode()
		}
	}
	if g.chance(4) {
		unknown = append(unknown, textNode(one(g, []string{"x", "y", "y.o", "facets.z", "shell", "other", "verb", "x.a.b"})))
	}
	n := recordNode(values)
	if g.chance(50) {
		delete(values, "tags")
	}
	n.Keys, n.Items = append(n.Keys, textNode("unknown")), append(n.Items, listNode(unknown...))
	r, problems := record.Compile(n)
	if len(problems) > 0 {
		t.Fatalf("%+v: %+v", n, problems)
	}
	return r
}

// recordNode makes a record of values by path.
func recordNode(values map[string]document.Node) document.Node {
	out, facets := mapNode(), mapNode()
	for _, path := range slices.Sorted(mapKeys(values)) {
		p, err := record.ParsePath(path)
		if err != nil {
			panic(err)
		}
		keys, v := p.Keys(), values[path]
		switch {
		case path == "sensitivity":
			v = textNode([]string{"read", "write", "mutate", "destructive"}[len(v.Text)%4])
			fallthrough
		case len(keys) == 1:
			out.Keys, out.Items = append(out.Keys, textNode(path)), append(out.Items, v)
		default:
			put(&facets, keys[1:], v)
		}
	}
	out.Keys, out.Items = append(out.Keys, textNode("facets")), append(out.Items, facets)
	return out
}

func put(into *document.Node, keys []string, v document.Node) {
	for i := range into.Keys {
		if into.Keys[i].Text == keys[0] && into.Items[i].Kind == document.Map && len(keys) > 1 {
			put(&into.Items[i], keys[1:], v)
			return
		} else if into.Keys[i].Text == keys[0] {
			return
		}
	}
	if len(keys) > 1 {
		inner := mapNode()
		put(&inner, keys[1:], v)
		v = inner
	}
	into.Keys, into.Items = append(into.Keys, textNode(keys[0])), append(into.Items, v)
}

func mapKeys(m map[string]document.Node) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// instant is unknown, or at any hour of three weeks.
func (g *generator) instant() *pattern.Input {
	if g.chance(20) {
		return &pattern.Input{}
	}
	return &pattern.Input{Now: time.Date(2026, 3, 1+g.IntN(21), g.IntN(24), g.IntN(60), 0, 0, time.UTC)}
}
