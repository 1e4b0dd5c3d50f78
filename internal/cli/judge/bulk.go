package judge

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/machine/collector"
	"github.com/policyctl/policyctl/internal/machine/spool"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/doom"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/strictjson"
	"github.com/policyctl/policyctl/pkg/trail"
)

// maxLine bounds one call in bulk.
const maxLine = 10 << 20

// A bulk decides the calls on the standard input in order.
type bulk struct {
	*console.Process
	policies *effective.Follower
	flags    *CallFlags
	// judge returns the answer to a call.
	judge func(context.Context, *policy.Engine, *policy.Call) (any, error)
	// loops is shared by all sessions, of which it forgets the oldest.
	loops *doom.Detector
	out   *bufio.Writer
	lines render.Line
	// total and bad count the lines, and those without a verdict.
	total, bad int
	// record is where decisions go on record, nil for nowhere; missing counts those
	// that could not, and lost says why of the last.
	record  *spool.Spool
	missing int
	lost    error
}

// bulk runs eval --jsonl.
func (e *eval) bulk(cmd *cobra.Command, args []string) error {
	b := newBulk(e.Process, &e.CallFlags)
	if e.audit {
		place, err := e.Policies()
		if err != nil {
			return err
		}
		b.record = spool.Verdicts(place.State)
	}
	b.judge = func(ctx context.Context, engine *policy.Engine, c *policy.Call) (any, error) {
		v, err := e.verdict(ctx, b, engine, c)
		e.prints(ctx, engine, c)
		return v, err
	}
	return b.run(cmd, args, &e.Flags)
}

// onlyLines refuses what does not go with --jsonl.
func onlyLines(cmd *cobra.Command, args []string) error {
	for _, name := range []string{"input", "tool", "explain", "record"} {
		if cmd.Flags().Changed(name) {
			return console.Usagef("--%s is for one call: leave it out, or --jsonl", name)
		}
	}
	if len(args) > 0 && args[0] != "-" {
		return console.Usagef("--jsonl reads calls from the standard input: leave the command out, or --jsonl")
	}
	return nil
}

func newBulk(p *console.Process, flags *CallFlags) *bulk {
	out := bufio.NewWriter(p.Stdout)
	return &bulk{Process: p, flags: flags, loops: doom.New(0), out: out, lines: render.NewLine(out)}
}

// run judges the calls on the standard input under the policy that is in force
// at each of them.
func (b *bulk) run(cmd *cobra.Command, args []string, under *effective.Flags) error {
	if err := onlyLines(cmd, args); err != nil {
		return err
	}
	if err := b.flags.Resolve(b.Process); err != nil {
		return err
	}
	var err error
	under.Project = b.flags.Project
	if b.policies, err = under.Follow(b.Process, b.flags.Dir); err != nil {
		return err
	}
	if err := b.each(cmd.Context(), b.Stdin); err != nil {
		return err
	}
	return b.status()
}

// each answers each line. Answers are held back only while the next line is
// there already.
func (b *bulk) each(ctx context.Context, stdin io.Reader) error {
	in := bufio.NewReaderSize(stdin, 64<<10)
	for {
		if !waiting(in) {
			if err := b.out.Flush(); err != nil {
				return err
			}
			b.policies.Paused()
		}
		line, err := readLine(in)
		if err == io.EOF {
			return b.out.Flush()
		}
		if err != nil && err != errLong {
			b.out.Flush() // the error of reading is the one to tell
			return fmt.Errorf("the standard input cannot be read: %w", err)
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := b.answer(ctx, line, err); err != nil {
			return err
		}
	}
}

// answer writes the verdict on one line, or why there is none.
func (b *bulk) answer(ctx context.Context, line []byte, err error) error {
	b.total++
	var v any
	if err == nil {
		v, err = b.decide(ctx, line)
	}
	if err == nil {
		return b.lines.Encode(v)
	}
	b.bad++
	return b.lines.Encode(errorLine{callID(line), err.Error()})
}

// errorLine is the answer to a line that could not be judged.
type errorLine struct {
	ID    any    `json:"id"`
	Error string `json:"error"`
}

func (b *bulk) decide(ctx context.Context, line []byte) (any, error) {
	c, err := policy.DecodeCall(line)
	if err != nil {
		return nil, err
	}
	if err := checkRecord(c); err != nil {
		return nil, err
	}
	b.flags.Complete(c, "")
	engine, err := b.policies.Engine(c)
	if err != nil {
		return nil, err
	}
	return b.judge(ctx, engine, c)
}

// verdict decides a call and logs the decision.
func (e *eval) verdict(ctx context.Context, b *bulk, engine *policy.Engine, c *policy.Call) (any, error) {
	s := &policy.Session{ID: c.Session}
	if c.Session != "" {
		s.Doom = b.loops
	}
	begin := time.Now()
	v, err := engine.Decide(ctx, s, c)
	took := time.Since(begin)
	e.Bundle.Client.Log(c, &v, took)
	if b.record != nil && engine.Records(v.Decision) {
		b.recorded(&policy.Outcome{Call: *c, Verdict: v, Time: begin, Took: took})
	}
	if !e.timing {
		took = 0
	}
	return render.Verdict(c.ID, &v, took), err
}

// recorded puts a decision on record.
func (b *bulk) recorded(o *policy.Outcome) {
	e := trail.Entry(trail.From{Actor: fmt.Sprintf("uid:%d", os.Getuid()), Via: "eval"}, o)
	if err := collector.Put(b.record, &e); err != nil {
		b.missing, b.lost = b.missing+1, err
	}
}

// status is an error where the policy was invalid or a line had no answer.
func (b *bulk) status() error {
	switch {
	case b.policies.Broken:
		return console.Exit(console.ExitUsage)
	case b.bad > 0:
		return fmt.Errorf("%d of %d lines could not be judged: see error in their answers", b.bad, b.total)
	case b.missing > 0:
		return fmt.Errorf("%d decisions are not on record: %w", b.missing, b.lost)
	}
	return nil
}

// waiting reports whether a whole line has arrived.
func waiting(in *bufio.Reader) bool {
	data, _ := in.Peek(in.Buffered())
	return bytes.IndexByte(data, '\n') >= 0
}

var errLong = errors.New("the line is longer than 10 MiB")

// readLine returns the next line without its end. Beside [errLong] it is the
// beginning of a longer one, which is read to its end.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line) <= maxLine {
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(line) > 0:
		case err != nil:
			return nil, err
		}
		line = bytes.TrimSuffix(line, []byte("\n"))
		if len(line) > maxLine {
			return line, errLong
		}
		return line, nil
	}
}

// callID returns the id in a line that is no valid call, nil if it cannot be
// read or there are several.
func callID(line []byte) (id any) {
	for _, text := range strictjson.Members(line, "id") {
		value, _ := strictjson.Value(text, strictjson.Options{})
		switch value.(type) {
		case string, json.Number:
		default:
			return nil
		}
		if id != nil && id != value {
			return nil
		}
		id = value
	}
	return id
}
