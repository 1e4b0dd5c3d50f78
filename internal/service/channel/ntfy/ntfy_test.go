package ntfy

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/policyctl/policyctl/internal/service/channel"
)

const (
	topic = "policyctl-k3J9x2Lq8Zr5"
	token = "tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2"
)

// A server is an ntfy that publishes to one phone. What has the sequence of one before
// takes its place; an old server knows no sequences.
type server struct {
	*httptest.Server
	t   *testing.T
	old bool

	mu     sync.Mutex
	shown  []notification // what the phone shows
	sounds int            // how often it made one
	serve  http.HandlerFunc
}

func newServer(t *testing.T) *server {
	s := &server{t: t}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.serve != nil {
		s.serve(w, r)
		return
	}
	var n notification
	if err := json.NewDecoder(r.Body).Decode(&n); err != nil || r.URL.Path != "/" || n.Topic != topic || r.Header.Get("Authorization") != "Bearer "+token {
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, `{"code":40301,"http":403,"error":"forbidden: `+r.Header.Get("Authorization")+`"}`)
		return
	}
	if len(n.Message) > 4096 || len(n.Actions) > 3 {
		s.t.Errorf("%d bytes, %d buttons", len(n.Message), len(n.Actions))
	}
	if n.Priority >= 3 {
		s.sounds++
	}
	at := slices.IndexFunc(s.shown, func(o notification) bool { return !s.old && n.Sequence != "" && o.Sequence == n.Sequence })
	if at >= 0 {
		s.shown[at] = n
	} else {
		s.shown = append(s.shown, n)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"id": "xE73Iyuabi", "event": "message", "topic": n.Topic, "sequence_id": n.Sequence})
}

