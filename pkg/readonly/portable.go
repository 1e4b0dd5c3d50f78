package readonly

import (
	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"strings"
)

// mayBeZsh reports whether zsh may run the line.
func (p *Prover) mayBeZsh() bool { return shell.MayRun(p.Shell, "zsh") }

// source returns the text at a span.
func (v *attempt) source(s shell.Span) string {
	if s.From < 0 || s.To > len(v.line.Source) || s.From > s.To {
		return ""
	}
	return v.line.Source[s.From:s.To]
}

// expansions refuses what an expansion does beside giving its value: ${!x}
// evaluates a text as a name with its subscript, ${x=y} and arithmetic assign.
func (v *attempt) expansions() bool {
	src := v.source(v.c.Span)
	braces := strings.Contains(src, "${")
	if braces {
		for rest := src; ; {
			_, after, ok := strings.Cut(rest, "${")
			if !ok {
				break
			}
			rest = after
			if strings.HasPrefix(after, "!") {
				return v.fail(v.c.Span, "${!…} evaluates the text of a variable as a name")
			}
			name := strings.TrimLeft(after, identBytes)
			if len(name) < len(after) && (strings.HasPrefix(name, "=") || strings.HasPrefix(name, ":=")) {
				return v.fail(v.c.Span, "${…=…} assigns a variable")
			}
		}
	}
	name := v.assignedIndex(src)
	if braces || strings.Contains(src, "((") || strings.Contains(src, "$[") || strings.Contains(src, "[[") || v.c.Name == "let" {
		name = v.assignedName(src)
	}
	if name != "" {
		return v.failf(v.c.Span, "the expression may assign %s, which changes what later commands do", name)
	}
	return true
}

// assignedIndex returns a variable that the subscript of an assignment such as
// x[PATH=1]=2 or x=([PATH=1]=2) assigns, "" if there is none.
func (v *attempt) assignedIndex(src string) string {
	if len(v.c.Assigns) == 0 {
		return ""
	}
	for rest := src; ; {
		_, after, ok := strings.Cut(rest, "[")
		if !ok {
			return ""
		}
		var inner string
		inner, rest, _ = strings.Cut(after, "]")
		if name := v.assignedName(inner); name != "" {
			return name
		}
	}
}

const identBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// assignedName returns a variable that changes what programs do and that the
// text assigns, were it arithmetic; "" if there is none.
func (v *attempt) assignedName(s string) string {
	for i := 0; i < len(s); {
		if !isIdent(s[i]) {
			i++
			continue
		}
		end := i
		for end < len(s) && isIdent(s[end]) {
			end++
		}
		name, before, after := s[i:end], s[:i], strings.TrimLeft(s[end:], " \t")
		i = end
		if !strings.HasSuffix(before, "$") && (assigns(after) || stepped(strings.TrimRight(before, " \t"), after)) && v.active(name) {
			return name
		}
	}
	return ""
}

// assigns reports whether text begins with an assignment operator of arithmetic.
func assigns(s string) bool {
	op := strings.TrimLeft(s, "+-*/%&|^<>")
	return strings.HasPrefix(op, "=") && !strings.HasPrefix(op, "==") && !strings.HasPrefix(op, "=~") && len(s)-len(op) <= 2
}

// stepped reports whether ++ or -- stands before or after.
func stepped(before, after string) bool {
	return strings.HasPrefix(after, "++") || strings.HasPrefix(after, "--") || strings.HasSuffix(before, "++") || strings.HasSuffix(before, "--")
}

// mayConnect reports whether the file of a redirection is unknown at all, so
// that it may be one of those for which bash connects to a host.
func (v *attempt) mayConnect(r *command.Redirect) bool {
	t := &r.Target
	if !t.Open || t.Prefix != "" || t.Number || v.p.Shell == "sh" || v.p.Shell == "dash" || v.p.Shell == "zsh" {
		return false
	}
	return !strings.HasPrefix(v.source(r.Span), "<(") && !strings.HasPrefix(v.source(t.Span), "<(")
}
