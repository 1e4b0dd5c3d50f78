package record

import "strings"

// A sqlDialect is the SQL of a family of databases.
type sqlDialect uint8

const (
	postgresSQL sqlDialect = iota
	mysqlSQL
	sqliteSQL
)

// ambiguous are texts that databases, or their settings, read in different
// ways: comments, escapes, dollar quotes. A statement with one of them is not
// read.
var ambiguous = []string{`\`, "#", "$", "/*", "*/", "--", "\x00"}

// A sqlToken is one token of a statement.
type sqlToken struct {
	kind sqlKind
	// text is a word in upper case, a name as it identifies a table, or a
	// sign.
	text string
	name string
}

type sqlKind uint8

const (
	sqlSign sqlKind = iota
	sqlWord
	sqlQuoted // a quoted name
	sqlValue  // a text or a number
)

// sqlTokens splits a text. It fails for what not every database of the family
// reads alike, whatever its settings.
func sqlTokens(dialect sqlDialect, text string) (out []sqlToken, ok bool) {
	for _, s := range ambiguous {
		if strings.Contains(text, s) {
			return nil, false
		}
	}
	for i := 0; i < len(text); {
		b := text[i]
		n := 1
		switch {
		case b == ' ' || b == '\t' || b == '\n' || b == '\r':
			i++
			continue
		case b == '\'', b == '"', b == '`' && dialect != postgresSQL:
			value, size, closed := sqlQuote(text[i:])
			if !closed {
				return nil, false
			}
			kind := sqlQuoted
			if b == '\'' {
				kind = sqlValue
			}
			out = append(out, sqlToken{kind: kind, name: value})
			n = size
		case isSQLWord(b):
			for i+n < len(text) && isSQLWord(text[i+n]) {
				n++
			}
			word := text[i : i+n]
			kind := sqlWord
			if '0' <= b && b <= '9' {
				kind = sqlValue
			}
			out = append(out, sqlToken{kind, strings.ToUpper(word), strings.ToLower(word)})
		case b < ' ' || b == '`' || b == '[' && dialect == sqliteSQL:
			return nil, false
		default:
			out = append(out, sqlToken{kind: sqlSign, text: text[i : i+1]})
		}
		i += n
	}
	return out, true
}

// sqlQuote returns the value of a quoted text at the beginning and the length
// of its source; a doubled quote stands for one.
func sqlQuote(text string) (value string, size int, closed bool) {
	quote := text[0]
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		if text[i] != quote {
			b.WriteByte(text[i])
			continue
		}
		if i+1 < len(text) && text[i+1] == quote {
			b.WriteByte(quote)
			i++
			continue
		}
		return b.String(), i + 1, true
	}
	return "", 0, false
}

func isSQLWord(b byte) bool {
	return b == '_' || b >= 0x80 || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
}

// is reports whether a token is one of some words.
func (t *sqlToken) is(words string) bool {
	if t.kind != sqlWord {
		return false
	}
	for w := range strings.FieldsSeq(words) {
		if t.text == w {
			return true
		}
	}
	return false
}

func (t *sqlToken) sign(s string) bool { return t.kind == sqlSign && t.text == s }