func newDriver(t *testing.T, s *server, change func(*Options)) *Driver {
	t.Helper()
	o := Options{Server: s.URL, Topic: topic, Token: token, Person: "alice", Callback: "https://desk.example/api/approvers/phone/"}
	if change != nil {
		change(&o)
	}
	d, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// hostile is a command with all that some service would take for more than text.
const hostile = "echo '@everyone [x](https://evil.example) **b** <b>' \u202e\r\nX-Actions: http, Approve, https://evil.example"

func message() *channel.Message {
	return &channel.Message{
		ID: "dlv_1", Request: "req_1", Link: "https://desk.example/ui/requests/req_1", Head: "[APPROVAL REQUIRED]",
		Fields: []channel.Field{{Name: "tool", Value: "shell"}}, Command: hostile, Risk: "high",
		Buttons: []channel.Button{{Label: "Approve", Style: channel.Primary, Token: "tok-a"}, {Label: "Deny", Style: channel.Danger, Token: "tok-d"}},
	}
}

// A phone buzzes, shows what is asked as text, and then how it ended, in its place.
func TestPost(t *testing.T) {
	for _, old := range []bool{false, true} {
		s := newServer(t)
		s.old = old
		d := newDriver(t, s, nil)
		ref, err := d.Post(t.Context(), message())
		if err != nil {
			t.Fatal(err)
		}
		n := s.shown[0]
		if n.Title != "[APPROVAL REQUIRED]" || n.Message != message().Framed()+"\n\ntool: shell" || n.Priority != 5 || !slices.Equal(n.Tags, []string{"warning"}) || n.Click != message().Link || len(n.Actions) != 2 {
			t.Errorf("it shows %+v", n)
		}
		if a := n.Actions[0]; a.Action != "http" || a.Label != "Approve" || a.URL != "https://desk.example/api/approvers/phone/" || a.Method != "POST" || a.Body != `{"token":"tok-a"}` || !a.Clear {
			t.Errorf("the button is %+v", a)
		}
		if again, err := d.Post(t.Context(), message()); err != nil || again != ref {
			t.Errorf("again: %s, %v", again, err)
		}
		ended := &channel.Message{ID: "dlv_2", Head: "[DENIED]", Command: "ls", Outcome: "denied by alice", Link: message().Link}
		if err := d.Amend(t.Context(), ref, ended); err != nil {
			t.Fatal(err)
		}
		last := s.shown[len(s.shown)-1]
		if last.Title != "[DENIED]" || last.Message != "denied by alice\n\n│ ls" || last.Actions != nil || last.Priority >= 3 || s.sounds != 2 {
			t.Errorf("it shows %+v, and %d sounds", last, s.sounds)
		}
		if (len(s.shown) == 1) == old || !d.Repeats() {
			t.Errorf("old %v: it shows %d", old, len(s.shown))
		}
	}
}

// Texts that are too long are cut, and buttons that are too many are on the page.
func TestLimits(t *testing.T) {
	s := newServer(t)
	m := message()
	m.Command, m.Fields = strings.Repeat("é", 5000), []channel.Field{{Name: "arguments", Value: strings.Repeat("x", 9000)}}
	m.Risk = "made up"
	m.Buttons = []channel.Button{
		{Label: "Once", Style: channel.Primary, Token: "1"}, {Label: "Session", Token: "2"}, {Label: "Page", URL: "https://desk.example/"},
		{Label: "Deny", Style: channel.Danger, Token: "3"}, {Label: "Always", Token: "4", Confirm: "For good?"},
	}
	if _, err := newDriver(t, s, nil).Post(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	n := s.shown[0]
	if !strings.Contains(n.Message, channel.Cut) || !utf8.ValidString(n.Message) || n.Priority != 4 {
		t.Errorf("it shows %+v", n)
	}
	m.Risk, m.ID, m.Request = "low", "another", "another"
	if _, err := newDriver(t, s, nil).Post(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	// What is not shown whole is approved on the page.
	for i, want := range []string{"view Page, http Deny", "http Once, http Session, http Deny"} {
		var labels []string
		for _, a := range s.shown[i].Actions {
			labels = append(labels, a.Action+" "+a.Label)
		}
		if got := strings.Join(labels, ", "); got != want {
			t.Errorf("the buttons are %s, want %s", got, want)
		}
	}
}

// Without an address of the service, and where a person is to confirm, buttons decide
// nothing.
func TestPages(t *testing.T) {
	s := newServer(t)
	m := message()
	m.Buttons[0].Confirm = "Really?"
	m.Buttons = append(m.Buttons, channel.Button{Label: "Page", URL: "https://desk.example/"})
	far := newDriver(t, s, func(o *Options) { o.Callback = "" })
	if far.Webhook(nil) != nil {
		t.Error("it hears")
	}
	for name, row := range map[string]struct {
		d    *Driver
		link string
		want string
	}{
		"confirm":             {newDriver(t, s, nil), "https://desk.example/1", "view Approve …, http Deny, view Page"},
		"confirm, no page":    {newDriver(t, s, nil), "", "http Deny, view Page"},
		"no address":          {far, "https://desk.example/1", "view Approve …, view Page"},
		"no address, no page": {far, "", "view Page"},
	} {
		m.Link = row.link
		var labels []string
		for _, a := range row.d.waiting(m, "x").Actions {
			labels = append(labels, a.Action+" "+a.Label)
			if a.Action == "view" && a.Body != "" {
				t.Errorf("%s: a page is given a token", name)
			}
		}
		if got := strings.Join(labels, ", "); got != row.want {
			t.Errorf("%s: %s", name, got)
		}
	}
	m.Buttons = m.Buttons[1:2]
	m.Link = "https://desk.example/1"
	if a := far.waiting(m, "x").Actions; len(a) != 1 || a[0].Action != "view" || a[0].Label != "Open" {
		t.Errorf("no button is left: %+v", a)
	}
}

// A server that says no, is busy or is none has its way; nothing tells the token or the
// topic.
func TestServerAnswers(t *testing.T) {
	s := newServer(t)
	d := newDriver(t, s, nil)
	for name, row := range map[string]struct {
		serve http.HandlerFunc
		kind  string
	}{
		"forbidden": {nil, "refusal"},
		"busy": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(429)
			_, _ = io.WriteString(w, `{"code":42901,"http":429,"error":"limit reached: too many requests"}`)
		}, "pause"},
		"down": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(502) }, "again"},
		"elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://evil.example/"+topic, http.StatusMovedPermanently)
		}, "refusal"},
		"no ntfy": {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>"+topic) }, "refusal"},
	} {
		s.mu.Lock()
		s.serve = row.serve
		s.mu.Unlock()
		with := d
		if row.serve == nil {
			with = newDriver(t, s, func(o *Options) { o.Token = "tk_wrong" })
		}
		_, err := with.Post(t.Context(), message())
		kind := "again"
		if _, ok := errors.AsType[*channel.Refusal](err); ok {
			kind = "refusal"
		}
		if _, ok := errors.AsType[*channel.Pause](err); ok {
			kind = "pause"
		}
		if err == nil || kind != row.kind || strings.Contains(err.Error(), "tk_") || strings.Contains(err.Error(), topic) {
			t.Errorf("%s: %v", name, err)
		}
	}
	s.serve = nil
	address := s.Listener.Addr().String()
	s.Close()
	if _, err := d.Post(t.Context(), message()); err == nil || strings.Contains(err.Error(), topic) {
		t.Errorf("it is off: %v", err)
	}
	back := httptest.NewUnstartedServer(s)
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Skip(err) // somebody else has the port
	}
	back.Listener = listener
	back.Start()
	defer back.Close()
	if _, err := d.Post(t.Context(), message()); err != nil {
		t.Errorf("it is back: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	began := time.Now()
	if _, err := d.Post(ctx, message()); !errors.Is(err, context.Canceled) || time.Since(began) > time.Second {
		t.Error(err)
	}
	if err := d.Listen(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Only a press with a token is heard, as the one person of the topic.
func TestHear(t *testing.T) {
	var heard []channel.Answer
	reply := channel.Reply{Text: "approved by alice", Done: true}
	hook := newDriver(t, newServer(t), nil).Webhook(func(_ context.Context, a channel.Answer) channel.Reply {
		heard = append(heard, a)
		return reply
	})
	for name, row := range map[string]struct {
		method, body string
		want         int
	}{
		"a press":              {"POST", `{"token":"tok-a"}`, 200},
		"no token":             {"POST", `{}`, 401},
		"an empty one":         {"POST", `{"token":""}`, 401},
		"another person":       {"POST", `{"token":"tok-a","sender":"bob"}`, 400},
		"a request by its id":  {"POST", `{"request":"req_1","approve":true}`, 400},
		"a form":               {"POST", `token=tok-a`, 400},
		"a link that is read":  {"GET", ``, 405},
		"10 MB":                {"POST", strings.Repeat("x", 10<<20), 413},
		"two tokens":           {"POST", `{"token":"a","token":"b"}`, 400},
		"a token that is none": {"POST", `{"token":["a"]}`, 400},
	} {
		heard = nil
		w := httptest.NewRecorder()
		hook.ServeHTTP(w, httptest.NewRequest(row.method, "/?token=tok-a", strings.NewReader(row.body)))
		if w.Code != row.want || (len(heard) == 1) != (row.want == 200) {
			t.Errorf("%s: %d %s, heard %v", name, w.Code, w.Body, heard)
		}
		if len(heard) == 1 && heard[0] != (channel.Answer{Sender: "alice", Token: "tok-a"}) {
			t.Errorf("%s: heard %+v", name, heard[0])
		}
	}
	for _, row := range []struct {
		reply channel.Reply
		want  int
	}{
		{channel.Reply{Text: "used", Refused: true}, 403}, {channel.Reply{Text: "1 of 2"}, 202}, {channel.Reply{Text: "the disk is full", Again: true}, 503},
	} {
		reply = row.reply
		w := httptest.NewRecorder()
		hook.ServeHTTP(w, httptest.NewRequest("POST", "/", strings.NewReader(`{"token":"tok-a"}`)))
		if w.Code != row.want || !strings.Contains(w.Body.String(), row.reply.Text) {
			t.Errorf("%+v: %d %s", row.reply, w.Code, w.Body)
		}
	}
}

// What is wrong with the options is said, without the secrets in them.
func TestOptions(t *testing.T) {
	for want, o := range map[string]Options{
		"the topic must have 1 to 64":         {Topic: "hunter2/json", Token: token, Person: "alice"},
		"the topic can be guessed":            {Topic: "hunter2", Person: "alice"},
		"person is missing":                   {Topic: topic},
		"server is no address":                {Topic: topic, Person: "alice", Server: "ntfy.sh"},
		"server is http":                      {Topic: topic, Person: "alice", Server: "http://ntfy.example.com"},
		"the address of the service is http":  {Topic: topic, Person: "alice", Callback: "http://10.0.0.1:8765/"},
		"the address of the service is no ad": {Topic: topic, Person: "alice", Callback: "https://a:hunter2@desk.example"},
	} {
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", want, err)
		}
	}
	for _, o := range []Options{
		{Topic: topic, Person: "alice"}, {Topic: "short", Token: token, Person: "alice"},
		{Topic: topic, Person: "alice", Server: "http://localhost:2586", Callback: "http://[::1]:8765/api/approvers/phone/"},
	} {
		if _, err := New(o); err != nil {
			t.Error(err)
		}
	}
}
