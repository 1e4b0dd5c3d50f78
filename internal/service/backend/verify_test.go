package backend_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A logbook is a store whose audit log is what a test says.
type logbook struct {
	backend.Data
	log  []*audit.Record
	base *audit.Checkpoint
	// lost has the last record be one that the log does not hold, and headless the last
	// one be damaged.
	lost     bool
	headless error
	head     error
	broken   error // what reading a page returns beside it
	pages    []string
	page     func()
}

func (l *logbook) AuditHead(ctx context.Context) (*audit.Record, error) {
	switch {
	case l.head != nil:
		return nil, l.head
	case l.headless != nil:
		return nil, l.headless
	case len(l.log) == 0:
		return nil, nil
	}
	last := *l.log[len(l.log)-1]
	if l.lost {
		last.Seq++
	}
	return &last, nil
}

func (l *logbook) AuditBase(context.Context) (*audit.Checkpoint, error) { return l.base, nil }

func (l *logbook) Audit(_ context.Context, after int64, limit int) (out []*audit.Record, err error) {
	l.pages = append(l.pages, fmt.Sprintf("%d+%d", after, limit))
	if l.page != nil {
		l.page()
	}
	for _, r := range l.log {
		if r.Seq > after && len(out) < limit {
			out = append(out, r)
		}
	}
	return out, l.broken
}

// lines returns a log of records that stand for themselves.
func lines(t *testing.T, n int) (log []*audit.Record) {
	t.Helper()
	var last *audit.Record
	for i := range n {
		next, err := audit.Next(last, audit.Entry{Time: time.Unix(int64(1_800_000_000+i), 0), Kind: audit.KindLogin, Actor: "login:1"})
		must(t, err)
		log, last = append(log, next), next
	}
	return log
}

// keeping has a service with a log of n records, of which the first cut are gone.
func keeping(t *testing.T, n, cut int) (*servertest.Service, *logbook) {
	t.Helper()
	l := &logbook{}
	s := servertest.New(t, servertest.Options{Data: func(d backend.Data) backend.Data { l.Data = d; return l }})
	l.log = lines(t, n)
	if cut > 0 {
		var err error
		l.base, err = s.Service.Checkpoint(t.Context(), l.log[cut-1])
		must(t, err)
		told, err := audit.Next(l.log[n-1], audit.Entry{Time: s.Now(), Kind: audit.KindCut, Actor: "service",
			Detail: map[string]string{approval.CutThrough: fmt.Sprint(cut), approval.CutHash: l.base.Hash}})
		must(t, err)
		l.log = append(l.log[cut:], told)
	}
	return s, l
}

func noPage() error { return nil }

// A log is verified page by page, whole or behind where it was cut off.
func TestVerify(t *testing.T) {
	for _, row := range []struct {
		n, cut  int
		pages   string
		records int64
	}{
		{0, 0, "", 0}, {1, 0, "0+1", 1}, {1000, 0, "0+1000", 1000}, {1001, 0, "0+1000 1000+1", 1001}, {2500, 0, "0+1000 1000+1000 2000+500", 2500},
		{5, 3, "0+3", 6},
	} {
		s, l := keeping(t, row.n, row.cut)
		asked := 0
		v, err := s.Verify(t.Context(), "token:boss", func() error {
			asked++
			if now := s.Verified(); !now.Running {
				t.Error("nobody is told that it runs")
			}
			return nil
		})
		if err != nil || v.Records != row.records || v.Base != int64(row.cut) || v.Problem != "" || v.By != "token:boss" || v.At.IsZero() || v.Running {
			t.Errorf("%d records: %+v, %v", row.n, v, err)
		}
		if got := strings.Join(l.pages, " "); got != row.pages || asked != len(l.pages) {
			t.Errorf("%d records: pages %s, asked %d times, want %s", row.n, got, asked, row.pages)
		}
		if s.Verified() != v {
			t.Errorf("%+v is noted, not %+v", s.Verified(), v)
		}
		if parts, _ := s.Condition(); parts != backend.Healthy {
			t.Error(parts)
		}
	}
}

// How far it has come is told meanwhile, and only one at a time verifies.
func TestVerifyAtOnce(t *testing.T) {
	s, _ := keeping(t, 1500, 0)
	n := 0
	_, err := s.Verify(t.Context(), "token:boss", func() error {
		if n++; n == 2 {
			if v := s.Verified(); v.Done != 1000 || v.All != 1500 {
				t.Errorf("%+v", v)
			}
			if _, err := s.Verify(t.Context(), "token:eve", noPage); !errors.Is(err, backend.ErrVerifying) {
				t.Error(err)
			}
		}
		return nil
	})
	if err != nil || n != 2 {
		t.Errorf("%d pages, %v", n, err)
	}
}

