package command

import (
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/lang/script"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// An Escape is text in a program's own language, or of it, that leads to the shell.
type Escape struct {
	Text string
	Span shell.Span
	Kind EscapeKind

	code *roughCode // nil for other kinds
}

// A roughCode is code in a language that is read only roughly, read when it is first
// asked for.
type roughCode struct {
	sync.Once
	home    string
	program *script.Program
}

// Code returns the program that the text of the kind [Rough] is, nil for the others. It
// is read once.
func (e *Escape) Code() *script.Program {
	if e.code == nil {
		return nil
	}
	e.code.Do(func() {
		e.code.program = script.Read(e.Text, program.NoLanguage, script.Env{Home: e.code.home})
	})
	return e.code.program
}

// An EscapeKind is what the text of an [Escape] is.
type EscapeKind uint8

// The kinds.
const (
	Shelled EscapeKind = iota // a line that the program hands to a shell
	Alike                     // the line of a shell that does what the program does by itself
	Rough                     // code in a language that is read only roughly
)

// Bounds of what is looked for in the texts of a program.
const (
	maxEscapes = 256
	maxNested  = 6
	maxOrders  = 4096 // commands that are looked at
	maxOrder   = 4096 // bytes of one
)

// Escapes returns what the commands of the program's own language run, in its words,
// its input and its script, and the code that it evaluates where no grammar reads that.
func (c *Command) Escapes() []Escape {
	if c.orders == nil {
		return nil
	}
	return c.orders.escapes
}

// obeyEscapes notes them.
func (c *Command) obeyEscapes(p *program.Program, told *Told) {
	if program.IsForeign(p) {
		c.obeyForeign(told)
	}
	if p.Commands == nil && !p.Rough && p.Behind == "" {
		return
	}
	e := &escaping{of: p.Commands, home: told.Home}
	e.behind(c, p.Behind)
	note := func(text string, span shell.Span, isCode bool) {
		if e.span = span; len(text) > shell.MaxSource {
			return
		}
		if p.Rough && isCode {
			e.add(text, Rough)
		}
		if p.Commands != nil {
			e.lines(text)
		}
	}
	for k := 1; k < len(c.Words); k++ {
		before, _ := c.Words[k-1].Literal()
		behind := k > 1 && (strings.HasPrefix(before, "-") || before == "eval")
		for _, v := range c.Words[k].Values {
			if p.Commands != nil && p.Commands.Plus && !strings.HasPrefix(v, "+") {
				continue
			}
			own := ownText(v)
			if !strings.HasPrefix(v, "-") && !strings.HasPrefix(v, "+") {
				_, assigned, _ := strings.Cut(v, "=")
				isForm := strings.HasPrefix(v, "(") // of Lisp
				if note(v, c.Words[k].Span, behind || isForm || p.Commands != nil); p.Commands == nil && !behind {
					note(assigned, c.Words[k].Span, assigned != "") // --eval=TEXT
				}
				continue
			}
			note(own, c.Words[k].Span, true)
		}
	}
	if p.Commands == nil || !p.Commands.Plus {
		e.rest(told.Input().Values, c, note)
		for _, part := range told.Group() {
			e.rest(part.Values, c, note)
		}
		if c.Script != nil {
			e.rest(c.Script.Values, c, note)
		}
	}
	if len(e.list) > 0 {
		c.order().escapes = e.list
	}
}

// obeyForeign notes what PowerShell or cmd is told to run, as lines of a shell.
func (c *Command) obeyForeign(told *Told) {
	e := &escaping{}
	note := func(text string, span shell.Span) {
		e.span = span
		for _, line := range append(shell.Blocks(text), text) {
			for _, reading := range shell.FromForeign(line) {
				e.add(reading, Shelled)
			}
		}
	}
	for k, whole := 2, false; k < len(c.Words) && !whole; k++ { // all that follows is the command
		before, _ := c.Words[k-1].Literal()
		before = strings.ToLower(before)
		for _, v := range c.Words[k].Values {
			switch {
			case TakesEncoded(&c.Words[k-1]):
				note(Decoded(v), c.Words[k].Span)
			case len(before) > 1 && strings.HasPrefix("-command", before), before == "/c", before == "/k":
				text, ok := quotedWords(c.Words[k:])
				if whole = ok && k+1 < len(c.Words); whole {
					note(text, c.Words[k].Span)
				}
				note(v, c.Words[k].Span)
			}
		}
	}
	for _, v := range told.Input().Values {
		note(v, c.Span)
	}
	if len(e.list) > 0 {
		c.order().escapes = e.list
	}
}

// behind adds the commands that stand behind some words, as [program.Program.Behind] has
// them.
func (e *escaping) behind(c *Command, phrases string) {
	for phrase := range strings.SplitSeq(phrases, ",") {
		words := strings.Fields(phrase)
		if option, before, ok := strings.Cut(phrase, "="); ok {
			e.arguments(c, option, before)
			continue
		}
		for k := 1; len(words) > 0 && k+len(words) < len(c.Words); k++ {
			if !c.spells(k, words) {
				continue
			}
			e.span = c.Words[k].Span
			if args := c.Words[k+len(words):]; len(args) == 1 {
				for _, v := range args[0].Values {
					e.add(v, Shelled)
				}
			} else if text, ok := quotedWords(args); ok {
				e.add(text, Shelled)
			}
		}
	}
}

// arguments adds what stands behind a text in the arguments of an option.
func (e *escaping) arguments(c *Command, option, before string) {
	for k := 1; k < len(c.Words); k++ {
		for _, v := range c.Words[k].Values {
			args := []string{strings.TrimPrefix(v[min(len(option), len(v)):], "=")}
			switch {
			case v == option && k+1 < len(c.Words):
				args = c.Words[k+1].Values
			case !strings.HasPrefix(v, option), len(option) > 2 && !strings.HasPrefix(v, option+"="):
				continue
			}
			e.span = c.Words[k].Span
			for _, arg := range args {
				if text, ok := strings.CutPrefix(arg, before); ok {
					e.add(text, Shelled)
				}
			}
		}
	}
}

// spells reports whether the words from k on are the given ones, of which * is any.
func (c *Command) spells(k int, words []string) bool {
	for n, word := range words {
		if word != "*" && !c.Words[k+n].Has(word) {
			return false
		}
	}
	return true
}

// quotedWords returns known words as a line for a shell.
func quotedWords(words []shell.Word) (string, bool) {
	var out []string
	for i := range words {
		v, ok := words[i].Literal()
		q, err := syntax.Quote(v, syntax.LangBash)
		if !ok || err != nil {
			return "", false
		}
		out = append(out, q)
	}
	return strings.Join(out, " "), true
}

// rest notes the input, or the script, of a command.
func (e *escaping) rest(values []string, c *Command, note func(string, shell.Span, bool)) {
	for _, v := range values {
		if c.insertsLines() {
			v = withoutInserts(v)
		}
		note(v, c.Span, true)
	}
}

// An escaping collects the escapes of a command.
type escaping struct {
	of     *program.Commands
	home   string
	span   shell.Span
	list   []Escape
	looked int // how many commands were looked at
}

// looks counts a command, and is false where there are too many.
func (e *escaping) looks() bool {
	e.looked++
	return e.looked <= maxOrders
}

func (e *escaping) add(text string, kind EscapeKind) {
	next := Escape{Text: strings.TrimSpace(text), Span: e.span, Kind: kind}
	if n := len(e.list); next.Text == "" || n == maxEscapes || n > 0 && e.list[n-1].same(&next) {
		return
	}
	if kind == Rough {
		next.code = &roughCode{home: e.home}
	}
	e.list = append(e.list, next)
}

func (e *Escape) same(other *Escape) bool {
	return e.Kind == other.Kind && e.Span == other.Span && e.Text == other.Text
}

// Lines finds the commands of a text.
func (e *escaping) lines(text string) {
	if e.of.Form == program.Tcl {
		e.tcl(text)
		return
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || e.of.Comment != "" && strings.HasPrefix(line, e.of.Comment) {
			continue
		}
		e.insides(line)
		for at := 0; at <= len(line); {
			end := at + shell.Unquoted(line[at:], e.of.Ends)
			if e.of.Form == program.Ex { // what ! runs has the rest of the line
				if e.command(line[at:], maxNested); inserts(ranged(line[at:end])) {
					break
				}
			} else {
				e.command(line[at:end], maxNested)
			}
			at = end + 1
		}
	}
}

// command finds what one command runs.
func (e *escaping) command(text string, depth int) {
	if text = strings.TrimLeft(text, " \t"); depth == 0 || text == "" || !e.looks() {
		return
	}
	if e.of.Form == program.Ex {
		text = ranged(text)
		if rest, ok := global(text); ok {
			e.command(rest, depth-1)
			return
		}
	}
	for word := range phrases(e.of.Before) {
		if rest, ok := behind(text, word); ok && !shell.IsNameByte(rest, 0) {
			e.command(strings.TrimPrefix(rest, "!"), depth-1)
			return
		}
	}
	for word := range phrases(e.of.Within) {
		if rest, ok := behind(text, word); ok && !shell.IsNameByte(rest, 0) {
			for n, i := 0, strings.IndexAny(rest, " :\"'"); i >= 0 && n < maxEscapes/8; n++ {
				rest = rest[i+1:]
				e.command(rest, depth-1)
				i = strings.IndexAny(rest, " :\"'")
			}
			return
		}
	}
	for phrase := range phrases(e.of.Starts) {
		if rest, ok := behind(text, phrase); ok {
			e.follow(rest, phrase)
		}
	}
}

// insides finds the phrases of a line that may stand anywhere.
func (e *escaping) insides(line string) {
	for phrase := range phrases(e.of.Inside) {
		first := phrase[:1]
		for at := shell.Unquoted(line, first); at < len(line) && len(e.list) < maxEscapes; {
			if rest, ok := behind(line[at:], phrase); ok {
				e.follow(rest, phrase)
			}
			at++
			at += shell.Unquoted(line[at:], first)
		}
	}
}

// follow adds what follows a phrase.
func (e *escaping) follow(rest, phrase string) {
	switch last := phrase[len(phrase)-1]; last {
	case '(':
		rest = rest[:shell.Unquoted(rest, ")")]
		for text := rest; text != ""; {
			i := strings.IndexAny(text, "'\"`")
			if i < 0 {
				break
			}
			closer := text[i : i+1]
			if closer == "`" {
				closer = "'"
			}
			inner, after, ok := strings.Cut(text[i+1:], closer)
			if ok {
				e.add(inner, Shelled)
			}
			text = after
		}
		e.add(strings.Trim(rest, "`'\" "), Shelled)
	case '{':
		rest, _, _ = strings.Cut(rest, "}")
		e.add(rest, Shelled)
	case '\'', '`':
		rest, _, _ = strings.Cut(rest, string(last))
		e.add(rest, Shelled)
	default:
		for strings.HasPrefix(rest, "-") { // options of the command
			_, rest, _ = strings.Cut(rest, " ")
			rest = strings.TrimLeft(rest, " ")
		}
		e.add(bare(rest), Shelled)
	}
}

// bare returns text without the quotes around it, or up to one that closes what began
// before it.
func bare(text string) string {
	text = strings.TrimSpace(text)
	for _, quote := range []string{"'", "\""} {
		switch n := strings.Count(text, quote); {
		case n%2 == 1:
			text = text[:strings.Index(text, quote)]
		case n == 2 && strings.HasPrefix(text, quote) && strings.HasSuffix(text, quote):
			return text[1 : len(text)-1]
		}
	}
	return text
}

// phrases yields those of a list.
func phrases(list string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for list != "" {
			var phrase string
			phrase, list, _ = strings.Cut(list, ",")
			if !yield(phrase) {
				return
			}
		}
	}
}

