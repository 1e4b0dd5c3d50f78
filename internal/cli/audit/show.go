package audit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/decisions"
	"github.com/policyctl/policyctl/internal/cli/serve"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A shower shows one record.
type shower struct {
	*console.Process
	serve.Database
	json bool
}

func newAuditShow(p *console.Process) *cobra.Command {
	s := &shower{Process: p}
	cmd := &cobra.Command{
		Use:   "show NUMBER|ID",
		Short: "Show one record with its place in the chain",
		Long: `Show one record, by its number or by the id of a decision, with everything that is
in it, whether its hash is that of its content, and whether it follows the record
before it.`,
		Example: `  policyctl audit show 1207
  policyctl audit show 937eb891-bbd9-4f7f-a63e-547adffad7c3 --json`,
		Args: console.OneOf("number or id", "policyctl audit show 1207"),
		RunE: func(cmd *cobra.Command, args []string) error { return s.run(cmd.Context(), args[0]) },
	}
	cmd.Flags().BoolVar(&s.json, "json", false, "print the record as JSON")
	s.Register(cmd.Flags())
	return cmd
}

// A placed is a record with its place in the chain.
type placed struct {
	Record *audit.Record `json:"record"`
	// Holds says that its hash is that of its content, Follows that it holds the
	// hash of the record before.
	Holds   bool `json:"holds"`
	Follows bool `json:"follows"`
	// Before and After are the records beside it, nil where there is none.
	Before *audit.Record `json:"before"`
	After  *audit.Record `json:"after"`
}

func (s *shower) run(ctx context.Context, name string) error {
	log, err := decisions.Open(ctx, s.Process, &s.Database)
	if err != nil {
		return err
	}
	found, err := find(ctx, log, name)
	if err := errors.Join(err, log.Close()); err != nil {
		return err
	}
	if s.json {
		return render.JSON(s.Stdout, found)
	}
	return s.PrintTable(found.rows())
}

// find returns the record of a number or of an id.
func find(ctx context.Context, log *decisions.Log, name string) (*placed, error) {
	seq, err := strconv.ParseInt(name, 10, 64)
	if err != nil {
		list, err := log.Newest(ctx, decisions.Query{ID: name, Limit: 1})
		switch {
		case err != nil:
			return nil, err
		case len(list) == 0:
			return nil, fmt.Errorf("no decision on record has the id %.80q: policyctl audit list --kind verdict --json shows the ids", name)
		case list[0].Seq == 0:
			return &placed{Record: list[0]}, nil
		}
		seq = list[0].Seq
	}
	if err := log.Absent(); err != nil {
		return nil, err
	}
	return numbered(ctx, log.DB, seq)
}

// numbered returns the record of a number, and those beside it.
func numbered(ctx context.Context, db serve.Store, seq int64) (*placed, error) {
	out := &placed{}
	for into, n := range map[**audit.Record]int64{&out.Before: seq - 1, &out.Record: seq, &out.After: seq + 1} {
		if r, ok, err := db.AuditRecord(ctx, n); err != nil {
			return nil, err
		} else if ok {
			*into = r
		}
	}
	base, err := db.AuditBase(ctx)
	if err != nil {
		return nil, err
	}
	if out.Record == nil && seq > 0 && seq <= backend.SeqOf(base) {
		return nil, fmt.Errorf("record %d was cut off, along with all up to record %d: it is in the file that policyctl audit prune wrote", seq, base.Seq)
	}
	if out.Record == nil {
		return nil, fmt.Errorf("there is no record %d: policyctl audit list has the last ones", seq)
	}
	out.Holds = out.Record.HashHolds()
	out.Follows = backend.Follows(out.Record, out.Before, base)
	return out, nil
}

func (p *placed) rows() [][]string {
	r := p.Record
	at := func(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
	rows := [][]string{{"number", numberOf(r)}, {"time", at(r.Time)}, {"kind", r.Kind}, {"actor", r.Actor}}
	add := func(name, value string) {
		if value != "" {
			rows = append(rows, []string{name, value})
		}
	}
	add("decision", r.Decision)
	add("reason", r.Reason)
	add("stage", r.Stage)
	add("rule", r.Rule)
	add("tool", r.Tool)
	add("arguments", string(r.Arguments))
	add("directory", r.Dir)
	add("agent", r.Agent)
	add("session", r.Session)
	add("request", r.RequestID)
	add("decided by", r.DecidedBy)
	if r.DecidedAt != nil {
		add("decided at", at(*r.DecidedAt))
	}
	add("revision", r.Revision)
	add("request hash", r.RequestHash)
	add("result", r.ExecutionResult)
	for _, key := range slices.Sorted(maps.Keys(r.Detail)) {
		add(strings.ReplaceAll(key, "_", " "), r.Detail[key])
	}
	add("redacted", strings.Join(r.Redacted, "; "))
	if r.Seq == 0 {
		return append(rows, []string{"chained", "not yet: policyctl serve does that"})
	}
	add("before", r.Prev)
	add("hash", r.Hash)
	yes := map[bool]string{true: "yes", false: "no: policyctl audit verify says where the log was changed"}
	return append(rows, []string{"hash holds", yes[p.Holds]}, []string{"follows", yes[p.Follows]})
}
