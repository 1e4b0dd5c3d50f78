package storetest

import (
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// Typical returns a request as agents make them, with the record that goes with it.
func Typical(id string) (*approval.Request, audit.Entry) {
	call := json.RawMessage(`{"tool":"Bash","input":{"command":"git push --force origin main && make deploy","description":"push and deploy"},"dir":"/home/a/project","home":"/home/a","os":"linux","shell":"bash","agent":"claude","session":"5a1b"}`)
	r := &approval.Request{
		ID: id, Version: 1, State: approval.Pending, Kind: approval.KindCall, Submitter: "token:agent", Digest: id, Hash: id, Call: call, Tool: "Bash",
		Session: "5a1b", Agent: "claude", Dir: "/home/a/project", Title: "Bash: git push --force origin main && make deploy",
		Asked:     approval.Asked{Stage: "dangerous", Rule: "git-force-push", Why: "it rewrites what others have", Revision: "sha256:0123", Message: "ask"},
		Offers:    []approval.Offer{{Scope: approval.Once, Stores: []string{}}, {Scope: approval.ForChat, Stores: []string{"Bash(git push:*)"}}},
		OnTimeout: approval.TimedOut, Created: day, Expires: day.Add(5 * time.Minute),
	}
	return r, audit.Entry{Time: day, Kind: audit.KindRequest, Actor: r.Submitter, RequestID: id, Tool: r.Tool, Arguments: call, Session: r.Session}
}

// Durable compares, in one run on one disk, durable creates of requests, each with its
// record and its event, with what the bare driver does: bare inserts the document of a
// request under an id, durably and in a transaction of its own. It reports both a second,
// and the share of one in the other.
func Durable(b *testing.B, bare func(id, document string) error, s Store) {
	r, _ := Typical("x")
	document, err := json.Marshal(r)
	if err != nil {
		b.Fatal(err)
	}
	var n atomic.Int64
	for _, writers := range []int{1, 16, 64} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			for b.Loop() {
				before := perSecond(b, writers, func() error { return bare(fmt.Sprint("req_", n.Add(1)), string(document)) })
				got := perSecond(b, writers, func() error {
					r, e := Typical(fmt.Sprint("req_", n.Add(1)))
					_, _, _, err := s.Create(b.Context(), r, e)
					return err
				})
				b.ReportMetric(before, "bare/s")
				b.ReportMetric(got, "creates/s")
				b.ReportMetric(100*got/before, "%")
			}
		})
	}
}

// perSecond returns how often a number of writers do something in two seconds.
func perSecond(b *testing.B, writers int, do func() error) float64 {
	const long = 2 * time.Second
	var n atomic.Int64
	var all sync.WaitGroup
	began := time.Now()
	for range writers {
		all.Go(func() {
			for time.Since(began) < long {
				if err := do(); err != nil {
					b.Error(err)
					return
				}
				n.Add(1)
			}
		})
	}
	all.Wait()
	return float64(n.Load()) / time.Since(began).Seconds()
}
