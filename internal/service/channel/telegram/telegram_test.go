package telegram

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/policyctl/policyctl/internal/service/channel"
)

const alice = 4242

// A rig is a driver at a stand-in, that is listened to as the dispatcher does: again
// after an error.
type rig struct {
	*Driver
	*standIn
	logs lockedBuffer

	mu    sync.Mutex
	now   time.Time
	heard []channel.Answer
	reply func(a channel.Answer) channel.Reply
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

func newRig(t *testing.T) *rig {
	r := &rig{standIn: newStandIn(t), now: time.Now()}
	d, err := New(Options{
		Token: testToken, Chat: strconv.Itoa(testChat), API: r.URL, Log: slog.New(slog.NewTextHandler(&r.logs, nil)),
		Now: func() time.Time { r.mu.Lock(); defer r.mu.Unlock(); return r.now },
	})
	if err != nil {
		t.Fatal(err)
	}
	r.Driver = d
	t.Cleanup(func() {
		if strings.Contains(r.logs.String(), testToken) || strings.Contains(r.logs.String(), "AAEhBO") {
			t.Errorf("the token is in the log:\n%s", r.logs.String())
		}
	})
	return r
}

// listens listens until the test ends.
func (r *rig) listens(t *testing.T) (stop func()) {
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
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}

func (r *rig) hear(_ context.Context, a channel.Answer) channel.Reply {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.heard = append(r.heard, a)
	if r.reply != nil {
		return r.reply(a)
	}
	return channel.Reply{Text: "Approved.", Done: true}
}

func (r *rig) answersHeard() []channel.Answer {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]channel.Answer{}, r.heard...)
}

