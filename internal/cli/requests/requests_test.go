package requests

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// asked returns a request for a command, with ways to approve it.
func asked(t *testing.T, id, command string, offers ...approval.Offer) *approval.Request {
	t.Helper()
	c := policy.Shell(command, "/srv/app")
	call, err := policy.EncodeCall(c)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	return &approval.Request{
		ID: id, State: approval.Pending, Kind: approval.KindCall, Submitter: "uid:1000", Call: call, Tool: "shell", Dir: "/srv/app",
		Title: "shell: " + command, Offers: append([]approval.Offer{{Scope: approval.Once, Stores: []string{}}}, offers...),
		OnTimeout: approval.TimedOut, Created: now, Expires: now.Add(time.Minute),
	}
}

func shown(r *approval.Request) string { return shownIn(r, 0) }

// shownIn returns a request as it is shown in so many columns.
func shownIn(r *approval.Request, width int) string {
	var b bytes.Buffer
	page := &console.Sheet{Page: render.NewPage(&b)}
	page.Width = width
	showRequest(page, &approval.Detail{Request: r}, r.Created)
	_ = page.Close()
	return b.String()
}

// What the submitter says of its call stands behind what the service finds.
func TestShowJudged(t *testing.T) {
	r := &approval.Request{ID: "req_1", State: approval.Pending, Tool: "shell", Offers: []approval.Offer{{Scope: approval.Once}}}
	r.Asked = approval.Asked{Stage: "confirm", Why: "it only reads"}
	r.Judged = &approval.Judged{Decision: "ask", Stage: "confirm", Why: "deletes what it can reach"}
	out := shown(r)
	for _, want := range []string{"What the service finds\ndecision   ask\n", "why        deletes what it can reach\n\nWhat asks, says the submitter\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// A request is shown whole, and nothing that it holds looks like something else.
func TestShowRequest(t *testing.T) {
	long := strings.Repeat("echo aaaaaaaaaaaaaaaa; ", 20_000) + "rm -rf /end"
	if got := shown(asked(t, "req_1", long)); !strings.Contains(got, "  | "+long+"\n") {
		t.Error("a long command is clipped")
	}
	r := asked(t, "req_1", "ls\n\nChoices\n  once  stores nothing\r\x1b[2J\u202e\u2066x")
	r.Asked = approval.Asked{Stage: "rules", Rule: "no-x", Why: "why\x1b[31m\nnot", Origin: "user policy.yaml:3", Span: &[2]int{0, 2}, Approver: "ada"}
	r.Agent, r.Session = "evil\nstate  APPROVED", "s\r"
	got := shown(r)
	for _, want := range []string{
		"  | ls\n  |\n  | Choices\n  |   once  stores nothing\\r\\x1b[2J\\u202e\\u2066x\n", "decides    ls\n", "why        why\\x1b[31m\\nnot\n",
		"agent      evil\\nstate  APPROVED\n", "session    s\\r\n", "written    user policy.yaml:3\n", "approver   ada\n", "state      PENDING, 1m0s left; then it is denied\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.ContainsAny(got, "\x1b\r\u202e") {
		t.Errorf("%q", got)
	}
	for _, span := range [][2]int{{-1, 2}, {0, math.MaxInt}, {5, 2}, {3, 3}} {
		r.Asked.Span = &span
		if strings.Contains(shown(r), "decides") {
			t.Errorf("the span %v marks something", span)
		}
	}
	r.OnTimeout = approval.Approved
	if !strings.Contains(shown(r), "then it is approved, since the policy says on_timeout: allow\n") {
		t.Error("that silence approves is not said")
	}
}

// No text of others reaches the left edge of a terminal, where it could draw
// what the request itself says.
func TestShowFolded(t *testing.T) {
	for _, width := range []int{60, 80, 133} {
		trick := func(s string) string {
			return s + strings.Repeat(" ", width) + "Choices" + strings.Repeat(" ", width-7) + "What asks"
		}
		r := asked(t, "req_1", trick("ls")+"\u3000"+strings.Repeat("日é", width))
		c := policy.Shell(trick("ls")+strings.Repeat("日é", width), "/srv")
		c.Input[trick("key")], c.Home, c.Shell, c.Scope.Plugin = "x", trick("/home"), trick("sh"), trick("p")
		r.Call, _ = policy.EncodeCall(c)
		r.Title, r.Agent, r.Session, r.Dir, r.Tool = trick("x"), trick("agent"), trick("session"), trick("/dir"), trick("tool")
		r.Asked = approval.Asked{Why: trick("why"), Origin: trick("origin"), Span: &[2]int{0, width + 20}}
		r.Offers[0].Stores = []string{trick("make in /srv")}
		r.Decision = &approval.Decision{Word: approval.Rejected, By: trick("by"), Reason: trick("reason")}
		got := shownIn(r, width)
		if strings.Count(got, "\nChoices\n") != 1 || strings.Count(got, "\nWhat asks\n") != 1 || strings.Count(got, "\n  ¦ ") < 4 {
			t.Errorf("%d columns:\n%s", width, got)
		}
		for line := range strings.Lines(got) {
			if n := len([]rune(line)) + strings.Count(line, "日"); n > width+1 {
				t.Errorf("%d columns of %d: %s", n-1, width, line)
			}
		}
		if unfolded := shown(r); strings.Contains(unfolded, "¦") || !strings.Contains(unfolded, "  | "+trick("ls")) {
			t.Errorf("without a terminal: %s", unfolded)
		}
	}
}

// What the receipt holds the call to is shown.
func TestShowPlace(t *testing.T) {
	r := asked(t, "req_1", "ls")
	if got := shown(r); strings.Contains(got, "home") || strings.Contains(got, "scope") || strings.Contains(got, "audience") {
		t.Errorf("what is not set is shown: %s", got)
	}
	c := policy.Shell("ls", "/srv/app")
	c.Home, c.OS, c.Shell, c.Audience = "/home/dev", "linux", "zsh", policy.Public
	c.Scope = policy.Scope{Plugin: "p\", profile \"x", Integration: "i"}
	r.Call, _ = policy.EncodeCall(c)
	want := "home       /home/dev\nos         linux\nshell      zsh\naudience   public\nscope      plugin \"p\\\", profile \\\"x\", integration \"i\"\n"
	if got := shown(r); !strings.Contains(got, want) {
		t.Errorf("no %s in\n%s", want, got)
	}
}

// What rules judge in place of the input is shown beside it, and the
// directories of the project and the session.
func TestShowRecord(t *testing.T) {
	r := asked(t, "req_1", "ls")
	if got := shown(r); strings.Contains(got, "Record") || strings.Contains(got, "project") {
		t.Errorf("what is not set is shown: %s", got)
	}
	c := &policy.Call{Tool: "http", Record: map[string]any{"verb": "DELETE\x1b[2J"}, ProjectDir: "/srv/app", SessionDir: "/tmp/s"}
	r.Call, _ = policy.EncodeCall(c)
	for _, want := range []string{
		"project    /srv/app\nown files  /tmp/s\n",
		"Record, by which rules judge it: the submitter's words\n  | {\n  |   \"verb\": \"DELETE\\u001b[2J\"\n  | }\n",
	} {
		if got := shown(r); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// A program and a call that cannot be read are shown whole too.
func TestShowInput(t *testing.T) {
	r := asked(t, "req_1", "x")
	r.Call, r.Contract = nil, []byte(`{"program":"a = 1\nb = 2\n","target":{"x":[1]}}`)
	if got := shown(r); !strings.Contains(got, "Input: program\n  | a = 1\n  | b = 2\n") || !strings.Contains(got, `  |   "x": [`) {
		t.Error(got)
	}
	r.Call, r.Contract = []byte(`{"tool":7}`), nil
	if got := shown(r); !strings.Contains(got, `  | {"tool":7}`) {
		t.Error(got)
	}
}

// A counter is a service for tests: it has requests, and notes what is decided.
type counter struct {
	mu       sync.Mutex
	requests []*approval.Request
	answers  []approval.Answer
	events   chan string
	asked    []string // the query of each stream
	fails    int      // how many decisions are to fail
}

func (d *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch _, rest, _ := strings.Cut(r.URL.Path, "/v1/requests"); {
	case r.URL.Path == "/v1/whoami":
		fmt.Fprint(w, `{"identity":"token:ada","scopes":["approve"]}`)
	case r.URL.Path == "/v1/events":
		d.stream(w, r)
	case rest == "":
		d.mu.Lock()
		defer d.mu.Unlock()
		pending := slices.DeleteFunc(slices.Clone(d.requests), func(r *approval.Request) bool { return r.State != approval.Pending })
		_ = json.NewEncoder(w).Encode(map[string]any{"requests": pending})
	default:
		d.request(w, r, strings.Trim(strings.TrimSuffix(rest, "/decision"), "/"))
	}
}

func (d *counter) stream(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	d.asked = append(d.asked, r.URL.RawQuery)
	d.mu.Unlock()
	for {
		_ = http.NewResponseController(w).Flush()
		select {
		case text, more := <-d.events:
			if _, _ = io.WriteString(w, text); !more || text == "" {
				return
			}
		case <-r.Context().Done():
			return
		}
	}
}

func (d *counter) request(w http.ResponseWriter, r *http.Request, id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.requests, func(r *approval.Request) bool { return r.ID == id })
	if i < 0 {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"code":"not-found"}`)
		return
	}
	found := d.requests[i]
	if r.Method == http.MethodPost {
		if d.fails > 0 {
			d.fails--
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, `{"code":"storage","detail":"not now"}`)
			return
		}
		var a approval.Answer
		_ = json.NewDecoder(r.Body).Decode(&a)
		d.answers = append(d.answers, a)
		found.State, found.Decision = approval.Denied, &approval.Decision{Word: a.Word, Scope: a.Scope, By: "token:ada", Reason: a.Reason}
		if a.Word.Approves() {
			found.State = approval.Approved
		}
		for _, o := range found.Offers {
			if o.Scope == a.Scope {
				found.Decision.Saved = o.Stores
			}
		}
	}
	_ = json.NewEncoder(w).Encode(found)
}

// watch runs policyctl requests watch with an input.
func (d *counter) watch(t *testing.T, stdin io.Reader) (string, error) {
	t.Helper()
	for _, r := range d.requests {
		r.Asked.Risk = cmp.Or(r.Asked.Risk, "medium")
	}
	server := httptest.NewServer(d)
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var out bytes.Buffer
	w := &watcher{visitor: visitor{Process: &console.Process{Stdin: stdin, Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" }}, service: server.URL},
		mine: map[string]bool{}, votes: map[string]int{}}
	err := w.run(ctx)
	if ctx.Err() != nil {
		t.Errorf("it did not end: %s", out.String())
	}
	return out.String(), err
}

var wide = []approval.Offer{
	{Scope: approval.ForChat, Stores: []string{"make in /srv/app"}},
	{Scope: approval.Here, Stores: []string{"make in /srv/app", "go build in /srv/app"}},
}

// Only what is offered is asked for and sent, with what it stores shown before.
func TestWatchChoices(t *testing.T) {
	for typed, want := range map[string]approval.Answer{
		"a\n":                       {Word: approval.ApprovedOnce, Scope: approval.Once},
		"\n\nc\nby night\n\nonce\n": {Word: approval.ApprovedOnce, Scope: approval.Once, Reason: "by night"},
		"S\n":                       {Word: approval.ApprovedRemember, Scope: approval.ForChat, For: approval.Life(8 * time.Hour)},
		"anywhere\nh\n\nhere\n":     {Word: approval.ApprovedRemember, Scope: approval.Here, For: approval.Life(8 * time.Hour)},
		"here x\nhere 7d\n":         {Word: approval.ApprovedRemember, Scope: approval.Here, For: approval.Life(7 * 24 * time.Hour)},
		"a 7d\ns 30m\n":             {Word: approval.ApprovedRemember, Scope: approval.ForChat, For: approval.Life(30 * time.Minute)},
		"here always\n":             {Word: approval.ApprovedRemember, Scope: approval.Here},
		"y\n?\no\nc\nno\nd\n":       {Word: approval.Rejected, Reason: "no"},
		"d\n":                       {Word: approval.Rejected},
		"approve\nyes\nc\nnot\x1b[31m this\ndeny\n": {Word: approval.Rejected, Reason: "not\x1b[31m this"},
	} {
		d := &counter{requests: []*approval.Request{asked(t, "req_1", "make", wide...)}}
		out, err := d.watch(t, strings.NewReader(typed))
		if err != nil || !slices.Equal(d.answers, []approval.Answer{want}) {
			t.Errorf("%q: %v %v\n%s", typed, d.answers, err, out)
		}
		before, after, _ := strings.Cut(out, "req_1  a once, s chat, today, here, d deny, c comment, j next, ? help: ")
		if !strings.Contains(before, "  here     here for 8 h       stores make in /srv/app\n                              stores go build in /srv/app\n") {
			t.Errorf("%q: what it stores is not shown before\n%s", typed, before)
		}
		if want.Scope == approval.Here && want.For == 0 && !strings.Contains(after, "approved (always here)  shell: make  in /srv/app  by token:ada  saved make in /srv/app; go build in /srv/app\n") {
			t.Errorf("%q: %s", typed, after)
		}
		if strings.Contains(out, "\x1b") {
			t.Errorf("%q: %q", typed, out)
		}
	}
}

// What is of high risk, or of none that is known, is approved by words typed behind the
// choice, alone or among others that are selected; another line decides nothing.
func TestWatchHighRisk(t *testing.T) {
	once := approval.Answer{Word: approval.ApprovedOnce, Scope: approval.Once}
	for typed, want := range map[string][]approval.Answer{
		"a\n":                        nil,
		"a\na\n":                     nil,
		"a\ny\n":                     nil,
		"a\n\nhigh risk\n":           nil,
		"high risk\n":                nil,
		"s\n":                        nil,
		"here\nhere\n":               nil,
		"a\nHigh risk\n":             {once},
		"a\nno\na\nhigh risk\n":      {once},
		"s 30m\nhigh risk\n":         {{Word: approval.ApprovedRemember, Scope: approval.ForChat, For: approval.Life(30 * time.Minute)}},
		"c\nmind it\na\nhigh risk\n": {{Word: approval.ApprovedOnce, Scope: approval.Once, Reason: "mind it"}},
		"d\n":                        {{Word: approval.Rejected}},
		"a\nd\nd\n":                  {{Word: approval.Rejected}},
	} {
		for _, risk := range []string{"high", "critical", "strange"} {
			r := asked(t, "req_1", "make", wide...)
			r.Asked.Risk = risk
			d := &counter{requests: []*approval.Request{r}}
			if out, err := d.watch(t, strings.NewReader(typed)); err != nil || !slices.Equal(d.answers, want) {
				t.Errorf("%s, %q: %v %v\n%s", risk, typed, d.answers, err, out)
			}
		}
	}
	for typed, want := range map[string]int{"x\nx\na\n": 0, "x\nx\na\nhigh risk\n": 2, "j\na\n": 1, "x\na\n": 0} {
		high, other := asked(t, "req_1", "make", wide...), asked(t, "req_2", "make b", wide...)
		high.Asked.Risk = "high"
		d := &counter{requests: []*approval.Request{other, high}}
		if out, err := d.watch(t, strings.NewReader(typed)); err != nil || len(d.answers) != want {
			t.Errorf("%q: %v %v\n%s", typed, d.answers, err, out)
		}
	}
}

// Nothing is decided by an input that ends too early, or by a skip.
func TestWatchEnds(t *testing.T) {
	for _, typed := range []string{"", "\n\n\n", "h\n\n", "H\nh\n", "w\n", "c\nbecause\n", "c\n\n", "j\nk\n", "?\n", "x\nx\n", "/make\n/\n", "o\no\n", "y\nyes\n", "anywhere\n"} {
		d := &counter{requests: []*approval.Request{asked(t, "req_1", "make", wide...)}}
		if out, err := d.watch(t, strings.NewReader(typed)); err != nil || len(d.answers) > 0 {
			t.Errorf("%q: %v %v\n%s", typed, d.answers, err, out)
		}
	}
}

// A question is withdrawn too if what ended the request was missed, and the
// line that was meant for it is read by nobody.
func TestWatchMissed(t *testing.T) {
	d := &counter{events: make(chan string), requests: []*approval.Request{asked(t, "req_1", "make")}}
	in, person := io.Pipe()
	go func() {
		d.events <- ": the question stands by now\n"
		time.Sleep(100 * time.Millisecond)
		d.mu.Lock()
		d.requests[0].State = approval.Cancelled
		d.requests = append(d.requests[:1:1], asked(t, "req_2", "make two"))
		d.mu.Unlock()
		d.events <- "event: resync\ndata: {}\n\n"
		time.Sleep(100 * time.Millisecond)
		_, _ = io.WriteString(person, "a\nc\nno\nd\n")
		person.Close()
	}()
	out, err := d.watch(t, in)
	if err != nil || len(d.answers) != 1 || d.answers[0].Reason != "no" || !strings.Contains(out, "req_1  cancelled  shell: make  in /srv/app\nthe question is withdrawn") {
		t.Errorf("%v %v\n%s", d.answers, err, out)
	}
}

// A decision that the service cannot store is asked for again.
func TestWatchFailure(t *testing.T) {
	d := &counter{fails: 1, requests: []*approval.Request{asked(t, "req_1", "make")}}
	out, err := d.watch(t, strings.NewReader("c\nfirst\na\nc\nsecond\nd\n"))
	if err != nil || len(d.answers) != 1 || d.answers[0].Reason != "second" || !strings.Contains(out, "not now (503)") {
		t.Errorf("%v %v\n%s", d.answers, err, out)
	}
}

// The stream goes on where it broke off, and a gap has all requests read anew.
func TestFollow(t *testing.T) {
	d := &counter{events: make(chan string, 9)}
	d.events <- "retry: 1\nid: 7\n\n"
	d.events <- ": beat\n\nid: 8\nevent: request\ndata: {\"id\":8,\"request_id\":\"req_1\",\"state\":\"PENDING\"}\n\n"
	d.events <- "event: request\ndata: no JSON\n\nevent: other\ndata: {}\n\nid: 9\nevent: request\ndata: {\"request_id\":\"half"
	d.events <- "" // it breaks off
	d.events <- "id: 9\nevent: resync\ndata: {}\n\n"
	server := httptest.NewServer(d)
	defer server.Close()
	client, err := approval.NewClient(server.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var got []string
	(&follow{client: client}).run(ctx, func(n notice) {
		switch {
		case n.began:
			got = append(got, "began")
		case n.lost:
			got = append(got, "lost")
		case n.event != nil:
			got = append(got, n.event.RequestID)
		}
		if len(got) == 5 {
			cancel()
		}
	})
	if want := "began req_1 lost began began"; strings.Join(got[:5], " ") != want {
		t.Errorf("%s, want %s", got, want)
	}
	if want := []string{"", "last_event_id=8"}; !slices.Equal(d.asked, want) {
		t.Errorf("%q, want %q", d.asked, want)
	}
}

// What was typed before a request was shown answers nothing.
func TestTypedAhead(t *testing.T) {
	shown := time.Now()
	before, after := typedLine{"a", shown.Add(-time.Millisecond)}, typedLine{"d", shown.Add(time.Millisecond)}
	for _, c := range []struct {
		taken, terminal, asked bool
		line                   typedLine
		held                   bool
	}{
		{true, true, true, after, false},
		{false, true, true, before, false},
		{false, true, false, after, false},
		{true, false, true, before, false},
		{false, false, false, before, true},
	} {
		l := &lineReader{terminal: c.terminal}
		l.hold(c.line)
		text, ok := l.take(c.asked, shown)
		if ok != c.taken || ok && text != c.line.text || (l.held != nil) != c.held {
			t.Errorf("%+v: %q %v", c, text, ok)
		}
	}
}

// A denial from now on is typed behind the letter, with what it stores shown before; it
// takes no second act. What is not offered decides nothing.
func TestWatchDenyAlways(t *testing.T) {
	for typed, want := range map[string][]approval.Answer{
		"d here\n":                {{Word: approval.Rejected, Scope: approval.Here}},
		"deny chat\n":             {{Word: approval.Rejected, Scope: approval.ForChat}},
		"D session\n":             {{Word: approval.Rejected, Scope: approval.ForChat}},
		"c\nno\nd here 2h\n":      {{Word: approval.Rejected, Scope: approval.Here, For: approval.Life(2 * time.Hour), Reason: "no"}},
		"d\n":                     {{Word: approval.Rejected}},
		"d anywhere\nd\n":         {{Word: approval.Rejected}},
		"d here soon\n":           nil,
		"d always\n":              nil,
		"x\nd here\n":             nil,
		"here 3x\nhigh risk\n":    {{Word: approval.ApprovedRemember, Scope: approval.Here, For: approval.Life(8 * time.Hour), Uses: 3}},
		"here 2x 1h\nhigh risk\n": {{Word: approval.ApprovedRemember, Scope: approval.Here, For: approval.Life(time.Hour), Uses: 2}},
		"here 0x\n":               nil,
		"here ax\n":               nil,
	} {
		r := asked(t, "req_1", "make", wide...)
		r.Asked.Risk = "high"
		r.Denials = []approval.Offer{{Scope: approval.ForChat, Stores: []string{"deny make in /srv/app, in this session"}}, {Scope: approval.Here, Stores: []string{"deny make in /srv/app"}}}
		d := &counter{requests: []*approval.Request{r}}
		out, err := d.watch(t, strings.NewReader(typed))
		if err != nil || !slices.Equal(d.answers, want) {
			t.Errorf("%q: %v %v\n%s", typed, d.answers, err, out)
		}
		if before, _, _ := strings.Cut(out, "req_1  a once"); !strings.Contains(before, "  deny     always here        stores deny make in /srv/app\n") {
			t.Errorf("%q: what it stores is not shown before\n%s", typed, before)
		}
	}
}
