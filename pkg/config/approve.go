package config

import (
	"errors"
	"regexp/syntax"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/pkg/policy"
)

var autoApprovesForm = form[draft]{listOf(tableShape(autoApproveKeys, "tool")), func(d *decoder, n *yaml.Node, s *draft) {
	for item := range d.items(n) {
		a := policy.AutoApprove{Origin: d.origin(item)}
		if !whole(d, item, autoApproveKeys, &a, "tool") {
			continue
		}
		if a.Command == nil && a.Path == nil && a.URL == nil && a.Args == nil {
			d.fail(item, "a pattern is missing here: one of command_pattern, path_pattern, url_pattern, args_pattern")
			continue
		}
		s.AutoApprove = append(s.AutoApprove, a)
		d.mention(child(item, "tool"), aTool, a.Tool, "")
	}
}}

// unsupported names what other languages have in regular expressions and RE2
// does not.
var unsupported = []struct{ begin, name string }{
	{"(?=", "look-ahead"},
	{"(?!", "look-ahead"},
	{"(?<=", "look-behind"},
	{"(?<!", "look-behind"},
	{"(?>", "an atomic group"},
	{"(?(", "a condition"},
	{`\k`, "a back-reference"},
	{"(?P", "a back-reference"}, // what the error has left of (?P=name)
}

// regexpText says what is wrong with a regular expression.
func regexpText(err error) string {
	var e *syntax.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	for _, u := range unsupported {
		if strings.HasPrefix(e.Expr, u.begin) {
			return u.begin + notRE2(u.name)
		}
	}
	if len(e.Expr) == 2 && e.Expr[0] == '\\' && '1' <= e.Expr[1] && e.Expr[1] <= '9' {
		return e.Expr + notRE2("a back-reference")
	}
	return "not a regular expression: " + e.Code.String() + ": " + clip(e.Expr)
}

func notRE2(what string) string {
	return " (" + what + ") is not supported: regular expressions are those of RE2"
}
