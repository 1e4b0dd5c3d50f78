package pattern

import (
	"errors"
	"regexp/syntax"
	"strings"

	"github.com/policyctl/policyctl/internal/support/clip"
)

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

// RegexpError says what is wrong with a regular expression, from the error of
// compiling it, and names what RE2 lacks.
func RegexpError(err error) string {
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
	return "not a regular expression: " + e.Code.String() + ": " + clip.Line(e.Expr)
}

func notRE2(what string) string {
	return " (" + what + ") is not supported: regular expressions are those of RE2"
}
