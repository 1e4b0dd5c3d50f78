package approval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A token never travels where others can read it.
func TestClientAddresses(t *testing.T) {
	for _, row := range []struct {
		fine           bool
		address, token string
	}{
		{true, "https://policy.example", "t"}, {true, "https://policy.example/sub/", "t"}, {true, "http://policy.example", ""},
		{true, "http://localhost:7777", "t"}, {true, "http://127.0.0.1:7777", "t"}, {true, "http://[::1]:7777", "t"}, {true, "unix:/run/policyctl.sock", "t"},
		{false, "http://policy.example", "t"}, {false, "http://10.0.0.1", "t"}, {false, "http://localhost.example", "t"},
		{false, "ftp://policy.example", ""}, {false, "policy.example", ""}, {false, "https://", ""}, {false, "https://ann@policy.example", ""},
		{false, "https://policy.example?x=1", ""}, {false, "https://policy.example:port", ""},
	} {
		if _, err := NewClient(row.address, row.token); row.fine != (err == nil) {
			t.Errorf("%s with the token %q: %v", row.address, row.token, err)
		}
	}
}

// A taught answers what it was taught, and keeps what it was asked.
type taught struct {
	*Client
	t      *testing.T
	asked  string // method and address
	header http.Header
	body   string
	status int
	answer string
}

func teach(t *testing.T, token string) *taught {
	d := &taught{t: t, status: http.StatusOK}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		d.asked, d.header, d.body = r.Method+" "+r.URL.String(), r.Header, string(text)
		w.WriteHeader(d.status)
		_, _ = w.Write([]byte(d.answer))
	}))
	t.Cleanup(s.Close)
	var err error
	if d.Client, err = NewClient(s.URL, token); err != nil {
		t.Fatal(err)
	}
	return d
}

// A submission says what was set and nothing else, as who holds the token.
func TestClientSubmits(t *testing.T) {
	d := teach(t, "secret")
	d.answer = `{"id":"req_1","state":"PENDING"}`
	for _, row := range []struct {
		in   Submission
		want map[string]string
	}{
		{Submission{}, map[string]string{}},
		{Submission{Key: "k", Timeout: time.Minute, Waits: 90 * time.Second, Said: "please"}, map[string]string{"key": "k", "timeout": "1m0s", "waits": "1m30s", "said": "please"}},
	} {
		row.in.Call = call("make")
		q, err := d.Submit(t.Context(), row.in)
		if err != nil || q.ID != "req_1" || d.asked != "POST /v1/requests" || d.header.Get("Authorization") != "Bearer secret" || d.header.Get("Content-Type") != "application/json" {
			t.Fatalf("%+v %v, asked %s", q, err, d.asked)
		}
		var body map[string]any
		if err := json.Unmarshal([]byte(d.body), &body); err != nil || body["call"] == nil {
			t.Fatalf("%s: %v", d.body, err)
		}
		delete(body, "call")
		for key, want := range row.want {
			if body[key] != want {
				t.Errorf("%s is %v, want %s", key, body[key], want)
			}
		}
		if len(body) != len(row.want) {
			t.Errorf("it says %v, want %v", body, row.want)
		}
	}
	var invalid *Invalid
	if _, err := d.Submit(t.Context(), Submission{}); !errors.As(err, &invalid) {
		t.Errorf("no call: %v", err)
	}
	c := call("make")
	c.Input["command"] = func() {}
	d.asked = ""
	if _, err := d.Submit(t.Context(), Submission{Call: c}); err == nil || d.asked != "" {
		t.Errorf("a call without a form: %v, asked %q", err, d.asked)
	}
}

// A list asks for what the filter says, and a question has no body and no token of its own.
func TestClientLists(t *testing.T) {
	d := teach(t, "")
	d.answer = `{"requests":[{"id":"req_1"}]}`
	for want, f := range map[string]Filter{
		"GET /v1/requests?":                  {},
		"GET /v1/requests?limit=5&session=s": {Session: "s", Limit: 5},
		"GET /v1/requests?alike=a&before=b&kind=call&state=DENIED&state=PENDING&submitter=token%3Aagent": {
			Alike: "a", Before: "b", Kind: KindCall, States: []State{Denied, Pending}, Submitter: "token:agent"},
	} {
		list, err := d.List(t.Context(), f)
		if err != nil || len(list) != 1 || list[0].ID != "req_1" || strings.TrimSuffix(d.asked, "?") != strings.TrimSuffix(want, "?") {
			t.Errorf("%+v %v, asked %q, want %q", list, err, d.asked, want)
		}
		if d.body != "" || d.header.Get("Content-Type") != "" || d.header.Values("Authorization") != nil {
			t.Errorf("a question has %q and %v", d.body, d.header)
		}
	}
}

// Whatever is no success is an error that says what the service said.
func TestClientErrors(t *testing.T) {
	d := teach(t, "")
	for _, row := range []struct {
		status       int
		answer, want string
		is           error
	}{
		{http.StatusConflict, `{"code":"decided","detail":"it is over","hint":"look at it","request":{"id":"req_1"}}`, "approval service: it is over: look at it (409)", ErrDecided},
		{http.StatusNotFound, `{"code":"not-found","detail":"none"}`, "approval service: none (404)", ErrNotFound},
		{http.StatusMultipleChoices, `{}`, "approval service: Multiple Choices (300)", nil},
		{http.StatusFound, `{}`, "approval service: Found (302)", nil},
		{http.StatusBadGateway, `<html>`, `approval service: this is not a policyctl service:  "<html>" (502)`, nil},
		{http.StatusOK, `<html>`, "approval service: its answer is no JSON of ours", nil},
	} {
		d.status, d.answer = row.status, row.answer
		q, err := d.Get(t.Context(), "req_1")
		if err == nil || !strings.HasPrefix(err.Error(), row.want) || row.is != nil && !errors.Is(err, row.is) {
			t.Errorf("%d %s: %v, want %s", row.status, row.answer, err, row.want)
		}
		if (q != nil) != strings.Contains(row.answer, "req_1") {
			t.Errorf("%d %s: the request is %+v", row.status, row.answer, q)
		}
		if _, err := d.Show(t.Context(), "req_1"); err == nil {
			t.Errorf("%d %s: it shows something", row.status, row.answer)
		}
	}
	d.status, d.answer = http.StatusOK, `{"id":"req_1","reason_code":"timed_out"}`
	if got, err := d.Show(t.Context(), "req_1"); err != nil || got.ID != "req_1" || got.Code.String() != "timed_out" {
		t.Errorf("%+v %v", got, err)
	}
}

