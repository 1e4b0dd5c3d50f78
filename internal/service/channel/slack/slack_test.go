package slack

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// A rig is a driver at a stand-in, that is listened to as the dispatcher does: again
// after an error.
type rig struct {
	*Driver
	*standIn
	logs lockedBuffer

	mu    sync.Mutex
	now   time.Time
	heard []channel.Answer
	reply func(ctx context.Context, a channel.Answer) channel.Reply
	ends  []error
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// hasSecret reports whether a text tells any secret of the tests.
func hasSecret(text string) bool {
	for _, secret := range []string{"botsecret", "appsecret", "ticketsecret", testKey} {
		if strings.Contains(text, secret) {
			return true
		}
	}
	return false
}

func newRig(t *testing.T) *rig {
	r := &rig{standIn: newStandIn(t), now: time.Now().Truncate(time.Second)}
	d, err := New(Options{
		Token: botToken, AppToken: appToken, Secret: testKey, Workspace: workspace, Channel: room, API: r.URL + "/api",
		Log: slog.New(slog.NewTextHandler(&r.logs, nil)), Now: r.time,
	})
	if err != nil {
		t.Fatal(err)
	}
	r.Driver = d
	t.Cleanup(func() {
		if hasSecret(r.logs.String()) {
			t.Errorf("a secret is in the log:\n%s", r.logs.String())
		}
	})
	return r
}

func (r *rig) time() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}

func (r *rig) listens(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			err := r.Listen(ctx, r.hear)
			r.mu.Lock()
			r.ends = append(r.ends, err)
			r.mu.Unlock()
			time.Sleep(2 * time.Millisecond)
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
}

func (r *rig) hear(ctx context.Context, a channel.Answer) channel.Reply {
	r.mu.Lock()
	r.heard = append(r.heard, a)
	reply := r.reply
	r.mu.Unlock()
	if reply != nil {
		return reply(ctx, a)
	}
	return channel.Reply{Text: "Approved.", Done: true}
}

func (r *rig) answersHeard() []channel.Answer {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]channel.Answer{}, r.heard...)
}

func token(n int) string { return fmt.Sprintf("tok-%039d", n) }

// asking is a request with all five buttons.
func asking() *channel.Message {
	return &channel.Message{
		ID: "dlv_1", Request: "req_abc", Link: "http://localhost:8080/ui/requests/req_abc",
		Head: "[APPROVAL REQUIRED]", Command: "git push origin main", Risk: "medium",
		Fields: []channel.Field{{Name: "Tool", Value: "bash"}, {Name: "Directory", Value: "/home/dev/project"}},
		Buttons: []channel.Button{
			{Label: "Once", Style: channel.Primary, Token: token(1)},
			{Label: "This chat", Token: token(2)},
			{Label: "Always here", Token: token(3)},
			{Label: "Always anywhere", Style: channel.Danger, Token: token(4), Confirm: "Allow git push in every directory for good?"},
			{Label: "Deny", Style: channel.Danger, Token: token(5)},
		},
		Until: time.Now().Add(time.Minute),
	}
}

