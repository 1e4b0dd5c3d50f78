package command

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// SearchRoots returns the operands below which a find looks, and whether its
// tests leave out all but some files: of what it deletes, and of what it
// prints where another command reads that, else of what it runs commands on.
// The roots are nil for other programs.
func (c *Command) SearchRoots() (roots []shell.Set, narrowed bool) {
	if !c.Finds() {
		return nil, false
	}
	for _, o := range c.Args.Operands {
		if w := &c.Words[o.At]; findSign(w) == "" {
			roots = append(roots, w.Set)
		}
	}
	if len(roots) == 0 {
		roots = []shell.Set{{Values: []string{"."}}}
	}
	return roots, c.Narrowed()
}

// DeletesMost reports whether a find deletes most of what lies below its
// roots.
func (c *Command) DeletesMost() bool {
	return c.Finds() && c.Args.Has("delete") && c.findReaches(func(o *Option) bool { return o.Is("delete") })
}

// Narrowed reports whether no action of a find is reached by most files.
func (c *Command) Narrowed() bool {
	if !c.Finds() {
		return false
	}
	acts, prints := c.Args.Has("delete"), false
	for i := range c.Args.Options {
		if o := &c.Args.Options[i]; o.Spec != nil {
			acts, prints = acts || o.Spec.Role == program.RoleArgv, prints || printsFound(o)
		}
	}
	prints = !acts || prints && (c.In(Piping) || c.In(InSubst))
	return !c.findReaches(func(o *Option) bool {
		return o.Is("delete") || o.Spec.Role == program.RoleArgv && !prints || prints && printsFound(o)
	})
}

// All reports whether one of the values that are known passes: to deny, one is
// enough.
func All(s shell.Set, pass func(string) bool) bool {
	for _, v := range s.Values {
		if pass(v) {
			return true
		}
	}
	return false
}

// allNames reports whether a pattern fits a good part of all names: what it
// spells beside stars is at most a dot or one letter.
func allNames(s shell.Set) bool {
	return All(s, func(v string) bool {
		v = withoutBrackets(v)
		spelt := strings.ReplaceAll(strings.ReplaceAll(v, "*", ""), "?", "")
		return len(spelt) <= 1 && strings.Contains(v, "*") && (spelt == "" || spelt == "." || isAlnum(spelt[0]))
	})
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// withoutBrackets returns a pattern without the bracket expressions in it that
// fit many characters: ranges, classes and negations. Others stand as an x.
func withoutBrackets(v string) string {
	if !strings.Contains(v, "[") {
		return v
	}
	for class := range strings.SplitSeq("alpha alnum lower upper digit print graph punct", " ") {
		v = strings.ReplaceAll(v, "[:"+class+":]", "a-z")
	}
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(v, "[")
		end := strings.IndexByte(rest[min(1, len(rest)):], ']')
		if !ok || end < 0 {
			return out.String() + v
		}
		out.WriteString(before)
		if members := rest[:end+1]; members[0] != '!' && members[0] != '^' && !strings.Contains(members, "-") {
			out.WriteByte('x')
		}
		v = rest[end+2:]
	}
}

// allPaths reports whether a pattern matches every path below a root of the find.
func (c *Command) allPaths(s shell.Set) bool {
	return All(s, func(v string) bool {
		v = withoutBrackets(v)
		rest := strings.TrimRight(v, "*")
		if rest == v {
			return false
		}
		if strings.Trim(rest, "*?/.") == "" {
			return true
		}
		for _, o := range c.Args.Operands {
			if w := &c.Words[o.At]; w.Has(rest) || w.Has(strings.TrimSuffix(rest, "/")) {
				return true
			}
		}
		return false
	})
}

// usualOwner reports whether a user or group owns nearly all below a root of the
// find: the superuser, or whose home it is.
func (c *Command) usualOwner(s shell.Set) bool {
	return All(s, func(v string) bool {
		if v == "root" || v == "wheel" || v == "0" || beyond(v, -1, 60000) {
			return true
		}
		for _, o := range c.Args.Operands {
			for _, root := range c.Words[o.At].Values {
				if shell.Base(root) == v {
					return true
				}
			}
		}
		return false
	})
}

// beyond reports whether a number of find holds for nearly everything: more than
// at most low, or less than at least high.
func beyond(v string, low, high int) bool {
	if len(v) < 2 {
		return false
	}
	n, ok := shell.SmallInt(v[1:])
	return ok && (v[0] == '+' && n <= low || v[0] == '-' && n >= high)
}

// usualSize reports whether nearly every file has a size: more than nothing, or
// less than a gibibyte.
func usualSize(v string) bool {
	blocks := map[byte]int{'c': 1 << 30, 'w': 1 << 29, 'b': 1 << 21, 'k': 1 << 20, 'M': 1 << 10, 'G': 1}
	unit := byte('b')
	if n := len(v); n > 0 && blocks[v[n-1]] > 0 {
		unit, v = v[n-1], v[:n-1]
	}
	return beyond(v, 0, blocks[unit])
}

// longAgo reports whether a time is one that nearly every file is younger than.
func longAgo(v string) bool {
	if at, ok := strings.CutPrefix(v, "@"); ok {
		return len(at) < 10
	}
	year, ok := shell.SmallInt(v[:min(4, len(v))])
	return ok && year >= 1900 && year < 2010
}

// usualMode reports whether nearly every file has a mode, as -perm reads it: one
// of some bits with /, all of some with -.
func usualMode(v string) bool {
	if v == "" {
		return false
	}
	bits := v[1:]
	if v[0] == '-' && strings.Contains(bits, "r") {
		return !strings.ContainsAny(bits, "wxst") && !strings.Contains(bits, "o")
	}
	if v[0] == '/' && strings.Contains(bits, "r") {
		return true
	}
	n, ok := 0, bits != ""
	for i := range len(bits) {
		d := shell.Digit(bits[i])
		n, ok = n<<3|d, ok && d < 8
	}
	switch {
	case !ok:
		return false
	case v[0] == '/' || v[0] == '+':
		return n == 0 || n&0o444 != 0
	}
	return v[0] == '-' && n&^0o440 == 0
}
