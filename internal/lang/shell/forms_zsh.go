package shell

import (
	"strings"
)

// FromZsh returns a text with the forms that only zsh has as those of all shells, as
// near as a look for dangers needs (zshmisc(1), "Complex Commands"): what runs under a
// condition is run, and a loop lasts to the end of the block around it.
func FromZsh(src string) string {
	z := &zshForms{src: src, start: true}
	for z.at < len(z.src) {
		z.step()
	}
	for len(z.open) > 0 {
		z.closes()
	}
	if z.loops != "" {
		z.out.WriteString("\n:" + z.loops)
	}
	return z.out.String()
}

// OnlyInZsh reports whether a text that other shells may read too has a form which means
// something else in zsh.
func OnlyInZsh(src string) bool {
	for _, form := range [...]string{"$=", "$~", "$^", "() ", "(e", "(oe", ">!", "/^", "(N", "(|", "(*"} {
		if strings.Contains(src, form) {
			return true
		}
	}
	return false
}

// A zshForms goes through a text of zsh.
type zshForms struct {
	src   string
	at    int
	out   strings.Builder
	start bool     // a command may begin here
	open  []string // what closes the blocks around this place
	loops string   // what ends the loops that began in the innermost block
}

// maxHead bounds the head of a form, in bytes, and maxLoops the loops of a block.
const (
	maxHead  = 4096
	maxLoops = 256
)

// anonymous is the name of a function without one.
const anonymous = "anonymous_function"

func (z *zshForms) step() {
	b, rest := z.src[z.at], z.src[z.at:]
	switch {
	case strings.IndexByte(" \t", b) >= 0:
		z.copy(1)
	case strings.HasPrefix(rest, ";;"), strings.HasPrefix(rest, ";|"), strings.HasPrefix(rest, ";&"):
		z.out.WriteString("\n")
		z.at += 2
		if i := strings.IndexAny(z.src[z.at:], ")};"); i >= 0 && z.src[z.at+i] == ')' { // the next pattern
			z.at += i + 1
		}
		z.start = true
	case b == ';' && z.start: // behind a block
		z.at++
	case strings.IndexByte(";&|\n", b) >= 0:
		z.copy(1)
		z.start = true
	case strings.HasPrefix(rest, ">!"), strings.HasPrefix(rest, ">>!"):
		z.out.WriteString(">|")
		z.at += strings.IndexByte(rest, '!') + 1
	case b == '{' && (z.start || z.blankBefore()) && len(rest) > 1 && strings.IndexByte(" \t\n", rest[1]) >= 0:
		z.opens("{ :; ", "}", 1)
	case b == '}' && len(z.open) > 0 && (z.start || z.blankBefore()):
		z.at++
		z.closes()
	case strings.HasPrefix(rest, "()"):
		z.body()
	case strings.HasPrefix(rest, "=(") && z.blankBefore(): // the file of a substitution
		z.out.WriteString("<")
		z.at++
		z.copy(closingIn(rest[1:], '(', ')'))
		z.start = false
	case b == '(' && z.start:
		z.opens("( :; ", ")", 1)
	case b == ')' && len(z.open) > 0 && z.open[len(z.open)-1] == ")":
		z.at++
		z.closes()
	case b == '(' && z.at > 0 && !z.blankBefore() && strings.IndexByte("=<>$", z.src[z.at-1]) < 0:
		z.qualifiers()
	default:
		z.word()
	}
}

func (z *zshForms) copy(n int) {
	z.out.WriteString(z.src[z.at : z.at+n])
	z.at += n
}

func (z *zshForms) blanks() {
	for z.at < len(z.src) && strings.IndexByte(" \t", z.src[z.at]) >= 0 {
		z.at++
	}
}

func (z *zshForms) blankBefore() bool {
	return z.at == 0 || strings.IndexByte(" \t\n;", z.src[z.at-1]) >= 0
}

// opens begins a block.
func (z *zshForms) opens(with, closer string, n int) {
	if !z.start {
		z.out.WriteString("; ")
	}
	z.out.WriteString(with)
	z.open = append(z.open, closer+z.loops)
	z.at, z.start, z.loops = z.at+n, true, ""
}

// closes ends the innermost block.
func (z *zshForms) closes() {
	last := len(z.open) - 1
	closer := z.open[last]
	z.out.WriteString("\n:" + z.loops)
	z.open, z.loops, z.start = z.open[:last], "", true
	name, loops, _ := strings.Cut(closer, ";")
	if loops != "" {
		z.loops = ";" + loops
	}
	if name != anonymous {
		z.out.WriteString("\n" + name + "\n")
		return
	}
	args := z.src[z.at:]
	args = args[:Unquoted(args, ";&|\n")]
	z.out.WriteString("\n}; " + anonymous + " " + args + "\n")
	z.at += len(args)
}

// qualifiers leaves the qualifiers of a pattern out, but for the code that they run.
func (z *zshForms) qualifiers() {
	end := z.at + closingIn(z.src[z.at:], '(', ')')
	inner := strings.Trim(z.src[z.at:end], "()")
	z.at = end
	if i := strings.IndexByte(inner, 'e'); i >= 0 && i+2 < len(inner) && strings.IndexByte(":{[", inner[i+1]) >= 0 {
		code := strings.Trim(inner[i+2:], `:}]'"`)
		z.out.WriteString("$(" + code + ")")
		return
	}
	if strings.Contains(inner, "*") {
		z.out.WriteString("*")
	}
}

