package postgres_test

import (
	"errors"
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

// The server is stopped for ten seconds, or crashes: each call says so at once, Check says
// it too, nothing that was refused is stored, and all goes on when the server is back.
func TestGone(t *testing.T) {
	seed.Slow(t)
	for name, end := range map[string]func(*pgtest.Cluster, testing.TB){"stopped": (*pgtest.Cluster).Stop, "killed": (*pgtest.Cluster).Kill} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it waits most of the time, and so do those that follow
			c := pgtest.Start(t)
			var told heard
			d := open(t, c.URL(t), postgres.Options{Notify: told.hear})
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
	seed.Slow(t)
	t.Parallel()
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
	seed.Slow(t)
	t.Parallel()
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

// Where the answer to a commit is lost, the error says that nobody knows, and the same
// request again finds what was stored: once.
func TestLostAnswer(t *testing.T) {
	seed.Slow(t)
	t.Parallel()
	c := pgtest.Start(t)
	c.SQL(t, "postgres", "CREATE DATABASE x")
	socket, to := pgtest.Proxy(t, c)
	d := open(t, "postgres:///x?user=postgres&host="+socket, postgres.Options{})
	defer shut(t, d)
	service := newService(t, d)
	approved(t, service, "make first")
	c.SQL(t, "x", `CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(3.5); RETURN NULL; END $$;
		CREATE CONSTRAINT TRIGGER late AFTER INSERT ON requests DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION late()`)
	in := approval.Submission{Key: "k", Call: &policy.Call{Tool: "Bash", Input: map[string]any{"command": "make"}, Session: "s1"}}
	sleeping := func() bool {
		return c.SQL(t, "postgres", "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") != "0"
	}
	go func() {
		for !sleeping() { // until the commit is on its way
		}
		to(nil)
	}()
	_, err := service.Submit(t.Context(), "token:agent", in)
	var unknown *sqlstore.Unknown
	if !errors.As(err, &unknown) || unknown.Cause() == "" {
		t.Fatalf("%v", err)
	}
	for sleeping() { // and the driver cannot take the commit back meanwhile
	}
	to(c)
	stored, err := d.ByKey(t.Context(), "token:agent", "k")
	for range 100 { // until the server has done what it was told
		if err == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
		stored, err = d.ByKey(t.Context(), "token:agent", "k")
	}
	if err != nil {
		t.Fatal(err)
	}
	again, err := service.Submit(t.Context(), "token:agent", in)
	if err != nil || again.ID != stored.ID {
		t.Errorf("%v, %v", again, err)
	}
	if list, err := d.List(t.Context(), approval.Filter{}); err != nil || len(list) != 2 {
		t.Errorf("%d requests, %v", len(list), err)
	}
	verify(t, d)
}
