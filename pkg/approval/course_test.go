package approval

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

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

// A log whose beginning was cut off holds, wherever that was.
func TestCourseMidway(t *testing.T) {
	r := several(t)
	q := r.submit("make 0")
	r.voted(q.ID, "token:alice", once)
	q = r.voted(q.ID, "token:bob", once)
	if _, err := r.Consume(t.Context(), "token:agent", q.Receipt.Text); err != nil {
		t.Fatal(err)
	}
	voted, lived := r.store.log, livedLog(t)
	for name, log := range map[string][]*audit.Record{"voted": voted, "lived": lived} {
		for from := range log {
			c := Course{Known: KeysOf(keysOf(log)...)}
			for _, rec := range log[from:] {
				if err := c.Check(rec); err != nil {
					t.Fatalf("%s from %d: %v", name, from, err)
				}
			}
		}
	}
	if ofVotes := slices.IndexFunc(voted, func(r *audit.Record) bool { return r.Kind == audit.KindVote }); ofVotes < 0 {
		t.Error("nobody voted")
	}
}

// keysOf returns the keys of which a log tells.
func keysOf(log []*audit.Record) (keys []Key) {
	for _, r := range log {
		if id := r.Detail["key_id"]; id != "" && r.Kind == audit.KindKey {
			if n := len(keys); n > 0 {
				keys[n-1].Ended = r.Time
			}
			keys = append(keys, Key{ID: id, Created: r.Time})
		}
	}
	return keys
}

// Of a request whose beginning was cut off, what follows its first record is checked as ever.
func TestImpossibleMidway(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	keys := KeysOf(Key{ID: "old", Ended: at.Add(-time.Hour)}, Key{ID: "key", Ended: at.Add(time.Hour)}, Key{ID: "next"})
	rec := func(kind, word string, detail ...string) *audit.Record {
		r := &audit.Record{Seq: 9, Entry: audit.Entry{Kind: kind, RequestID: "r", RequestHash: "h", Decision: word, Actor: "token:ann", Time: at, Detail: map[string]string{}}}
		for i := 0; i < len(detail); i += 2 {
			r.Detail[detail[i]] = detail[i+1]
		}
		return r
	}
	receipt, used := rec(audit.KindReceipt, "", "receipt", "a", "key_id", "key"), rec(audit.KindConsumption, "", "receipt", "a")
	done, yes, no := rec(audit.KindExecution, ""), rec(audit.KindDecision, "approved_once"), rec(audit.KindDecision, "rejected")
	late, vote := rec(audit.KindDecision, "rejected", "late", "it was"), rec(audit.KindVote, "approved_once")
	rotated := rec(audit.KindKey, "", "key_id", "next")
	rotated.Time, rotated.RequestID = at.Add(time.Hour), ""
	after := rec(audit.KindReceipt, "", "receipt", "a", "key_id", "key")
	after.Time = at.Add(2 * time.Hour)
	other := rec(audit.KindConsumption, "", "receipt", "a")
	other.RequestHash = "x"
	asked := rec(audit.KindRequest, "")
	for want, log := range map[string][]*audit.Record{
		"":                                     {late, receipt, used, done},
		"\x00votes":                            {vote, yes, receipt},
		"\x00revoked":                          {rec(audit.KindRevocation, "", "receipt", "a")},
		"\x00done":                             {done},
		"\x00decided":                          {yes, receipt, used},
		"was used, and it was not given":       {used, used},
		"or was used before":                   {late, used, rec(audit.KindRevocation, "", "receipt", "a")},
		"without a decision that approves":     {receipt, receipt},
		"given without a decision":             {no, receipt},
		"receipt \"a\" was given without a":    {vote, receipt},
		"receipt \"a\" was used, and it was":   {yes, used},
		"no receipt was used for it":           {done, done},
		"its result was told, and no":          {receipt, done},
		"it is for the hash \"x\"":             {receipt, other},
		"key \"nobody\", which the service":    {rec(audit.KindReceipt, "", "receipt", "a", "key_id", "nobody")},
		"the key \"key\", which was retired":   {rotated, after},
		"the key \"old\" was retired, and":     {rotated, rec(audit.KindKey, "", "key_id", "old")},
		"the receipt \"a\" was given without ": {asked, receipt},
		"it was voted about, and one person":   {asked, vote},
	} {
		c := Course{Known: keys}
		var err error
		for _, r := range log {
			if err == nil {
				err = c.Check(r)
			}
		}
		if fine := want == "" || want[0] == 0; fine != (err == nil) || !fine && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}
