package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/sqlite"
)

// A backer copies the database of the service.
type backer struct {
	*console.Process
	Database
}

func newServeBackup(p *console.Process) *cobra.Command {
	b := &backer{Process: p}
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the service's database, even while the service runs",
		Long: `Copy the database of the service to a new file. The copy is a consistent snapshot
that only you can read. Keep it as secret as the database. The signing key is in
another file and is not copied: without it a service makes a new key, and earlier
receipts and checkpoints still verify.
Agents are denied this command.`,
		Example: `  policyctl serve backup /backup/approval-monday.db`,
		Args:    console.OneOf("file", "policyctl serve backup FILE"),
		RunE:    func(cmd *cobra.Command, args []string) error { return b.run(cmd.Context(), args[0]) },
	}
	b.Register(cmd.Flags())
	return cmd
}

func (b *backer) run(ctx context.Context, file string) error {
	file, err := b.Absolute(file)
	if err != nil {
		return err
	}
	if b.remote() {
		return console.Usagef("PostgreSQL has its own backups: use pg_dump, or pg_basebackup with an archive of its log")
	}
	db, err := b.openFile(ctx, b.Process)
	if err != nil {
		return err
	}
	err = db.Backup(ctx, file)
	if errors.Is(err, fs.ErrExist) {
		err = console.Usagef("%s: it exists: name a file that is not there yet", file)
	}
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	return b.reportBackup(ctx, file)
}

// reportBackup reads the copy and says what is in it.
func (b *backer) reportBackup(ctx context.Context, file string) error {
	db, err := sqlite.Open(ctx, file, sqlite.Options{})
	if err != nil {
		return err
	}
	head, err := db.AuditHead(ctx)
	base, errBase := db.AuditBase(ctx)
	if err := errors.Join(err, errBase, db.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(b.Stdout, "copied to %s, with %d records of the audit log and without the signing key\n", file, seqOf(head)-backend.SeqOf(base))
	return err
}
