package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/postgres"
	"github.com/policyctl/policyctl/internal/service/postgres/pgtest"
	"github.com/policyctl/policyctl/internal/service/sqlstore"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// asks is a judge that asks about everything.
type asks struct{}

func (asks) Judge(context.Context, *policy.Call) (v, own policy.Verdict, offers []approval.Offer, err error) {
	v.Decision = policy.Ask
	return v, v, nil, nil
}

func (asks) Anew(context.Context, *policy.Call) (policy.Verdict, error) {
	return policy.Verdict{Decision: policy.Ask}, nil
}

func (asks) Plan(context.Context, *approval.Request, approval.Scope) (approval.Plan, error) {
	return approval.Plan{}, nil
}

func (asks) Save(context.Context, approval.Plan) (string, error) { return "", nil }

func newService(t *testing.T, d *postgres.DB) *approval.Service {
	t.Helper()
	s, err := approval.NewService(t.Context(), approval.Options{Store: d, Judge: asks{}, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// approved returns a request that was approved.
func approved(t *testing.T, s *approval.Service, command string) *approval.Request {
	t.Helper()
	r, err := s.Submit(t.Context(), "token:agent", approval.Submission{Call: &policy.Call{Tool: "Bash", Input: map[string]any{"command": command}, Session: "s1"}})
	if err == nil {
		r, err = s.Decide(t.Context(), r.ID, "token:ann", approval.Answer{Word: approval.ApprovedOnce})
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// eventually repeats do until it has no error of the database, and returns that of the
// service. Each try must end in time, and say what is wrong.
func eventually(t *testing.T, do func() error) error {
	t.Helper()
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		start := time.Now()
		err := do()
		if took := time.Since(start); took > 6*time.Second {
			t.Errorf("a call took %v", took)
		}
		var failed *sqlstore.Failure
		if !errors.As(err, &failed) {
			return err
		}
		if failed.Cause() == "" {
			t.Errorf("an error without advice: %v", err)
		}
		if time.Since(began) > 30*time.Second {
			t.Fatalf("no recovery: %v", err)
		}
	}
}

// heard collects the events that a store tells of.
type heard struct {
	mu  sync.Mutex
	all []approval.Event
}

func (h *heard) hear(e approval.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, e)
}

func (h *heard) events() []approval.Event {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.all[:len(h.all):len(h.all)]
}

// A replica that lacks what was stored last takes over: no receipt is used twice, also
// where the use was lost, and everything goes on without a restart.
func TestFailover(t *testing.T) {
	seed.Slow(t)
	t.Parallel()
	primary := pgtest.Start(t)
	primary.SQL(t, "postgres", "CREATE DATABASE x")
	served(t, primary.To("x", "postgres")) // with the rights of the guide
	standby := primary.Standby(t)
	socket, to := pgtest.Proxy(t, primary)
	url := "postgres:///x?user=policyctl&host=" + socket
	var ofA, ofB heard
	a := open(t, url, postgres.Options{Notify: ofA.hear})
	b := open(t, url, postgres.Options{Notify: ofB.hear})
	defer shut(t, a)
	defer shut(t, b)
	service := newService(t, a)
	used, unused, kept := approved(t, service, "make 1"), approved(t, service, "make 2"), approved(t, service, "make 3")
	if _, err := service.Consume(t.Context(), "token:agent", kept.Receipt.Text); err != nil {
		t.Fatal(err)
	}
	detach(t, primary, standby)
	if _, err := service.Consume(t.Context(), "token:agent", used.Receipt.Text); err != nil {
		t.Fatal(err)
	}
	lost := approved(t, service, "make 4")
	head, err := b.AuditHead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	primary.Kill(t)
	to(standby)
	if _, err := service.Consume(t.Context(), "token:agent", unused.Receipt.Text); err == nil {
		t.Error("a receipt was consumed while no server takes it")
	}
	standby.Promote(t)
	for want, r := range map[error]*approval.Request{approval.ErrRevoked: used, approval.ErrConsumed: kept, approval.ErrNotFound: lost} {
		err := eventually(t, func() error { _, err := service.Consume(t.Context(), "token:agent", r.Receipt.Text); return err })
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", r.ID, err, want)
		}
	}
	var r *approval.Request
	err = eventually(t, func() (err error) { // the other instance notices by itself
		r, err = b.Get(t.Context(), unused.ID)
		return err
	})
	if err != nil || r.State != approval.Revoked || !strings.Contains(r.Revocation.Reason, "another database server took over") {
		t.Errorf("%+v, %v", r, err)
	}
	next := approved(t, service, "make 5")
	if _, err := service.Consume(t.Context(), "token:agent", next.Receipt.Text); err != nil {
		t.Error(err)
	}
	now := verify(t, b)
	if int64(len(now)) <= head.Seq-4 || a.Check() != nil {
		t.Errorf("%d records, %d before, %v", len(now), head.Seq, a.Check())
	}
	checkRenumbered(t, b, &ofA, &ofB)
	// Another switch is no other server: nothing is taken back for a new connection.
	stands := approved(t, service, "make 6")
	c := open(t, url, postgres.Options{})
	defer shut(t, c)
	if err := c.Observe(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	if r, err := c.Get(t.Context(), stands.ID); err != nil || r.State != approval.Approved {
		t.Errorf("%v, %v", r.State, err)
	}
}

// checkRenumbered fails unless all were told of what is stored behind the switch, and its
// ids are behind all that were told before.
func checkRenumbered(t *testing.T, d *postgres.DB, all ...*heard) {
	t.Helper()
	stored, err := d.EventsAfter(t.Context(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range stored {
		if e.ID != stored[0].ID+int64(i) || e.ID < 1_000_000 {
			t.Errorf("event %d has the id %d", i, e.ID)
		}
	}
	last := stored[len(stored)-1].ID
	for i, h := range all {
		var told []approval.Event
		for range 300 {
			if told = h.events(); len(told) > 0 && told[len(told)-1].ID == last {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		before := int64(0)
		seen := map[string]bool{}
		for _, e := range told {
			key := fmt.Sprint(e.RequestID, e.Version, e.State)
			if e.ID <= before || seen[key] {
				t.Errorf("instance %d: event %d is told after %d", i, e.ID, before)
			}
			before, seen[key] = e.ID, true
		}
		if before != last {
			t.Errorf("instance %d: told up to %d of %d", i, before, last)
		}
	}
}

// detach has a replica take nothing more, once it has all.
func detach(t *testing.T, primary, standby *pgtest.Cluster) {
	t.Helper()
	at := primary.SQL(t, "postgres", "SELECT pg_current_wal_lsn()")
	for range 500 {
		if standby.SQL(t, "postgres", "SELECT pg_last_wal_replay_lsn() >= '"+at+"'") == "t" {
			standby.SQL(t, "postgres", "ALTER SYSTEM SET primary_conninfo = ''; SELECT pg_reload_conf()")
			for standby.SQL(t, "postgres", "SELECT count(*) FROM pg_stat_wal_receiver") != "0" {
				time.Sleep(10 * time.Millisecond)
			}
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the replica does not follow")
}

// verify checks the audit log of a store and returns it.
func verify(t *testing.T, d *postgres.DB) (all []*audit.Record) {
	t.Helper()
	var v audit.Verifier
	for after := int64(0); ; {
		part, err := d.Audit(t.Context(), after, 500)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range part {
			if err := v.Check(r); err != nil {
				t.Fatal(err)
			}
			all, after = append(all, r), r.Seq
		}
		if len(part) < 500 {
			return all
		}
	}
}

func shut(t testing.TB, d *postgres.DB) {
	t.Helper()
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// Where no instance has survived, a new one notices that another server answers, and so it
// does where the tables were restored from a copy.
func TestRestored(t *testing.T) {
	seed.Slow(t)
	t.Parallel()
	primary := pgtest.Start(t)
	primary.SQL(t, "postgres", "CREATE DATABASE x")
	standby := primary.Standby(t)
	a := open(t, primary.To("x", "postgres"), postgres.Options{})
	service := newService(t, a)
	used := approved(t, service, "make")
	detach(t, primary, standby)
	primary.SQL(t, "postgres", "CREATE DATABASE copied TEMPLATE template0")
	if _, err := service.Consume(t.Context(), "token:agent", used.Receipt.Text); err != nil {
		t.Fatal(err)
	}
	shut(t, a)
	standby.Promote(t)
	b := open(t, standby.To("x", "postgres"), postgres.Options{})
	defer shut(t, b)
	if _, err := newService(t, b).Consume(t.Context(), "token:agent", used.Receipt.Text); !errors.Is(err, approval.ErrRevoked) {
		t.Errorf("on the replica: %v", err)
	}
	stands := approved(t, newService(t, b), "make again")
	pgtest.Copy(t, standby.To("x", "postgres"), primary.To("copied", "postgres"))
	c := open(t, primary.To("copied", "postgres"), postgres.Options{})
	defer shut(t, c)
	if _, err := newService(t, c).Consume(t.Context(), "token:agent", stands.Receipt.Text); !errors.Is(err, approval.ErrRevoked) {
		t.Errorf("in the copy: %v", err)
	}
	verify(t, c)
}