// A log that was changed says where it first shows; what cannot be read says nothing of it.
func TestVerifyFinds(t *testing.T) {
	odd := errors.New("unreadable")
	for name, row := range map[string]struct {
		spoil   func(l *logbook)
		problem string // of the log
		err     string
	}{
		"changed":            {func(l *logbook) { r := *l.log[2]; r.Actor = "login:2"; l.log[2] = &r }, "its hash is not that of its content", ""},
		"one is missing":     {func(l *logbook) { l.log = append(l.log[:2:2], l.log[3:]...) }, "record 4 is in its place", ""},
		"the last is lost":   {func(l *logbook) { l.lost = true }, "", "no record behind 5, and the last one is 6"},
		"the last is broken": {func(l *logbook) { l.headless = &audit.Broken{Seq: 6, Problem: "it is damaged"} }, "it is damaged", ""},
		"the head":           {func(l *logbook) { l.head = odd }, "", "unreadable"},
		"a page":             {func(l *logbook) { l.broken = odd }, "", "unreadable"},
	} {
		t.Run(name, func(t *testing.T) {
			s, l := keeping(t, 5, 0)
			row.spoil(l)
			v, err := s.Verify(t.Context(), "token:boss", noPage)
			if row.err == "" && (err != nil || !strings.Contains(v.Problem, row.problem) || v.Seq == 0) || row.err != "" && (err == nil || !strings.Contains(err.Error(), row.err)) {
				t.Fatalf("%+v, %v", v, err)
			}
			state, parts := s.Condition()
			if want := row.problem != ""; want != (state == backend.Failing) || s.Verified().Running || want != (s.Verified().Problem != "") {
				t.Errorf("%s %v, %+v", state, parts, s.Verified())
			}
			started := s.VerifyLog(t.Context())
			if started == nil || !strings.Contains(started.Error(), "the audit log does not hold: ") {
				t.Errorf("at the start: %v", started)
			}
			if state, parts := s.Condition(); state != backend.Failing || parts[0] != "audit-log" {
				t.Errorf("at the start: %s %v", state, parts)
			}
		})
	}
	s, l := keeping(t, 1500, 0)
	changed := *l.log[1200]
	changed.Actor = "login:2"
	l.log[1200], l.headless = &changed, &audit.Broken{Seq: 1501, Problem: "it is damaged"}
	if v, err := s.Verify(t.Context(), "token:boss", noPage); err != nil || v.Seq != 1201 {
		t.Errorf("what comes first is not what is found: %+v, %v", v, err)
	}
	s, _ = keeping(t, 3, 0)
	if err := s.VerifyLog(t.Context()); err != nil {
		t.Error(err)
	}
	stop := errors.New("stop")
	if _, err := s.Verify(t.Context(), "token:boss", func() error { return stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
	if v := s.Verified(); v.By != "service" || v.Running {
		t.Errorf("what failed is noted: %+v", v)
	}
}

// A log that is cut while it is verified is verified again, from where it begins now.
func TestVerifyOvertaken(t *testing.T) {
	s, l := keeping(t, 5, 0)
	whole := l.log
	l.page = func() {
		if l.base != nil {
			return
		}
		base, err := s.Service.Checkpoint(t.Context(), whole[2])
		must(t, err)
		told, err := audit.Next(whole[4], audit.Entry{Time: s.Now(), Kind: audit.KindCut, Actor: "service",
			Detail: map[string]string{approval.CutThrough: "3", approval.CutHash: base.Hash}})
		must(t, err)
		l.base, l.log = base, append(whole[3:5:5], told)
	}
	v, err := s.Verify(t.Context(), "token:boss", noPage)
	if err != nil || v.Problem != "" || v.Base != 3 || v.Records != 6 {
		t.Errorf("%+v, %v", v, err)
	}
	if backend.Overtaken(t.Context(), l, &approval.Verifier{}, errors.New("another")) {
		t.Error("another error is none of the log")
	}
	if !backend.Overtaken(t.Context(), l, &approval.Verifier{}, fmt.Errorf("x: %w", backend.ErrCut)) {
		t.Error("it was cut")
	}
	l.base = nil
	if backend.Overtaken(t.Context(), l, &approval.Verifier{}, backend.ErrCut) {
		t.Error("it was not cut")
	}
}

// Nobody vouches for a beginning that none of the service's keys has signed.
func TestVerifyForeignBase(t *testing.T) {
	s, l := keeping(t, 5, 3)
	forged := *l.base
	forged.KeyID = "other"
	l.base = &forged
	if v, err := s.Verify(t.Context(), "token:boss", noPage); err != nil || !strings.Contains(v.Problem, "nothing vouches") || v.Records != 3 {
		t.Errorf("%+v, %v", v, err)
	}
}

// A record follows the one before, the checkpoint behind which the log begins, or nothing.
func TestFollows(t *testing.T) {
	_, l := keeping(t, 5, 2)
	first, second := l.log[0], l.log[1]
	start := lines(t, 1)[0]
	other := *l.base
	other.Seq++
	wrong := *l.base
	wrong.Hash = second.Hash
	for name, row := range map[string]struct {
		r, before *audit.Record
		base      *audit.Checkpoint
		want      bool
	}{
		"the first": {start, nil, nil, true}, "not the first": {first, nil, nil, false}, "behind another": {second, first, l.base, true},
		"behind a third": {l.log[2], first, l.base, false}, "behind the cut": {first, nil, l.base, true},
		"behind another cut": {first, nil, &other, false}, "behind another hash": {first, nil, &wrong, false},
	} {
		if got := backend.Follows(row.r, row.before, row.base); got != row.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	for name, row := range map[string]struct {
		after int64
		page  []*audit.Record
		cut   bool
	}{
		"from the start": {0, l.log, false}, "nothing": {1, nil, false}, "the next one": {2, l.log, false},
		"a gap": {1, l.log, true}, "before the cut": {1, lines(t, 5)[1:], false}, "a gap behind the cut": {2, l.log[1:], false},
	} {
		if err := backend.CutMeanwhile(t.Context(), l, row.after, row.page); row.cut != errors.Is(err, backend.ErrCut) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := backend.SeqOf(nil); got != 0 || backend.SeqOf(l.base) != 2 {
		t.Error(got)
	}
}
