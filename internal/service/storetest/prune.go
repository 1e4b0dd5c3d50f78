package storetest

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// Prune tests that the beginning of the audit log can be cut off, by who owns the tables,
// while others read and write.
func Prune(t *testing.T, place func(t *testing.T) (owner, serving Place)) {
	for name, test := range map[string]func(*testing.T, *forester){
		"cut": cutLog, "refuses": refusesCut, "meanwhile": cutMeanwhile, "untold": untoldCut,
	} {
		t.Run(name, func(t *testing.T) {
			owner, serving := place(t)
			f := &forester{T: t, owner: open(t, owner, Options{}), s: open(t, serving, Options{})}
			f.service = newService(t, f.s)
			test(t, f)
		})
	}
}

// A forester cuts the log of a store that others use.
type forester struct {
	*testing.T
	owner, s Store
	service  *approval.Service
}

// live moves requests through their life, each a step further than the one before.
func (f *forester) live() {
	f.Helper()
	ctx := f.Context()
	for steps := range 4 {
		r, err := f.service.Submit(ctx, "token:agent", submission("", fmt.Sprint("make target-", steps)))
		if err == nil && steps > 0 {
			r, err = f.service.Decide(ctx, r.ID, "token:ann", approval.Answer{Word: approval.ApprovedOnce})
		}
		if err == nil && steps > 1 {
			r, err = f.service.Consume(ctx, "token:agent", r.Receipt.Text)
		}
		if err == nil && steps > 2 {
			_, err = f.service.Report(ctx, r.ID, "token:agent", approval.Execution{Outcome: approval.Executed})
		}
		if err != nil {
			f.Fatal(err)
		}
	}
}

// point returns the checkpoint of a record.
func (f *forester) point(r *audit.Record) *audit.Checkpoint {
	f.Helper()
	c, err := f.service.Checkpoint(f.Context(), r)
	if err != nil {
		f.Fatal(err)
	}
	return c
}

// cut cuts the log off behind a record, and leaves what was cut off to be deleted.
func (f *forester) cut(was *audit.Checkpoint, r *audit.Record) *audit.Checkpoint {
	f.Helper()
	at := f.point(r)
	if err := f.owner.Cut(f.Context(), was, at, cutEntry(at)); err != nil {
		f.Fatal(err)
	}
	return at
}

func cutEntry(at *audit.Checkpoint) audit.Entry {
	return audit.Entry{Time: day, Kind: audit.KindCut, Actor: "uid:1", Detail: map[string]string{approval.CutThrough: fmt.Sprint(at.Seq), approval.CutHash: at.Hash}}
}

// verified is what the service finds of the log.
func (f *forester) verified() backend.Verified {
	f.Helper()
	b := &backend.Backend{Data: f.s, Now: time.Now}
	v, err := b.Verify(f.Context(), "test", func() error { return nil })
	if err != nil {
		f.Fatal(err)
	}
	return v
}

// shows fails unless all who read find the same records, and the log verifies.
func (f *forester) shows(want []*audit.Record) {
	f.Helper()
	first := want[0].Seq
	same(f.T, "the log", verify(f.T, f.s), want)
	if v := f.verified(); v.Problem != "" || v.Base != first-1 || v.Records != want[len(want)-1].Seq {
		f.Errorf("verified: %+v", v)
	}
	for _, filter := range []audit.Filter{
		{Limit: 50}, {Limit: 50, OldestFirst: true}, {Kind: audit.KindDecision, Limit: 50}, {Text: "make", Limit: 5, OldestFirst: true}, {Actor: "token:agent", OldestFirst: true, Limit: 7},
		{OldestFirst: true, From: day.Add(-time.Hour), Limit: 5}, {OldestFirst: true, Text: "token", From: day.Add(-time.Hour), Limit: 5}, {After: 1, OldestFirst: true, Limit: 3},
	} {
		got, err := f.s.SearchAudit(f.Context(), filter)
		if err != nil {
			f.Fatal(err)
		}
		same(f.T, fmt.Sprintf("%+v", filter), seqs(got), seqs(chosen(want, filter)))
	}
	for seq, is := range map[int64]bool{1: first == 1, first - 1: false, first: true, want[len(want)-1].Seq: true} {
		if r, ok, err := f.s.AuditRecord(f.Context(), seq); err != nil || ok != is || ok && r.Seq != seq {
			f.Errorf("record %d: %v, %v", seq, ok, err)
		}
	}
	if page, err := f.s.Audit(f.Context(), 1, 2); err != nil || len(page) == 0 || page[0].Seq != max(first, 2) {
		f.Errorf("a page behind record 1: %s, %v", seqs(page), err)
	}
	head, err := f.s.AuditHead(f.Context())
	if err != nil {
		f.Fatal(err)
	}
	same(f.T, "the head", head, want[len(want)-1])
	if _, err := f.s.Index(f.Context()); err != nil { // the requests too
		f.Fatal(err)
	}
	if n, err := f.s.Behind(f.Context()); err != nil || n != 0 {
		f.Errorf("%d rows are not in the index after a search: %v", n, err)
	}
}

