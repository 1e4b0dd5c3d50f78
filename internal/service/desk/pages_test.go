package desk_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/auth/authtest"
	"github.com/policyctl/policyctl/internal/service/desk"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/internal/service/stream"
	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/approval"
)

// visit gets a page with headers, and follows no redirect.
func (r *rig) visit(t testing.TB, path string, header http.Header) servertest.Answer {
	t.Helper()
	q, err := http.NewRequest(http.MethodGet, r.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if header != nil {
		q.Header = header
	}
	return servertest.Send(t, http.DefaultTransport, q)
}

func bearer(token string) http.Header { return http.Header{"Authorization": {"Bearer " + token}} }

// cookie returns the header of a browser that is logged in.
func (r *rig) cookie(t testing.TB) http.Header {
	t.Helper()
	s, err := r.Logins.Exchange(authtest.Code(r.Logins))
	if err != nil {
		t.Fatal(err)
	}
	return http.Header{"Cookie": {"policyctl_session=" + s.Cookie}}
}

// Who is not logged in sees the login, who may not read an error, and every page
// forbids to run what this origin does not serve and to be framed.
func TestPages(t *testing.T) {
	r := newRig(t)
	id := r.submit(t, "s1", "make deploy")
	person, reader, agent := r.cookie(t), bearer(r.Token(t, "reader", "read")), bearer(r.agent)
	foreign := r.cookie(t)
	foreign.Set("Sec-Fetch-Site", "cross-site")
	twice := http.Header{"Cookie": {person.Get("Cookie") + "; " + r.cookie(t).Get("Cookie")}}
	for _, row := range []struct {
		path   string
		header http.Header
		status int
		want   string
	}{
		{"/", nil, 303, "/ui"},
		{"/ui", nil, 303, "/login"},
		{"/ui/requests/" + id, nil, 303, "/login"},
		{"/ui", http.Header{"Cookie": {"policyctl_session=polc_00000000000_0000000000000000000000000000000000000000000000000"}}, 303, "/login"},
		{"/ui", twice, 303, "/login"},
		{"/ui", agent, 403, "token:agent may not read"},
		{"/ui", foreign, 403, "another origin"},
		{"/ui", person, 200, "make deploy"},
		{"/ui", reader, 200, "make deploy"},
		{"/ui?q=nothing", person, 200, "Nothing that is pending has this text."},
		{"/ui?x=1", person, 400, "x"},
		{"/ui/requests/" + id, person, 200, "no rule allows it"},
		{"/ui/requests/req_NONE", person, 404, "Back to what is pending"},
		{"/ui/requests/%00", person, 400, ""},
		{"/ui/history", person, 200, id},
		{"/ui/history?state=DENIED", person, 200, "Nothing is on record here."},
		{"/ui/history?state=NONSENSE", person, 400, "NONSENSE"},
		{"/ui/history?before=" + id, person, 200, "Nothing is on record here."},
		{"/ui/audit", nil, 303, "/login"},
		{"/ui/audit", person, 200, "make deploy"},
		{"/ui/audit?before=1", person, 200, "Nothing is on record here."},
		{"/ui/audit?before=0", person, 400, "before"},
		{"/ui/you", nil, 303, "/login"},
		{"/ui/you", person, 200, "You are logged in as <b>login:"},
		{"/ui/you", agent, 403, "token:agent may not read"},
		{"/login?request=" + id, nil, 200, "Open the desk"},
		{"/login?x=1", nil, 400, "x"},
		{"/ui/policy", person, 200, "<b>readonly</b>"},
		{"/ui/policy?command=ls&dir=/src", person, 200, "<b>allow</b>"},
		{"/ui/policy?command=rm+-rf+~", person, 200, "<b>deny</b>"},
		{"/ui/policy?command=%3Cscript%3E", person, 200, "&lt;script&gt;"},
		{"/ui/assets/desk.js", nil, 200, "use strict"},
		{"/ui/assets/desk.css", nil, 200, "--back"},
		{"/ui/assets/none.js", nil, 404, "there is nothing at this path"},
		{"/ui/assets/..%2fpages%2flayout.html", nil, 404, ""},
		{"/ui/nothing", person, 404, ""},
		{"/login", nil, 200, "Open the desk"},
	} {
		a := r.visit(t, row.path, row.header)
		if a.Status != row.status || !strings.Contains(a.Text+a.Header.Get("Location"), row.want) {
			t.Errorf("%s: %d %q %.300s, want %d %s", row.path, a.Status, a.Header.Get("Location"), a.Text, row.status, row.want)
		}
		csp := a.Header.Get("Content-Security-Policy")
		if !strings.HasPrefix(csp, "default-src 'none'") || !strings.Contains(csp, "frame-ancestors 'none'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: the policy for content is %q", row.path, csp)
		}
	}
}

