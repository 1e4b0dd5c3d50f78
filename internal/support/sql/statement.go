// Package sql reads SQL: what statements do for certain, by a dialect, and what
// they may do, by what dialects have in common.
package sql

import (
	"slices"
	"strings"
)

// A Statement is what a statement does.
type Statement struct {
	// Verb is its first keyword in upper case.
	Verb   string
	Tables []string
	// Known says that Tables are all that the statement names.
	Known bool
}

// The verbs by what is known of the tables that follow them. A verb that
// stands in no list is not read: what it does depends on more than its text.
const (
	tableVerbs = "SELECT INSERT UPDATE DELETE REPLACE MERGE TRUNCATE WITH VALUES TABLE"
	plainVerbs = "BEGIN START COMMIT ROLLBACK END ABORT SAVEPOINT RELEASE SET RESET USE PRAGMA CHECKPOINT DISCARD LISTEN UNLISTEN NOTIFY FLUSH KILL"
	otherVerbs = "CREATE ALTER DROP RENAME COMMENT GRANT REVOKE SHOW DESCRIBE DESC EXPLAIN ANALYZE VACUUM REINDEX CLUSTER ATTACH DETACH COPY LOAD CALL LOCK UNLOCK REFRESH OPTIMIZE REASSIGN"

	changingVerbs = "INSERT UPDATE DELETE MERGE REPLACE"
	// clauses end a list of tables.
	clauses = "WHERE GROUP ORDER HAVING LIMIT OFFSET UNION INTERSECT EXCEPT WINDOW FETCH FOR SET VALUES SELECT RETURNING ON WHEN DEFAULT CASCADE RESTRICT PARTITION ADD DROP ALTER RENAME MODIFY CHANGE"
)

// Read returns the statements of a text, as far as its words alone tell them in
// every database of the dialect; ok is false where some are unknown.
func Read(d Dialect, text string) (list []Statement, ok bool) {
	statements, ok := split(d, text)
	if !ok {
		return nil, false
	}
	for _, tokens := range statements {
		found, known := read(tokens)
		list, ok = append(list, found...), ok && known && balanced(tokens)
	}
	return list, ok
}

// read returns what one statement does: several things where one
// holds another that changes data.
func read(tokens []token) (list []Statement, ok bool) {
	for len(tokens) > 0 && tokens[0].sign("(") {
		tokens = tokens[1:]
	}
	if len(tokens) == 0 {
		return nil, true
	}
	first := &tokens[0]
	if !first.is(tableVerbs) && !first.is(plainVerbs) && !first.is(otherVerbs) {
		return nil, false
	}
	s := Statement{Verb: strings.ToUpper(first.text), Known: first.is(tableVerbs) || first.is(plainVerbs) || isTableDDL(tokens)}
	s.Tables = tablesOf(tokens)
	verbs := []string{s.Verb}
	if first.is("WITH EXPLAIN COPY") {
		verbs = append(verbs[:0], s.inner(tokens)...)
	}
	for i := 1; i < len(tokens); i++ {
		if tokens[i-1].sign("(") && tokens[i].is(changingVerbs) {
			verbs = append(verbs, strings.ToUpper(tokens[i].text))
		}
	}
	slices.Sort(verbs)
	for _, v := range slices.Compact(verbs) {
		list = append(list, Statement{v, s.Tables, s.Known})
	}
	return list, len(verbs) > 0 && !selectsInto(tokens, verbs)
}

// balanced reports whether every parenthesis is closed.
func balanced(tokens []token) bool {
	depth := 0
	for i := range tokens {
		depth += tokens[i].nesting()
	}
	return depth == 0
}

// nesting returns 1 for a parenthesis that opens, -1 for one that closes, and 0
// for all else.
func (t *token) nesting() int {
	switch {
	case t.sign("("):
		return 1
	case t.sign(")"):
		return -1
	}
	return 0
}

// selectsInto reports whether a query may create a table or write a file with what
// it finds.
func selectsInto(tokens []token, verbs []string) bool {
	return slices.Contains(verbs, "SELECT") && !slices.Contains(verbs, "INSERT") &&
		slices.ContainsFunc(tokens, func(t token) bool { return t.is("INTO") })
}

// inner returns the verbs of the statement that follows a list of WITH, or
// that EXPLAIN ANALYZE runs.
func (s *Statement) inner(tokens []token) (verbs []string) {
	if s.Verb == "WITH" {
		depth := 0
		for i := range tokens {
			t := &tokens[i]
			if depth += t.nesting(); depth == 0 && t.is("SELECT VALUES TABLE "+changingVerbs) {
				return []string{strings.ToUpper(t.text)}
			}
		}
		return nil
	}
	verbs = []string{s.Verb}
	for i := range tokens[1:] {
		if t := &tokens[1+i]; t.is("SELECT " + changingVerbs) {
			return append(verbs, strings.ToUpper(t.text))
		}
	}
	return verbs
}

