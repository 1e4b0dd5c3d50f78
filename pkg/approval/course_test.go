package approval

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/audit"
)

// courseOf checks records from the first on.
func courseOf(log []*audit.Record) error {
	var c Course
	for _, r := range log {
		if err := c.Check(r); err != nil {
			return err
		}
	}
	return nil
}

// livedLog returns the log of a service with requests of every end.
func livedLog(t *testing.T) []*audit.Record {
	t.Helper()
	r := newRig(t)
	for range 2 {
		q, err := r.Decide(t.Context(), r.submit("make").ID, "token:ann", once)
		if err == nil {
			_, err = r.Consume(t.Context(), "token:agent", q.Receipt.Text)
		}
		if err == nil {
			_, err = r.Report(t.Context(), q.ID, "token:agent", Execution{Outcome: Executed})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	r.key = NewPrivateKey()
	if err := r.SignWith(t.Context(), r.key, "token:admin"); err != nil {
		t.Fatal(err)
	}
	q := r.submit("make 2")
	r.submit("ls") // allowed at once
	r.submit("rm -rf /")
	r.now.Add(400)
	if _, err := r.Decide(t.Context(), q.ID, "token:ann", once); !errors.Is(err, ErrDecided) { // too late, and on record
		t.Fatal(err)
	}
	if _, err := r.Cancel(t.Context(), r.submit("make 3").ID, "token:agent"); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Decide(t.Context(), r.submit("make 4").ID, "token:ann", Answer{Word: Rejected}); err != nil {
		t.Fatal(err)
	}
	return r.store.log
}

// A log that was lived holds.
func TestCourse(t *testing.T) {
	if err := courseOf(livedLog(t)); err != nil {
		t.Error(err)
	}
}

// A chain that is sound and tells what cannot have happened does not hold.
func TestImpossibleCourse(t *testing.T) {
	at := func(log []*audit.Record, kind string) int {
		return slices.IndexFunc(log, func(r *audit.Record) bool { return r.Kind == kind })
	}
	for name, row := range map[string]struct {
		want string
		edit func(log []audit.Entry, at func(kind string) int) []audit.Entry
	}{
		"no decision": {"without a decision", func(log []audit.Entry, at func(string) int) []audit.Entry {
			return slices.Delete(log, at(audit.KindDecision), at(audit.KindDecision)+1)
		}},
		"a decision to deny": {"without a decision", func(log []audit.Entry, at func(string) int) []audit.Entry {
			log[at(audit.KindDecision)].Decision = "rejected"
			return log
		}},
		"a late decision": {"without a decision", func(log []audit.Entry, at func(string) int) []audit.Entry {
			log[at(audit.KindDecision)].Detail = map[string]string{"late": "the request was TIMED_OUT"}
			return log
		}},
		"no receipt": {"was used, and it was not given", func(log []audit.Entry, at func(string) int) []audit.Entry {
			return slices.Delete(log, at(audit.KindReceipt), at(audit.KindReceipt)+1)
		}},
		"two receipts": {"without a decision", func(log []audit.Entry, at func(string) int) []audit.Entry {
			return slices.Insert(log, at(audit.KindReceipt), log[at(audit.KindReceipt)])
		}},
		"used twice": {"used before", func(log []audit.Entry, at func(string) int) []audit.Entry {
			return slices.Insert(log, at(audit.KindConsumption), log[at(audit.KindConsumption)])
		}},
		"another receipt": {"was used, and it was not given", func(log []audit.Entry, at func(string) int) []audit.Entry {
			log[at(audit.KindConsumption)].Detail = map[string]string{"receipt": "rcp_other"}
			return log
		}},
		"a result of nothing": {"no receipt was used", func(log []audit.Entry, at func(string) int) []audit.Entry {
			return slices.Delete(log, at(audit.KindConsumption), at(audit.KindConsumption)+1)
		}},
		"a retired key": {"which was retired at", func(log []audit.Entry, at func(string) int) []audit.Entry {
			next := log[at(audit.KindKey)]
			next.Detail = map[string]string{"key_id": "next"}
			next.Time = log[at(audit.KindReceipt)].Time.Add(-2 * skew)
			return slices.Insert(log, at(audit.KindReceipt), next)
		}},
		"a key of another": {"which the service never had", func(log []audit.Entry, at func(string) int) []audit.Entry {
			log[at(audit.KindReceipt)].Detail["key_id"] = "other"
			return log
		}},
		"a retired key again": {"was retired, and signs again", func(log []audit.Entry, at func(string) int) []audit.Entry {
			next := log[at(audit.KindKey)]
			next.Detail = map[string]string{"key_id": "next"}
			return slices.Insert(log, at(audit.KindKey)+1, next, log[at(audit.KindKey)])
		}},
		"another hash": {"it is for the hash", func(log []audit.Entry, at func(string) int) []audit.Entry {
			log[at(audit.KindReceipt)].RequestHash = "sha256:00"
			return log
		}},
	} {
		lived := livedLog(t)
		var entries []audit.Entry
		for _, r := range lived {
			entries = append(entries, r.Entry)
		}
		entries = row.edit(entries, func(kind string) int { return at(lived, kind) })
		var chain audit.Verifier
		var anew []*audit.Record
		for _, e := range entries {
			var last *audit.Record
			if n := len(anew); n > 0 {
				last = anew[n-1]
			}
			next, err := audit.Next(last, e)
			if err == nil {
				err = chain.Check(next)
			}
			if err != nil {
				t.Fatal(name, err)
			}
			anew = append(anew, next)
		}
		var broken *audit.Broken
		if err := courseOf(anew); !errors.As(err, &broken) || !strings.Contains(fmt.Sprint(err), row.want) {
			t.Errorf("%s: %v, want %q", name, err, row.want)
		}
	}
}