func (r *rig) posts(t *testing.T, m *channel.Message) (ref, ts string) {
	t.Helper()
	ref, err := r.Post(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	_, ts, _ = strings.Cut(ref, "/")
	return ref, ts
}

// A request arrives with its buttons, one press is heard, and the message becomes one
// line without buttons.
func TestRequest(t *testing.T) {
	r := newRig(t)
	ref, ts := r.posts(t, asking())
	p := r.message(ts)
	if got := p.texts(); got != "[APPROVAL REQUIRED]\n│ git push origin main\nTool: bash\nDirectory: /home/dev/project\nRequest: req_abc" {
		t.Errorf("it says %q", got)
	}
	if p.Text != "[APPROVAL REQUIRED] git push origin main" || p.Markdown || p.UnfurlLinks || p.UnfurlMedia || p.LinkNames || p.Parse != "none" {
		t.Errorf("it is sent as %+v", p.outgoing)
	}
	lines := asking()
	lines.Command = "make\n\nTool: read"
	if _, at := r.posts(t, lines); !strings.HasPrefix(r.message(at).texts(), "[APPROVAL REQUIRED]\n│ make\n│ \n│ Tool: read\nTool: bash\n") {
		t.Errorf("several lines: %q", r.message(at).texts())
	}
	layout := ""
	for _, b := range p.buttons() {
		layout += fmt.Sprintf("[%s %s %s%s", b.Text.Text, b.Style, b.Value, b.URL)
		if c := b.Confirm; c != nil {
			layout += fmt.Sprintf(" (%s: %s %s/%s %s)", c.Title.Text, c.Text.Text, c.Confirm.Text, c.Deny.Text, c.Style)
		}
		layout += "]\n"
	}
	want := "[Once primary " + token(1) + "]\n[This chat  " + token(2) + "]\n[Always here  " + token(3) + "]\n[Always anywhere danger sure:" + token(4) +
		" (Always anywhere: Allow git push in every directory for good? Always anywhere/Back danger)]\n[Deny danger " + token(5) + "]\n[Open the page  " + asking().Link + "]\n"
	if layout != want {
		t.Errorf("the buttons are\n%s", layout)
	}
	r.listens(t)
	r.over(0, enveloped("e1", pressing("U0ALICE", ts, token(1), "1.1")))
	eventually(t, "it is not acknowledged", func() bool { return r.acknowledged("e1") == 1 })
	if a := r.answersHeard(); len(a) != 1 || a[0] != (channel.Answer{Sender: "U0ALICE", Place: workspace + "/" + room, Token: token(1)}) {
		t.Errorf("heard %+v", a)
	}
	ended := &channel.Message{Outcome: "Approved by team:alice: git push origin main, once"}
	if err := r.Amend(t.Context(), ref, ended); err != nil {
		t.Fatal(err)
	}
	if p := r.message(ts); p.texts() != ended.Outcome || p.Text != ended.Outcome || len(p.Blocks) != 1 {
		t.Errorf("it ends as %+v", p)
	}
	if told := r.ephemeral(); len(told) != 0 {
		t.Errorf("what the message says is told again: %+v", told)
	}
}

// A press of which nothing comes is told to who pressed, and to nobody else.
func TestTold(t *testing.T) {
	r := newRig(t)
	_, ts := r.posts(t, asking())
	r.reply = func(context.Context, channel.Answer) channel.Reply {
		return channel.Reply{Text: "You may not decide <!here>.", Refused: true, Done: true}
	}
	r.listens(t)
	r.over(0, enveloped("e1", pressing("U0BOB", ts, token(1), "1.1")))
	eventually(t, "nobody is told", func() bool { return len(r.ephemeral()) == 1 })
	if p := r.ephemeral()[0]; p.User != "U0BOB" || p.Text != "You may not decide &lt;!here&gt;." || p.texts() != "You may not decide <!here>." {
		t.Errorf("told %+v, %s", p.outgoing, p.texts())
	}
}

// What a command holds arrives as text: Slack makes no mention, no link and no emoji of
// it, neither in the message nor in the notification.
func TestLiteral(t *testing.T) {
	r := newRig(t)
	for _, row := range []struct{ text, shown, notice string }{
		{"echo <!here> <@U1> <#C1> <https://evil.example|ok> & done", "", "echo &lt;!here&gt; &lt;@U1&gt; &lt;#C1&gt; &lt;https://evil.example|ok&gt; &amp; done"},
		{"echo @everyone *bold* _it_ `code` ~x~ :skull: [x](https://evil.example)", "", "echo @everyone *bold* _it_ `code` ~x~ :skull: [x](https://evil.example)"},
		{"echo \u202e gnp.exe \u2066 x", "", "echo \u202e gnp.exe \u2066 x"},
		{"echo '&lt;' && x", "echo '&amp;lt;' && x", "echo '&amp;lt;' &amp;&amp; x"},
		{"a\xffb", "a\uFFFDb", "a\uFFFDb"},
	} {
		if row.shown == "" {
			row.shown = row.text
		}
		m := asking()
		m.Command, m.Fields, m.Note = row.text, []channel.Field{{Name: "Arguments", Value: row.text}}, row.text
		m.Buttons = []channel.Button{{Label: "Once " + row.text, Token: token(1), Confirm: row.text}}
		ref, ts := r.posts(t, m)
		p := r.message(ts)
		if got := p.texts(); got != m.Head+"\n│ "+row.shown+"\n"+row.shown+"\nArguments: "+row.shown+"\nRequest: req_abc" {
			t.Errorf("%q arrives as %q", row.text, got)
		}
		if p.Text != m.Head+" "+row.notice {
			t.Errorf("%q is notified as %q", row.text, p.Text)
		}
		for _, b := range p.Blocks {
			if b.Text != nil && b.Text.Emoji {
				t.Errorf("%q may become an emoji", row.text)
			}
		}
		if err := r.Amend(t.Context(), ref, &channel.Message{Outcome: row.text + "\n" + row.text}); err != nil {
			t.Error(err)
		}
		if got := r.message(ts).texts(); strings.Contains(got, "\n") || !strings.HasPrefix(got, row.shown) {
			t.Errorf("%q ends as %q", row.text, got)
		}
	}
}

// A message that is too long is cut with a mark, and keeps its buttons.
func TestLong(t *testing.T) {
	r := newRig(t)
	for _, filler := range []string{"x", "😀", "&lt;", "<"} {
		m := asking()
		m.Head, m.Command, m.Note = strings.Repeat(filler, 200), strings.Repeat(filler, 5000), ""
		m.Fields = nil
		for i := range 60 {
			m.Fields = append(m.Fields, channel.Field{Name: fmt.Sprint("Field ", i), Value: strings.Repeat(filler, 1+i*100)})
		}
		m.Buttons[0].Label, m.Buttons[0].Confirm = strings.Repeat(filler, 90), strings.Repeat(filler, 400)
		ref, ts := r.posts(t, m)
		p := r.message(ts)
		if len(p.buttons()) != 6 || !strings.HasSuffix(p.Blocks[1].Text.Text, cut) || !strings.HasSuffix(p.Blocks[len(p.Blocks)-2].Text.Text, strings.TrimSpace(cut)) {
			t.Errorf("%s: %d buttons", filler, len(p.buttons()))
		}
		if err := r.Amend(t.Context(), ref, &channel.Message{Outcome: m.Command}); err != nil {
			t.Error(err)
		}
	}
}

// A page that a button opens has no other button, and a message without a head or a
// link can be sent too.
func TestPage(t *testing.T) {
	r := newRig(t)
	m := asking()
	m.Buttons = []channel.Button{{Label: "Approve on the page", URL: m.Link}, {Label: "Deny", Token: token(5)}}
	_, ts := r.posts(t, m)
	if b := r.message(ts).buttons(); len(b) != 2 || b[0].URL != m.Link || b[0].Value != "" || b[1].URL != "" {
		t.Errorf("%+v", b)
	}
	if _, ts = r.posts(t, &channel.Message{Command: "x"}); len(r.message(ts).Blocks) != 2 {
		t.Errorf("%+v", r.message(ts))
	}
	r.listens(t)
	press := pressing("U0ALICE", ts, "", "1.1")
	r.over(0, enveloped("page", press))
	eventually(t, "it is not acknowledged", func() bool { return r.acknowledged("page") == 1 })
	if a := r.answersHeard(); len(a) != 0 {
		t.Errorf("opening a page is heard: %+v", a)
	}
}

// signed is a request as Slack signs it.
func (r *rig) signed(payload any, at time.Time) *http.Request {
	data, err := json.Marshal(payload)
	if err != nil {
		panic(err)
	}
	return signedBody("payload="+escape(string(data)), testKey, at)
}

func escape(s string) string {
	return strings.NewReplacer("%", "%25", "&", "%26", "+", "%2B", ";", "%3B").Replace(s)
}

func signedBody(body, key string, at time.Time) *http.Request {
	req := httptest.NewRequest(http.MethodPost, "/api/approvers/team/", strings.NewReader(body))
	stamp := fmt.Sprint(at.Unix())
	req.Header.Set(headerTime, stamp)
	req.Header.Set(headerSignature, sign([]byte(key), stamp, []byte(body)))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return req
}

func (r *rig) serves(req *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	r.Webhook(r.hear).ServeHTTP(w, req)
	return w
}

// The example of Slack's documentation.
func TestSignature(t *testing.T) {
	const body = "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
	const want = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"
	if got := sign([]byte("8f742231b10e8888abcd99yyyzzz85a5"), "1531420618", []byte(body)); got != want {
		t.Errorf("%s", got)
	}
}

// A signed press is heard once, however often it comes.
func TestSigned(t *testing.T) {
	r := newRig(t)
	_, ts := r.posts(t, asking())
	press := pressing("U0ALICE", ts, token(1), "1.1")
	for i := range 3 {
		if w := r.serves(r.signed(press, r.now)); w.Code != 200 || w.Body.Len() != 0 {
			t.Errorf("%d: %d %s", i, w.Code, w.Body)
		}
	}
	later := r.signed(press, r.now)
	r.now = r.now.Add(4 * time.Minute)
	if w := r.serves(later); w.Code != 200 {
		t.Errorf("later: %d", w.Code)
	}
	if a := r.answersHeard(); len(a) != 1 || a[0] != (channel.Answer{Sender: "U0ALICE", Place: workspace + "/" + room, Token: token(1)}) {
		t.Errorf("heard %+v", a)
	}
	if !strings.Contains(r.logs.String(), "this press came before") {
		t.Errorf("the log says\n%s", r.logs.String())
	}
	r.serves(r.signed(pressing("U0ALICE", ts, token(1), "2.2"), r.now)) // pressed again
	if a := r.answersHeard(); len(a) != 2 {
		t.Errorf("heard %+v", a)
	}
	r.reply = func(context.Context, channel.Answer) channel.Reply { return channel.Reply{Text: "Too late."} }
	r.serves(r.signed(pressing("U0ALICE", ts, token(5), "3.3"), r.now))
	if told := r.ephemeral(); len(told) != 1 || told[0].User != "U0ALICE" || told[0].Text != "Too late." {
		t.Errorf("told %+v", told)
	}
}

// Requests that are forged, replayed later, from another clock or too large are refused
// and logged.
func TestForgedRequests(t *testing.T) {
	r := newRig(t)
	_, ts := r.posts(t, asking())
	press := pressing("U0ALICE", ts, token(1), "1.1")
	for name, row := range map[string]struct {
		request *http.Request
		change  func(req *http.Request)
		status  int
		want    string // in the log and in the answer
	}{
		"another secret": {signedBody("payload={}", "00000000000000000000000000000000", r.now), nil, 401, "the signature does not hold"},
		"no signature":   {r.signed(press, r.now), func(req *http.Request) { req.Header.Del(headerSignature) }, 401, "must be there, once each"},
		"two signatures": {r.signed(press, r.now), func(req *http.Request) { req.Header.Add(headerSignature, "v0=00") }, 401, "must be there, once each"},
		"two times":      {r.signed(press, r.now), func(req *http.Request) { req.Header.Add(headerTime, "1") }, 401, "must be there, once each"},
		"another time":   {r.signed(press, r.now), func(req *http.Request) { req.Header.Set(headerTime, fmt.Sprint(r.now.Unix()+1)) }, 401, "the signature does not hold"},
		"no time":        {r.signed(press, r.now), func(req *http.Request) { req.Header.Set(headerTime, "soon") }, 401, "is not a number of seconds"},
		"a huge time":    {r.signed(press, r.now), func(req *http.Request) { req.Header.Set(headerTime, strings.Repeat("9", 30)) }, 401, "is not a number of seconds"},
		"replayed":       {r.signed(press, r.now.Add(-10*time.Minute)), nil, 401, "its time is 10m0s behind that of this machine, and no more than 5m0s is taken; if Slack sent it just now, set the clock"},
		"from ahead":     {r.signed(press, r.now.Add(10*time.Minute)), nil, 401, "its time is 10m0s ahead of that of this machine"},
		"another body": {r.signed(press, r.now), func(req *http.Request) {
			req.Body = io.NopCloser(strings.NewReader("payload={}"))
		}, 401, "the signature does not hold"},
		"10 MB":          {signedBody("payload="+strings.Repeat("x", 10<<20), testKey, r.now), nil, 413, ""},
		"no payload":     {signedBody("ssl_check=1", testKey, r.now), nil, 400, "not an interaction"},
		"two payloads":   {signedBody("payload={}&payload={}", testKey, r.now), nil, 400, "not an interaction"},
		"a broken form":  {signedBody("payload=%zz", testKey, r.now), nil, 400, "not an interaction"},
		"no JSON":        {signedBody("payload=<html>", testKey, r.now), nil, 400, "not an interaction"},
		"wrong types":    {signedBody(`payload={"user":"U0ALICE"}`, testKey, r.now), nil, 400, "not an interaction"},
		"another method": {httptest.NewRequest(http.MethodGet, "/", nil), nil, 405, "use POST"},
	} {
		if row.change != nil {
			row.change(row.request)
		}
		w := r.serves(row.request)
		if w.Code != row.status || !strings.Contains(w.Body.String(), row.want) || hasSecret(w.Body.String()) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		if row.status == 401 && !strings.Contains(r.logs.String(), row.want) {
			t.Errorf("%s: the log says\n%s", name, r.logs.String())
		}
	}
	if a := r.answersHeard(); len(a) != 0 {
		t.Errorf("heard %+v", a)
	}
}

// Presses of other places, people and things are not heard, and logged.
func TestForeign(t *testing.T) {
	r := newRig(t)
	_, ts := r.posts(t, asking())
	r.listens(t)
	other := map[string]any{"id": "T0OTHER"}
	for name, row := range map[string]struct {
		key   string
		value any
		want  string // "" for no log
	}{
		"another workspace":     {"team", other, "another workspace"},
		"no workspace":          {"team", nil, "another workspace"},
		"a guest of another":    {"user", map[string]any{"id": "U0ALICE", "team_id": "T0OTHER"}, "another workspace"},
		"another channel":       {"channel", map[string]any{"id": "C0OTHER"}, "another channel"},
		"no channel":            {"channel", nil, "another channel"},
		"a message elsewhere":   {"container", map[string]any{"type": "message", "message_ts": ts, "channel_id": "C0OTHER"}, "another channel"},
		"a view":                {"container", map[string]any{"type": "view"}, "another channel"},
		"nobody":                {"user", map[string]any{}, "nobody pressed it"},
		"no actions":            {"actions", []any{}, "none of ours"},
		"two actions":           {"actions", []any{map[string]any{"type": "button", "value": token(1), "action_ts": "1"}, map[string]any{"type": "button", "value": token(2), "action_ts": "1"}}, "none of ours"},
		"a menu":                {"actions", []any{map[string]any{"type": "static_select", "value": token(1), "action_ts": "1"}}, "none of ours"},
		"no time":               {"actions", []any{map[string]any{"type": "button", "value": token(1)}}, "none of ours"},
		"a long value":          {"actions", []any{map[string]any{"type": "button", "value": strings.Repeat("x", 65), "action_ts": "1"}}, "none of ours"},
		"a view that is closed": {"type", "view_closed", ""},
		"wrong types":           {"actions", "button", "cannot be read"},
	} {
		press := pressing("U0ALICE", ts, token(1), "1.1")
		press[row.key] = row.value
		before := len(r.logs.String())
		r.over(0, enveloped(name, press))
		eventually(t, name+": it is not acknowledged", func() bool { return r.acknowledged(name) == 1 })
		if log := r.logs.String()[before:]; !strings.Contains(log, row.want) || row.want == "" && log != "" {
			t.Errorf("%s: the log says %q", name, log)
		}
	}
	for _, what := range []string{`{"type":"events_api","envelope_id":"event","payload":{"event":{}}}`, `{"type":"new","envelope_id":"new"}`, `{"type":"silent"}`, `[]`, `<html>`} {
		r.over(0, what)
	}
	eventually(t, "an event is not acknowledged", func() bool { return r.acknowledged("event") == 1 && r.acknowledged("new") == 1 })
	if a := r.answersHeard(); len(a) != 0 {
		t.Errorf("heard %+v", a)
	}
	if _, ever := r.open(); ever != 1 {
		t.Errorf("%d sockets were opened", ever)
	}
}

// Presses come twice, in any order and while others are being heard.
func TestDuplicates(t *testing.T) {
	r := newRig(t)
	_, ts := r.posts(t, asking())
	release := make(chan struct{})
	r.reply = func(_ context.Context, a channel.Answer) channel.Reply {
		if a.Token == token(1) {
			<-release
		}
		return channel.Reply{Text: "Approved.", Done: true}
	}
	r.listens(t)
	slow := pressing("U0ALICE", ts, token(1), "2.2")
	r.over(0, enveloped("slow", slow))
	eventually(t, "the slow one is not heard", func() bool { return len(r.answersHeard()) == 1 })
	r.over(0, enveloped("slow again", slow))
	r.over(0, enveloped("early", pressing("U0ALICE", ts, token(5), "1.1")))
	eventually(t, "the others wait for the slow one", func() bool { return r.acknowledged("slow again") == 1 && r.acknowledged("early") == 1 })
	if r.acknowledged("slow") != 0 {
		t.Error("a press is acknowledged before it was heard")
	}
	close(release)
	eventually(t, "the slow one is not acknowledged", func() bool { return r.acknowledged("slow") == 1 })
	r.serves(r.signed(slow, r.now))
	if a := r.answersHeard(); len(a) != 2 {
		t.Errorf("heard %+v", a)
	}
}

// What is remembered of presses is bounded and runs out.
func TestPressesBounded(t *testing.T) {
	var p presses
	now := time.Now()
	for i := range maxPresses {
		if p.first(press{value: fmt.Sprint(i)}, now) != fresh {
			t.Fatal(i)
		}
	}
	if p.first(press{value: "more"}, now.Add(pressTime)) != tooMany || p.first(press{value: "7"}, now) != again {
		t.Error("what is remembered is not bounded")
	}
	if p.first(press{value: "more"}, now.Add(pressTime+1)) != fresh || len(p.seen) != 1 {
		t.Error("what is remembered never runs out")
	}
	p.forget(press{value: "more"})
	if p.first(press{value: "more"}, now) != fresh {
		t.Error("it is not forgotten")
	}
}

// Where Slack wants a new socket, that is opened before the old one is left.
func TestRenew(t *testing.T) {
	r := newRig(t)
	_, ts := r.posts(t, asking())
	r.listens(t)
	for i, reason := range []string{"warning", "refresh_requested"} {
		r.over(0, `{"type":"disconnect","reason":"`+reason+`","debug_info":{"host":"x"}}`)
		eventually(t, "there is no new socket", func() bool { _, ever := r.open(); return ever == i+2 })
	}
	r.over(2, enveloped("old", pressing("U0ALICE", ts, token(1), "1.1")))
	r.over(0, enveloped("new", pressing("U0ALICE", ts, token(2), "1.2")))
	eventually(t, "not all are heard", func() bool { return r.acknowledged("old") == 1 && r.acknowledged("new") == 1 })
	r.mu.Lock()
	if len(r.ends) != 0 {
		t.Errorf("Listen ends with %v", r.ends)
	}
	r.mu.Unlock()
	if log := r.logs.String(); !strings.Contains(log, "other programs use the token") { // the third socket
		t.Errorf("the log says\n%s", log)
	}
}

// Slack goes away and comes back.
func TestRestart(t *testing.T) {
	r := newRig(t)
	_, ts := r.posts(t, asking())
	r.listens(t)
	r.over(0, enveloped("one", pressing("U0ALICE", ts, token(1), "1.1")))
	eventually(t, "the first is not heard", func() bool { return r.acknowledged("one") == 1 })
	r.answers(func(_ string, w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(503)
		_, _ = io.WriteString(w, "<html>"+botToken)
		return true
	})
	r.drop()
	eventually(t, "Listen does not end", func() bool { r.mu.Lock(); defer r.mu.Unlock(); return len(r.ends) > 2 })
	r.mu.Lock()
	for _, err := range r.ends {
		if err == nil || lasts(err) || hasSecret(err.Error()) {
			t.Errorf("Listen ends with %v", err)
		}
	}
	r.mu.Unlock()
	r.answers(nil)
	r.over(0, enveloped("one again", pressing("U0ALICE", ts, token(1), "1.1")))
	r.over(0, enveloped("two", pressing("U0ALICE", ts, token(2), "1.2")))
	eventually(t, "the second is not heard", func() bool { return r.acknowledged("one again") == 1 && r.acknowledged("two") == 1 })
	if a := r.answersHeard(); len(a) != 2 || a[1].Token != token(2) {
		t.Errorf("heard %+v", a)
	}
}

func lasts(err error) bool {
	_, ok := errors.AsType[*channel.Refusal](err)
	return ok
}

// A socket ends for many reasons, each with an error of the right kind.
func TestSocketEnds(t *testing.T) {
	for name, row := range map[string]struct {
		before func(r *rig)
		send   string
		want   string
		lasts  bool
	}{
		"off":           {nil, `{"type":"disconnect","reason":"link_disabled"}`, "turn it on", true},
		"too many":      {nil, `{"type":"disconnect","reason":"too_many_websockets"}`, "too many sockets", false},
		"another":       {nil, `{"type":"disconnect","reason":"` + strings.Repeat("x", 500) + `"}`, "slack ends the socket", false},
		"10 MB":         {nil, enveloped("huge", strings.Repeat("x", 10<<20)), "slack: the socket", false},
		"used ticket":   {func(r *rig) { r.address = fixed(r.address("ticketsecret-used")) }, "", "403", false},
		"another host":  {func(r *rig) { r.address = fixed("wss://evil.example/?ticket=ticketsecret") }, "", "the socket is at evil.example, which is not below 127.0.0.1", true},
		"a like host":   {func(r *rig) { r.address = fixed("wss://evil127.0.0.1/?ticket=ticketsecret") }, "", "is not below", true},
		"no address":    {func(r *rig) { r.address = fixed("") }, "", "not one of wss", true},
		"nobody there":  {func(r *rig) { r.address = fixed("ws://127.0.0.1:1/?ticket=ticketsecret") }, "", "the socket", false},
		"no answer":     {func(r *rig) { r.mute, r.pings = true, 20*time.Millisecond }, "", "slack: the socket", false},
		"another place": {func(r *rig) { r.workspace = "T0OTHER" }, "", "the token is for the workspace T0123ABCD, and the settings say T0OTHER", true},
		"wrong token":   {func(r *rig) { r.appToken = "xapp-appsecret" }, "", "copy the token again", true},
	} {
		r := newRig(t)
		if row.before != nil {
			row.before(r)
		}
		done := make(chan error, 1)
		go func() { done <- r.Listen(t.Context(), r.hear) }()
		if row.send != "" {
			r.over(0, row.send)
		}
		select {
		case err := <-done:
			if err == nil || !strings.Contains(err.Error(), row.want) || lasts(err) != row.lasts || hasSecret(err.Error()) || len(err.Error()) > 500 {
				t.Errorf("%s: %v", name, err)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s: Listen does not end", name)
		}
	}
}

func fixed(address string) func(string) string { return func(string) string { return address } }

// A socket that ends at once, time after time, is an error.
func TestQuick(t *testing.T) {
	r := newRig(t)
	done := make(chan error, 1)
	go func() { done <- r.Listen(t.Context(), r.hear) }()
	for i := range maxQuick + 1 {
		eventually(t, "no socket", func() bool { _, ever := r.open(); return ever == i+1 })
		r.over(0, `{"type":"disconnect","reason":"warning"}`)
	}
	if err := <-done; err == nil || !strings.Contains(err.Error(), "ends each socket at once") {
		t.Error(err)
	}
}

// Redirects lead nowhere, neither of methods nor of the socket.
func TestElsewhere(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s was asked, with %v", r.URL, r.Header)
	}))
	defer elsewhere.Close()
	r := newRig(t)
	r.answers(func(_ string, w http.ResponseWriter, req *http.Request) bool {
		http.Redirect(w, req, elsewhere.URL+"/", http.StatusTemporaryRedirect)
		return true
	})
	if _, err := r.Post(t.Context(), asking()); !lasts(err) || !strings.Contains(err.Error(), "which is not followed") {
		t.Errorf("Post: %v", err)
	}
	r.answers(nil)
	r.address = fixed("ws" + strings.TrimPrefix(r.URL, "http") + "/api/away?ticket=ticketsecret")
	sends := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		http.Redirect(w, req, elsewhere.URL+"/", http.StatusFound)
	}))
	defer sends.Close()
	r.address = fixed("ws" + strings.TrimPrefix(sends.URL, "http") + "/?ticket=ticketsecret")
	if err := r.Listen(t.Context(), r.hear); err == nil || hasSecret(err.Error()) {
		t.Errorf("Listen: %v", err)
	}
}

