package route

import (
	"fmt"
	"math"
	"time"

	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// RequestQuery are the parameters of [Exchange.RequestFilter].
var RequestQuery = []string{"state", "session", "submitter", "kind", "alike", "agent", "decided_by", "decision", "rule", "from", "to", "q", "before"}

// RequestFilter reads which requests are asked for, without a limit. A parameter that
// is empty, as forms send them, chooses nothing.
func (x *Exchange) RequestFilter() (approval.Filter, error) {
	f := approval.Filter{
		Session: x.Query.Get("session"), Submitter: x.Query.Get("submitter"), Kind: x.Query.Get("kind"), Alike: x.Query.Get("alike"),
		Agent: x.Query.Get("agent"), By: x.Query.Get("decided_by"), Word: approval.Word(x.Query.Get("decision")), Rule: x.Query.Get("rule"),
		Text: x.Query.Get("q"), Before: x.Query.Get("before"),
	}
	for _, s := range x.Query["state"] {
		if s != "" {
			f.States = append(f.States, approval.State(s))
		}
	}
	var err error
	f.From, f.To, err = x.between()
	return f, err
}

// AuditQuery are the parameters of [Exchange.AuditFilter].
var AuditQuery = []string{"kind", "actor", "request", "session", "agent", "decided_by", "decision", "rule", "from", "to", "q", "before", "after"}

// AuditFilter reads which records of the audit log are asked for, without an order and
// a limit.
func (x *Exchange) AuditFilter() (audit.Filter, error) {
	f := audit.Filter{
		Kind: x.Query.Get("kind"), Actor: x.Query.Get("actor"), RequestID: x.Query.Get("request"), Session: x.Query.Get("session"),
		Agent: x.Query.Get("agent"), By: x.Query.Get("decided_by"), Decision: x.Query.Get("decision"), Rule: x.Query.Get("rule"), Text: x.Query.Get("q"),
	}
	var err error
	if f.From, f.To, err = x.between(); err != nil {
		return f, err
	}
	if f.Before, err = x.Number("before", 0, 1, math.MaxInt64); err != nil {
		return f, err
	}
	f.After, err = x.Number("after", 0, 0, math.MaxInt64)
	return f, err
}

// between reads the times from and to. A day stands for its beginning, and to for the
// end of it.
func (x *Exchange) between() (from, to time.Time, err error) {
	if from, err = x.moment("from", 0); err == nil {
		to, err = x.moment("to", 1)
	}
	return from, to, err
}

func (x *Exchange) moment(name string, days int) (time.Time, error) {
	text := x.Query.Get(name)
	if text == "" {
		return time.Time{}, nil
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day.AddDate(0, 0, days), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, webguard.BadQuery(fmt.Sprintf("%s: %.64q", name, text), "give a day such as 2026-11-24, or a time such as 2026-11-24T10:00:00Z")
	}
	return at, nil
}
