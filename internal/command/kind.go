package command

import (
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// Of reports whether the program is of a kind, as in [program.Program.Kinds].
func (c *Command) Of(kind string) bool {
	p := c.Row()
	return p != nil && p.Is(c.Name, kind)
}

// How returns the value of a kind of the program, "" where it has none.
func (c *Command) How(kind string) string {
	if p := c.Row(); p != nil {
		return p.How(c.Name, kind)
	}
	return ""
}

// Construct returns the construct of the shell's grammar that the command is a part of,
// as in [Command.Keyword]; "" for others.
func (c *Command) Construct() string {
	if c.Keyword {
		return c.Name
	}
	return ""
}

// Binds returns what the shell sets that the command names, "" where it is none of its
// builtins.
func (c *Command) Binds() string {
	if c.Path != c.Name {
		return ""
	}
	return c.How("sets")
}

// Sums returns which words of a builtin the shell may evaluate as arithmetic: "all" of
// them, "words" beside operators that compare numbers, or the "name" of a variable; "" for none.
func (c *Command) Sums() string {
	switch {
	case c.Path == "[[":
		return "words"
	case c.Path == "let":
		return "all"
	case c.Path != c.Name:
		return ""
	}
	return c.How("sums")
}

// Does reports whether the words make the program do what a kind says.
func (c *Command) Does(kind string) (does bool) {
	if p := c.Row(); p != nil {
		p.When(c.Name, kind, func(clause string) bool {
			does = clause == "" || c.holds(clause)
			return !does
		})
	}
	return does
}

// holds reports whether a clause holds: each of its parts, of which one has alternatives
// with commas between them, and ! before them denies all.
func (c *Command) holds(clause string) bool {
	for part := range strings.SplitSeq(clause, "&") {
		any, denied := strings.CutPrefix(part, "!")
		found := false
		for term := range strings.SplitSeq(any, ",") {
			found = found || c.term(term)
		}
		if found == denied {
			return false
		}
	}
	return true
}

// term reports whether a term of a clause holds, as in [program.Program.Kinds].
func (c *Command) term(term string) bool {
	args := c.Words[min(1, len(c.Words)):]
	rest := term[1:]
	switch term[0] {
	case ':':
		name, value, is := strings.Cut(rest, "=")
		o := c.Args.Option(name)
		return o != nil && (!is || o.Arg.Has(value))
	case '@':
		return c.Args.Sub == strings.ReplaceAll(rest, "_", " ")
	case '#':
		n, _ := strconv.Atoi(rest)
		return len(args) >= n
	case '*':
		return len(c.Args.Operands) > 0 && (rest == "" || rest == strconv.Itoa(len(c.Args.Operands)))
	case '<':
		return c.fed()
	case '1':
		return len(args) > 0 && args[0].Has(rest[1:])
	case '$':
		return len(args) > 0 && args[len(args)-1].Has(rest[1:])
	}
	for i := range args {
		for _, v := range args[i].Values {
			if wordIs(v, term) {
				return true
			}
		}
	}
	option, begin, ok := strings.Cut(term, "^")
	return ok && term[0] == '-' && valueBegins(args, option, begin)
}

// wordIs reports whether a word is what a term of a clause names.
func wordIs(v, term string) bool {
	rest := term[1:]
	switch term[0] {
	case '%':
		if begin, ok := strings.CutPrefix(rest, "^"); ok {
			return strings.HasPrefix(strings.ToLower(v), begin)
		}
		return strings.EqualFold(v, rest)
	case '~':
		return strings.Contains(v, rest)
	case '.':
		verb, _, _ := strings.Cut(v, " ")
		return verb == rest
	case '+':
		letter, end, _ := strings.Cut(rest, "/")
		if len(v) < 2 || v[0] != '-' || strings.HasPrefix(v, "--") {
			return false
		}
		if end != "" {
			v, _, _ = strings.Cut(v, end)
		}
		return strings.Contains(v, letter)
	}
	return v == term
}

// valueBegins reports whether an option that the words spell has a value that begins with
// a text.
func valueBegins(args []shell.Word, option, begin string) bool {
	for i := range args {
		for _, v := range args[i].Values {
			if v == option && i+1 < len(args) && strings.HasPrefix(args[i+1].Beginning(), begin) {
				return true
			}
			if value, ok := strings.CutPrefix(v, option); ok && value != "" && strings.HasPrefix(strings.TrimPrefix(value, "="), begin) {
				return true
			}
		}
	}
	return false
}

// fed reports whether the command has a standard input of its own.
func (c *Command) fed() bool {
	for i := range c.Redirects {
		if c.Redirects[i].Reads() {
			return true
		}
	}
	return c.In(Piped) || c.Input != nil
}
