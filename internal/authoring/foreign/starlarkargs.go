package foreign

import (
	"fmt"
	"slices"

	"go.starlark.net/syntax"
)

// parameters are the names of arguments by their position.
var parameters = map[string][]string{
	"prefix_rule":     {"pattern", "decision", "match", "not_match", "justification"},
	"network_rule":    {"host", "protocol", "decision", "justification"},
	"host_executable": {"name", "paths"},
}

// arguments returns the arguments of a call by their names, or says why they are
// unknown: Codex refuses such a file, and a decision may be among them.
func arguments(function string, given []syntax.Expr) (args map[string]syntax.Expr, wrong string) {
	args = make(map[string]syntax.Expr)
	order, known := parameters[function]
	for i, arg := range given {
		name := ""
		if pair, ok := arg.(*syntax.BinaryExpr); ok && pair.Op == syntax.EQ {
			if key, ok := pair.X.(*syntax.Ident); ok {
				name, arg = key.Name, pair.Y
			}
		} else if i < len(order) {
			name = order[i]
		}
		if unary, ok := arg.(*syntax.UnaryExpr); ok && (unary.Op == syntax.STAR || unary.Op == syntax.STARSTAR) {
			return nil, "its arguments are not written out"
		}
		if known && !slices.Contains(order, name) {
			return nil, fmt.Sprintf("it has no argument %q", name)
		}
		if _, twice := args[name]; twice {
			return nil, fmt.Sprintf("its argument %q stands there twice", name)
		}
		args[name] = arg
	}
	return args, ""
}
