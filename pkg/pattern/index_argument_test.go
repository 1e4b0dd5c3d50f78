package pattern

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/pkg/document"
)

// flip changes the case of some letters.
func (g *ruleMaker) flip(s string) string {
	switch g.IntN(3) {
	case 0:
		return strings.ToUpper(s)
	case 1:
		return strings.ToLower(s)
	}
	return s
}

// among puts a value into a list, sometimes.
func (g *ruleMaker) among(v any) any {
	if g.chance(50) {
		return v
	}
	return []any{g.wild(), v, g.value()}
}

// argument makes an argument of an operator, and values that meet it.
func (g *ruleMaker) argument(operator string) (document.Node, func() any) {
	switch operator {
	case "equals":
		return g.equalArgument()
	case "":
		n, values := g.list(10)
		return n, func() any {
			if g.chance(50) {
				return values
			}
			return pickOne(g, values)
		}
	case "in":
		n, values := g.list(0)
		return n, func() any { return g.among(pickOne(g, values)) }
	case "contains":
		n, v := g.scalar()
		for n.Kind == document.Null {
			n, v = g.scalar()
		}
		text, ok := v.(string)
		return n, func() any {
			if ok && g.chance(50) {
				return g.wild() + g.flip(text) + g.wild()
			}
			return []any{g.value(), v}
		}
	case "notContains":
		return asText(g.text() + "absent"), func() any { return g.value() }
	case "exists":
		if g.chance(50) {
			return document.Node{Kind: document.Bool, Text: "true"}, g.value
		}
		return document.Node{Kind: document.Bool, Text: "false"}, nil
	case "cidr":
		if g.chance(50) {
			return asText("fd00::/8"), func() any { return "fd00::1" }
		}
		return asText("10.0.0.0/8"), func() any { return pickOne(g, []string{"10.1.2.3", "10.0.0.0", "::ffff:10.9.9.9"}) }
	case "size":
		return document.Node{Kind: document.Map, Keys: []document.Node{asText("gte")}, Items: []document.Node{{Kind: document.Number, Text: "1"}}}, func() any { return pickOne(g, []string{"a", "abc"}) }
	case "semver":
		return asText(">=1.2.0 <2.0.0"), func() any { return pickOne(g, []string{"1.2.3", "v1.9.0+x"}) }
	case "gt", "gte", "lt", "lte":
		return g.bound(operator)
	}
	return g.textArgument(operator)
}

func (g *ruleMaker) equalArgument() (document.Node, func() any) {
	n, v := g.scalar()
	switch g.IntN(8) {
	case 0, 1:
		n, v = g.object()
	case 2, 3:
		list, values := g.list(10)
		n, v = list, values
	case 4:
		n = document.Node{Kind: document.List}
		return n, func() any { return pickOne(g, []any{[]any{}, []string{}, nil}) }
	}
	return n, func() any { return v }
}

func (g *ruleMaker) bound(operator string) (document.Node, func() any) {
	n := g.IntN(100)
	above := map[string][]int{"gt": {1}, "gte": {0, 1}, "lt": {-1}, "lte": {0, -1}}[operator]
	return document.Node{Kind: document.Number, Text: fmt.Sprint(n)}, func() any {
		m := n + pickOne(g, above)
		return pickOne(g, []any{m, float64(m), json.Number(fmt.Sprint(m)), fmt.Sprint(m)})
	}
}

// textArgument is for the operators on nothing but texts.
func (g *ruleMaker) textArgument(operator string) (document.Node, func() any) {
	a, b := g.text(), g.text()
	switch operator {
	case "startsWith":
		return asText(a), func() any { return a + g.wild() }
	case "endsWith":
		return asText(a), func() any { return g.wild() + a }
	case "glob":
		return asText(a + "*" + b + "?"), func() any { return a + g.wild() + b + pickOne(g, []string{"x", "日", "\n"}) }
	case "globPath":
		text := pickOne(g, []string{a + "**" + b, a + "*" + b, a + "/**/" + b, "**/" + a})
		return asText(text), func() any {
			return strings.NewReplacer("**/", pickOne(g, []string{"", "x/", "x/Y/"}), "*", "x").Replace(text)
		}
	}
	return g.expression(quoteExpression(a), quoteExpression(b), a, b)
}

// expression is a regular expression made of two quoted texts.
func (g *ruleMaker) expression(qa, qb, a, b string) (document.Node, func() any) {
	expressions := []struct {
		expression string
		sample     func() string
	}{
		{"^" + qa, func() string { return a + g.wild() }},
		{qa + "$", func() string { return g.wild() + a }},
		{"^" + qa + "$", func() string { return a }},
		{qa + ".*" + qb, func() string { return a + g.text() + b }},
		{"(" + qa + "|" + qb + ")x", func() string { return g.wild() + pickOne(g, []string{a, b}) + "x" }},
		{"^(?:" + qa + "|" + qb + ")+x?", func() string { return pickOne(g, []string{a, b}) + g.wild() }},
		{"(?i)" + qa, func() string { return g.wild() + g.flip(a) }},
		{"(?i)^(" + qa + ")" + qb, func() string { return g.flip(a) + g.flip(b) }},
		{"(?m)^" + qa, func() string { return g.wild() + "\n" + a }},
		{"(?s).(?:" + qa + "){1,2}", func() string { return "x" + a }},
		{"(?:" + qa + ")*" + qb, func() string { return pickOne(g, []string{"", a}) + b }},
		{"(?:" + qa + "){0,2}" + qb, func() string { return pickOne(g, []string{"", a}) + b }},
		{"x?^" + qa + "|" + qb, func() string { return pickOne(g, []string{a, g.text() + b}) }},
		{"(?:^|,)" + qa, func() string { return pickOne(g, []string{a, "x," + a}) }},
		{`\A[a-z]*` + qa + `\z`, func() string { return "q" + a }},
		{`[0-9]+|[^a]`, g.wild},
		{`^\b` + qa, func() string { return a }},
	}
	s := pickOne(g, expressions)
	return asText(s.expression), func() any { return s.sample() }
}

// quoteExpression quotes a text of a regular expression.
func quoteExpression(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune(`\.+*?()|[]{}^$`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
