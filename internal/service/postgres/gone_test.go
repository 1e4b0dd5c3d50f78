package postgres_test

import (
	"errors"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/postgres"
	"github.com/policyctl/policyctl/internal/service/postgres/pgtest"
	"github.com/policyctl/policyctl/internal/service/sqlstore"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// The server is stopped for ten seconds, or crashes: each call says so at once, Check says
// it too, nothing that was refused is stored, and all goes on when the server is back.
func TestGone(t *testing.T) {
	for name, end := range map[string]func(*pgtest.Cluster, testing.TB){"stopped": (*pgtest.Cluster).Stop, "killed": (*pgtest.Cluster).Kill} {
		t.Run(name, func(t *testing.T) {
			c := pgtest.Start(t)
			var told heard
			d := open(t, c.URL(t), postgres.Options{Notify: told.hear, Others: told.hear})
			defer shut(t, d)
			service := newService(t, d)
			r := approved(t, service, "make")
			end(c, t)
			away := time.Second
			if !testing.Short() && name == "stopped" {
				away = 10 * time.Second
			}
			for began := time.Now(); time.Since(began) < away; time.Sleep(50 * time.Millisecond) {
				start := time.Now()
				_, err := service.Consume(t.Context(), "token:agent", r.Receipt.Text)
				_, read := d.Get(t.Context(), r.ID)
				var failed *sqlstore.Failure
				if !errors.As(err, &failed) || failed.Cause() == "" || !errors.As(read, &failed) || failed.Cause() == "" {
					t.Fatalf("consume: %v; get: %v", err, read)
				}
				if took := time.Since(start); took > time.Second {
					t.Errorf("the calls took %v", took)
				}
			}
			if err := d.Check(); err == nil {
				t.Error("Check says nothing while the server is away")
			}
			c.Up(t)
			back := time.Now()
			if err := eventually(t, func() error { _, err := service.Consume(t.Context(), "token:agent", r.Receipt.Text); return err }); err != nil {
				t.Errorf("the first use that is stored: %v", err)
			}
			t.Logf("back after %v", time.Since(back))
			if _, err := service.Consume(t.Context(), "token:agent", r.Receipt.Text); !errors.Is(err, approval.ErrConsumed) {
				t.Errorf("the second use: %v", err)
			}
			if err := d.Check(); err != nil {
				t.Errorf("Check: %v", err)
			}
			verify(t, d)
		})
	}
}

// An instance that hangs in a transaction does not keep its turn: the others go on.
func TestHung(t *testing.T) {
	c := pgtest.Start(t)
	url := c.URL(t)
	a, b := open(t, url, postgres.Options{}), open(t, url, postgres.Options{})
	defer shut(t, a)
	defer shut(t, b)
	r := approved(t, newService(t, a), "make")
	entered, leave := make(chan bool), make(chan bool)
	go func() {
		_, err := a.Update(t.Context(), r.ID, func(r *approval.Request) ([]audit.Entry, error) {
			close(entered)
			<-leave
			r.Title = "it hung"
			return nil, nil
		})
		if err == nil {
			t.Error("what hung was stored")
		}
		close(leave)
	}()
	<-entered
	start := time.Now()
	err := b.Observe(t.Context(), time.Now())
	var failed *sqlstore.Failure
	if !errors.As(err, &failed) || failed.Cause() == "" || time.Since(start) > 6*time.Second {
		t.Errorf("after %v: %v", time.Since(start), err)
	}
	if err := eventually(t, func() error { return b.Observe(t.Context(), time.Now()) }); err != nil {
		t.Error(err)
	}
	leave <- true
	<-leave
	if r, err := b.Get(t.Context(), r.ID); err != nil || r.Title == "it hung" {
		t.Errorf("%v, %v", r.Title, err)
	}
}

// What was read before a network failed is read over a new connection.
func TestCut(t *testing.T) {
	c := pgtest.Start(t)
	c.SQL(t, "postgres", "CREATE DATABASE x")
	socket, to := pgtest.Proxy(t, c)
	d := open(t, "postgres:///x?user=postgres&host="+socket, postgres.Options{})
	defer shut(t, d)
	service := newService(t, d)
	for range 20 {
		to(c) // which cuts all
		r := approved(t, service, "make")
		if _, err := d.Get(t.Context(), r.ID); err != nil {
			t.Error(err)
		}
	}
	verify(t, d)
}
