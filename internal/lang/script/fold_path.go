package script

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// listed returns what listing a directory yields: each path below it.
func (p *reading) listed(of int32, args []Value, depth int) Value {
	dir := open
	if of != 0 && !p.isModule(of) {
		dir = p.evaluate(of, depth)
	}
	out := below(subject(dir, args))
	if out.Texts == nil && of != 0 && len(args) == 0 && p.isModule(of) {
		out.Texts = []string{"./*"} // os.listdir()
	}
	if out.Texts == nil {
		return open
	}
	return out
}

// below returns each path below a directory.
func below(dir Value) Value {
	out := Value{Each: true}
	for _, d := range dir.Texts {
		if IsKnown(d) {
			out.Texts = append(out.Texts, strings.TrimSuffix(d, "/")+"/*")
		}
	}
	return out
}

func globbed(_ *reading, of Value, args []Value) Value {
	v := subject(Value{}, args)
	if of.Texts != nil && of.Texts[0] != Unknown { // Path("/").glob("*")
		v = combined([]Value{of, v}, "/")
	}
	v.Each = true
	return v
}

func globbedBelow(_ *reading, of Value, args []Value) Value {
	if len(args) != 1 || !has(args[0], "*") && !has(args[0], "**") && !has(args[0], "**/*") {
		return open
	}
	v := combined([]Value{of, text("*")}, "/")
	v.Each = true
	return v
}

// environment is getenv and its like.
func environment(p *reading, _ Value, args []Value) Value {
	if len(args) == 0 {
		return open
	}
	if v := p.outside(args[0]); IsKnown(v.Texts[0]) {
		return v
	}
	if has(args[0], "USER") {
		return userName(p, open, nil)
	}
	if n := len(args); n > 1 && p.language != program.PHP { // where it is not set
		return either([]Value{open, args[n-1]})
	}
	return open
}

func expandHome(p *reading, of Value, args []Value) Value {
	home := p.home().Texts[0]
	return mapped(subject(of, args), func(s string) string {
		if s == "~" || strings.HasPrefix(s, "~/") {
			s = home + s[1:]
		}
		return strings.NewReplacer("${HOME}", home, "$HOME", home).Replace(s)
	})
}

func userName(p *reading, _ Value, _ []Value) Value {
	i := strings.LastIndexByte(p.env.Home, '/')
	if i < 0 {
		return open
	}
	return text(p.env.Home[i+1:])
}
