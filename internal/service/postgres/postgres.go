// Package postgres keeps what the approval service knows in a PostgreSQL database,
// at which any number of instances may work.
//
// Writers take turns by an advisory lock, so that the audit log and the events have
// one order and no gaps. What a method has acknowledged is on the disk of the server,
// with the records and the event that tell of it, or nothing of it is; an answer
// that was lost is an [sqlstore.Unknown]. What is stored and how is package
// sqlstore's.
//
// The package elects, replicates and fails over nothing: it notices that another
// server has taken over, and what that means for receipts: see [DB].
package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/policyctl/policyctl/internal/service/sqlstore"
)

// Options say how a database is kept. The zero value is sound.
type Options = sqlstore.Options

// patience is how long the database may take for a query, for a transaction with its
// turn, and for a connection. The server gives up a little earlier, and says why.
const patience = 5 * time.Second

// settings are those of each session, with what the server may take for a turn and for a
// statement. A transaction whose client is gone does not keep its turn, and what is
// acknowledged is on disk.
const settings = `SET lock_timeout = '4s'; SET statement_timeout = '4500ms'; SET idle_in_transaction_session_timeout = '10s';
	SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 10000;
	SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`

// readers is how many connections read at the same time.
const readers = 4

// A DB is an open database. It is safe for concurrent use.
//
// Where a replica took over that may lack what was stored last, or the database was
// restored, the first transaction takes back all approvals whose receipts could still be
// used: nobody knows which of them were. Events get new ids then, so that whoever
// follows them learns that some are missing.
type DB struct {
	*sqlstore.DB
	server *server
}

// A server is what is open of a database: the [sqlstore.Engine] of it.
type server struct {
	name   string // for errors
	config *pgx.ConnConfig

	writer, readers *sql.DB
	// conn is the connection that writes, and fresh says that it has not looked yet who
	// the server is. They belong to who writes.
	conn  *sql.Conn
	fresh bool
	// own is the process of the server that serves that connection, or did last.
	own atomic.Uint32

	teller teller
	// down is why nothing can be stored, nil for nothing.
	down atomic.Pointer[error]
	stop context.CancelFunc // of who follows
	done chan struct{}
}

// Open opens the database at a URL, as libpq reads it, with the variables and files
// that libpq reads. Tables are made in an empty schema, and brought up to date in an
// older one; a newer one is refused, and so is what another program keeps. No error
// has the password. Close must be called.
func Open(ctx context.Context, url string, o Options) (*DB, error) {
	if err := o.Complete(); err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	s, err := newServer(url)
	if err != nil {
		return nil, err
	}
	d := &DB{sqlstore.New(s, dialect(), s.readers, o), s}
	if err := d.open(ctx, o); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

func newServer(url string) (*server, error) {
	config, err := parse(url)
	if err != nil {
		return nil, err
	}
	s := &server{name: name(config), config: config, stop: func() {}}
	s.writer, s.readers = s.pool(1, settings), s.pool(readers, settings)
	return s, nil
}

// pool returns connections that begin with some statements.
func (s *server) pool(n int, first string) *sql.DB {
	p := stdlib.OpenDB(*s.config, stdlib.OptionAfterConnect(func(ctx context.Context, c *pgx.Conn) error {
		return c.PgConn().Exec(ctx, first).Close()
	}))
	p.SetMaxOpenConns(n)
	p.SetMaxIdleConns(n)
	return p
}

func (d *DB) open(ctx context.Context, o Options) error {
	if err := d.server.migrate(ctx); err != nil {
		return err
	}
	t := &d.server.teller
	t.db, t.readers, t.notify = d.DB, d.server.readers, o.Notify
	if o.Notify == nil {
		return nil
	}
	if err := t.begin(ctx); err != nil {
		return err
	}
	follow, stop := context.WithCancel(context.Background())
	d.server.stop, d.server.done = stop, make(chan struct{})
	go d.server.follow(follow)
	return nil
}

// Close waits for what is being written and closes the connections. Every later
// call of another method is an error.
func (d *DB) Close() error {
	d.server.stop()
	if d.server.done != nil {
		<-d.server.done
	}
	return errors.Join(d.DB.Close(), d.server.writer.Close())
}
