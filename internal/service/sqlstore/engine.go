package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
)

// An Engine is the database behind a [DB], with all that it does in its own way.
// Its methods are safe for concurrent use, but for Begin, which only the one
// that writes calls.
type Engine interface {
	// Check returns why nothing can be stored or read now, nil where nothing is
	// known to be wrong. It is asked before each use, and does not wait.
	Check() error
	// Explain says of an error where it happened and what to do. An error that
	// was explained, and nil, are returned as they are.
	Explain(err error) error
	// Connect returns a connection that writes. Begin begins a transaction on
	// it: no other writer of any process has one before this one ends. It may
	// leave that to the next statement, by [Tx.Later].
	Connect(ctx context.Context) (*sql.Conn, error)
	Begin(t *Tx) error
	// Broken reports whether the connection that writes has ended: nobody knows then
	// whether a transaction whose end was on its way is stored.
	Broken() bool
	// Stored is told of the events of a transaction that was committed, by
	// ascending id. It returns why that is not stored all the same, nil if it is.
	Stored(events []approval.Event) error
	// Shared reports whether several instances of the service may work on the database.
	Shared() bool
	// Lead has run do something that one instance of the service does for all, as often
	// as this one may, and as long: the context of run ends when it may not any more. It
	// returns when ctx is done.
	Lead(ctx context.Context, what string, run func(context.Context))
}

// A Dialect is how a database spells what has no common spelling.
type Dialect struct {
	// Rewrite turns a statement as SQLite reads it into one of the database; nil
	// leaves it.
	Rewrite func(statement string) string
	// Send sends statements to the database together, which runs them up to the first that
	// fails. It returns how many succeeded, and how many rows the last one changed, or scans
	// the row of that one into something. nil stands for one by one, prepared.
	Send func(ctx context.Context, conn *sql.Conn, all []Statement, into []any) (done int, changed int64, err error)
	// Ask asks questions in one message, and yields the place of each that was answered: its
	// row was read, there is none, or what reads it refuses it. nil stands for one by one.
	Ask func(ctx context.Context, db *sql.DB, all []Question) iter.Seq[int]
	// Patience is how long a query and a transaction may take each; 0 is without
	// bound.
	Patience time.Duration
	// Lost reports whether an error is that of a connection that was lost, so that a
	// query is asked again on another one; nil stands for never.
	Lost func(error) bool
	// AuditSecond is the second of the record of a row a of the audit log as text,
	// in the form of [SecondForm].
	AuditSecond string
	Search      Search
}

// SecondForm is a second as text, in the layout of package time.
const SecondForm = "2006-01-02T15:04:05"

// A Search is how a database finds rows by words and marks, in the tables
// requests_search and audit_search. A mark is a word that stands for the value
// of a field.
type Search struct {
	// Key is the column that says of which row an entry is, Join how the entries s are
	// joined with those rows, and Match the condition that a query is met, with the
	// name of the table left out as %s.
	Key, Join, Match string
	// Put is the statement that stores an entry, with the name of its table left
	// out as %s. Its arguments are the row and what Entry returns.
	Put   string
	Entry func(words string, marks []string) []any
	// Near is how many rows a search looks through, from where its page begins, before it
	// asks the index; 0 where the index gives rows in their order.
	Near int64
	// Query returns a query for what has all marks and all terms.
	Query func(marks []string, terms []Term) string
}

// entries returns the entries of a table.
func (s *Search) entries(table string) string { return table + "_search AS s" }

// rows joins the entries of a table with its rows under an alias.
func (s *Search) rows(table, alias string) string {
	return fmt.Sprintf(" %s %s AS %s ON %s.seq = s.%s", s.Join, table, alias, alias, s.Key)
}

// met returns the condition that an entry of a table meets a query.
func (s *Search) met(table string) string { return strings.ReplaceAll(s.Match, "%s", table+"_search") }

// A Term is a text of a search without blanks. What is in it stands in this
// order, side by side; if it is open, the last word may go on.
type Term struct {
	Text string
	Open bool
}

// upsert returns the statement that writes a row in place of the one that has the
// same first column.
func upsert(table, columns string) string {
	var sets, marks []string
	key := ""
	for column := range strings.SplitSeq(columns, ",") {
		column = strings.TrimSpace(column)
		marks = append(marks, "?")
		if key == "" {
			key = column
			continue
		}
		sets = append(sets, column+" = excluded."+column)
	}
	return "INSERT INTO " + table + " (" + columns + ") VALUES (" + strings.Join(marks, ", ") +
		") ON CONFLICT (" + key + ") DO UPDATE SET " + strings.Join(sets, ", ")
}