func (r *rig) passes(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now = r.now.Add(d)
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 4000 {
		if holds() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal(what)
}

func token(n int) string { return fmt.Sprintf("tok-%039d", n) }

// asking is a request with all five buttons.
func asking() *channel.Message {
	return &channel.Message{
		ID: "dlv_1", Request: "req_abc", Link: "https://desk.example.com/ui/requests/req_abc",
		Head: "[APPROVAL REQUIRED]", Command: "git push origin main", Risk: "medium",
		Fields: []channel.Field{{Name: "Tool", Value: "bash"}, {Name: "Directory", Value: "/home/dev/project"}, {Name: "Empty"}},
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

func (r *rig) posts(t *testing.T, m *channel.Message) (ref string, id int64) {
	t.Helper()
	ref, err := r.Post(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	_, number, _ := strings.Cut(ref, "/")
	if id, err = strconv.ParseInt(number, 10, 64); err != nil {
		t.Fatal(err)
	}
	return ref, id
}

// A request arrives with its buttons, one press is heard, and the message becomes one
// line without buttons.
func TestRequest(t *testing.T) {
	r := newRig(t)
	ref, id := r.posts(t, asking())
	m := r.message(id)
	const want = "[APPROVAL REQUIRED]\n\n│ git push origin main\n\nTool: bash\nDirectory: /home/dev/project\nEmpty: \nhttps://desk.example.com/ui/requests/req_abc\nRequest req_abc"
	if m.Text != want || m.Preview {
		t.Errorf("it says %q, preview %t", m.Text, m.Preview)
	}
	layout := ""
	for _, row := range m.Keyboard.Rows {
		for _, b := range row {
			layout += fmt.Sprintf("[%s %s %s]", b.Text, b.Style, b.Data)
		}
		layout += "\n"
	}
	if layout != "[Once primary "+token(1)+"][This chat  "+token(2)+"]\n[Always here  "+token(3)+"][Always anywhere danger ?"+token(4)+"]\n[Deny danger "+token(5)+"]\n" {
		t.Errorf("the buttons are\n%s", layout)
	}
	r.listens(t)
	r.presses("cb1", alice, id, token(1))
	eventually(t, "nobody is told", func() bool { _, there := r.toast("cb1"); return there })
	if a := r.answersHeard(); len(a) != 1 || a[0] != (channel.Answer{Sender: "4242", Place: "4711", Token: token(1)}) {
		t.Errorf("heard %+v", a)
	}
	if text, _ := r.toast("cb1"); text != "Approved." {
		t.Errorf("the toast says %q", text)
	}
	ended := &channel.Message{Request: "req_abc", Outcome: "Approved by phone:alice: git push origin main, once"}
	for range 2 { // the second time it says so already
		if err := r.Amend(t.Context(), ref, ended); err != nil {
			t.Fatal(err)
		}
	}
	if m := r.message(id); m.Text != ended.Outcome || m.Keyboard != nil {
		t.Errorf("it ends as %+v", m)
	}
	eventually(t, "the update is never acknowledged", func() bool { return r.waiting() == 0 })
}

// What a command holds arrives as text: Telegram makes no mention, no command and no
// link of it.
func TestLiteral(t *testing.T) {
	r := newRig(t)
	for _, text := range []string{
		"echo @everyone *bold* _it_ `code` [x](https://evil.example) <b>x</b>",
		"curl https://evil.example/x tg://user?id=1 #tag $USD",
		"/approve req_abc", "echo \u202e gnp.exe \u2066 x", "😀 echo 😀", "a\x00b\xff",
	} {
		m := asking()
		m.Command, m.Fields = text, []channel.Field{{Name: "Arguments", Value: text}}
		_, id := r.posts(t, m)
		got := r.message(id)
		sent := strings.ToValidUTF8(text, "\uFFFD")
		if len(got.Entities) != 3 || got.Entities[0].Type != "pre" || got.part(got.Entities[0]) != "│ "+sent ||
			got.Entities[1].Type != "code" || got.part(got.Entities[1]) != sent || got.part(got.Entities[2]) != "req_abc" {
			t.Errorf("%q arrives as %q with %+v", text, got.Text, got.Entities)
		}
		if err := r.Amend(t.Context(), fmt.Sprintf("%d/%d", testChat, id), &channel.Message{Outcome: text}); err != nil {
			t.Error(err)
		}
		if got := r.message(id); len(got.Entities) != 1 || got.part(got.Entities[0]) != got.Text || strings.Contains(got.Text, "\n") {
			t.Errorf("%q ends as %+v", text, got)
		}
	}
}

// No line of a command passes for one of ours, whether it looks like a field, a link, the
// mark of a request or the whole end of a message.
func TestForgedLines(t *testing.T) {
	r := newRig(t)
	for _, command := range []string{
		"make\n\nTool: read\nRisk: low", "https://evil.example/ui/requests/req_abc", "Request req_evil", "make\nRequest req_evil", "make\n\n[DENIED]\ndenied by bob",
		"a\rb\u2028c\u2029d\u0085e", strings.Repeat("x\n", 39) + "To approve: it is harmless",
	} {
		m := asking()
		m.Command, m.Held = command, "one press approves up to low risk here (one_tap), and this is of medium risk"
		_, id := r.posts(t, m)
		text := r.message(id).Text
		quoted, rest, found := strings.Cut(strings.TrimPrefix(text, m.Head+"\n\n"), "\n\nTool: bash\n")
		if !found || !strings.HasSuffix(rest, "\nTo approve: "+m.Held+"\n"+m.Link+"\nRequest req_abc") {
			t.Errorf("%q arrives as %q", command, text)
		}
		for line := range strings.Lines(quoted) {
			if !strings.HasPrefix(line, "│ ") {
				t.Errorf("%q has the line %q", command, line)
			}
		}
	}
}

// A message that is too long is cut, says so, and keeps its link and its request.
func TestLong(t *testing.T) {
	r := newRig(t)
	for _, filler := range []string{"x", "😀", "ä ", "\U0001F468\u200d"} {
		m := asking()
		m.Command = strings.Repeat(filler, 1000)
		m.Fields = append(m.Fields, channel.Field{Name: "Why", Value: strings.Repeat(filler, 5000)}, channel.Field{Name: "Behind", Value: "x"})
		_, id := r.posts(t, m)
		got := r.message(id)
		if n := len(utf16.Encode([]rune(got.Text))); n > 4096 || n < 4000 || !strings.HasSuffix(got.Text, "\ncut: the rest is on the page\n"+m.Link+"\nRequest req_abc") || strings.Contains(got.Text, "Behind") || strings.Contains(got.Text, "\uFFFD") {
			t.Errorf("%d units, which end in %q", n, got.Text[len(got.Text)-200:])
		}
		if last := got.Entities[len(got.Entities)-1]; got.part(last) != "req_abc" {
			t.Errorf("the last entity is %q", got.part(last))
		}
	}
	ref, id := r.posts(t, asking())
	if err := r.Amend(t.Context(), ref, &channel.Message{Outcome: strings.Repeat("x ", 9000)}); err != nil || len(r.message(id).Text) > 4096 {
		t.Errorf("a long outcome: %v", err)
	}
}

// Pages that only this network knows are no buttons of Telegram: they are told as text.
func TestLocalPage(t *testing.T) {
	r := newRig(t)
	m := asking()
	m.Link = "http://localhost:8080/ui/requests/req_abc"
	m.Buttons = []channel.Button{{Label: "Open", URL: m.Link}, {Label: "Always anywhere", URL: m.Link + "?scope=any"}, {Label: "Deny", Token: token(5)}}
	_, id := r.posts(t, m)
	got := r.message(id)
	if !strings.Contains(got.Text, "\n"+m.Link+"\nAlways anywhere: "+m.Link+"?scope=any\nRequest") || len(got.Keyboard.Rows) != 1 || got.Keyboard.Rows[0][0].Text != "Deny" {
		t.Errorf("%q %+v", got.Text, got.Keyboard)
	}
	m.Link = "https://desk.example.com/x"
	m.Buttons[0].URL, m.Buttons[1].URL = m.Link, m.Link
	_, id = r.posts(t, m)
	if got := r.message(id); got.Keyboard.Rows[0][0].URL != m.Link || got.Keyboard.Rows[0][0].Data != "" {
		t.Errorf("%+v", got.Keyboard)
	}
}

// A button with a sentence counts when the same person presses it again.
func TestConfirm(t *testing.T) {
	r := newRig(t)
	_, id := r.posts(t, asking())
	r.listens(t)
	press := func(callback string, who int64) string {
		r.presses(callback, who, id, "?"+token(4))
		eventually(t, "nobody is told", func() bool { _, there := r.toast(callback); return there })
		text, _ := r.toast(callback)
		return text
	}
	const question = "!Allow git push in every directory for good? Press Always anywhere again within a minute to confirm."
	for i, step := range []struct {
		who  int64
		wait time.Duration
		want string
	}{
		{alice, 0, question},
		{alice, 100 * time.Millisecond, question}, // a double press
		{7, 2 * time.Second, question},            // somebody else
		{alice, time.Second, "Approved."},
		{alice, time.Second, question},
		{alice, 2 * time.Minute, question}, // too late
	} {
		r.passes(step.wait)
		if got := press("c"+strconv.Itoa(i), step.who); got != step.want {
			t.Errorf("press %d: %q", i, got)
		}
	}
	if a := r.answersHeard(); len(a) != 1 || a[0].Token != token(4) || a[0].Sender != "4242" {
		t.Errorf("heard %+v", a)
	}
	r.second = confirmations{} // as after a start
	if got := press("again", alice); got != "!Always anywhere? Press Always anywhere again within a minute to confirm." {
		t.Errorf("without the sentence: %q", got)
	}
}

// What is remembered for confirmations is bounded.
func TestConfirmationsBounded(t *testing.T) {
	var c confirmations
	now := time.Now()
	for i := range 3 * maxSentences {
		c.remember([]channel.Button{{Token: token(i), Confirm: strings.Repeat("x", 500)}})
		c.sure(press{int64(i), "forged"}, "", now)
	}
	if len(c.sentences) != maxSentences || len(c.order) != maxSentences || len(c.asked) > maxSentences {
		t.Errorf("%d, %d and %d are remembered", len(c.sentences), len(c.order), len(c.asked))
	}
	if q, _ := c.sure(press{1, token(3*maxSentences - 1)}, strings.Repeat("l", 500), now); len([]rune(q)) != maxToast {
		t.Errorf("the question has %d runes", len([]rune(q)))
	}
}

func TestParse(t *testing.T) {
	for _, row := range []struct {
		text string
		want command
		ok   bool
	}{
		{"/approve req_1", command{word: "approve", request: "req_1"}, true},
		{"  /deny req_1  reason:  too broad\nreally ", command{word: "deny", request: "req_1", reason: "too broad\nreally"}, true},
		{"/deny req_1 too broad", command{word: "deny", request: "req_1", reason: "too broad"}, true},
		{"/deny reason: no", command{word: "deny", reason: "no"}, true},
		{"/deny Reason:no", command{word: "deny", reason: "no"}, true},
		{"/deny", command{word: "deny"}, true},
		{"/deny@policybot req_1", command{word: "deny", request: "req_1"}, true},
		{"/deny@otherbot req_1", command{}, false},
		{"/start", command{word: "start"}, true},
		{"/approve !!! no", command{word: "approve", request: "!!!", reason: "no", wrong: true}, true},
		{"/approve " + strings.Repeat("x", 65), command{word: "approve", request: strings.Repeat("x", 65), wrong: true}, true},
		{"/approved req_1", command{}, false}, {"/Approve req_1", command{}, false}, {"please /approve req_1", command{}, false},
		{"approve req_1", command{}, false}, {"", command{}, false}, {"/", command{}, false},
	} {
		if got, ok := parse(row.text, "PolicyBot"); got != row.want || ok != row.ok {
			t.Errorf("%q: %+v %t", row.text, got, ok)
		}
	}
}

// Commands are heard as messages and as replies, and answered.
func TestWritten(t *testing.T) {
	r := newRig(t)
	_, id := r.posts(t, asking())
	ours := map[string]any{"message_id": id, "from": map[string]any{"id": testBot}, "chat": map[string]any{"id": testChat}, "text": r.message(id).Text}
	theirs := map[string]any{"message_id": 3, "from": map[string]any{"id": 7}, "chat": map[string]any{"id": testChat}, "text": "Request req_abc"}
	r.reply = func(a channel.Answer) channel.Reply { return channel.Reply{Text: "Denied @ann.", Done: true} }
	r.listens(t)
	for _, row := range []struct {
		text  string
		reply map[string]any
		want  channel.Answer // zero where nothing is heard
		said  string
	}{
		{"/deny req_abc reason: use main", nil, channel.Answer{Request: "req_abc", Reason: "use main"}, "Denied @ann."},
		{"/approve req_abc", nil, channel.Answer{Request: "req_abc", Approve: true}, "Denied @ann."},
		{"/deny reason: no", ours, channel.Answer{Request: "req_abc", Reason: "no"}, "Denied @ann."},
		{"/approve", ours, channel.Answer{Request: "req_abc", Approve: true}, "Denied @ann."},
		{"/approve", theirs, channel.Answer{}, "Write /approve and the id"},
		{"/approve ?? no", ours, channel.Answer{}, "Write /approve and the id"},
		{"/deny", nil, channel.Answer{}, "Write /deny and the id"},
		{"/start", nil, channel.Answer{}, "Requests of policyctl come here."},
	} {
		before, sent := len(r.answersHeard()), r.calledOf("sendMessage")
		var more map[string]any
		if row.reply != nil {
			more = map[string]any{"reply_to_message": row.reply}
		}
		r.writes(alice, row.text, more)
		eventually(t, row.text+": no answer", func() bool { return r.calledOf("sendMessage") > sent && r.waiting() == 0 })
		if m := r.last(); !strings.HasPrefix(m.Text, row.said) || m.Reply != 5 || len(m.Entities) != 1 || m.part(m.Entities[0]) != m.Text {
			t.Errorf("%q is answered by %+v", row.text, m)
		}
		heard := r.answersHeard()[before:]
		if row.want == (channel.Answer{}) {
			if len(heard) != 0 {
				t.Errorf("%q: heard %+v", row.text, heard)
			}
			continue
		}
		row.want.Sender, row.want.Place = "4242", "4711"
		if len(heard) != 1 || heard[0] != row.want {
			t.Errorf("%q: heard %+v", row.text, heard)
		}
	}
}

func (s *standIn) calledOf(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[method]
}

// What does not come from a person in the chat is not heard, and it is logged.
func TestForged(t *testing.T) {
	r := newRig(t)
	_, id := r.posts(t, asking())
	r.listens(t)
	from, here := map[string]any{"id": alice}, map[string]any{"id": testChat}
	there := map[string]any{"id": 666}
	for name, what := range map[string]map[string]any{
		"another chat":    {"from": from, "message": map[string]any{"message_id": id, "chat": there}, "data": token(1)},
		"inline":          {"from": from, "inline_message_id": "x", "data": token(1)},
		"a program":       {"from": map[string]any{"id": alice, "is_bot": true}, "message": map[string]any{"chat": here}, "data": token(1)},
		"nobody":          {"message": map[string]any{"chat": here}, "data": token(1)},
		"no data":         {"from": from, "message": map[string]any{"chat": here}},
		"long data":       {"from": from, "message": map[string]any{"chat": here}, "data": strings.Repeat("x", 65)},
		"wrong types":     {"from": "alice", "message": map[string]any{"chat": here}, "data": token(1)},
		"wrong data type": {"from": from, "message": map[string]any{"chat": here}, "data": []any{token(1)}},
	} {
		what["id"] = "cb " + name
		r.says("callback_query", what)
		eventually(t, name+" stays", func() bool { return r.waiting() == 0 })
		if text, told := r.toast("cb " + name); told && !strings.HasPrefix(text, "!Nothing was decided: ") {
			t.Errorf("%s: %q", name, text)
		}
	}
	for name, more := range map[string]map[string]any{
		"another chat":     {"chat": there},
		"as the group":     {"sender_chat": here},
		"by a channel":     {"from": nil},
		"a program":        {"from": map[string]any{"id": alice, "is_bot": true}},
		"through one":      {"via_bot": map[string]any{"id": 7, "is_bot": true}},
		"forwarded":        {"forward_origin": map[string]any{"type": "user"}},
		"edited elsewhere": {"chat": map[string]any{"id": -testChat}},
	} {
		r.writes(alice, "/approve req_abc", more)
		eventually(t, name+" stays", func() bool { return r.waiting() == 0 })
	}
	if a := r.answersHeard(); len(a) != 0 {
		t.Errorf("heard %+v", a)
	}
	for _, want := range []string{"pressed in the chat 666", "no person pressed it", "in the name of a chat", "it is forwarded", "a program wrote it", "cannot be read", "sender=4242"} {
		if !strings.Contains(r.logs.String(), want) {
			t.Errorf("the log does not say %q:\n%s", want, r.logs.String())
		}
	}
}

// Presses arrive twice, in any order and late: each is handed on once, and what becomes
// of it is what the reply says.
func TestDuplicates(t *testing.T) {
	r := newRig(t)
	_, id := r.posts(t, asking())
	used := map[string]bool{}
	r.reply = func(a channel.Answer) channel.Reply {
		if used[a.Token] {
			return channel.Reply{Text: "This button was used.", Refused: true}
		}
		used[a.Token] = true
		return channel.Reply{Text: "Approved.", Done: true}
	}
	r.presses("late", alice, id, token(5))
	r.presses("early", alice, id, token(1))
	r.presses("twice", alice, id, token(1))
	broken := true
	r.answers(func(method string, w http.ResponseWriter, _ *http.Request) bool {
		if method != "answerCallbackQuery" || !broken {
			return false
		}
		broken = false
		fail(w, 400, "Bad Request: query is too old and response timeout expired or query ID is invalid", nil)
		return true
	})
	r.listens(t)
	eventually(t, "not all are heard", func() bool { return r.waiting() == 0 && len(r.answersHeard()) == 3 })
	if a := r.answersHeard(); a[0].Token != token(5) || a[1].Token != token(1) || a[2].Token != token(1) {
		t.Errorf("heard %+v", a)
	}
	if text, _ := r.toast("twice"); text != "!This button was used." {
		t.Errorf("the second press is told %q", text)
	}
	if !strings.Contains(r.logs.String(), "was not told what came of it") {
		t.Errorf("the log says\n%s", r.logs.String())
	}
}

// What a stop interrupts is not acknowledged, and comes again.
func TestInterrupted(t *testing.T) {
	r := newRig(t)
	_, id := r.posts(t, asking())
	r.presses("cb", alice, id, token(1))
	ctx, cancel := context.WithCancel(t.Context())
	err := r.Listen(ctx, func(ctx context.Context, a channel.Answer) channel.Reply {
		cancel()
		return channel.Reply{}
	})
	if !errors.Is(err, context.Canceled) || r.waiting() != 1 {
		t.Errorf("%v, and %d wait", err, r.waiting())
	}
	r.listens(t)
	eventually(t, "it does not come again", func() bool { return len(r.answersHeard()) == 1 && r.waiting() == 0 })
}

// Telegram is away and comes back, with lower numbers of updates after a quiet time.
func TestRestart(t *testing.T) {
	r := newRig(t)
	_, id := r.posts(t, asking())
	stop := r.listens(t)
	r.presses("one", alice, id, token(1))
	eventually(t, "the first is not heard", func() bool { return len(r.answersHeard()) == 1 && r.waiting() == 0 })
	r.answers(func(_ string, w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(502)
		_, _ = io.WriteString(w, "<html>Bad Gateway "+testToken)
		return true
	})
	r.CloseClientConnections()
	eventually(t, "Listen does not end", func() bool { r.mu.Lock(); defer r.mu.Unlock(); return len(r.ends) > 2 })
	r.mu.Lock()
	if err := r.ends[len(r.ends)-1]; !strings.HasSuffix(err.Error(), "answers 502") || lasts(err) {
		t.Errorf("Listen ends with %v", err)
	}
	r.mu.Unlock()
	r.answers(nil)
	r.presses("two", alice, id, token(2))
	eventually(t, "the second is not heard", func() bool { return len(r.answersHeard()) == 2 && r.waiting() == 0 })
	stop()
	r.offset.Store(0) // what an empty answer does
	r.standIn.mu.Lock()
	r.nextUp = 10
	r.standIn.mu.Unlock()
	r.presses("three", alice, id, token(3))
	r.listens(t)
	eventually(t, "the third is not heard", func() bool { return len(r.answersHeard()) == 3 })
}

// An empty answer means that everything before is acknowledged, so the next question
// names no update.
func TestQuiet(t *testing.T) {
	r := newRig(t)
	var offsets []string
	ctx, cancel := context.WithCancel(t.Context())
	r.answers(func(method string, w http.ResponseWriter, req *http.Request) bool {
		if method != "getUpdates" {
			return false
		}
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Error(err)
		}
		offsets = append(offsets, string(body))
		switch len(offsets) {
		case 1:
			succeed(w, []any{map[string]any{"update_id": 500}})
		case 2:
			succeed(w, []any{})
		default:
			cancel()
			<-req.Context().Done()
		}
		return true
	})
	if err := r.Listen(ctx, r.hear); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if len(offsets) != 3 || strings.Contains(offsets[0], "offset") || !strings.Contains(offsets[1], `"offset":501`) || strings.Contains(offsets[2], "offset") {
		t.Errorf("asked with %q", offsets)
	}
}

// A press of 10 MB is passed over, and those around it are heard.
func TestHuge(t *testing.T) {
	r := newRig(t)
	_, id := r.posts(t, asking())
	r.presses("before", alice, id, token(1))
	r.says("message", map[string]any{"message_id": 1, "chat": map[string]any{"id": testChat}, "text": "/approve req_abc " + strings.Repeat("x", 10<<20)})
	r.presses("behind", alice, id, token(2))
	r.listens(t)
	eventually(t, "those around are not heard", func() bool { return len(r.answersHeard()) == 2 && r.waiting() == 0 })
	if !strings.Contains(r.logs.String(), "is not heard: it is too long") {
		t.Errorf("the log says\n%s", r.logs.String())
	}
}

// A second poller is a clear error that may pass, a webhook one that lasts.
func TestConflict(t *testing.T) {
	r := newRig(t)
	first := make(chan error, 1)
	go func() { first <- r.Listen(t.Context(), r.hear) }()
	eventually(t, "nobody asks", func() bool { r.standIn.mu.Lock(); defer r.standIn.mu.Unlock(); return r.poll != nil })
	second, err := New(Options{Token: testToken, Chat: "4711", API: r.URL})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { _ = second.Listen(ctx, r.hear) }()
	if err := <-first; !strings.Contains(err.Error(), "perhaps a second policyctl serve") || lasts(err) {
		t.Errorf("a second poller: %v", err)
	}
	cancel()
	r.standIn.mu.Lock()
	r.hook = "https://elsewhere.example"
	r.standIn.mu.Unlock()
	if err := r.Listen(t.Context(), r.hear); !lasts(err) || !strings.Contains(err.Error(), "call deleteWebhook") {
		t.Errorf("a webhook: %v", err)
	}
}

func lasts(err error) bool {
	_, ok := errors.AsType[*channel.Refusal](err)
	return ok
}

// What Telegram answers is an error of the right kind, in one line, without the token.
func TestFailures(t *testing.T) {
	for _, row := range []struct {
		code       int
		text       string
		parameters map[string]any
		want       string
		lasts      bool
		pause      time.Duration
	}{
		{401, "Unauthorized", nil, "@BotFather", true, 0},
		{404, "Not Found", nil, "@BotFather", true, 0},
		{403, "Forbidden: bot was blocked by the user", nil, "start the bot", true, 0},
		{400, "Bad Request: chat not found", nil, "write to the bot first", true, 0},
		{400, "Bad Request: group chat was upgraded to a supergroup chat", map[string]any{"migrate_to_chat_id": -1001234567890}, `write chat: "-1001234567890"`, true, 0},
		{400, "Bad Request: " + testToken + "\nlevel=ERROR \u202e" + strings.Repeat("y", 5000), nil, "***  level=ERROR", false, 0},
		{429, "Too Many Requests: retry after 7", map[string]any{"retry_after": 7}, "retry after 7", false, 7 * time.Second},
		{429, "Too Many Requests", nil, "Too Many", false, time.Second},
		{429, "Too Many Requests", map[string]any{"retry_after": 1 << 60}, "Too Many", false, time.Hour},
		{500, "Internal Server Error", nil, "(500)", false, 0},
	} {
		r := newRig(t)
		r.answers(func(_ string, w http.ResponseWriter, _ *http.Request) bool {
			fail(w, row.code, row.text, row.parameters)
			return true
		})
		_, posted := r.Post(t.Context(), asking())
		amended := r.Amend(t.Context(), "4711/1", asking())
		for _, err := range []error{posted, amended, r.Listen(t.Context(), r.hear)} {
			want := strings.Join(strings.Fields(row.want), " ")
			if err == nil || !strings.Contains(strings.Join(strings.Fields(err.Error()), " "), want) || strings.Contains(err.Error(), "AAEhBO") || strings.ContainsAny(err.Error(), "\n\u202e") || len(err.Error()) > 600 {
				t.Errorf("%d %.40s: %v", row.code, row.text, err)
				continue
			}
			pause, pauses := errors.AsType[*channel.Pause](err)
			if pauses != (row.pause > 0) || pauses && pause.For != row.pause || row.lasts && !lasts(err) || row.code >= 429 && lasts(err) {
				t.Errorf("%d %.40s: %#v", row.code, row.text, err)
			}
		}
	}
}

// Nothing goes where Telegram sends it elsewhere, and what is not Telegram is an error.
func TestElsewhere(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s was asked, with %v", r.URL, r.Header)
	}))
	defer elsewhere.Close()
	for name, row := range map[string]struct {
		answer http.HandlerFunc
		want   string
		lasts  bool
	}{
		"redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL+r.URL.Path, http.StatusTemporaryRedirect)
		}, "sends elsewhere (307), which is not followed", true},
		"no JSON":    {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") }, "not what the Bot API gives", false},
		"other JSON": {func(w http.ResponseWriter, _ *http.Request) { succeed(w, "text") }, "not what the Bot API gives", false},
		"endless": {func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 1<<20)); err != nil {
					return
				}
			}
		}, "more than 4 MB", false},
	} {
		s := httptest.NewServer(row.answer)
		d, err := New(Options{Token: testToken, Chat: "4711", API: s.URL, HTTP: &http.Client{}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = d.Post(t.Context(), asking())
		s.Close()
		if err == nil || !strings.Contains(err.Error(), row.want) || lasts(err) != row.lasts || strings.Contains(err.Error(), "AAEhBO") {
			t.Errorf("%s: %v", name, err)
		}
		_, err = d.Post(t.Context(), asking())
		if err == nil || strings.Contains(err.Error(), "AAEhBO") || lasts(err) {
			t.Errorf("%s, nobody there: %v", name, err)
		}
	}
}

// A context that is done ends everything at once.
func TestCancelled(t *testing.T) {
	r := newRig(t)
	hold := make(chan struct{})
	defer close(hold)
	listening, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	began := time.Now()
	if err := r.Listen(listening, r.hear); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Listen: %v", err)
	}
	r.answers(func(string, http.ResponseWriter, *http.Request) bool { <-hold; return true })
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := r.Post(ctx, asking()); !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "AAEhBO") {
		t.Errorf("Post: %v", err)
	}
	if err := r.Amend(ctx, "4711/1", asking()); !errors.Is(err, context.Canceled) {
		t.Errorf("Amend: %v", err)
	}
	if d := time.Since(began); d > 2*time.Second {
		t.Errorf("it took %s", d)
	}
}