// behind returns what follows a phrase with which a text begins, in the notation of
// [program.Commands].
func behind(text, phrase string) (rest string, ok bool) {
	for i := 0; i < len(phrase); i++ {
		switch b := phrase[i]; b {
		case ' ':
			bare := strings.TrimLeft(text, " \t")
			if i == len(phrase)-1 {
				return bare, bare != text || bare != "" && (bare[0] == '"' || bare[0] == '\'')
			}
			if text = bare; phrase[i+1] != '\'' {
				text = strings.TrimLeft(text, " \t'\"")
			}
		case '[':
			for i++; phrase[i] != ']'; i++ {
				if text != "" && text[0] == phrase[i] {
					text = text[1:]
				}
			}
		case '*':
			next := strings.IndexByte(strings.ToLower(text), phrase[i+1])
			if next < 1 {
				return "", false
			}
			for next >= 0 && i+2 < len(phrase) && phrase[i+1] != ' ' && !foldPrefix(text[next:], phrase[i+1:]) {
				more := strings.IndexByte(strings.ToLower(text[next+1:]), phrase[i+1])
				if more < 0 {
					return "", false
				}
				next += 1 + more
			}
			text = text[next:]
		default:
			if text == "" || shell.Lower(text[0]) != shell.Lower(b) {
				return "", false
			}
			text = text[1:]
		}
	}
	return text, true
}