// A scripted answers one question after another, the last one again and again.
type scripted struct {
	answers []func(*http.Request) (*http.Response, error)
	waits   []string
}

func (s *scripted) RoundTrip(r *http.Request) (*http.Response, error) {
	s.waits = append(s.waits, r.URL.Query().Get("wait"))
	now := s.answers[0]
	if len(s.answers) > 1 {
		s.answers = s.answers[1:]
	}
	return now(r)
}

func answers(status int, text string) func(*http.Request) (*http.Response, error) {
	return func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(text))}, nil
	}
}

// hold answers when whoever asks gives up.
func hold(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// Who waits outlasts a service that is gone for a while, and no error that stays.
func TestClientAwaits(t *testing.T) {
	type step = func(*http.Request) (*http.Response, error)
	pending, over := answers(200, `{"id":"r","state":"PENDING"}`), answers(200, `{"id":"r","state":"DENIED"}`)
	gone := func(*http.Request) (*http.Response, error) { return nil, errors.New("connection refused") }
	for name, row := range map[string]struct {
		steps []step
		state State // "" for an error
		took  time.Duration
	}{
		"over":                {[]step{over}, Denied, 0},
		"asked again":         {[]step{pending, pending, over}, Denied, 0},
		"restarts":            {[]step{gone, answers(500, `{}`), answers(503, `{}`), over}, Denied, 3 * retryTime},
		"asked too often":     {[]step{answers(429, `{"code":"too-many-pending"}`), over}, Denied, retryTime},
		"no such request":     {[]step{answers(404, `{"code":"not-found"}`)}, "", 0},
		"what it last said":   {[]step{pending, hold}, Pending, 10 * time.Second},
		"never said anything": {[]step{hold}, "", 10 * time.Second},
		"gone for good":       {[]step{gone}, "", 10 * time.Second},
		"gone then":           {[]step{pending, gone}, Pending, 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &scripted{answers: row.steps}
				c := &Client{base: "http://localhost", http: &http.Client{Transport: s}}
				ctx, stop := contextFor(t, 10*time.Second)
				defer stop()
				from := time.Now()
				r, err := c.Await(ctx, "r")
				if took := time.Since(from); took != row.took || (err != nil) != (row.state == "") || err == nil && r.State != row.state {
					t.Errorf("%+v %v after %s, want %q after %s", r, err, took, row.state, row.took)
				}
			})
		})
	}
}

// The service answers a little before whoever waits gives up.
func TestClientPolls(t *testing.T) {
	for left, want := range map[time.Duration]string{
		0: "25s", 100 * time.Millisecond: "75ms", time.Second: "750ms", 10 * time.Second: "9.5s", 25 * time.Second: "24.5s", 25500 * time.Millisecond: "25s", time.Hour: "25s",
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &scripted{answers: []func(*http.Request) (*http.Response, error){answers(200, `{"state":"DENIED"}`)}}
			c := &Client{base: "http://localhost", http: &http.Client{Transport: s}}
			ctx, stop := contextFor(t, left)
			defer stop()
			if _, err := c.Await(ctx, "r"); err != nil || s.waits[0] != want {
				t.Errorf("%s are left: it waits %v, want %s, %v", left, s.waits, want, err)
			}
		})
	}
}

// contextFor returns a context that ends after a time, 0 for never.
func contextFor(t *testing.T, left time.Duration) (context.Context, context.CancelFunc) {
	if left == 0 {
		return t.Context(), func() {}
	}
	return context.WithTimeout(t.Context(), left)
}

// Who asks for many calls at once again and again keeps the connections for it.
func TestClientKeepsConnections(t *testing.T) {
	const calls, rounds = 16, 5
	var made atomic.Int64
	var there sync.WaitGroup
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		there.Done()
		there.Wait() // for all of a round
		fmt.Fprint(w, `{"id":"r"}`)
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			made.Add(1)
		}
	}
	s.Start()
	defer s.Close()
	c, err := NewClient(s.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	for range rounds {
		there.Add(calls)
		var all sync.WaitGroup
		for range calls {
			all.Go(func() {
				if _, err := c.Get(t.Context(), "r"); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
	if n := made.Load(); n > 2*calls { // one that comes back late is made twice
		t.Errorf("%d connections for %d calls, %d at once", n, calls*rounds, calls)
	}
}

// Who embeds us may set another transport after clients were made.
func TestClientFollowsTransport(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"id":"r"}`) }))
	defer s.Close()
	ask := func() error {
		c, err := NewClient(s.URL, "")
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Get(t.Context(), "r")
		return err
	}
	if err := ask(); err == nil {
		t.Fatal("a certificate that nobody knows is taken")
	}
	before := http.DefaultTransport
	defer func() { http.DefaultTransport = before }()
	http.DefaultTransport = s.Client().Transport
	if err := ask(); err != nil {
		t.Error(err)
	}
}