func TestOptions(t *testing.T) {
	good := Options{Token: testToken, Chat: "-1001234567890"}
	for _, row := range []struct {
		change func(o *Options)
		want   string // "" for no error
	}{
		{func(*Options) {}, ""},
		{func(o *Options) { o.API = "https://bots.example.com/telegram/" }, ""},
		{func(o *Options) { o.API = "http://127.0.0.1:8081" }, ""},
		{func(o *Options) { o.API = "http://[::1]:8081" }, ""},
		{func(o *Options) { o.Token = "" }, "the token is missing"},
		{func(o *Options) { o.Token = testToken + "\n" }, "the token is not one of a bot"},
		{func(o *Options) { o.Token = "123456:../../x?y=zzzzzzzzzzzzzzzzzz" }, "the token is not one of a bot"},
		{func(o *Options) { o.Chat = "" }, `chat "" is not the number`},
		{func(o *Options) { o.Chat = "@group" }, "is not the number"},
		{func(o *Options) { o.Chat = "+5" }, "is not the number"},
		{func(o *Options) { o.Chat = "0" }, "is not the number"},
		{func(o *Options) { o.API = "http://bots.example.com" }, "others can read the token"},
		{func(o *Options) { o.API = "https://u:p@bots.example.com" }, "leave them out"},
		{func(o *Options) { o.API = "ftp://x" }, "api is no address"},
		{func(o *Options) { o.API = "https://" }, "api is no address"},
	} {
		o := good
		row.change(&o)
		_, err := New(o)
		if (err == nil) != (row.want == "") || err != nil && (!strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), "AAEhBO")) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	d, err := New(good)
	if err != nil {
		t.Fatal(err)
	}
	if d.Repeats() || d.Webhook(nil) != nil || !strings.HasPrefix(d.api.base, "https://api.telegram.org/bot") {
		t.Errorf("%t %s", d.Repeats(), d.api.base)
	}
	for _, ref := range []string{"", "1", "4711/1", "-1001234567890/x", "-1001234567890/"} {
		if err := d.Amend(t.Context(), ref, asking()); !lasts(err) || !strings.Contains(err.Error(), "is not in the chat") {
			t.Errorf("%q: %v", ref, err)
		}
	}
}
