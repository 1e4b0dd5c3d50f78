package server_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
	names "github.com/prometheus/common/model"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/internal/service/telemetry"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A weak store cannot write while it is told so.
type weak struct {
	backend.Data
	full *atomic.Bool
}

var errFull = errors.New("the disk is full")

func (w weak) Observe(ctx context.Context, at time.Time) error {
	if w.full.Load() {
		return errFull
	}
	if latest, err := w.Data.Latest(ctx); err != nil || !at.After(latest.Add(-time.Minute)) {
		return errors.Join(err, errors.New("a store that remembers later times stores nothing for this one"))
	}
	return w.Data.Observe(ctx, at)
}

func (w weak) Record(ctx context.Context, log ...audit.Entry) error {
	if w.full.Load() {
		return errFull
	}
	return w.Data.Record(ctx, log...)
}

// counted starts a service that counts.
func counted(t *testing.T, full *atomic.Bool) *servertest.Service {
	t.Helper()
	of, err := telemetry.New(t.Context(), telemetry.Options{Version: "v1", Log: slog.NewTextHandler(io.Discard, nil)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(of.Close)
	s := servertest.New(t, servertest.Options{Telemetry: of, Data: func(d backend.Data) backend.Data { return weak{d, full} }})
	of.Watch(telemetry.Sources{Parts: s.Parts, Ready: func() bool { ready, _ := s.Ready(); return ready }})
	return s
}

// series returns the values of a service's metrics, by name and labels.
func series(t *testing.T, s *servertest.Service, token string) map[string]float64 {
	t.Helper()
	a := s.Do(t, token, "GET", "/metrics", "")
	if a.Status != 200 || a.Header.Get("Content-Type") != "text/plain; version=0.0.4; charset=utf-8" {
		t.Fatalf("%d %s: %s", a.Status, a.Header.Get("Content-Type"), a.Text)
	}
	parser := expfmt.NewTextParser(names.LegacyValidation)
	all, err := parser.TextToMetricFamilies(strings.NewReader(a.Text))
	if err != nil {
		t.Fatal(err)
	}
	known := make(map[string][]string)
	for _, m := range telemetry.Metrics() {
		known[m.Prometheus()] = m.Labels
	}
	out := make(map[string]float64)
	for name, family := range all {
		for _, m := range family.GetMetric() {
			var labels, names []string
			for _, l := range m.GetLabel() {
				labels, names = append(labels, l.GetValue()), append(names, l.GetName())
			}
			if !slices.Equal(names, known[name]) {
				t.Errorf("%s has the labels %v, its row %v", name, names, known[name])
			}
			out[strings.TrimSpace(name+" "+strings.Join(labels, " "))] = m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	return out
}

// What happens to requests is counted once each, where it is stored.
func TestMetrics(t *testing.T) {
	s := counted(t, new(atomic.Bool))
	agent, ann, prometheus := s.Token(t, "agent", "submit"), s.Token(t, "ann", "approve"), s.Token(t, "prometheus", "read")
	approved := submit(t, s, agent, push)
	denied := submit(t, s, agent, strings.Replace(push, "git push", "make", 1))
	late := submit(t, s, agent, strings.Replace(push, "git push", "make x", 1))
	for id, body := range map[string]string{approved: approveOnce, denied: `{"decision":"rejected","reason":"no"}`} {
		for range 2 { // an identical repeat is no second decision
			if a := s.Do(t, ann, "POST", "/v1/requests/"+id+"/decision", body); a.Status != 200 {
				t.Fatal(a.Text)
			}
		}
	}
	if a := s.Do(t, agent, "POST", "/v1/decide", `{"tool":"shell","input":{"command":"rm -rf /"},"dir":"/w"}`); a.At("decision") != "deny" {
		t.Fatal(a.Text)
	}
	s.Skip(24 * time.Hour)
	until(t, func() bool { return state(t, s, late) == "TIMED_OUT" })
	got := series(t, s, prometheus)
	for name, want := range map[string]float64{
		"policyctl_requests_submitted_total PENDING":              3,
		"policyctl_requests_ended_total human APPROVED":           1,
		"policyctl_requests_ended_total human DENIED":             1,
		"policyctl_requests_ended_total timeout TIMED_OUT":        1,
		"policyctl_request_wait_seconds APPROVED":                 1,
		"policyctl_request_wait_seconds TIMED_OUT":                1,
		"policyctl_decisions_total ask none submit confirm":       3,
		"policyctl_decisions_total deny hardline decide hardline": 1,
		"policyctl_floor_denials_total root-delete":               1,
		"policyctl_decision_duration_seconds decide":              1,
		"policyctl_health database":                               1,
	} {
		if got[name] != want {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		}
	}
	if got["policyctl_database_duration_seconds write"] < 6 || got["policyctl_database_duration_seconds read"] < 1 {
		t.Errorf("operations of the database: %v", got)
	}
	if n, some := got["policyctl_database_errors_total write"]; some {
		t.Errorf("%v errors of the database", n)
	}
	if t.Failed() {
		t.Log(got)
	}
}

// Who may read what the service knows may read its metrics, and nobody else; and no
// request is named in them.
func TestMetricsAreNotOpen(t *testing.T) {
	s := counted(t, new(atomic.Bool))
	agent := s.Token(t, "agent", "submit")
	id := submit(t, s, agent, push)
	for token, want := range map[string]int{"": 401, agent: 403, s.Token(t, "ann", "approve"): 403, "pct_wrong": 401} {
		if a := s.Do(t, token, "GET", "/metrics", ""); a.Status != want || strings.Contains(a.Text, "policyctl_") {
			t.Errorf("%d, want %d: %s", a.Status, want, a.Text)
		}
	}
	a := s.Do(t, s.Token(t, "prometheus", "read"), "GET", "/metrics", "")
	if a.Status != 200 || strings.Contains(a.Text, "git push") || strings.Contains(a.Text, id) || strings.Contains(a.Text, "agent") {
		t.Errorf("%d %s", a.Status, a.Text)
	}
}

// ready returns what the service says of its readiness.
func ready(t *testing.T, s *servertest.Service) string {
	t.Helper()
	a := s.Do(t, "", "GET", "/health/ready", "")
	return fmt.Sprint(a.Status, " ", a.At("ready"), " ", a.At("problems"))
}

// The service is ready while it can store, its log is verified and its policy is that of
// its files; and again when that is so again. It is alive all the time.
func TestReady(t *testing.T) {
	full := new(atomic.Bool)
	s := counted(t, full)
	prometheus := s.Token(t, "prometheus", "read")
	var wrong atomic.Pointer[error]
	s.PolicyProblem = func() error {
		if e := wrong.Load(); e != nil {
			return *e
		}
		return nil
	}
	bad := errors.New("policy.yaml:3: no such key")
	const well = "200 true <nil>"
	for _, row := range []struct {
		what         string
		breaks, ends func()
		want, health string
	}{
		{"a full disk", func() { full.Store(true) }, func() { full.Store(false) }, "503 false [database]", "503 failing [database]"},
		{"a policy that cannot be read", func() { wrong.Store(&bad) }, func() { wrong.Store(nil) }, "503 false [policy]", "200 degraded [policy]"},
		{"a log that is not verified", func() { s.Health.Set("audit-log", bad) }, func() { s.Health.Set("audit-log", nil) }, "503 false [audit-log]", "503 failing [audit-log]"},
		{"a part beside the service", func() { s.Beside = map[string]func() bool{"spool": func() bool { return true }} }, func() { s.Beside = nil }, well, "200 degraded [spool]"},
	} {
		row.breaks()
		until(t, func() bool { return ready(t, s) == row.want && health(t, s) == row.health })
		want := 0.0
		if row.want == well {
			want = 1
		}
		if got := series(t, s, prometheus)["policyctl_ready"]; got != want {
			t.Errorf("%s: policyctl_ready %v", row.what, got)
		}
		if a := s.Do(t, "", "GET", "/health/live", ""); a.Status != 200 || a.At("live") != true {
			t.Errorf("%s: %d %s", row.what, a.Status, a.Text)
		}
		row.ends()
		until(t, func() bool { return ready(t, s) == well && health(t, s) == "200 ok <nil>" })
	}
	// The real database, gone for good.
	byHand(t, s, "DROP TABLE clock")
	until(t, func() bool { return ready(t, s) == "503 false [database]" })
	if got := series(t, s, prometheus); got["policyctl_database_errors_total write"] < 1 || got["policyctl_health database"] != 0 {
		t.Errorf("%v", got)
	}
}

// An audit log that was changed by hand is found at the next verification.
func TestReadyOfTheLog(t *testing.T) {
	s := counted(t, new(atomic.Bool))
	submit(t, s, s.Token(t, "agent", "submit"), push)
	byHand(t, s, "DROP TRIGGER audit_stays", "UPDATE audit SET record = replace(record, 'git push', 'git pull')")
	if err := s.VerifyLog(t.Context()); err == nil || ready(t, s) != "503 false [audit-log]" {
		t.Errorf("%v: %s", err, ready(t, s))
	}
}

// What asks for the health of the service all the time has it store little.
func TestReadyIsCheap(t *testing.T) {
	s := counted(t, new(atomic.Bool))
	prometheus := s.Token(t, "prometheus", "read")
	begun := time.Now()
	for range 300 {
		ready(t, s)
	}
	writes := series(t, s, prometheus)["policyctl_database_duration_seconds write"]
	if most := 3 + 2*time.Since(begun).Seconds(); writes > most {
		t.Errorf("%v writes in %s", writes, time.Since(begun))
	}
}

// Deliveries of channels are counted by channel, by what came of them.
func TestMetricsOfDeliveries(t *testing.T) {
	of, err := telemetry.New(t.Context(), telemetry.Options{Log: slog.NewTextHandler(io.Discard, nil)})
	if err != nil {
		t.Fatal(err)
	}
	defer of.Close()
	var fails atomic.Bool
	fails.Store(true)
	s := servertest.New(t, servertest.Options{Telemetry: of, Channels: []channel.Channel{{Name: "ops", Type: "test", Driver: flaky{&fails}}}})
	submit(t, s, s.Token(t, "agent", "submit"), push)
	prometheus := s.Token(t, "prometheus", "read")
	until(t, func() bool { return series(t, s, prometheus)["policyctl_channel_deliveries_total ops retried"] > 0 })
	fails.Store(false)
	until(t, func() bool { return series(t, s, prometheus)["policyctl_channel_deliveries_total ops sent"] == 1 })
}

// A review is counted with its cost.
func TestMetricsOfReviews(t *testing.T) {
	of, err := telemetry.New(t.Context(), telemetry.Options{Log: slog.NewTextHandler(io.Discard, nil)})
	if err != nil {
		t.Fatal(err)
	}
	defer of.Close()
	s := servertest.New(t, servertest.Options{Telemetry: of})
	id := submit(t, s, s.Token(t, "agent", "submit"), push)
	_, err = s.Data.Update(t.Context(), id, func(r *approval.Request) ([]audit.Entry, error) {
		r.Reviews = append(r.Reviews, approval.Review{By: "reviewer:small", Outcome: approval.ReviewPeople, In: 100, Out: 20, CachedIn: 60, Cost: 0.25, Latency: 1500})
		return []audit.Entry{{Time: s.Now(), Kind: audit.KindRefusal, Actor: "x"}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got := series(t, s, s.Token(t, "prometheus", "read"))
	for name, want := range map[string]float64{
		"policyctl_reviews_total people reviewer:small":       1,
		"policyctl_review_tokens_total reviewer:small input":  100,
		"policyctl_review_tokens_total reviewer:small cached": 60,
		"policyctl_review_cost_total reviewer:small":          0.25,
		"policyctl_review_duration_seconds reviewer:small":    1,
	} {
		if got[name] != want {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		}
	}
}

// until waits for what is to come.
func until(t *testing.T, come func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !come(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it did not come")
		}
	}
}

// A flaky driver of a channel fails while it is told so.
type flaky struct{ fails *atomic.Bool }

func (f flaky) Post(context.Context, *channel.Message) (string, error) {
	if f.fails.Load() {
		return "", errors.New("not now")
	}
	return "m1", nil
}

func (flaky) Amend(context.Context, string, *channel.Message) error { return nil }

func (flaky) Listen(ctx context.Context, _ channel.Hear) error { <-ctx.Done(); return ctx.Err() }

func (flaky) Webhook(channel.Hear) http.Handler { return nil }

func (flaky) Repeats() bool { return true }