// What was cut off is not read, whether it is deleted yet or not, and the rest verifies and
// goes on.
func cutLog(t *testing.T, f *forester) {
	f.live()
	whole := verify(t, f.s)
	f.shows(whole)
	if n, err := f.owner.Sweep(t.Context()); n != 0 || err != nil {
		t.Errorf("%d deleted of a log that is whole: %v", n, err)
	}
	var was *audit.Checkpoint
	for _, r := range whole[:len(whole)-1] { // behind each step of each request, as if the program died then
		was = f.cut(was, r)
		rest := verify(t, f.s)
		if len(rest) == 0 || rest[0].Seq != r.Seq+1 {
			t.Fatalf("begins with %s", seqs(rest))
		}
		f.shows(rest)
	}
	last := whole[len(whole)-2].Seq
	if n, err := f.owner.Sweep(t.Context()); n != last || err != nil {
		t.Errorf("%d deleted, %v, want %d", n, err, last)
	}
	f.shows(verify(t, f.s))
	var many []audit.Entry
	for range 2500 {
		many = append(many, entry(audit.KindLogin, ""))
	}
	if err := f.s.Record(t.Context(), many...); err != nil {
		t.Fatal(err)
	}
	f.live()
	rest := verify(t, f.s)
	f.cut(was, rest[len(rest)-3])
	if n, err := f.owner.Sweep(t.Context()); n != int64(len(rest)-2) || err != nil {
		t.Errorf("%d deleted, %v, want %d", n, err, len(rest)-2)
	}
	if n, err := f.s.Behind(t.Context()); err != nil || n > 100 {
		t.Errorf("%d rows are to be indexed, of which most were cut off: %v", n, err)
	}
	f.live()
	f.shows(verify(t, f.s))
	if n, err := f.owner.Sweep(t.Context()); n != 0 || err != nil {
		t.Errorf("%d deleted again: %v", n, err)
	}
}

// The log is not cut but forward, where it is known, and before its end; nothing is stored
// of a cut that is refused.
func refusesCut(t *testing.T, f *forester) {
	f.live()
	all := verify(t, f.s)
	was := f.cut(nil, all[3])
	rest := verify(t, f.s)
	bounds := fmt.Sprintf("has the records 5 to %d, and is not cut behind record 1000: the last one stays", rest[len(rest)-1].Seq)
	other := f.point(&audit.Record{Seq: 6, Hash: strings.Repeat("0", 64)})
	for name, row := range map[string]struct {
		was, at *audit.Checkpoint
		want    string
	}{
		"another cut":     {nil, f.point(all[5]), "somebody else has cut"},
		"another base":    {f.point(all[1]), f.point(all[5]), "somebody else has cut"},
		"backwards":       {was, f.point(all[2]), "the last one stays"},
		"the same":        {was, was, "the last one stays"},
		"the last record": {was, f.point(rest[len(rest)-1]), "the last one stays"},
		"beyond":          {was, f.point(&audit.Record{Seq: 1000, Hash: all[0].Hash}), bounds},
		"another log":     {was, other, "its hash is not that of the checkpoint"},
	} {
		if err := f.owner.Cut(t.Context(), row.was, row.at, cutEntry(row.at)); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := f.owner.Cut(t.Context(), was, f.point(all[5]), audit.Entry{}); err == nil {
		t.Error("cut without a record")
	}
	f.shows(rest)
	if err := f.owner.MayCut(t.Context()); err != nil {
		t.Error(err)
	}
}

// Others write and verify while the log is cut again and again: nothing is missing, and no
// verification finds what is not so.
func cutMeanwhile(t *testing.T, f *forester) {
	f.live()
	first, err := f.s.AuditHead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var others sync.WaitGroup
	ended := make(chan struct{})
	goOn := func(do func()) {
		others.Go(func() {
			for {
				select {
				case <-ended:
					return
				default:
					do()
				}
			}
		})
	}
	written := 0
	goOn(func() {
		if err := f.s.Record(t.Context(), entry(audit.KindLogin, ""), entry(audit.KindRefusal, "")); err != nil {
			t.Error(err)
		}
		written += 2
	})
	goOn(func() {
		if v := f.verified(); v.Problem != "" {
			t.Errorf("%+v", v)
		}
	})
	goOn(func() {
		if _, err := f.s.SearchAudit(t.Context(), audit.Filter{Text: "token", Limit: 10}); err != nil {
			t.Error(err)
		}
	})
	var was *audit.Checkpoint
	cuts := 0
	for end := time.Now().Add(3 * time.Second); time.Now().Before(end); {
		page, err := f.s.Audit(t.Context(), 0, 20)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) < 20 {
			continue
		}
		was = f.cut(was, page[18])
		cuts++
		if _, err := f.owner.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	close(ended)
	others.Wait()
	all := verify(t, f.s)
	if last := all[len(all)-1].Seq; cuts < 3 || last != first.Seq+int64(written+cuts) {
		t.Errorf("%d cuts; the log ends with record %d, and there were %d, %d and %d", cuts, last, first.Seq, written, cuts)
	}
	f.shows(all)
}

// A cut of which the log does not tell is found.
func untoldCut(t *testing.T, f *forester) {
	f.live()
	all := verify(t, f.s)
	was := f.cut(nil, all[0])
	if err := f.owner.Cut(t.Context(), was, f.point(all[1]), cutEntry(was)); err != nil {
		t.Fatal(err)
	}
	if v := f.verified(); !strings.Contains(v.Problem, "no record tells of it") {
		t.Errorf("%+v", v)
	}
}
