package command

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// obeySaves notes the files that the text of the command's own commands has it write.
func (c *Command) obeySaves(p *program.Program, told *Told) {
	if p.Saves == "" {
		return
	}
	find := func(text string, span shell.Span) {
		if c.insertsLines() {
			text = withoutInserts(text)
		}
		for _, path := range saved(text, p.Saves) {
			if rest, ok := strings.CutPrefix(path, "~/"); ok {
				path = told.Home + "/" + rest
			}
			c.save(path, c.Dir, span)
		}
	}
	for k := range c.Words[1:] {
		w := &c.Words[k+1]
		for _, v := range w.Values {
			find(ownText(v), w.Span)
		}
	}
	for _, v := range told.Input().Values {
		find(v, c.Span)
	}
	if c.Script != nil {
		for _, v := range c.Script.Values {
			find(v, c.Span)
		}
	}
}

// insertsLines reports whether the program takes the lines behind some commands for
// text, up to a dot.
func (c *Command) insertsLines() bool { return c.Of("inserts") }

// withoutInserts returns the commands of ed in a text, without the lines that they
// insert.
func withoutInserts(text string) string {
	var out strings.Builder
	inserts := false
	for line := range strings.Lines(text) {
		switch bare := strings.TrimRight(line, "\r\n"); {
		case inserts:
			inserts = bare != "."
		default:
			inserts = bare != "" && strings.Contains("aic", bare[len(bare)-1:]) &&
				(strings.Contains("/?'", bare[:1]) || strings.Trim(bare[:len(bare)-1], "0123456789,;.$%+-") == "")
			out.WriteString(line)
		}
	}
	return out.String()
}

// ownText returns the text of its own commands that a word gives a program:
// itself, or what is attached to an option.
func ownText(v string) string {
	switch {
	case strings.HasPrefix(v, "+"):
		return v[1:]
	case strings.HasPrefix(v, "--"):
		_, v, _ = cutOption(v)
	case strings.HasPrefix(v, "-") && len(v) > 2:
		return v[2:]
	}
	return v
}

// cutOption divides an option at what attaches its argument.
func cutOption(v string) (name, value string, attached bool) {
	if i := strings.IndexAny(v, "=:"); i > 0 && strings.HasPrefix(v, "-") {
		return v[:i], v[i+1:], true
	}
	return v, "", false
}

// saved returns the paths that text names behind one of several phrases, in the
// notation of [program.Program.Saves].
func saved(text, phrases string) (out []string) {
	if len(text) > shell.MaxSource {
		return nil
	}
	list := statements(text)
	for _, s := range list {
		for more, rest := true, phrases; more; {
			var phrase string
			phrase, rest, more = strings.Cut(rest, "|")
			if path, ok := s.after(phrase); ok && (!strings.HasPrefix(phrase, "attach") || changeData(list)) {
				out = append(out, path)
			}
		}
	}
	return out
}

// changeData reports whether a statement is one of SQL that changes data.
func changeData(list []statement) bool {
	for _, s := range list {
		if program.HasWord("insert update delete drop alter create replace", s.tokens[0].text) {
			return true
		}
	}
	return false
}

// A statement is a line or, up to a semicolon, a part of one.
type statement struct {
	tokens []token
	lined  bool // it begins a line
}

// A token is a word, lower-cased in text and not in raw, or what quotes hold.
type token struct {
	text, raw string
	quoted    bool
}

// statements returns those of a text. What quotes hold ends none.
func statements(text string) (out []statement) {
	now := statement{lined: true}
	end := func(lined bool) {
		if len(now.tokens) > 0 {
			out = append(out, now)
		}
		now = statement{lined: lined}
	}
	for i := 0; i < len(text); {
		switch b := text[i]; b {
		case '\n':
			end(true)
			i++
		case ';', '|':
			end(b == '|')
			i++
		case ' ', '\t', '\r', '(', ')':
			i++
		case '\'', '"':
			n := strings.IndexByte(text[i+1:], b)
			if n < 0 {
				n = len(text) - i - 1
			}
			now.tokens = append(now.tokens, token{raw: text[i+1 : i+1+n], quoted: true})
			i += n + 2
		default:
			n := strings.IndexAny(text[i:], " \t\r\n;|()'\"")
			if n < 0 {
				n = len(text) - i
			}
			now.tokens = append(now.tokens, token{text: strings.ToLower(text[i : i+n]), raw: text[i : i+n]})
			i += n
		}
	}
	end(false)
	return out
}

// after returns the path behind a phrase of a statement.
func (s statement) after(phrase string) (string, bool) {
	phrase, lined := strings.CutPrefix(phrase, "^")
	phrase, quoted := strings.CutSuffix(phrase, " '")
	if lined && !s.lined {
		return "", false
	}
	rest, first, skip := s.tokens, true, !lined
	for word := range strings.FieldsSeq(phrase) {
		if word == "..." {
			skip = true
			continue
		}
		for ; len(rest) > 0 && skip && (rest[0].quoted || !rest[0].is(word, first && lined)); rest = rest[1:] {
		}
		if len(rest) == 0 || rest[0].quoted || !rest[0].is(word, first && lined) {
			return "", false
		}
		rest, first, skip = rest[1:], false, false
	}
	for len(rest) > 0 && !rest[0].quoted && strings.Trim(rest[0].raw[:1], "-+>!") == "" {
		rest = rest[1:] // an option, ++enc of vim, or that it appends
	}
	if len(rest) == 0 || quoted && !rest[0].quoted {
		return "", false
	}
	return rest[0].raw, true
}

// is reports whether a token is a word of a phrase, of which * is any. A command
// of an editor may stand behind the lines that it is about.
func (t *token) is(word string, command bool) bool {
	if word == "*" || t.text == word {
		return true
	}
	if !command {
		return false
	}
	name := strings.TrimLeft(t.text, ":,0123456789.$%'<>/+-")
	return strings.TrimSuffix(name, "!") == word
}
