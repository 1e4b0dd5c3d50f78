package eval

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
)

// inZsh returns what an expansion with flags, prefixes or modifiers of zsh may yield
// (zshexpn(1)). It is always open.
func (x *expansion) inZsh(p *syntax.ParamExp) shell.Set {
	plain := *p
	plain.Flags, plain.Modifiers, plain.NestedParam = nil, nil, nil
	plain.Split, plain.GlobSubst, plain.RcExpand = 0, 0, 0
	flags := ""
	if p.Flags != nil {
		flags = p.Flags.Value
	}
	out := shell.Set{Open: true}
	switch nested, ok := p.NestedParam.(*syntax.ParamExp); {
	case p.Names != 0 || p.Width || p.IsSet || p.Length:
		return out
	case ok:
		out = x.param(nested).set
	case p.Param == nil && p.Exp != nil && shell.IsDefault(p.Exp.Op):
		out = x.orElse(value{unset: true}, &plain)
	case p.Param != nil:
		plain.Excl = plain.Excl || strings.Contains(flags, "P")
		v := x.param(&plain)
		for out = v.set; len(v.list) > 0; v.list = v.list[1:] {
			out.Values = append(out.Values, v.list[0].Values...)
		}
	}
	values := out.Values
	out = shell.Set{Open: true, Glob: out.Glob || p.GlobSubst != 0}
	for _, v := range values {
		out.Values = append(out.Values, x.modified(v, flags, p.Modifiers))
	}
	return out
}

// modified applies flags and modifiers of zsh to a value.
func (x *expansion) modified(v, flags string, modifiers []*syntax.Lit) string {
	for _, m := range modifiers {
		switch m.Value {
		case "h":
			v = command.DirName(v)
		case "t":
			v = shell.Base(v)
		case "l":
			v = strings.ToLower(v)
		}
	}
	if strings.Contains(flags, "L") {
		v = strings.ToLower(v)
	}
	if _, sep, ok := strings.Cut(flags, "s"); ok && len(sep) > 2 { // (s.:.) parts at the colon
		v = strings.ReplaceAll(v, sep[1:1+strings.IndexByte(sep[1:]+sep[:1], sep[0])], " ")
	}
	if strings.ContainsAny(flags, "e%") {
		x.r.substitutions(x.cmd, shell.Set{Values: []string{v}}, x.span, x.sc)
	}
	return v
}
