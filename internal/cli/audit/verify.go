package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"time"

	"github.com/policyctl/policyctl/internal/support/plainfile"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/decisions"
	"github.com/policyctl/policyctl/internal/cli/serve"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A verifier reports whether a log is as it was written.
type verifier struct {
	*console.Process
	serve.Database
	checkpoints []string
	keys        string
	json        bool
}

func newAuditVerify(p *console.Process) *cobra.Command {
	v := &verifier{Process: p}
	cmd := &cobra.Command{
		Use:   "verify [FILE.jsonl]",
		Short: "Verify that no record was changed, moved, added or lost",
		Long: `Verify the chain of the whole log, in the database or in a file that policyctl
audit export wrote; - is the standard input. The records must also be
consistent: a receipt follows an approval, is signed by a key that was not
retired, and is used once. If a record is wrong, verify names the first
one and exits 1.

If the beginning of the log was cut off, verify says so, and from which record
on the log holds: see policyctl audit prune. A file that begins after a cut
needs the checkpoint of the record before it, or the file with that record in
front of it.

Anyone who can write the file can replace the whole log or cut off its end. A
checkpoint that was kept elsewhere shows both. It is signed by the service, whose keys are in
the database; --keys takes them from elsewhere, as a JWK set.`,
		Example: `  policyctl audit verify
  policyctl audit verify audit.jsonl --checkpoint monday.json
  cat cut.jsonl audit.jsonl | policyctl audit verify -`,
		Args: console.AtMostOne,
		RunE: func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&v.checkpoints, "checkpoint", nil, "compare with the `FILE` that policyctl audit checkpoint wrote; may repeat")
	flags.StringVar(&v.keys, "keys", "", "the `FILE` with the public keys that may have signed the checkpoint")
	flags.BoolVar(&v.json, "json", false, "print the result as JSON")
	v.Register(flags)
	return cmd
}

func (v *verifier) run(ctx context.Context, args []string) error {
	if v.keys != "" && len(v.checkpoints) == 0 {
		return console.Usagef("--keys is for a checkpoint: name it with --checkpoint")
	}
	var db serve.Store
	if len(args) == 0 || len(v.checkpoints) > 0 && v.keys == "" {
		var err error
		if db, err = decisions.Chain(ctx, v.Process, &v.Database); err != nil {
			return err
		}
		defer db.Close() // it was only read
	}
	points, err := v.expected(ctx, db)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return v.database(ctx, db, points)
	}
	in := io.NopCloser(v.Stdin)
	if args[0] != "-" {
		if in, err = os.Open(args[0]); err != nil {
			return console.Usagef("%s: %v: name a file of policyctl audit export", args[0], plainfile.Bare(err))
		}
	}
	defer in.Close()
	return v.file(audit.ReadJSONL(in), points)
}

// database verifies the log of a database, and again if it is cut meanwhile.
func (v *verifier) database(ctx context.Context, db serve.Store, points []expectation) error {
	for {
		chain, err := backend.Begin(ctx, db)
		if err == nil {
			if err := expect(chain, points); err != nil {
				return err
			}
			err = check(chain, serve.Records(ctx, db))
		}
		if !backend.Overtaken(ctx, db, chain, err) {
			return v.show(chain, err, points)
		}
	}
}

// file verifies a log from its first record, or from the one behind a checkpoint that is
// given.
func (v *verifier) file(records iter.Seq2[*audit.Record, error], points []expectation) error {
	next, stop := iter.Pull2(records)
	defer stop()
	first, err, more := next()
	chain := &approval.Verifier{}
	if more && err == nil && first.Seq > 1 {
		at := slices.IndexFunc(points, func(p expectation) bool { return p.Seq == first.Seq-1 })
		if at < 0 {
			return v.show(chain, &audit.Broken{Seq: 1, Problem: fmt.Sprintf(
				"record %d is in its place: where those before it were cut off, give the checkpoint of record %d with --checkpoint, or put the file that has them in front", first.Seq, first.Seq-1)}, points)
		}
		if err := chain.Resume(points[at].Checkpoint, points[at].keys); err != nil {
			return fmt.Errorf("--checkpoint %s: %w", points[at].file, err)
		}
	}
	if err := expect(chain, points); err != nil {
		return err
	}
	err = check(chain, func(yield func(*audit.Record, error) bool) {
		for r, err := first, err; more && yield(r, err); {
			r, err, more = next()
		}
	})
	return v.show(chain, err, points)
}

// An expectation is a checkpoint of a file, and the service's keys.
type expectation struct {
	*audit.Checkpoint
	file string
	keys approval.Keys
}

