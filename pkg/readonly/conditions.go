package readonly

import (
	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"slices"
	"strings"
)

// testWords refuses the tests that evaluate text. -v and -R look at a variable
// by name and run what its subscript holds, -t of zsh takes an expression. A
// word that may be several, or two that are unknown in a row, may be such
// a test.
func testWords(v *attempt) bool {
	words := v.c.Words
	if v.c.Of("closes") && !words[len(words)-1].Has("]") {
		return v.fail(words[len(words)-1].Span, "the test does not end with ]")
	}
	for i := 1; i < len(words); i++ {
		w := &words[i]
		if (w.Many || w.Splits) && !w.Number && !v.counted(w) {
			v.fail(w.Span, "the word may expand to several, which make another test")
			return v.instead("put it in double quotes")
		}
		if !v.plainTest(w, i) {
			return false
		}
		if numberTest(w) && !(v.compared(i-1) && v.compared(i+1)) {
			return v.fail(w.Span, "some shells evaluate a word that they compare as a number")
		}
		if !w.Known() && !w.Number && i+1 < len(words) && evaluable(&words[i+1]) {
			return v.fail(w.Span, "the test is unknown")
		}
	}
	return true
}

// evaluable reports whether a word may be a name with a subscript.
func evaluable(w *shell.Word) bool {
	t, ok := w.Literal()
	return !ok && !w.Number || ok && len(t) > 1 && strings.Contains(t, "[")
}

// numberTest reports whether a word compares numbers.
func numberTest(w *shell.Word) bool {
	for _, op := range [...]string{"-eq", "-ne", "-lt", "-le", "-gt", "-ge"} {
		if w.Has(op) {
			return true
		}
	}
	return false
}

// compared reports whether word i is a number, or at least no expression that
// the shell would evaluate; mksh evaluates any.
func (v *attempt) compared(i int) bool {
	if i >= len(v.c.Words) {
		return false
	}
	w := &v.c.Words[i]
	for _, t := range w.Values {
		if strings.Trim(t, "+-0123456789 ") != "" {
			return false
		}
	}
	return w.Known() || w.Number || v.counted(w) || !shell.MayRun(v.p.Shell, "mksh")
}

// counted reports whether a word is what wc prints: numbers.
func (v *attempt) counted(w *shell.Word) bool {
	last := -1
	for k := range v.line.Commands {
		c := &v.line.Commands[k]
		if !c.In(command.InSubst) || c.Span.From <= w.Span.From || c.Span.To >= w.Span.To {
			continue
		}
		if last >= 0 && !v.line.Commands[last].In(command.Piping) {
			return false
		}
		last = k
	}
	return last >= 0 && v.line.Commands[last].Of("tallies") && len(v.line.Commands[last].Args.Operands) == 0
}

// plainTest refuses the word i of a test where it is -v, -R, or -t with
// anything but a number.
func (v *attempt) plainTest(w *shell.Word, i int) bool {
	if w.Has("-v") || w.Has("-R") {
		return v.fail(w.Span, "the test looks at a variable by name, which may evaluate a subscript")
	}
	if !w.Has("-t") || i+1 >= len(v.c.Words) {
		return true
	}
	next := &v.c.Words[i+1]
	t, ok := next.Literal()
	if next.Number || ok && (isDigits(t) || t == "]" || t == "]]") {
		return true
	}
	return v.fail(next.Span, "zsh evaluates the argument of -t")
}

// testClause proves [[ … ]]; the arithmetic in it was judged as it was read.
func (v *attempt) testClause() bool {
	for i := range v.c.Words {
		if !v.plainTest(&v.c.Words[i], i) {
			return false
		}
		if w := &v.c.Words[i]; numberTest(w) && !(v.compared(i-1) && v.compared(i+1)) {
			return v.fail(w.Span, "the shell evaluates a word that it compares as a number")
		}
	}
	return true
}

// printfFormat checks that printf assigns nothing, and that what it prints as
// a number is one: zsh evaluates it.
func printfFormat(v *attempt) bool {
	t, span, ok := v.text(0)
	if !ok {
		v.fail(span, "the format is unknown")
		return v.instead("write '%s\\n' before it")
	}
	if strings.Contains(t, "%n") {
		return v.fail(span, "the format assigns a variable")
	}
	if isWide(t) || strings.Contains(t, "*") && slices.ContainsFunc(v.args[1:], func(i int) bool { return isWide(v.c.Words[i].Text()) }) {
		return v.fail(span, "the format prints more than anybody reads")
	}
	kinds := conversions(t)
	if !strings.Contains(kinds, "d") || !v.p.mayBeZsh() {
		return true
	}
	for k, i := range v.args[1:] {
		w := &v.c.Words[i]
		if t, ok := w.Literal(); kinds[k%len(kinds)] != 's' && !w.Number && !(ok && isNumber(strings.Replace(t, ".", "", 1))) {
			v.fail(w.Span, "zsh evaluates a word that printf prints as a number")
			return v.instead("use %s")
		}
		if w.Many {
			return v.fail(w.Span, "the word may expand to several, and zsh may evaluate one")
		}
	}
	return true
}