// closingIn returns the length of a text up to the sign that closes its first one.
func closingIn(text string, open, closer byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case open:
			depth++
		case closer:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// word goes over a word: a keyword is left out, or begins a form.
func (z *zshForms) word() {
	if z.start {
		end := strings.IndexAny(z.src[z.at:], " \t\n;&|(){}<>\"'`$\\=")
		if end < 0 {
			end = len(z.src) - z.at
		}
		switch name := z.src[z.at : z.at+end]; name {
		case "if", "elif", "else", "while", "until", "then", "do", "always", "fi", "done", "end", "esac", "time":
			z.at += end
			if name == "fi" || name == "done" || name == "end" || name == "esac" {
				z.out.WriteString(":")
				z.start = false
			}
			return
		case "repeat":
			z.at += end
			z.blanks()
			z.at += Unquoted(z.src[z.at:], " \t\n;")
			if z.blanks(); strings.HasPrefix(z.src[z.at:], ";") {
				z.at++
			}
			return
		case "for", "foreach", "select":
			z.at += end
			z.loop()
			return
		case "case":
			z.at += end
			z.choice()
			return
		case "function":
			z.at += end
			z.function()
			return
		}
	}
	z.start = false
	rest := z.src[z.at:]
	switch b := rest[0]; {
	case b == '\\':
		z.copy(min(2, len(rest)))
	case b == '\'' || b == '"':
		end := 1 + strings.IndexByte(rest[1:], b)
		z.copy(max(end, 0) + 1)
	case b == '$' && len(rest) > 2 && strings.IndexByte("=~^", rest[1]) >= 0 && IsNameByte(rest, 2):
		n := 2
		for IsNameByte(rest, n) {
			n++
		}
		z.out.WriteString("${" + rest[1:n] + "}")
		z.at += n
	case strings.HasPrefix(rest, "${"):
		z.copy(closingIn(rest, '{', '}'))
	case len(rest) > 1 && rest[1] == '(' && strings.IndexByte("$=<>", b) >= 0:
		z.copy(closingIn(rest, '(', ')'))
	default:
		z.copy(1)
	}
}

// body begins what stands behind () as the body of a function.
func (z *zshForms) body() {
	z.at += len("()")
	z.blanks()
	isBlock := strings.HasPrefix(z.src[z.at:], "{")
	switch {
	case z.start && isBlock:
		z.opens(anonymous+"() { :; ", anonymous, 1)
	case isBlock:
		z.start = true
		z.opens("() { :; ", "}", 1)
	case z.start: // runs at once
	default:
		end := Unquoted(z.src[z.at:], ";\n")
		z.out.WriteString("() { " + z.src[z.at:z.at+end] + "\n}")
		z.at += end
	}
}

// loop begins a loop over words, which stand in parentheses or behind in.
func (z *zshForms) loop() {
	z.blanks()
	if rest := z.src[z.at:]; strings.HasPrefix(rest, "((") {
		z.at += closingIn(rest, '(', ')')
		return
	}
	head := z.src[z.at:]
	end := Unquoted(head, "(;\n")
	names, words, _ := strings.Cut(head[:end]+" ", " in ")
	z.at += end
	if strings.HasPrefix(z.src[z.at:], "(") {
		n := closingIn(z.src[z.at:], '(', ')')
		words = strings.Trim(z.src[z.at:z.at+n], "()")
		z.at += n
	} else {
		z.at = min(z.at+1, len(z.src))
	}
	for name := range strings.FieldsSeq(names) {
		if len(z.loops) > maxLoops*len("; done") {
			return
		}
		z.out.WriteString("for " + name + " in " + words + "\ndo :; ")
		z.loops += "; done"
	}
}

// choice takes case WORD { … } for what its branches run.
func (z *zshForms) choice() {
	head := z.src[z.at:min(len(z.src), z.at+maxHead)]
	end := strings.IndexAny(head, "{\n")
	if in := strings.Index(head, " in "); in >= 0 && (end < 0 || in < end) {
		end = in + 3
	}
	if end < 0 {
		return
	}
	z.at += end + 1
	if z.src[z.at-1] == '{' {
		z.open = append(z.open, ":"+z.loops)
		z.loops = ""
	}
	if i := strings.IndexByte(z.src[z.at:], ')'); i >= 0 {
		z.at += i + 1
	}
	z.out.WriteString(":; ")
}

// function begins a function with names or without.
func (z *zshForms) function() {
	head := z.src[z.at:]
	end := strings.IndexByte(head, '{')
	if end < 0 {
		return
	}
	names := strings.Fields(strings.TrimRight(strings.TrimSpace(head[:end]), "()"))
	z.at += end
	if len(names) == 0 {
		z.opens(anonymous+"() { :; ", anonymous, 1)
		return
	}
	z.opens(names[len(names)-1]+"() { :; ", "}", 1)
}
