package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/decisions"
	"github.com/policyctl/policyctl/internal/cli/serve"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/support/atomicfile"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A pruner cuts the beginning of the log off.
type pruner struct {
	*console.Process
	serve.Database
	key                   serve.SigningKey
	before, to            string
	discard, dryRun, json bool
}

func newAuditPrune(p *console.Process) *cobra.Command {
	c := &pruner{Process: p}
	cmd := &cobra.Command{
		Use:   "prune --before TIME --to FILE.jsonl",
		Short: "Move the records older than a time from the log to a file",
		Long: `Cut off the beginning of the log: all records up to the first one that is not
older than a time. prune writes them to a new file and then deletes them; with
--discard, it deletes them without a file. The last record always stays. The
service may keep running.

prune verifies the whole log first, and does not cut one that fails. What
remains begins after a checkpoint signed with the service's key, and a record of
the kind cut says who cut what: policyctl audit verify checks both. The file
verifies by itself, and in front of a later export:

  cat cut.jsonl audit.jsonl | policyctl audit verify -

If the log was cut before, the file begins where the file of the last cut ends.
Keep the checkpoints that you made before a cut with its file: the log no longer
has their records.

In PostgreSQL the role that owns the tables can cut the log, and the one that serves
cannot. Agents are denied this command.`,
		Example: `  policyctl audit prune --before 365d --dry-run
  policyctl audit prune --before 2026-01-01 --to audit-2025.jsonl`,
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&c.before, "before", "", "cut off what is older than a `TIME`, such as 365d or 2027-01-31")
	flags.StringVar(&c.to, "to", "", "write what is cut off to a new `FILE`, for you alone")
	flags.BoolVar(&c.discard, "discard", false, "do not keep what is cut off")
	flags.BoolVar(&c.dryRun, "dry-run", false, "say what would be cut off, and change nothing")
	flags.BoolVar(&c.json, "json", false, "print the result as JSON")
	c.Register(flags)
	c.key.Register(flags)
	return cmd
}

// A cutting is what is cut off, as JSON.
type cutting struct {
	Before  time.Time `json:"before"`
	Records int64     `json:"records"`
	// First and Last are the numbers of the first and the last record, From and To their
	// times; absent where there are none.
	First int64      `json:"first,omitempty"`
	Last  int64      `json:"last,omitempty"`
	From  *time.Time `json:"from,omitempty"`
	To    *time.Time `json:"to,omitempty"`
	File  string     `json:"file,omitempty"`
	// Cut says that it was cut off: not where there is nothing, or on a dry run.
	Cut bool `json:"cut"`

	last *audit.Record
	base *audit.Checkpoint // behind which the log begins
}

func (c *pruner) check() error {
	switch {
	case c.before == "":
		return console.Usagef("--before is missing: say what to cut off, such as --before 365d or --before 2027-01-31")
	case c.to != "" && c.discard:
		return console.Usagef("--to and --discard: give one, a file for what is cut off or none")
	case c.to == "" && !c.discard && !c.dryRun:
		return console.Usagef("--to is missing: name a file for what is cut off; --discard keeps none of it, and --dry-run says what it would be")
	}
	return c.key.Check()
}

func (c *pruner) run(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	before, err := console.Before(c.before, time.Now())
	if err != nil {
		return err
	}
	db, err := decisions.Chain(ctx, c.Process, &c.Database)
	if err != nil {
		return err
	}
	found, err := planned(ctx, db, before)
	if err == nil && !c.dryRun {
		err = c.cut(ctx, db, found)
	}
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	return c.show(found)
}

// planned verifies the whole log, and returns what of it is older than a time.
func planned(ctx context.Context, db serve.Store, before time.Time) (*cutting, error) {
	chain, err := backend.Begin(ctx, db)
	out := &cutting{Before: before.UTC(), base: chain.Base()}
	if err == nil {
		err = check(chain, out.seen(serve.Records(ctx, db)))
	}
	var broken *audit.Broken
	if errors.As(err, &broken) {
		err = fmt.Errorf("nothing was cut off, because the audit log does not verify: %w", broken)
	}
	return out, err
}

