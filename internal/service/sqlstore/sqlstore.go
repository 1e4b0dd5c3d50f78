// Package sqlstore keeps what the approval service knows in a database of SQL:
// requests with their events, the audit log, signing keys, tokens, rules,
// recorded calls and notes of grants. An [Engine] is the database; packages
// sqlite and postgres have one each, and open it.
//
// Each statement stands here once, in what both databases read. What callers
// store at the same moment shares a transaction.
//
// The package decides nothing, redacts nothing but what pkg/audit does, opens
// nothing, and makes no tables.
package sqlstore

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/grantbook"
	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/pkg/approval"
)

// Options say how a database is kept. The zero value is sound.
type Options struct {
	// Notify is told of each event: one at a time, by ascending id, and of those that
	// this process has stored before the method that made them returns. A database in a
	// file tells of no others. All writers wait for it: it must not block, and must not
	// write to the database.
	Notify func(approval.Event)
	// KeepEvents and KeepCalls bound how many events and recorded calls are
	// kept, the newest ones; 0 stands for DefaultEvents and DefaultCalls.
	KeepEvents, KeepCalls int
	// Damaged is told once of each row that cannot be read and that lists leave
	// out; nil for nobody. It must not block.
	Damaged func(error)
}

// What the zero value of an option stands for.
const (
	DefaultEvents = 100_000
	DefaultCalls  = 10_000
)

// Complete sets what the options leave out, and refuses what nobody can mean.
func (o *Options) Complete() error {
	if o.KeepEvents < 0 || o.KeepCalls < 0 {
		return fmt.Errorf("cannot keep %d events and %d calls: give numbers above 0", o.KeepEvents, o.KeepCalls)
	}
	o.KeepEvents, o.KeepCalls = cmp.Or(o.KeepEvents, DefaultEvents), cmp.Or(o.KeepCalls, DefaultCalls)
	return nil
}

// A DB is an open database. It is safe for concurrent use.
type DB struct {
	engine  Engine
	dialect *Dialect
	readers *sql.DB
	o       Options
	damaged damageLog
	asked   statements
	fresh   fresh

	queue queue[*part]
	// turn is held by who writes. It guards conn, stmts, last and unsure.
	turn  chan struct{}
	conn  *sql.Conn // nil until it is needed
	stmts map[string]*sql.Stmt
	last  known
	// unsure is where the log ended before a transaction of which the database did not tell
	// whether it is stored, while that is found out; nil otherwise.
	unsure *end

	asks queue[*asking]
	// askTurn is held by who asks what is in asks.
	askTurn chan struct{}
}

var (
	_ approval.Store = (*DB)(nil)
	_ ruledb.Table   = (*DB)(nil)
	_ auth.Store     = (*DB)(nil)

	_ grantbook.Table = (*DB)(nil)
)

// New returns a database whose tables are there. The options must be complete.
// Close closes the readers and the connection that writes.
func New(e Engine, d *Dialect, readers *sql.DB, o Options) *DB {
	return &DB{
		engine: e, dialect: d, readers: readers, o: o, turn: make(chan struct{}, 1), stmts: make(map[string]*sql.Stmt),
		askTurn: make(chan struct{}, 1), fresh: newFresh(),
	}
}

// Check returns why nothing can be stored or read now, nil where nothing is
// known to be wrong.
func (d *DB) Check() error { return d.engine.Check() }

// Close waits for what is being written and closes the connections. Every later
// call of another method is an error.
func (d *DB) Close() error {
	d.turn <- struct{}{}
	defer func() { <-d.turn }()
	return errors.Join(d.readers.Close(), d.disconnect())
}

// disconnect closes the connection that writes.
func (d *DB) disconnect() error {
	gone := d.engine.Broken()
	var errs []error
	for _, s := range d.stmts {
		errs = append(errs, s.Close())
	}
	clear(d.stmts)
	if d.conn != nil {
		if err := d.conn.Close(); !errors.Is(err, sql.ErrConnDone) {
			errs = append(errs, err)
		}
		d.conn = nil
	}
	if gone {
		return nil
	}
	return errors.Join(errs...)
}