// foldPrefix reports whether a text begins with a phrase up to its first blank.
func foldPrefix(text, phrase string) bool {
	word, _, _ := strings.Cut(phrase, " ")
	return len(text) >= len(word) && strings.EqualFold(text[:len(word)], word)
}

// ranged returns a command of ex or ed without the lines that it is about.
func ranged(text string) string {
	for {
		text = strings.TrimLeft(text, ": \t%.,$;0123456789<>+-")
		if len(text) > 1 && text[0] == '\'' { // a mark
			text = text[2:]
			continue
		}
		if text == "" || text[0] != '/' && text[0] != '?' {
			return text
		}
		end := strings.IndexByte(text[1:], text[0])
		if end < 0 {
			return ""
		}
		text = text[end+2:]
	}
}

// inserts reports whether a command of ex takes the rest of the line for text.
func inserts(command string) bool {
	return program.HasWord("a append i insert c change", strings.TrimRight(command, "! \t"))
}

// global returns the command of g/PATTERN/COMMAND.
func global(text string) (rest string, ok bool) {
	for word := range phrases("g[lobal],v[global]") {
		rest, ok = behind(text, word)
		rest = strings.TrimPrefix(rest, "!")
		if !ok || rest == "" || shell.IsNameByte(rest, 0) || strings.IndexByte(" \t\"|=", rest[0]) >= 0 {
			continue
		}
		_, rest, ok = strings.Cut(rest[1:], rest[:1])
		return rest, ok
	}
	return "", false
}
