package dangerous

import (
	"iter"
	"strings"
)

// A query is what is told from one statement of SQL.
type query struct {
	// verb is its first keyword in lower case, that of the statement itself
	// behind WITH and EXPLAIN ANALYZE.
	verb string
	// where says that it has a condition that can fail, sets and drops that
	// it has the keywords SET and DROP.
	where, sets, drops bool

	depth     int    // of parentheses
	wrapper   string // with or explain, until the verb behind it is seen
	condition []string
	behind    bool // behind WHERE
	ended     bool // behind RETURNING
	from      bool // it has the keyword FROM or OUTPUT
}

// queries returns the statements of a text in the SQL that PostgreSQL, MySQL
// and SQLite have in common, and before each those within its parentheses
// that change data. Text in quotes and comments does not count.
func queries(text string) iter.Seq[query] {
	return func(yield func(query) bool) {
		r := queryState{open: make([]query, 1)}
		for token := range tokens(text) {
			if !r.take(token, yield) {
				return
			}
		}
		r.take(";", yield)
	}
}

// A queryState is where a text has been read to: within a statement and, in its
// parentheses, statements that change data. before is the last token.
type queryState struct {
	open   []query
	before string
}

// take reads the next token; it is false once yield is.
func (r *queryState) take(token string, yield func(query) bool) bool {
	before := r.before
	r.before = token
	q := &r.open[len(r.open)-1]
	switch {
	case token == ";":
		for len(r.open) > 1 {
			if !r.close(yield) {
				return false
			}
		}
		last := r.open[0]
		r.open[0] = query{}
		return !last.end() || yield(last)
	case token == ")" && len(r.open) > 1 && q.depth == 0:
		if !r.close(yield) {
			return false
		}
		r.open[len(r.open)-1].take(token)
	case before == "(" && (token == "delete" || token == "update") && q.wrapper != "explain":
		r.open = append(r.open, query{verb: token})
	default:
		q.take(token)
	}
	return true
}

// close ends the innermost statement. A column may bear the name of a verb.
func (r *queryState) close(yield func(query) bool) bool {
	last := r.open[len(r.open)-1]
	r.open = r.open[:len(r.open)-1]
	return !last.end() || !last.from && !last.sets || yield(last)
}

// take reads the next token.
func (q *query) take(token string) {
	switch token {
	case "(":
		q.depth++
	case ")":
		q.depth--
	}
	q.ended = q.ended || q.depth <= 0 && token == "returning"
	if q.behind && !q.ended && len(q.condition) < 4 {
		q.condition = append(q.condition, token)
	}
	switch {
	case q.verb == "" && (token == "with" || token == "explain"):
		q.verb, q.wrapper = token, token
	case q.verb == "":
		q.verb = token
	case q.wrapper == "explain" && (token == "analyze" || token == "analyse"):
		q.wrapper = "with"
	case q.depth > 0:
	case q.wrapper == "with" && isVerb(token):
		q.verb, q.wrapper = token, ""
	case token == "set":
		q.sets = true
	case token == "drop":
		q.drops = true
	case token == "from", token == "output":
		q.from = true
	case token == "where":
		q.behind = true
	}
}

// end decides whether the condition can fail, and reports whether there is a
// statement.
func (q *query) end() bool {
	if !q.behind {
		return q.verb != ""
	}
	switch strings.Join(q.condition, " ") {
	case "true", "1", "1 = 1", "'' = ''", "not false":
	default:
		q.where = true
	}
	return q.verb != ""
}

func isVerb(token string) bool {
	switch token {
	case "select", "insert", "update", "delete", "merge", "truncate", "drop", "alter":
		return true
	}
	return false
}

// tokens returns the words, in lower case, and the signs of a text of SQL. A
// text in quotes is the token ”.
func tokens(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := true // of a statement
		for i := 0; i < len(text); {
			n, token := tokenAt(text[i:], start)
			i += n
			if token == "" {
				continue
			}
			start = token == ";"
			if !yield(token) {
				return
			}
		}
	}
}

// tokenAt returns the token at the start of text and its length; "" for blanks
// and comments.
func tokenAt(text string, start bool) (n int, token string) {
	switch c := text[0]; {
	case isWord(c):
		for n < len(text) && isWord(text[n]) {
			n++
		}
		return n, strings.ToLower(text[:n])
	case strings.HasPrefix(text, "--"), start && (c == '\\' || c == '.' || c == '#'):
		return until(text, "\n"), "" // a comment, or a command of the client
	case strings.HasPrefix(text, "/*!"):
		for n = 3; n < len(text) && text[n] >= '0' && text[n] <= '9'; {
			n++
		}
		return n, "" // MySQL reads on
	case strings.HasPrefix(text, "/*"):
		return until(text, "*/"), ""
	case c == '\'' || c == '"' || c == '`':
		return quoted(text), "''"
	case c == '$':
		return dollarQuoted(text), "''"
	case c <= ' ':
		return 1, ""
	}
	return 1, text[:1]
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// until returns the length of text up to and with the end.
func until(text, end string) int {
	if i := strings.Index(text, end); i >= 0 {
		return i + len(end)
	}
	return len(text)
}

// quoted returns the length of the text in quotes with which text starts.
func quoted(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		}
	}
	return len(text)
}

// dollarQuoted is quoted for $tag$…$tag$ of PostgreSQL.
func dollarQuoted(text string) int {
	end := 1
	for end < len(text) && isWord(text[end]) {
		end++
	}
	if end == len(text) || text[end] != '$' {
		return 1
	}
	tag := text[:end+1]
	if i := strings.Index(text[len(tag):], tag); i >= 0 {
		return i + 2*len(tag)
	}
	return len(text)
}
