package ruledb

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/authoring/preview"
	"github.com/policyctl/policyctl/internal/authoring/replay"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// A Recorded is a call that was decided, as it is kept for previews: without
// its secrets.
type Recorded struct {
	At      time.Time
	Session string
	// JSON is the call as [policy.EncodeCall] writes it.
	JSON json.RawMessage
}

// A Look says what a preview looks at.
type Look struct {
	// Lookback bounds the calls that are looked at, Samples those that are
	// shown; 0 stands for DefaultLookback and [preview.MaxSamples], which with
	// [preview.MaxLookback] are also the most.
	Lookback, Samples int
	// Tools are the tools of the policy beside the built-in ones.
	Tools []policy.Tool
	// Engine is the one in force, for what decisions would become; nil for nothing
	// of that.
	Engine *policy.Engine
}

// DefaultLookback is how many calls a preview looks at where nothing is said.
const DefaultLookback = 200

// Preview tells which of the calls, which are the newest first, a draft would
// have matched in its scope, whether it is enabled or not. The error is an
// [*Invalid] where the draft is no rule, or the look goes too far.
func (r *Rules) Preview(ctx context.Context, d Draft, calls []Recorded, l Look) (*preview.Report, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	row := d.Row
	row.ID, row.Enabled = cmp.Or(row.ID, "draft"), 1
	rule, _, err := row.compile()
	if err != nil {
		return nil, &Invalid{err}
	}
	probe := preview.NewProbe(rule)
	if l.Engine != nil {
		probe.Compare(l.Engine, r.state.Load().engineWith(l.Engine, d.Row.ID, rule))
	}
	settings := policy.Defaults()
	settings.Tools = l.Tools
	e, err := policy.New(settings, policy.Options{Sources: []policy.Source{probe}})
	if err != nil {
		return nil, err
	}
	list, unread := readCalls(calls[:min(len(calls), cmp.Or(l.Lookback, DefaultLookback))])
	report, err := probe.Run(ctx, e, list, cmp.Or(l.Samples, preview.MaxSamples))
	if err == nil && unread.Count > 0 {
		report.Problems = append(report.Problems, unread)
	}
	return report, err
}

// readCalls returns the calls of a recording, and what of it cannot be read.
func readCalls(calls []Recorded) (list []replay.Recorded, unread replay.Problem) {
	for i, c := range calls {
		call, err := c.call()
		if err != nil {
			unread.Why = "a recorded call cannot be read: " + err.Error()
			unread.Count++
			unread.Places = append(unread.Places, fmt.Sprintf("call %d", i+1))
			continue
		}
		list = append(list, replay.Recorded{Call: call, Sample: replay.Sample{At: c.At.UTC().Format(time.RFC3339), Text: textOf(call)}})
	}
	return list, unread
}

func (l *Look) check() error {
	for _, row := range []struct {
		name    string
		n, most int
	}{{"lookback", l.Lookback, preview.MaxLookback}, {"samples", l.Samples, preview.MaxSamples}} {
		if row.n < 0 || row.n > row.most {
			return invalid("%s: must be from 0 to %d, not %d", row.name, row.most, row.n)
		}
	}
	return nil
}

// call returns the call with what its recording says beside it.
func (c *Recorded) call() (*policy.Call, error) {
	call, err := policy.DecodeCall(c.JSON)
	if err != nil {
		return nil, err
	}
	if call.Time.IsZero() {
		call.Time = c.At
	}
	call.Session = cmp.Or(call.Session, c.Session)
	return call, nil
}

// maxText bounds the text of a sample, in characters.
const maxText = 200

// textOf returns a call in one line.
func textOf(c *policy.Call) string {
	text := c.Tool
	for _, key := range []string{"command", "cmd", "file_path", "path", "url", "query"} {
		if s, ok := c.Input[key].(string); ok && s != "" {
			text += " " + s
			break
		}
	}
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) > maxText {
		return string(line[:maxText-1]) + "…"
	}
	return string(line)
}

// Matches is a report in the shape of the service's API.
type Matches struct {
	Matched int     `json:"matched"`
	Samples []Match `json:"samples"`
}

// A Match is a call that a rule would have matched.
type Match struct {
	Timestamp *time.Time     `json:"timestamp"`
	SessionID string         `json:"sessionId"`
	Record    *record.Record `json:"record"`
}

// MatchesOf returns the shape of a report.
func MatchesOf(r *preview.Report) Matches {
	out := Matches{Matched: r.Matched, Samples: []Match{}}
	for _, s := range r.Samples {
		out.Samples = append(out.Samples, Match{s.Timestamp, s.Session, s.Record})
	}
	return out
}
