package sql

import "strings"

// A Dialect is the SQL of a family of databases.
type Dialect uint8

// The dialects. Any is what they have in common.
const (
	Any Dialect = iota
	Postgres
	MySQL
	SQLite
)

// A token is one token of a statement.
type token struct {
	kind kind
	// text is the token as it is written, a quoted one without its quotes.
	text string
}

type kind uint8

const (
	sign   kind = iota
	word        // in letters of any case
	quoted      // a quoted name
	value       // a text or a number
)

// is reports whether a token is one of some words, which are in upper case.
func (t *token) is(words string) bool {
	if t.kind != word {
		return false
	}
	for n := len(t.text); len(words) >= n; {
		end := strings.IndexByte(words, ' ')
		if end < 0 {
			end = len(words)
		}
		if end == n && strings.EqualFold(t.text, words[:n]) {
			return true
		}
		words = words[min(end+1, len(words)):]
		if words == "" {
			break
		}
	}
	return false
}

func (t *token) sign(s string) bool { return t.kind == sign && t.text == s }

// name returns the token as it identifies a table.
func (t *token) name() string {
	if t.kind == word {
		return strings.ToLower(t.text)
	}
	return t.text
}

// split divides a text into the tokens of its statements, at the semicolons.
// Comments and commands of clients are left out. It is certain where every
// database of the dialect reads the text so, whatever its settings.
func split(d Dialect, text string) (statements [][]token, certain bool) {
	certain = d != Any && !ambiguous(text)
	var out []token
	for i := 0; i < len(text); {
		t, n, ok := next(d, text[i:], len(out) == 0)
		i += n
		certain = certain && ok
		switch {
		case t.sign(";"):
			statements, out = append(statements, out), nil
		case t.text != "" || t.kind != sign:
			out = append(out, t)
		}
	}
	return append(statements, out), certain
}

// ambiguous reports whether a text has what databases, or their settings, read
// in different ways: comments, escapes, dollar quotes.
func ambiguous(text string) bool {
	for _, s := range []string{`\`, "#", "$", "/*", "*/", "--", "\x00"} {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

// next returns the token at the start of a text and its length; a sign without
// a text stands for what is no token.
func next(d Dialect, text string, first bool) (t token, n int, certain bool) {
	switch c := text[0]; {
	case isWord(c):
		for n < len(text) && isWord(text[n]) {
			n++
		}
		t = token{word, text[:n]}
		if '0' <= c && c <= '9' {
			t.kind = value
		}
		return t, n, true
	case c == ' ', c == '\t', c == '\n', c == '\r':
		return t, 1, true
	case strings.HasPrefix(text, "--"), first && (c == '\\' || c == '.' || c == '#'):
		return t, until(text, "\n"), false // a comment, or a command of the client
	case strings.HasPrefix(text, "/*!"):
		for n = len("/*!"); n < len(text) && '0' <= text[n] && text[n] <= '9'; {
			n++
		}
		return t, n, false // MySQL reads on
	case strings.HasPrefix(text, "/*"):
		return t, until(text, "*/"), false
	case c == '\'', c == '"', c == '`':
		t.kind = quoted
		if c == '\'' {
			t.kind = value
		}
		var closed bool
		t.text, n, closed = unquoted(text)
		return t, n, closed && (c != '`' || d != Postgres)
	case c == '$':
		n := dollarQuoted(text)
		if n == 1 {
			return token{sign, text[:1]}, n, false
		}
		return token{kind: value}, n, false
	case c < ' ':
		return t, 1, false
	default:
		return token{sign, text[:1]}, 1, c != '[' || d != SQLite
	}
}

func isWord(b byte) bool {
	return b == '_' || b >= 0x80 || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
}

// until returns the length of a text up to and with an end.
func until(text, end string) int {
	if i := strings.Index(text, end); i >= 0 {
		return i + len(end)
	}
	return len(text)
}

// unquoted returns the value of the quoted text at the start of a text and the
// length of its source; a doubled quote stands for one, and a backslash is left
// out. Where no quote closes it, it goes on to the end.
func unquoted(text string) (value string, n int, closed bool) {
	quote := text[0]
	var b strings.Builder
	for n = 1; n < len(text); n++ {
		switch {
		case text[n] == '\\':
			n++
		case text[n] != quote:
			b.WriteByte(text[n])
		case n+1 < len(text) && text[n+1] == quote:
			b.WriteByte(quote)
			n++
		default:
			return b.String(), n + 1, true
		}
	}
	return b.String(), len(text), false
}

// dollarQuoted returns the length of the text $tag$…$tag$ of PostgreSQL with
// which a text starts, 1 where it is none.
func dollarQuoted(text string) int {
	end := 1
	for end < len(text) && isWord(text[end]) {
		end++
	}
	if end == len(text) || text[end] != '$' {
		return 1
	}
	tag := text[:end+1]
	return len(tag) + until(text[len(tag):], tag)
}
