package decisionlog

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A collector takes what collectors of OPA's decision logs take.
type collector struct {
	*httptest.Server
	mu     sync.Mutex
	answer func(n int) int // the status of the nth request
	sizes  []int
	events []map[string]any
	header http.Header
}

func newCollector(t testing.TB, answer func(n int) int) *collector {
	c := &collector{answer: answer}
	c.Server = httptest.NewServer(http.HandlerFunc(c.serve))
	t.Cleanup(c.Server.Close)
	return c
}

func (c *collector) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.header = r.Header
	c.sizes = append(c.sizes, len(body))
	if status := c.answer(len(c.sizes)); status != 200 {
		http.Error(w, "no: password=hunter2", status)
		return
	}
	c.take(body)
}

func (c *collector) take(body []byte) {
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	var events []map[string]any
	if err := json.NewDecoder(z).Decode(&events); err != nil {
		panic(err)
	}
	c.events = append(c.events, events...)
}

func (c *collector) ids() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var ids []string
	for _, e := range c.events {
		ids = append(ids, e["decision_id"].(string))
	}
	return ids
}

// The names are those of OPA's UpdateRequestV1 and bundle.Status.
func TestNamesAreThoseOfOPA(t *testing.T) {
	rows := []struct {
		want string
		of   any
	}{
		{"labels bundles,omitempty", StatusReport{}},
		{"name active_revision,omitempty last_successful_activation type,omitempty size,omitempty last_successful_download last_successful_request last_request code,omitempty message,omitempty errors,omitempty http_code,omitempty", BundleStatus{}},
	}
	for _, r := range rows {
		var got []string
		for f := range reflect.TypeOf(r.of).Fields() {
			got = append(got, f.Tag.Get("json"))
		}
		if names := strings.Join(got, " "); names != r.want {
			t.Errorf("%T has\n%s, want\n%s", r.of, names, r.want)
		}
	}
}

func always(status int) func(int) int { return func(int) int { return status } }

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func at() time.Time { return noon }

// manual returns a logger whose goroutine never uploads: the test flushes.
func manual(t testing.TB, c Config) *Logger {
	t.Helper()
	return started(t, c, func(time.Duration) <-chan time.Time { return nil })
}

func started(t testing.TB, c Config, after func(time.Duration) <-chan time.Time) *Logger {
	t.Helper()
	if c.Now == nil {
		c.Now = at
	}
	l, err := start(c, after, func() float64 { return 0 })
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func event(id string) Event {
	return Event{
		DecisionID: id, Call: policy.Shell("ls -la", "/home/dev/project"),
		Verdict: &policy.Verdict{Decision: policy.Allow, Stage: policy.StageReadonly, Reason: policy.ReasonNone, Why: "only reads", Revision: "r1"},
	}
}