// expected reads the checkpoints.
func (v *verifier) expected(ctx context.Context, db serve.Store) (out []expectation, err error) {
	for _, file := range v.checkpoints {
		text, err := console.ReadUpTo(file, console.MaxKey)
		if err != nil {
			return nil, console.Usagef("--checkpoint %s: %v", file, err)
		}
		point, err := audit.ReadCheckpoint(text)
		if err != nil {
			return nil, console.Usagef("--checkpoint %s: %v", file, err)
		}
		keys, err := v.trusted(ctx, db)
		if err != nil {
			return nil, err
		}
		out = append(out, expectation{point, file, keys})
	}
	return out, nil
}

// trusted returns the keys that may have signed a checkpoint.
func (v *verifier) trusted(ctx context.Context, db serve.Store) (keys approval.Keys, err error) {
	if v.keys == "" {
		list, err := db.Keys(ctx)
		return approval.KeysOf(list...), err
	}
	text, err := console.ReadUpTo(v.keys, console.MaxKey)
	if err == nil {
		err = json.Unmarshal(text, &keys)
	}
	if err != nil {
		return nil, console.Usagef("--keys %s: %v: give a JWK set, such as that of GET /v1/keys", v.keys, err)
	}
	return keys, nil
}

// A chainResult is the result as JSON.
type chainResult struct {
	OK      bool   `json:"ok"`
	Records int64  `json:"records"`
	Head    string `json:"head,omitempty"`
	// Begins is the number of the first record, where those before it were cut off.
	Begins  *beginning `json:"begins,omitempty"`
	Seq     int64      `json:"seq,omitempty"`
	Problem string     `json:"problem,omitempty"`
}

// A beginning is that of a log whose older records were cut off.
type beginning struct {
	Record int64 `json:"record"`
	// Cut is when they were, and By who did it; absent for a file, which begins where a
	// checkpoint says.
	Cut *time.Time `json:"cut,omitempty"`
	By  string     `json:"by,omitempty"`
}

// expect has a chain checked against checkpoints.
func expect(chain *approval.Verifier, points []expectation) error {
	for _, p := range points {
		keys, err := p.keys.ForCheckpoint(p.Checkpoint)
		switch from := chain.From(); {
		case err != nil:
		case p.Seq < from:
			err = fmt.Errorf("it is for record %d, but the log begins at record %d: verify the file that policyctl audit prune wrote, which has that record", p.Seq, from+1)
		default:
			err = chain.Expect(p.Checkpoint, keys)
		}
		if err != nil {
			return fmt.Errorf("--checkpoint %s: %w", p.file, err)
		}
	}
	return nil
}

// check verifies records from where a chain begins. The error is an [*audit.Broken] where
// they do not hold.
func check(chain *approval.Verifier, records iter.Seq2[*audit.Record, error]) error {
	for r, err := range records {
		if err == nil {
			err = chain.Check(r)
		}
		if err != nil {
			return err
		}
	}
	return chain.End()
}

// show tells what came of it.
func (v *verifier) show(chain *approval.Verifier, err error, points []expectation) error {
	var broken *audit.Broken
	if err != nil && !errors.As(err, &broken) {
		return fmt.Errorf("audit log: %w", err)
	}
	n, head := chain.Head()
	found := chainResult{OK: true, Records: n, Head: head}
	if from := chain.From(); from > 0 {
		found.Records, found.Begins = max(0, n-from), &beginning{Record: from + 1}
		if cut := chain.Cut(); cut != nil {
			found.Begins.Cut, found.Begins.By = &cut.Time, cut.Actor
		}
	}
	switch {
	case broken != nil && v.json:
		found.OK, found.Head, found.Seq, found.Problem = false, "", broken.Seq, broken.Problem
		return errors.Join(render.JSON(v.Stdout, found), console.Exit(console.ExitFailure))
	case broken != nil:
		return fmt.Errorf("the audit log does not hold: %w", broken)
	case v.json:
		return render.JSON(v.Stdout, found)
	}
	rows := [][]string{{"verified", "yes"}, {"records", fmt.Sprint(found.Records)}}
	if b := found.Begins; b != nil {
		rows = append(rows, []string{"begins", b.text()})
	}
	rows = append(rows, []string{"head", found.Head})
	for _, p := range points {
		rows = append(rows, []string{"checkpoint", fmt.Sprintf("holds: record %d, signed %s", p.Seq, p.Time.Format(time.RFC3339))})
	}
	return v.PrintTable(rows)
}

func (b *beginning) text() string {
	if b.Cut == nil {
		return fmt.Sprintf("at record %d, behind the checkpoint", b.Record)
	}
	return fmt.Sprintf("at record %d, cut on %s by %s", b.Record, b.Cut.Format(time.DateOnly), b.By)
}