// The revision with which an answer comes is that under which the request was shown. An
// old one approves nothing; to deny needs none.
func TestRevision(t *testing.T) {
	r := newRig(t)
	boss := r.Token(t, "boss", "approve")
	for _, row := range []struct {
		body   string
		status int
	}{
		{`{"decision":"approved_once","revision":"old"}`, 409},
		{`{"decision":"rejected","revision":"old"}`, 200},
		{`{"decision":"approved_once","revision":"` + r.Decider.Engine().Revision() + `"}`, 200},
		{`{"decision":"approved_once"}`, 200},
	} {
		a := r.Do(t, boss, "POST", "/v1/requests/"+r.submit(t, "s", "make "+row.body)+"/decision", row.body)
		if a.Status != row.status || a.Status == 409 && a.Code() != "policy-changed" {
			t.Errorf("%s: %d %s", row.body, a.Status, a.Text)
		}
	}
}

// Pages show what tools other than the shell ask for: a change as what goes and comes,
// and a proved program with its guarantees first.
func TestRequestPage(t *testing.T) {
	r := newRig(t)
	person := r.cookie(t)
	page := func(call string) string {
		a := r.Do(t, r.agent, "POST", "/v1/requests", `{"call":`+call+`}`)
		id, _ := a.At("id").(string)
		return r.visit(t, "/ui/requests/"+id, person).Text
	}
	for _, row := range []struct{ name, page, want string }{
		{"an edit", page(`{"tool":"edit","input":{"file_path":"/home/dev/src/app/a.go","old_string":"one\ntwo","new_string":"one\n<b>"},"dir":"/home/dev/src/app"}`), `<span class="goes">- two`},
		{"an edit", page(`{"tool":"edit","input":{"file_path":"/home/dev/src/app/a.go","old_string":"one\ntwo","new_string":"one\n<b>"},"dir":"/home/dev/src/app"}`), `<span class="comes">&#43; &lt;b&gt;`},
		{"a write", page(`{"tool":"write","input":{"file_path":"/home/dev/src/app/a.go","content":"package x"},"dir":"/home/dev/src/app"}`), `package x`},
		{"a dangerous line", page(`{"tool":"shell","input":{"command":"rm -rf build > log"},"dir":"/home/dev/src/app"}`), `<b>rm-recursive</b>: deletes directories and everything in them: <code>rm -rf build`},
		{"effects", page(`{"tool":"shell","input":{"command":"rm -rf build > log"},"dir":"/home/dev/src/app"}`), `<dt>writes</dt><dd><code>/home/dev/src/app/log</code></dd>`},
		{"a choice", page(`{"tool":"shell","input":{"command":"npm run lint"},"dir":"/home/dev/src/app","home":"/home/dev","session":"s"}`), `stores <code>npm run in /home/dev/src/app</code>`},
		{"no choice", page(`{"tool":"shell","input":{"command":"rm -rf build"},"dir":"/home/dev/src/app","home":"/home/dev","session":"s"}`), `only once: rm -rf build: it deletes directories and everything in them`},
	} {
		if !strings.Contains(row.page, row.want) {
			t.Errorf("%s lacks %s:\n%s", row.name, row.want, row.page)
		}
	}
}

