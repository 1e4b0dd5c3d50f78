package serve

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/postgres"
	"github.com/policyctl/policyctl/internal/service/push"
	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/internal/service/sqlstore"
	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A migrator copies the database of the service from a file to PostgreSQL.
type migrator struct {
	*console.Process
	from, to string
}

func newServeMigrate(p *console.Process) *cobra.Command {
	m := &migrator{Process: p}
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Copy the database of the service from its file to PostgreSQL",
		Long: `Copy everything that the service keeps from its file to a PostgreSQL database:
requests, receipts, tokens, rules, passkeys and the whole audit log, with the same
ids and numbers. The audit log is verified before and after. Either all of it is
copied or nothing.

The service must not run on the file, and nothing may be stored in the target yet.
The key that signs receipts is a file: copy it to each instance. The key for Web Push
moves into the database.
Once the instances run, move the old file away: a service started on it again would
accept receipts that have been used since.

Without --from, only the tables are created or updated. Do this as the owner of
the database if the service itself may not; see docs/postgresql.md. Agents are
denied this command.`,
		Example: `  policyctl serve migrate --from approval.db --to postgres://policyctl@db.example.com/policyctl
  policyctl serve migrate --to postgres://policyctl_owner@db.example.com/policyctl`,
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return m.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&m.from, "from", "", "the `FILE` of the service's database")
	flags.StringVar(&m.to, "to", "", "the `URL` of the PostgreSQL database: postgres://USER@HOST/DATABASE")
	return cmd
}

func (m *migrator) run(ctx context.Context) error {
	if !postgres.IsURL(m.to) {
		return console.Usagef("--to %q: give the URL of a PostgreSQL database, such as postgres://USER@HOST/DATABASE", m.to)
	}
	target := Database{path: m.to}
	if m.from == "" {
		db, err := target.make(ctx, m.Process, sqlstore.Options{})
		if err == nil {
			err = db.Close()
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(m.Stdout, "the tables of %s are up to date\n", target.shown(""))
		return err
	}
	source := Database{path: m.from}
	path, err := source.Find(m.Process)
	if err != nil {
		return err
	}
	free, err := unserved(path)
	if err != nil {
		return err
	}
	defer free()
	from, err := source.openFile(ctx, m.Process)
	if err != nil {
		return err
	}
	defer from.Close() // it was only read
	return m.copy(ctx, from, path, &target)
}

// unserved keeps services from a file, and refuses one that a service works on.
func unserved(path string) (free func(), err error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("--from: %w", err)
	}
	lock := plainfile.Lock(path + servedSuffix)
	held, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("database %s: the lock of the service: %w", path, err)
	}
	if !held {
		return nil, fmt.Errorf("database %s: a policyctl serve is using it: stop it first", path)
	}
	return func() { _ = lock.Close() }, nil
}

func (m *migrator) copy(ctx context.Context, from *sqlite.DB, path string, target *Database) error {
	head, err := verifiedHead(ctx, from)
	if err != nil {
		return fmt.Errorf("nothing was copied: %w", err)
	}
	store, err := target.make(ctx, m.Process, sqlstore.Options{})
	if err != nil {
		return err
	}
	defer store.Close() // what it has stored is stored
	snapshot, err := from.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = snapshot.Rollback() }()
	copied, err := store.(*postgres.DB).Import(ctx, snapshot)
	if err != nil {
		return fmt.Errorf("nothing was copied: %w", err)
	}
	if seqOf(copied) != seqOf(head) || copied != nil && copied.Hash != head.Hash {
		return fmt.Errorf("the audit log has %d records in the file and %d in the copy: something was stored meanwhile: empty the target and try again", seqOf(head), seqOf(copied))
	}
	if err := push.Carry(ctx, path+push.Suffix, store.Shelf(pushShelf)); err != nil {
		return fmt.Errorf("everything was copied except the Web Push key: browsers must subscribe again: %w", err)
	}
	base, err := from.AuditBase(ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(m.Stdout, "copied to %s, with %d records of the audit log, which verifies\n", target.shown(""), seqOf(head)-backend.SeqOf(base))
	return err
}

func seqOf(r *audit.Record) int64 {
	if r == nil {
		return 0
	}
	return r.Seq
}

// verifiedHead verifies the whole audit log and returns its last record, nil for none.
func verifiedHead(ctx context.Context, db Store) (head *audit.Record, err error) {
	v, err := backend.Begin(ctx, db)
	if err != nil {
		return nil, err
	}
	for r, err := range Records(ctx, db) {
		if err == nil {
			err = v.Check(r)
		}
		if err != nil {
			return nil, err
		}
		head = r
	}
	return head, v.End()
}