// isTableDDL reports whether a statement creates, alters or drops tables or
// views.
func isTableDDL(tokens []token) bool {
	if !tokens[0].is("CREATE ALTER DROP RENAME") {
		return false
	}
	for i := 1; i < len(tokens); i++ {
		if tokens[i].is("TABLE VIEW") {
			return true
		}
		if !tokens[i].is("OR REPLACE TEMP TEMPORARY UNLOGGED MATERIALIZED IF NOT EXISTS GLOBAL LOCAL RECURSIVE FOREIGN EXTERNAL") {
			return false
		}
	}
	return false
}

// tablesOf returns the tables that a statement names. A qualified name counts
// with and without what qualifies it.
func tablesOf(tokens []token) []string {
	r := tableReader{tokens: tokens, tables: []string{}, lists: []bool{false}, calls: []bool{false}}
	for r.i < len(tokens) {
		r.step()
	}
	slices.Sort(r.tables)
	return slices.Compact(r.tables)
}

// A tableReader collects the names of tables. lists and calls say for each
// open parenthesis whether a list of tables goes on within, and whether it
// holds the arguments of a function.
type tableReader struct {
	tokens []token
	i      int
	tables []string
	lists  []bool
	calls  []bool
}

func (r *tableReader) step() {
	t := &r.tokens[r.i]
	top := len(r.lists) - 1
	r.i++
	switch {
	case t.sign("("):
		call := r.i > 1 && r.tokens[r.i-2].kind == word && !r.tokens[r.i-2].is("IN EXISTS AS ANY ALL SOME FROM JOIN USING VALUES AND OR NOT ON")
		r.lists, r.calls = append(r.lists, false), append(r.calls, call && !r.at("SELECT WITH VALUES"))
	case t.sign(")") && top > 0:
		r.lists, r.calls = r.lists[:top], r.calls[:top]
	case t.sign(",") && r.lists[top]:
		r.name()
	case t.is("FROM") && (r.calls[top] || r.i > 1 && r.tokens[r.i-2].is("DISTINCT") && r.i > 2 && r.tokens[r.i-3].is("IS NOT")):
		// extract(year from x), a is distinct from b
	case t.is("FROM JOIN INTO UPDATE TABLE TABLES VIEW TRUNCATE USING INSERT REPLACE DELETE STRAIGHT_JOIN REFERENCES"):
		if r.i < 2 || !r.tokens[r.i-2].is("FOR ON KEY DO BEFORE AFTER OR OF") {
			r.lists[top] = r.name() || t.is("FROM JOIN")
		}
	case t.is(clauses):
		r.lists[top] = false
	}
}

// at reports whether the next token is one of some words.
func (r *tableReader) at(words string) bool { return r.i < len(r.tokens) && r.tokens[r.i].is(words) }

// name reads the name of a table, and reports whether one follows.
func (r *tableReader) name() bool {
	for r.at("ONLY IF NOT EXISTS LATERAL IGNORE LOW_PRIORITY HIGH_PRIORITY DELAYED QUICK OR ABORT FAIL ROLLBACK CONCURRENTLY") {
		r.i++
	}
	for r.opens() { // from (a join b)
		r.i++
		r.lists, r.calls = append(r.lists, true), append(r.calls, false)
	}
	if r.i >= len(r.tokens) || !r.isName() || r.at(clauses+" FROM INTO TABLE") {
		return false
	}
	full := ""
	for {
		last := r.tokens[r.i].name()
		full += last
		r.i++
		if r.i+1 >= len(r.tokens) || !r.tokens[r.i].sign(".") {
			r.tables = append(r.tables, last, full)
			return true
		}
		r.i++
		full += "."
		if !r.isName() {
			return false
		}
	}
}

// opens reports whether a list of tables in parentheses follows.
func (r *tableReader) opens() bool {
	if r.i+1 >= len(r.tokens) || !r.tokens[r.i].sign("(") || r.tokens[r.i+1].is("SELECT WITH VALUES") {
		return false
	}
	before := &r.tokens[r.i-1]
	return before.is("FROM JOIN UPDATE STRAIGHT_JOIN ONLY LATERAL") || before.sign(",") || before.sign("(")
}

func (r *tableReader) isName() bool {
	k := r.tokens[r.i].kind
	return k == word || k == quoted
}
