package readonly

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/shell"
)

// mayBeZsh says whether zsh may run the line.
func (p *Prover) mayBeZsh() bool {
	return p.Shell != "bash" && p.Shell != "sh" && p.Shell != "dash"
}

// mayBeDash says whether a shell without bash's extensions may run the line.
func (p *Prover) mayBeDash() bool { return p.Shell != "bash" && p.Shell != "zsh" }

// portable rules out what sh, bash and zsh read differently, so that the
// proof of one would not hold for another.
func (v *proving) portable() bool {
	c := v.c
	src := v.source(c.Span)
	if len(c.Redirects) > 0 && !v.portableRedirects() {
		return false
	}
	if c.Keyword && c.Name == "((" && v.p.mayBeDash() {
		return v.fail(c.Span, "sh runs what stands in (( )) as a command")
	}
	if c.Keyword && c.Name == "time" && v.p.Shell != "bash" && !v.timesProgram() {
		v.fail(c.Span, "some shells take the word after time for a program")
		return v.instead("leave time out")
	}
	if strings.Contains(src, "$'") && v.p.mayBeDash() && !v.portableQuotes() {
		return false
	}
	return v.expansions(src)
}

// timesProgram says whether a plain word that is no assignment follows time.
func (v *proving) timesProgram() bool {
	after := strings.TrimLeft(strings.TrimPrefix(v.line.Source[v.c.Span.From:], "time"), " \t")
	word, _, _ := strings.Cut(after, " ")
	return word != "" && word[0] != '-' && !strings.Contains(word, "=") && !v.c.In(shell.Piped)
}

// source returns the text at a span.
func (v *proving) source(s shell.Span) string {
	if s.From < 0 || s.To > len(v.line.Source) || s.From > s.To {
		return ""
	}
	return v.line.Source[s.From:s.To]
}

// portableRedirects refuses &> before a word, which for sh is a command in the
// background and then another one, and redirections without a command, for
// which zsh runs cat or a pager; $(< file) is what the file holds.
func (v *proving) portableRedirects() bool {
	c := v.c
	for i := range c.Redirects {
		r := &c.Redirects[i]
		contents := r.Op == "<" && len(c.Assigns) == 0 && c.In(shell.InSubst)
		if len(c.Words) == 0 && !contents && v.p.mayBeZsh() && !v.ofCompound() {
			v.fail(r.Span, "zsh runs cat or a pager for a redirection alone")
			return v.instead("write cat before it")
		}
		if (r.Op == "&>" || r.Op == "&>>") && len(c.Words) > 0 && c.Words[len(c.Words)-1].Span.From > r.Span.From && v.p.mayBeDash() {
			v.failf(r.Span, "sh ends the command at %s and runs what follows", r.Op)
			return v.instead("write >/dev/null 2>&1 at the end")
		}
	}
	return true
}

// ofCompound says whether the redirections of a command without words are those
// of a loop, a group or another compound command before them.
func (v *proving) ofCompound() bool {
	before := strings.TrimRight(v.line.Source[:v.c.Span.From], " \t0")
	for _, end := range []string{"done", "fi", "esac", "}", ")"} {
		if strings.HasSuffix(before, end) {
			return true
		}
	}
	return false
}

// portableQuotes refuses $'…' with escapes other than those of a tab or a line
// end: sh takes it for a dollar before a plain quotation, which ends elsewhere.
func (v *proving) portableQuotes() bool {
	for i := range v.c.Words {
		if w := &v.c.Words[i]; w.Quoted && ansiQuoted(v.source(w.Span)) {
			v.fail(w.Span, "sh reads $'…' as another text")
			return v.instead("write it with plain quotes")
		}
	}
	for i := range v.c.Assigns {
		if a := &v.c.Assigns[i]; ansiQuoted(v.source(a.Span)) {
			return v.fail(a.Span, "sh reads $'…' as another text")
		}
	}
	for i := range v.c.Redirects {
		if r := &v.c.Redirects[i]; ansiQuoted(v.source(r.Span)) {
			return v.fail(r.Span, "sh reads $'…' as another text")
		}
	}
	return true
}

// ansiQuoted says whether a word has $'…' outside of other quotes, with
// anything but \t, \n and \r in it. Where a substitution stands in double
// quotes it cannot tell, and takes every $' for one that a backslash follows.
func ansiQuoted(s string) bool {
	double, nested := false, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '"':
			double = !double
		case c == '`' || c == '$' && i+1 < len(s) && s[i+1] == '(':
			nested = true
		case c == '$' && i+1 < len(s) && s[i+1] == '\'' && (!double || nested):
			text, _, ok := strings.Cut(s[i+2:], "'")
			if plain := onlyEscapes(text); ok && !nested && !plain || nested && strings.Contains(s[i+2:], `\`) {
				return true
			}
			i += 2 + len(text)
		case c == '\'' && !double && !nested:
			end := strings.IndexByte(s[i+1:], '\'')
			if end < 0 {
				return false
			}
			i += end + 1
		}
	}
	return false
}

// onlyEscapes says whether text is nothing but \t, \n and \r.
func onlyEscapes(text string) bool {
	for ; len(text) >= 2 && text[0] == '\\' && strings.IndexByte("tnr", text[1]) >= 0; text = text[2:] {
	}
	return text == ""
}

// expansions refuses what an expansion does beside giving its value: ${!x}
// evaluates a text as a name with its subscript, ${x=y} and arithmetic assign.
func (v *proving) expansions(src string) bool {
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
	if !v.subscripts(src) || !v.arrays(src) {
		return false
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
func (v *proving) assignedIndex(src string) string {
	if len(v.c.Assigns) == 0 {
		return ""
	}
	for rest := src; ; {
		_, after, ok := strings.Cut(rest, "[")
		if !ok {
			return ""
		}
		rest = after
		inner, _, _ := strings.Cut(after, "]")
		if name := v.assignedName(inner); name != "" {
			return name
		}
	}
}

const identBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// assignedName returns a variable that changes what programs do and that the
// text assigns, were it arithmetic; "" if there is none.
func (v *proving) assignedName(s string) string {
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

// assigns says whether text begins with an assignment operator of arithmetic.
func assigns(s string) bool {
	op := strings.TrimLeft(s, "+-*/%&|^<>")
	return strings.HasPrefix(op, "=") && !strings.HasPrefix(op, "==") && !strings.HasPrefix(op, "=~") && len(s)-len(op) <= 2
}

// stepped says whether ++ or -- stands before or after.
func stepped(before, after string) bool {
	return strings.HasPrefix(after, "++") || strings.HasPrefix(after, "--") || strings.HasSuffix(before, "++") || strings.HasSuffix(before, "--")
}

// mayConnect says whether the file of a redirection is not known at all, so
// that it may be one of those for which bash connects to a host.
func (v *proving) mayConnect(r *shell.Redirect) bool {
	t := &r.Target
	if !t.Open || t.Prefix != "" || t.Number || v.p.Shell == "sh" || v.p.Shell == "dash" || v.p.Shell == "zsh" {
		return false
	}
	return !strings.HasPrefix(v.source(r.Span), "<(") && !strings.HasPrefix(v.source(t.Span), "<(")
}