// What Slack answers is an error of the right kind, in one line, without a secret.
func TestFailures(t *testing.T) {
	for _, row := range []struct {
		status int
		header string
		body   string
		want   string
		lasts  bool
		pause  time.Duration
	}{
		{429, "30", `{"ok":false,"error":"ratelimited"}`, "asked too often", false, 30 * time.Second},
		{429, "", "", "asked too often", false, time.Second},
		{429, "99999999999999", "", "asked too often", false, time.Hour},
		{200, "", `{"ok":false,"error":"rate_limited"}`, "asked too often", false, time.Second},
		{200, "", `{"ok":false,"error":"token_revoked"}`, "copy the token again", true, 0},
		{200, "", `{"ok":false,"error":"not_in_channel"}`, "/invite @", true, 0},
		{200, "", `{"ok":false,"error":"missing_scope","needed":"chat:write"}`, "the scope chat:write", true, 0},
		{200, "", `{"ok":false,"error":"invalid_blocks","response_metadata":{"messages":["[ERROR] too\nlong ` + botToken + `"]}}`, "[ERROR] too long ***", true, 0},
		{200, "", `{"ok":false,"error":"something_new"}`, "trying again does not help", true, 0},
		{200, "", `{"ok":false,"error":"internal_error"}`, "internal_error", false, 0},
		{500, "", `{"ok":false,"error":"fatal_error"}`, "fatal_error", false, 0},
		{502, "", "<html>" + botToken, "answers 502", false, 0},
		{200, "", "<html>" + botToken, "not what the Web API gives", false, 0},
		{200, "", "{}", "neither ok nor why not", false, 0},
		{200, "", `{"ok":true,"ts":5,"team_id":5}`, "not what the Web API gives", false, 0},
		{200, "", strings.Repeat(" ", 2<<20), "more than 1 MB", false, 0},
	} {
		r := newRig(t)
		r.answers(func(_ string, w http.ResponseWriter, _ *http.Request) bool {
			if row.header != "" {
				w.Header().Set("Retry-After", row.header)
			}
			w.WriteHeader(row.status)
			_, _ = io.WriteString(w, row.body)
			return true
		})
		_, posted := r.Post(t.Context(), asking())
		amended := r.Amend(t.Context(), room+"/1.1", asking())
		for i, err := range []error{posted, r.Listen(t.Context(), r.hear), amended} {
			if i == 2 && err == nil && strings.Contains(row.body, `"ok":true`) {
				continue // nothing of that answer is read
			}
			if err == nil || !strings.Contains(err.Error(), row.want) || hasSecret(err.Error()) || strings.Contains(err.Error(), "\n") || lasts(err) != row.lasts {
				t.Errorf("%d %.60s: %v", row.status, row.body, err)
			}
			pause, pauses := errors.AsType[*channel.Pause](err)
			if pauses != (row.pause > 0) || pauses && pause.For != row.pause {
				t.Errorf("%d %.60s: %#v", row.status, row.body, err)
			}
		}
	}
}