// The list shows all of what its buttons approve, and has no such button for what is too
// long for it.
func TestListShowsAll(t *testing.T) {
	r := newRig(t)
	person := r.cookie(t)
	long := strings.Repeat("y ", 1200) + "./steal"
	for name, row := range map[string]struct {
		call string
		want []string
		cut  bool
	}{
		"a command":      {`{"tool":"shell","input":{"command":"make ` + long + `"}}`, []string{"./steal"}, false},
		"an argv":        {`{"tool":"shell","input":{"command":["sh","-c","./steal"]}}`, []string{"&#34;./steal&#34;"}, false},
		"an environment": {`{"tool":"shell","input":{"command":"make","env":{"LD_PRELOAD":"/tmp/x"}}}`, []string{"LD_PRELOAD", "/tmp/x"}, false},
		"a tool":         {`{"tool":"mcp__db__query","input":{"sql":"drop table users"}}`, []string{"sql: <code>drop table users"}, false},
		"a write":        {`{"tool":"write","input":{"file_path":"/src/a.sh","content":"./steal"}}`, []string{"content: <code>./steal"}, false},
		"another agent":  {`{"tool":"exec_command","input":{"cmd":"make ` + strings.Repeat("y ", 200) + ` ./steal"}}`, []string{"./steal"}, false},
		"a long tool":    {`{"tool":"mcp__db__query","input":{"sql":"` + long + `"}}`, []string{"too long for this list"}, true},
		"a long key":     {`{"tool":"mcp__db__query","input":{"` + long + `":1}}`, []string{"too long for this list"}, true},
		"a long write":   {`{"tool":"write","input":{"file_path":"/src/a.sh","content":"` + long + `"}}`, []string{"too long for this list"}, true},
	} {
		session := strings.ReplaceAll(name, " ", "-")
		call := strings.TrimSuffix(row.call, "}") + `,"dir":"/src","session":"` + session + `"}`
		a := r.Do(t, r.agent, "POST", "/v1/requests", `{"call":`+call+`}`)
		id, _ := a.At("id").(string)
		list := r.visit(t, "/ui", person).Text
		_, item, _ := strings.Cut(list, `id="item-`+id)
		item, _, found := strings.Cut(item, "</li>")
		for _, want := range row.want {
			if !strings.Contains(item, want) {
				t.Errorf("%s: no %q in %s", name, want, item)
			}
		}
		if !found || !strings.Contains(item, "data-deny") || strings.Contains(item, "data-scope") == row.cut || strings.Contains(item, `class="selected"`) == row.cut {
			t.Errorf("%s: cut %v, and the item is %s", name, row.cut, item)
		}
		if page := r.visit(t, "/ui/requests/"+id, person).Text; !strings.Contains(page, `data-scope="once"`) {
			t.Errorf("%s: its page approves nothing", name)
		}
	}
	// A program stands under what it guarantees, whatever command its body names.
	program, err := r.Backend.Service.Submit(t.Context(), "token:agent", approval.Submission{Contract: json.RawMessage(`{"command":"ls","program":"steal()"}`), Title: "run main: prints.only()"})
	if err != nil {
		t.Fatal(err)
	}
	_, item, _ := strings.Cut(r.visit(t, "/ui", person).Text, `id="item-`+program.ID)
	if item, _, _ = strings.Cut(item, "</li>"); strings.Contains(item, "<pre") || !strings.Contains(item, "run main: prints.only()</p>") {
		t.Errorf("a program is shown as %s", item)
	}
	// Calls of one session that run elsewhere say so.
	for _, dir := range []string{"/src/app", "/srv/production"} {
		r.Do(t, r.agent, "POST", "/v1/requests", `{"call":{"tool":"shell","input":{"command":"make clean"},"dir":"`+dir+`","session":"dirs"}}`)
	}
	for _, dir := range []string{"/src/app", "/srv/production"} {
		if list := r.visit(t, "/ui?q=clean", person).Text; strings.Count(list, `<p class="directory">`+dir) != 1 {
			t.Errorf("%s is not shown once: %s", dir, list)
		}
	}
}