// seen notes which records are cut off as they pass. Each but the last record of the log
// may be.
func (c *cutting) seen(records iter.Seq2[*audit.Record, error]) iter.Seq2[*audit.Record, error] {
	return func(yield func(*audit.Record, error) bool) {
		var before *audit.Record // the record before, if all up to there are old
		old := true
		for r, err := range records {
			if before != nil {
				c.add(before)
			}
			before = nil
			if old = old && err == nil && r.Time.Before(c.Before); old {
				before = r
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

func (c *cutting) add(r *audit.Record) {
	if c.Records++; c.From == nil {
		c.First, c.From = r.Seq, &r.Time
	}
	c.Last, c.To, c.last = r.Seq, &r.Time, r
}

// cut cuts off what was found, and deletes what a cut of before has left, which may have
// been interrupted.
func (c *pruner) cut(ctx context.Context, db serve.Store, found *cutting) error {
	if err := serve.MayCut(ctx, db); err != nil {
		return err
	}
	if found.last != nil {
		point, err := c.sign(ctx, db, found.last)
		if err != nil {
			return err
		}
		if err := c.keep(ctx, db, found); err != nil {
			return err
		}
		err = db.Cut(ctx, found.base, point, audit.Entry{
			Time: point.Time, Kind: audit.KindCut, Actor: serve.Owner(),
			Detail: map[string]string{
				approval.CutThrough: fmt.Sprint(point.Seq), approval.CutHash: point.Hash,
				approval.CutBefore: found.Before.Format(time.RFC3339), approval.CutRecords: fmt.Sprint(found.Records),
			},
		})
		if err != nil {
			return c.kept(err)
		}
		found.Cut, found.File = true, c.to
	}
	if _, err := db.Sweep(ctx); err != nil {
		return c.kept(fmt.Errorf("the audit log was cut, and not all of what was cut off is deleted yet: the next policyctl audit prune continues: %w", err))
	}
	return nil
}

// kept says of an error that the file is there.
func (c *pruner) kept(err error) error {
	if c.to == "" {
		return err
	}
	return fmt.Errorf("%w; %s has what was to be cut off", err, c.to)
}

// sign signs a checkpoint of the last record that is cut off.
func (c *pruner) sign(ctx context.Context, db serve.Store, last *audit.Record) (*audit.Checkpoint, error) {
	path, err := c.Find(c.Process)
	if err != nil {
		return nil, err
	}
	return signed(ctx, c.Process, db, &c.key, path, last)
}

// keep writes what is cut off to the file, which is on disk then, and verifies it again.
func (c *pruner) keep(ctx context.Context, db serve.Store, found *cutting) error {
	if c.to == "" {
		return nil
	}
	chain, err := backend.Begin(ctx, db)
	if err != nil {
		return err
	}
	err = console.WriteNew("to", c.to, forOwner, func(w io.Writer) error {
		err := audit.WriteJSONL(w, func(yield func(*audit.Record, error) bool) {
			for r, err := range serve.Records(ctx, db) {
				if err == nil {
					err = chain.Check(r)
				}
				if !yield(r, err) || err != nil || r.Seq == found.Last {
					return
				}
			}
		})
		if _, hash := chain.Head(); err == nil && hash != found.last.Hash {
			err = fmt.Errorf("record %d is not there any more: try again", found.Last)
		}
		return err
	})
	if err != nil {
		return err
	}
	return atomicfile.SyncDir(filepath.Dir(c.to))
}

func (c *pruner) show(found *cutting) error {
	if c.json {
		return render.JSON(c.Stdout, found)
	}
	if found.Records == 0 {
		_, err := fmt.Fprintf(c.Stdout, "nothing to cut off: no record before %s\n", found.Before.Format(time.RFC3339))
		return err
	}
	what := "cut off"
	if c.dryRun {
		what = "would be cut off"
	}
	at := func(seq int64, t *time.Time) string {
		return fmt.Sprintf("record %d, %s", seq, t.Format("2006-01-02 15:04:05Z"))
	}
	rows := [][]string{{what, fmt.Sprintf("%d records", found.Records)}, {"from", at(found.First, found.From)}, {"to", at(found.Last, found.To)}}
	if found.File != "" {
		rows = append(rows, []string{"file", found.File})
	}
	return c.PrintTable(rows)
}