// A context that is done ends everything at once.
func TestCancelled(t *testing.T) {
	r := newRig(t)
	began := time.Now()
	for _, app := range []string{appToken, ""} {
		r.appToken = app
		listening, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
		if err := r.Listen(listening, r.hear); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Listen: %v", err)
		}
		stop()
	}
	hold := make(chan struct{})
	defer close(hold)
	r.answers(func(string, http.ResponseWriter, *http.Request) bool { <-hold; return true })
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := r.Post(ctx, asking()); !errors.Is(err, context.Canceled) || hasSecret(err.Error()) {
		t.Errorf("Post: %v", err)
	}
	if err := r.Amend(ctx, room+"/1.1", asking()); !errors.Is(err, context.Canceled) {
		t.Errorf("Amend: %v", err)
	}
	if d := time.Since(began); d > 3*time.Second {
		t.Errorf("it took %s", d)
	}
}

// What a stop interrupts is not acknowledged, and is heard when it comes again.
func TestInterrupted(t *testing.T) {
	r := newRig(t)
	_, ts := r.posts(t, asking())
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- r.Listen(ctx, func(ctx context.Context, a channel.Answer) channel.Reply {
			cancel()
			<-ctx.Done()
			return channel.Reply{}
		})
	}()
	press := enveloped("cut", pressing("U0ALICE", ts, token(1), "1.1"))
	r.over(0, press)
	if err := <-done; !errors.Is(err, context.Canceled) || r.acknowledged("cut") != 0 {
		t.Errorf("%v, %d", err, r.acknowledged("cut"))
	}
	eventually(t, "the socket stays", func() bool { now, _ := r.open(); return now == 0 })
	r.listens(t)
	r.over(0, press)
	eventually(t, "it is not heard", func() bool { return len(r.answersHeard()) == 1 && r.acknowledged("cut") == 1 })
}