// Nothing hides on a page, whoever wrote it and wherever it stands.
func TestNothingHides(t *testing.T) {
	r := newRig(t)
	person := r.cookie(t)
	for name, odd := range map[string]string{
		"another order": "\u202e", "nothing": "\u200b", "a filler": "\u3164", "Braille": "\u2800", "a selector": "\ufe0f", "a tag": "\U000e0041",
		"an escape": "\x1b", "a line of its own": "\u2028", "a soft hyphen": "\u00ad", "a blank": "\u00a0", "a return": "\r",
	} {
		text := func(s string) string { return "a" + odd + s }
		body, _ := json.Marshal(map[string]any{
			"call": map[string]any{
				"tool": text("tool"), "input": map[string]any{text("key"): text("value"), "command": text("command")}, "dir": "/" + text("dir"),
				"session": text("session"), "agent": text("agent"),
			},
			"asked": map[string]any{
				"stage": text("stage"), "rule": text("rule"), "why": text("why"), "origin": text("origin"), "revision": text("revision"), "risk": "low",
				"dangerous": []any{map[string]any{"rule": text("pattern"), "why": text("harm"), "span": []int{0, 1}}},
			},
			"said": text("said"),
		})
		a := r.Do(t, r.agent, "POST", "/v1/requests", string(body))
		id, _ := a.At("id").(string)
		if a.Status != 201 {
			t.Fatalf("%s: %d %s", name, a.Status, a.Text)
		}
		for _, path := range []string{"/ui", "/ui/requests/" + id, "/ui/history", "/ui/audit", "/ui/audit/2", "/ui/insights"} {
			page := r.visit(t, path, person)
			if i := strings.IndexFunc(page.Text, func(c rune) bool { return clip.Empty(c) && c != '\n' && c != '\t' }); i >= 0 || page.Status != 200 {
				t.Errorf("%s: %s, %d: %q", name, path, page.Status, page.Text[max(0, i-80):min(len(page.Text), i+40)])
			}
		}
	}
	// What people read in other scripts stays as it is.
	id := r.submit(t, "s", "git commit -m 'การทดสอบ परीक्षण é'")
	if page := r.visit(t, "/ui/requests/"+id, person).Text; !strings.Contains(page, "data-title=\"shell: git commit -m &#39;การทดสอบ परीक्षण é") {
		t.Errorf("the title is not readable:\n%s", page)
	}
}

// A session that asks without end does not hide the others.
func TestFlood(t *testing.T) {
	r := newRig(t)
	last := r.submit(t, "quiet", "make mine")
	for i := range 40 {
		r.submit(t, "loud", fmt.Sprint("make ", i))
	}
	page := r.visit(t, "/ui", r.cookie(t)).Text
	if !strings.Contains(page, last) || !strings.Contains(page, "20 more of this session") || strings.Count(page, `class="item"`) != 21 {
		t.Errorf("%d calls are shown", strings.Count(page, `class="item"`))
	}
}

// The log is shown a page at a time, the newest first.
func TestAuditPages(t *testing.T) {
	r := newRig(t)
	for i := range 120 {
		r.submit(t, fmt.Sprint("s", i/40), fmt.Sprint("make number", i))
	}
	person := r.cookie(t)
	first := r.visit(t, "/ui/audit", person).Text
	_, link, found := strings.Cut(first, `<a href="/ui/audit?before=`)
	before, _, _ := strings.Cut(link, `"`)
	if !found || !strings.Contains(first, "make number119") || strings.Contains(first, "make number1<") {
		t.Fatalf("the first page: %v %s", found, before)
	}
	if second := r.visit(t, "/ui/audit?before="+before, person).Text; !strings.Contains(second, "make number1&#34;") || strings.Contains(second, "make number119") || strings.Contains(second, "Older") {
		t.Error("the second page is another one")
	}
}

// A full queue is one page, of the size that a browser has no trouble with.
func BenchmarkPending(b *testing.B) {
	s := servertest.New(b, servertest.Options{More: func(*stream.Hub) []route.Family { return []route.Family{desk.New().Family()} }})
	r := &rig{Service: s}
	for i := range 1000 {
		if i%50 == 0 {
			r.agent = s.Token(b, fmt.Sprint("agent", i), "submit")
		}
		call, _ := json.Marshal(map[string]any{"tool": "shell", "input": map[string]any{"command": fmt.Sprint("make target", i)}, "session": fmt.Sprint("s", i/10)})
		s.Do(b, r.agent, "POST", "/v1/requests", `{"call":`+string(call)+`}`)
	}
	header := bearer(s.Token(b, "reader", "read"))
	for b.Loop() {
		if a := r.visit(b, "/ui", header); a.Status != 200 {
			b.Fatal(a.Text)
		}
	}
}
