package sql

import (
	"slices"
	"strings"
)

// A Query is what a statement may do, told from its keywords.
type Query struct {
	// Verb is the first keyword in upper case, that of the statement itself
	// behind WITH and EXPLAIN ANALYZE.
	Verb string
	// Where says that it has a condition that can fail, Sets, Drops and From
	// that it has the keywords SET, DROP, and FROM or OUTPUT.
	Where, Sets, Drops, From bool
}

// Queries returns the statements of a text in the SQL that PostgreSQL, MySQL
// and SQLite have in common, and before each those within its parentheses that
// change data. Text in quotes and comments does not count. What it returns is
// what the text may do; [Read] says what it does.
func Queries(text string) (list []Query) {
	statements, _ := split(Any, text)
	for _, tokens := range statements {
		r := queryReader{tokens: tokens}
		r.statement()
		list = append(list, r.found...)
	}
	return list
}

// A queryReader reads one statement and those within it.
type queryReader struct {
	tokens []token
	i      int
	found  []Query
}

const (
	// rest are the words behind which a condition ends.
	rest = "RETURNING"
	// maxCondition is how many tokens of a condition are looked at: more than
	// those that always hold have.
	maxCondition = 4
)

// statement reads a statement up to its end, or the parenthesis that closes it.
func (r *queryReader) statement() {
	var q Query
	var condition []string
	depth, with, explain, behind, begin := 0, false, false, false, r.i
	for ; r.i < len(r.tokens); r.i++ {
		t := &r.tokens[r.i]
		if r.changes(begin) && !explain {
			r.statement()
			if r.i >= len(r.tokens) {
				break
			}
			t = &r.tokens[r.i]
		}
		if depth += t.nesting(); depth < 0 && begin > 0 {
			break
		}
		if behind = behind && !(depth <= 0 && t.is(rest)); behind && len(condition) < maxCondition {
			condition = append(condition, strings.ToUpper(t.text))
		}
		switch {
		case q.Verb == "":
			if t.sign("(") {
				continue
			}
			q.Verb = strings.ToUpper(t.text)
			with, explain = t.is("WITH"), t.is("EXPLAIN")
		case explain && t.is("ANALYZE ANALYSE"):
			with, explain = true, false
		case depth > 0:
		case with && t.is("SELECT INSERT UPDATE DELETE MERGE TRUNCATE DROP ALTER"):
			q.Verb, with = strings.ToUpper(t.text), false
		case t.is("SET"):
			q.Sets = true
		case t.is("DROP"):
			q.Drops = true
		case t.is("FROM OUTPUT"):
			q.From = true
		case t.is("WHERE"):
			behind, condition = true, []string{}
		}
	}
	q.Where = condition != nil && canFail(condition)
	// A column may bear the name of a verb.
	if q.Verb != "" && (begin == 0 || q.From || q.Sets) {
		r.found = append(r.found, q)
	}
}

// changes reports whether a statement within another starts here.
func (r *queryReader) changes(begin int) bool {
	return r.i > begin && r.tokens[r.i-1].sign("(") && r.tokens[r.i].is("DELETE UPDATE")
}

// canFail reports whether a condition is none that always holds.
func canFail(condition []string) bool {
	return !slices.Contains([]string{"TRUE", "1", "1 = 1", " = ", "NOT FALSE"}, strings.Join(condition, " "))
}