// isWide reports whether a text holds a number of so many digits that what is as wide
// never ends.
func isWide(text string) bool {
	digits := 0
	for i := range len(text) {
		if digits++; !isDigit(text[i]) {
			digits = 0
		}
		if digits > maxDigits {
			return true
		}
	}
	return false
}

// maxDigits is how many digits a width or a count has at most.
const maxDigits = 6

// conversions returns a letter for each argument that a format takes, s for a
// text and d for a number. Where arguments are numbered, all are numbers.
func conversions(format string) string {
	var kinds []byte
	for {
		_, rest, ok := strings.Cut(format, "%")
		if !ok {
			return string(kinds)
		}
		i := 0
		for ; i < len(rest) && strings.IndexByte("-+ #0123456789.'*", rest[i]) >= 0; i++ {
			if rest[i] == '*' {
				kinds = append(kinds, 'd')
			}
		}
		switch {
		case i == len(rest) || rest[i] == '$':
			return "d"
		case strings.IndexByte("sbqc", rest[i]) >= 0:
			kinds = append(kinds, 's')
		case rest[i] != '%':
			kinds = append(kinds, 'd')
		}
		format = rest[i+1:]
	}
}

// statusNumber checks that the operand of exit and its like is a number, as
// zsh evaluates it.
func statusNumber(v *attempt) bool {
	if len(v.args) == 0 {
		return true
	}
	w := &v.c.Words[v.args[0]]
	if t, ok := w.Literal(); w.Number || ok && isDigits(t) || v.source(w.Span) == "$?" || v.source(w.Span) == `"$?"` {
		return true
	}
	return v.fail(w.Span, "zsh evaluates the operand, which is not a number")
}

// readNames checks that read sets plain variables that no program looks at.
func readNames(v *attempt) bool {
	for k := range v.args {
		t, span, ok := v.text(k)
		if !ok || strings.Trim(t, identBytes) != "" || t == "" || isDigits(t[:1]) {
			return v.fail(span, "the name that read sets is not plain")
		}
	}
	return true
}

// limitShown allows ulimit with one letter: a second one may be a value.
func limitShown(v *attempt) bool {
	for i := 1; i < len(v.c.Words); i++ {
		t, _ := v.c.Words[i].Literal()
		if len(t) > 2 && t[:2] != "-S" && t[:2] != "-H" || len(t) > 3 {
			return v.fail(v.c.Words[i].Span, "the word may set a limit")
		}
	}
	return true
}

// duration checks that sleep knows how long, and not for too long.
func duration(v *attempt) bool {
	if len(v.args) == 0 {
		return true
	}
	w := &v.c.Words[v.args[0]]
	if !w.Number && !all(w, func(t string) bool { _, ok := seconds(t); return ok }) {
		return v.fail(w.Span, "the duration is unknown")
	}
	for _, t := range w.Values {
		if n, _ := seconds(t); n > maxSeconds {
			return v.fail(w.Span, "it waits for more than an hour")
		}
	}
	return true
}

// setOptions allows set -e and its like, no positional parameters.
func setOptions(v *attempt) bool {
	for _, i := range v.args {
		if t, ok := v.c.Words[i].Literal(); !ok || t != "+e" && t != "+x" && t != "+u" {
			return v.fail(v.c.Words[i].Span, "set changes the positional parameters")
		}
	}
	if len(v.given)+len(v.args) == 0 {
		return v.fail(v.c.Span, "set without an option prints every variable")
	}
	if v.dash {
		return v.fail(v.c.Span, "set changes the positional parameters")
	}
	for i := 1; i < len(v.c.Words); i++ {
		t, _ := v.c.Words[i].Literal()
		before, after, ok := strings.Cut(t, "o")
		if !ok || !strings.HasPrefix(t, "-") {
			continue
		}
		if strings.Contains(before+after, "o") || after != "" || i+1 < len(v.c.Words) && !is(&v.c.Words[i+1], "pipefail") {
			return v.fail(v.c.Words[min(i+1, len(v.c.Words)-1)].Span, "the shell option is not on the list")
		}
	}
	return true
}
