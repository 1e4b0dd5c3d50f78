package audit

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"time"

	"github.com/policyctl/policyctl/internal/support/plainfile"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/serve"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A verifier reports whether a log is as it was written.
type verifier struct {
	*console.Process
	serve.Database
	checkpoint, keys string
	json             bool
}

func newAuditVerify(p *console.Process) *cobra.Command {
	v := &verifier{Process: p}
	cmd := &cobra.Command{
		Use:   "verify [FILE.jsonl]",
		Short: "Verify that no record was changed, moved, added or lost",
		Long: `Verify the chain of the whole log: that of the database, or that of a file which
policyctl audit export wrote; - reads it from the standard input. What the records
tell must be possible too: a receipt follows an approval, is signed by a key that was
not retired, and is used once. The first record that is wrong is named, and the exit
code is 1 then.

Anyone who can write the file can replace the whole log or cut off its end. A
checkpoint that was kept elsewhere shows both. It is signed by the service, whose keys are in
the database; --keys takes them from elsewhere, as a JWK set.`,
		Example: `  policyctl audit verify
  policyctl audit verify audit.jsonl --checkpoint monday.json`,
		Args: console.AtMostOne,
		RunE: func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&v.checkpoint, "checkpoint", "", "compare with the `FILE` that policyctl audit checkpoint wrote")
	flags.StringVar(&v.keys, "keys", "", "the `FILE` with the public keys that may have signed the checkpoint")
	flags.BoolVar(&v.json, "json", false, "print the result as JSON")
	v.Register(flags)
	return cmd
}

func (v *verifier) run(ctx context.Context, args []string) error {
	if v.keys != "" && v.checkpoint == "" {
		return console.Usagef("--keys is for a checkpoint: name it with --checkpoint")
	}
	var db serve.Store
	if len(args) == 0 || v.checkpoint != "" && v.keys == "" {
		var err error
		if db, err = v.Open(ctx, v.Process); err != nil {
			return err
		}
		defer db.Close() // it was only read
	}
	point, err := v.expected(ctx, db)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return v.verify(serve.Records(ctx, db), point)
	}
	in := io.NopCloser(v.Stdin)
	if args[0] != "-" {
		if in, err = os.Open(args[0]); err != nil {
			return console.Usagef("%s: %v: name a file of policyctl audit export", args[0], plainfile.Bare(err))
		}
	}
	defer in.Close()
	return v.verify(audit.ReadJSONL(in), point)
}

// An expectation is a checkpoint and the keys that may have signed it.
type expectation struct {
	*audit.Checkpoint
	keys map[string]ed25519.PublicKey
}

// expected reads the checkpoint, nil for none.
func (v *verifier) expected(ctx context.Context, db serve.Store) (*expectation, error) {
	if v.checkpoint == "" {
		return nil, nil
	}
	text, err := console.ReadUpTo(v.checkpoint, console.MaxKey)
	if err != nil {
		return nil, console.Usagef("--checkpoint %s: %v", v.checkpoint, err)
	}
	var out expectation
	if out.Checkpoint, err = audit.ReadCheckpoint(text); err != nil {
		return nil, console.Usagef("--checkpoint %s: %v", v.checkpoint, err)
	}
	keys, err := v.trusted(ctx, db)
	if err == nil {
		out.keys, err = keys.ForCheckpoint(out.Checkpoint)
	}
	return &out, err
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
	Seq     int64  `json:"seq,omitempty"`
	Problem string `json:"problem,omitempty"`
}

func (v *verifier) verify(records iter.Seq2[*audit.Record, error], point *expectation) error {
	var chain audit.Verifier
	if point != nil {
		if err := chain.Expect(point.Checkpoint, point.keys); err != nil {
			return fmt.Errorf("--checkpoint %s: %w", v.checkpoint, err)
		}
	}
	var course approval.Course
	var broken *audit.Broken
	for r, err := range records {
		if err == nil {
			err = chain.Check(r)
		}
		if err == nil {
			err = course.Check(r)
		}
		if errors.As(err, &broken) {
			break
		}
		if err != nil {
			return fmt.Errorf("audit log: %w", err)
		}
	}
	n, head := chain.Head()
	if broken == nil && !errors.As(chain.End(), &broken) {
		return v.show(chainResult{OK: true, Records: n, Head: head}, point)
	}
	if v.json {
		return errors.Join(render.JSON(v.Stdout, chainResult{Records: n, Seq: broken.Seq, Problem: broken.Problem}), console.Exit(console.ExitFailure))
	}
	return fmt.Errorf("the audit log does not hold: %w", broken)
}

func (v *verifier) show(found chainResult, point *expectation) error {
	if v.json {
		return render.JSON(v.Stdout, found)
	}
	rows := [][]string{{"verified", "yes"}, {"records", fmt.Sprint(found.Records)}, {"head", found.Head}}
	if point != nil {
		rows = append(rows, []string{"checkpoint", fmt.Sprintf("holds: record %d, signed %s", point.Seq, point.Time.Format(time.RFC3339))})
	}
	return v.PrintTable(rows)
}