func TestOptions(t *testing.T) {
	good := Options{Token: botToken, AppToken: appToken, Secret: testKey, Workspace: workspace, Channel: room}
	for _, row := range []struct {
		change func(o *Options)
		want   string // "" for no error
	}{
		{func(*Options) {}, ""},
		{func(o *Options) { o.AppToken = "" }, ""},
		{func(o *Options) { o.Secret = "" }, ""},
		{func(o *Options) { o.API = "https://slack-gov.com/api/" }, ""},
		{func(o *Options) { o.AppToken, o.Secret = "", "" }, "nothing says how presses are heard"},
		{func(o *Options) { o.Token = "" }, "the token is not that of a bot"},
		{func(o *Options) { o.Token = appToken }, "the token is not that of a bot"},
		{func(o *Options) { o.Token = botToken + "\n" }, "the token is not that of a bot"},
		{func(o *Options) { o.AppToken = botToken }, "the app token is none"},
		{func(o *Options) { o.Secret = "short-secret" }, "the signing secret is none"},
		{func(o *Options) { o.Workspace = "example" }, "is not the id of a workspace"},
		{func(o *Options) { o.Channel = "#approvals" }, "a name is none"},
		{func(o *Options) { o.API = "http://slack.example.com/api" }, "others can read the token"},
		{func(o *Options) { o.API = "https://u:p@slack.com/api" }, "leave them out"},
		{func(o *Options) { o.API = "slack.com" }, "api is no address"},
	} {
		o := good
		row.change(&o)
		_, err := New(o)
		if (err == nil) != (row.want == "") || err != nil && (!strings.Contains(err.Error(), row.want) || hasSecret(err.Error())) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	good.Secret = ""
	d, err := New(good)
	if err != nil {
		t.Fatal(err)
	}
	if d.Repeats() || d.Webhook(nil) != nil || d.api.mayDial("wss://wss-primary.slack.com/link/?ticket=x") != nil || d.api.mayDial("ws://wss-primary.slack.com/") == nil || d.api.mayDial("wss://evilslack.com/") == nil {
		t.Error("the driver of the service itself")
	}
	for _, ref := range []string{"", "1.1", "C0OTHER/1.1", room + "/"} {
		if err := d.Amend(t.Context(), ref, asking()); !lasts(err) || !strings.Contains(err.Error(), "is not in the channel") {
			t.Errorf("%q: %v", ref, err)
		}
	}
}
