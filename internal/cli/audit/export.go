package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/decisions"
	"github.com/policyctl/policyctl/internal/cli/serve"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// forOwner is the mode of what is written out of the log.
const forOwner = 0o600

// An exporter writes the log in another form.
type exporter struct {
	*console.Process
	serve.Database
	format, output string
}

// auditFormats are the forms of an export.
var auditFormats = map[string]func(io.Writer, iter.Seq2[*audit.Record, error]) error{
	"jsonl": audit.WriteJSONL,
	"csv":   audit.WriteCSV,
}

func newAuditExport(p *console.Process) *cobra.Command {
	x := &exporter{Process: p}
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Print the whole log as JSON Lines, which can be verified, or as CSV",
		Long: `Print the whole log. JSON Lines hold every record as it was hashed: policyctl
audit verify FILE verifies them without the database. CSV is for people: a cell that
a spreadsheet would run gets an apostrophe in front.`,
		Example: `  policyctl audit export -o audit.jsonl
  policyctl audit export --format csv | head`,
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return x.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&x.format, "format", "jsonl", "the `FORMAT`: jsonl or csv")
	console.Completes(cmd, "format", "jsonl", "csv")
	flags.StringVarP(&x.output, "output", "o", "", "write a new `FILE`, for you alone")
	x.Register(flags)
	return cmd
}

func (x *exporter) run(ctx context.Context) error {
	write, ok := auditFormats[x.format]
	if !ok {
		return console.Unknown("format", x.format, []string{"jsonl", "csv"}, "jsonl or csv")
	}
	db, err := decisions.Chain(ctx, x.Process, &x.Database)
	if err != nil {
		return err
	}
	defer db.Close() // it was only read
	if x.output == "" {
		return write(x.Stdout, serve.Records(ctx, db))
	}
	return console.WriteNew("output", x.output, forOwner, func(w io.Writer) error { return write(w, serve.Records(ctx, db)) })
}

// A checkpointer signs how far the log goes.
type checkpointer struct {
	*console.Process
	serve.Database
	key    serve.SigningKey
	output string
	base   bool
}

func newAuditCheckpoint(p *console.Process) *cobra.Command {
	c := &checkpointer{Process: p}
	cmd := &cobra.Command{
		Use:   "checkpoint",
		Short: "Sign the present end of the log, to keep elsewhere",
		Long: `Sign the present end of the log with the key of the service. Keep the file where
nobody who can write the database can write. Later, policyctl audit verify
--checkpoint FILE shows whether the log still begins like this one.

If policyctl audit prune has cut the log, --base prints the checkpoint after
which it begins: with it, an export of the log verifies without what was cut
off.`,
		Example: `  policyctl audit checkpoint -o monday.json
  policyctl audit checkpoint --base -o begins.json`,
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd.Context()) },
	}
	cmd.Flags().StringVarP(&c.output, "output", "o", "", "write a new `FILE`, for you alone")
	cmd.Flags().BoolVar(&c.base, "base", false, "print the checkpoint after which the log begins")
	c.Register(cmd.Flags())
	c.key.Register(cmd.Flags())
	return cmd
}

func (c *checkpointer) run(ctx context.Context) error {
	if err := c.key.Check(); err != nil {
		return err
	}
	db, err := decisions.Chain(ctx, c.Process, &c.Database)
	if err != nil {
		return err
	}
	point, err := c.point(ctx, db)
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	if c.output == "" {
		return render.JSON(c.Stdout, point)
	}
	return console.WriteNew("output", c.output, forOwner, func(w io.Writer) error { return render.JSON(w, point) })
}

// point returns the checkpoint of the end of the log, or that of its beginning.
func (c *checkpointer) point(ctx context.Context, db serve.Store) (*audit.Checkpoint, error) {
	if c.base {
		base, err := db.AuditBase(ctx)
		if err == nil && base == nil {
			err = errors.New("the log begins with its first record: nothing was cut off")
		}
		return base, err
	}
	path, err := c.Find(c.Process)
	if err != nil {
		return nil, err
	}
	head, err := db.AuditHead(ctx)
	if err != nil {
		return nil, err
	}
	return signed(ctx, c.Process, db, &c.key, path, head)
}

// signed returns the checkpoint of a record, nil for none, signed with the key of the
// service.
func signed(ctx context.Context, p *console.Process, db serve.Store, with *serve.SigningKey, path string, last *audit.Record) (*audit.Checkpoint, error) {
	key, err := with.Open(ctx, p, path)
	if err != nil {
		return nil, err
	}
	keys, err := db.Keys(ctx)
	if err != nil {
		return nil, err
	}
	kid := approval.NewKey(key.Public(), time.Time{}).ID
	if i := slices.IndexFunc(keys, func(k approval.Key) bool { return k.ID == kid }); i < 0 || !keys[i].Ended.IsZero() {
		return nil, fmt.Errorf("the key %s is not the one that signs for this database: start policyctl serve with it first, or name the right one with --sign-key", kid)
	}
	return audit.Sign(func(text []byte) ([]byte, error) { return key.Sign(ctx, text) }, kid, last, time.Now())
}
