package desk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// at opens a page of the desk, and waits until its script can act.
func (b *tab) at(r *rig, path string) {
	b.t.Helper()
	b.do(chromedp.Navigate(r.URL + path))
	b.waits(path, `document.querySelector("#live")?.textContent === "live" && document.querySelector("#notice").hidden`)
}

// decide answers a request as a person does elsewhere.
func (r *rig) decide(t *testing.T, id, answer string) {
	t.Helper()
	if a := r.Do(t, r.Token(t, "boss", "approve"), "POST", "/v1/requests/"+id+"/decision", answer); a.Status != 200 {
		t.Fatalf("%s: %d %s", answer, a.Status, a.Text)
	}
}

// A grant that an approval has stored is listed with all that is known of it. To
// revoke it has the next call ask, and to undo that allows it again.
func TestGrants(t *testing.T) {
	r := newRig(t)
	id := r.submit(t, "s1", "npm run lint")
	r.decide(t, id, `{"decision":"approved_remember","scope":"here","for":"8h"}`)
	b := open(t, 1200, 900)
	b.logIn(r)
	b.at(r, "/ui/grants")
	b.shows("npm run in /home/dev/src/app")
	b.shows("not by this service")
	b.shows("8 h left")
	if by := b.text(`document.querySelector("td a").parentElement.innerText`); !strings.Contains(by, "request by token:boss") || b.text(`document.querySelector("td a").getAttribute("href")`) != "/ui/requests/"+id {
		t.Errorf("it came from %s", by)
	}
	if q := r.get(t, r.submit(t, "s2", "npm run test")); q.State != approval.Approved {
		t.Fatalf("what is granted is %s", q.State)
	}
	b.waits("it was used", `!document.querySelector("tbody").innerText.includes("not by this service")`)
	b.click("button[data-revoke]")
	b.shows("Revoked: npm run in /home/dev/src/app, until")
	b.shows("Nothing is granted.")
	if q := r.get(t, r.submit(t, "s2", "npm run types")); q.State != approval.Pending {
		t.Errorf("what was granted is %s", q.State)
	}
	b.click("#status button")
	b.shows("Restored: npm run in /home/dev/src/app, until")
	b.waits("it is listed", `document.querySelectorAll("button[data-revoke]").length === 1`)
	if q := r.get(t, r.submit(t, "s2", "npm run fmt")); q.State != approval.Approved {
		t.Errorf("what is granted again is %s", q.State)
	}
	b.click("button[data-revoke]")
	b.shows("Revoked within a day")
	b.at(r, "/ui/grants")
	b.click("button[data-restore]")
	b.shows("Restored: npm run in /home/dev/src/app, until")
	b.at(r, "/ui/grants?q=cargo")
	b.shows("0 of 1")
}

// What is searched is found, however far it is from the newest.
func TestHistorySearch(t *testing.T) {
	r := newRig(t)
	first := r.submit(t, "s1", "make the-needle")
	for i := range 230 {
		if i%50 == 0 {
			r.agent = r.Token(t, fmt.Sprint("agent", i), "submit")
		}
		r.submit(t, fmt.Sprint("s", i/20), fmt.Sprint("make hay-", i))
	}
	r.decide(t, first, `{"decision":"rejected","reason":"not today"}`)
	b := open(t, 1200, 900)
	b.logIn(r)
	b.at(r, "/ui/history")
	if b.text(`document.body.innerText.includes("the-needle")`) != "false" {
		t.Fatal("it stands on the first page")
	}
	b.do(chromedp.SendKeys("#filter", "NEEDLE"+enter))
	b.shows("make the-needle")
	b.waits("one is found", `document.querySelectorAll("tbody tr").length === 1`)
	day := r.Now().UTC().Format(time.DateOnly)
	for query, want := range map[string]int{
		"q=not+today": 1, "decided_by=token:boss&decision=rejected": 1, "decided_by=token:boss&state=PENDING": 0, "agent=claude&session=s3": 20,
		"rule=nothing": 0, "q=hay-2*": 41, "from=" + day + "&q=needle": 1, "to=2020-01-01": 0, "q=hay&agent=claude": 100,
	} {
		b.at(r, "/ui/history?"+query)
		if n := b.text(`document.querySelectorAll("tbody tr").length`); n != fmt.Sprint(want) {
			t.Errorf("%s: %s rows, want %d", query, n, want)
		}
	}
	b.at(r, "/ui/history?q=hay&agent=claude")
	b.click(`main a[href*="before="]`)
	b.waits("the next page", `location.search.includes("before=") && document.querySelector("#filter")?.value === "hay" && document.querySelector("details").open`)
	b.shows("make hay-129")
	b.at(r, "/ui/history?q=%26%26")
	b.shows("has no word")
}

// Records are filtered, one of them has a page with its place in the chain, and that
// says so where somebody has changed it.
func TestAuditRecord(t *testing.T) {
	r := newRig(t)
	id := r.submit(t, "s1", "make deploy")
	r.submit(t, "s2", "make other")
	r.decide(t, id, `{"decision":"rejected","reason":"not on a Friday"}`)
	b := open(t, 1200, 900)
	b.logIn(r)
	b.at(r, "/ui/audit?kind=decision&q=friday")
	b.waits("one is found", `document.querySelectorAll("tbody tr").length === 1`)
	b.click("tbody a")
	b.shows("Its place in the chain")
	b.shows("not on a Friday")
	b.shows("It is that of what the record says.")
	b.shows("not yet with all before it")
	b.waits("the records of the request", `document.querySelectorAll("tbody tr").length === 2`)
	head, err := r.Data.AuditHead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if page := b.text("document.body.innerText"); !strings.Contains(page, head.Hash) && !strings.Contains(page, head.Prev) {
		t.Errorf("no hash: %s", page)
	}
	b.click(`main p a`)
	b.waits("the record before", `document.querySelector("h1")?.textContent.startsWith("Record ")`)
	b.shows("make other")
	for path, want := range map[string]string{"/ui/audit/99999": "there is no record 99999", "/ui/audit/x": "is not the number of a record", "/ui/audit/1": "this is the first record"} {
		b.do(chromedp.Navigate(r.URL + path))
		b.shows(want)
	}
}

// What a filter finds can be kept as a file, by the cookie that only reads.
func TestExport(t *testing.T) {
	r := newRig(t)
	id := r.submit(t, "s1", "make deploy")
	r.submit(t, "s2", "make other")
	b := open(t, 1200, 900)
	b.logIn(r)
	dir := t.TempDir()
	allow := browser.SetDownloadBehaviorParams{Behavior: "allow", BrowserContextID: chromedp.FromContext(b).BrowserContextID, DownloadPath: dir}
	if _, err := chromedp.Call(b, browser.SetDownloadBehavior, allow); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		page, format, name string
		lines              int
		has                string
	}{
		{"/ui/history?q=deploy", "jsonl", "requests-*.jsonl", 1, id},
		{"/ui/history?q=deploy", "csv", "requests-*.csv", 2, `"` + id + `","`},
		{"/ui/audit?kind=request&q=other", "jsonl", "audit-log-*.jsonl", 1, `"make other"`},
		{"/ui/audit?kind=request", "csv", "audit-log-*.csv", 3, "make deploy"},
	} {
		b.at(r, row.page)
		b.click(`main a[href*="format=` + row.format + `"]`)
		text := ""
		for range 200 {
			found, _ := filepath.Glob(filepath.Join(dir, row.name))
			if len(found) == 1 {
				got, _ := os.ReadFile(found[0])
				if text = string(got); text != "" {
					break
				}
			}
			time.Sleep(20 * time.Millisecond)
		}
		if strings.Count(text, "\n") != row.lines || !strings.Contains(text, row.has) {
			t.Errorf("%s as %s: %q", row.page, row.format, text)
		}
	}
}

// The chain is verified by a button, and the page says until where, when and by whom;
// also where it does not hold.
func TestVerify(t *testing.T) {
	r := newRig(t)
	for i := range 20 {
		r.submit(t, "s1", fmt.Sprint("make ", i))
	}
	b := open(t, 1200, 900)
	b.logIn(r)
	b.at(r, "/ui/audit")
	b.shows("The chain was not verified yet.")
	b.click("button[data-verify]")
	b.shows("records are as they were written.")
	b.shows("Verified until record ")
	if said := b.text(`document.querySelector("#verified").textContent`); !strings.Contains(said, "by login:") {
		t.Errorf("it says %s", said)
	}
	r.Backend.Data = touched{r.Backend.Data}
	b.click("button[data-verify]")
	b.shows("Record 7 is not as it was written")
	if state, parts := r.Condition(); state != backend.Failing || !slices.Contains(parts, "audit-log") {
		t.Errorf("the service is %s %v", state, parts)
	}
	b.do(chromedp.Navigate(r.URL + "/ui/audit/7"))
	b.shows("It is not that of what the record says: the record was changed.")
}

// A touched store has a record that somebody has changed.
type touched struct{ backend.Data }

func (d touched) Audit(ctx context.Context, after int64, limit int) ([]*audit.Record, error) {
	list, err := d.Data.Audit(ctx, after, limit)
	for _, r := range list {
		changeSeventh(r)
	}
	return list, err
}

func (d touched) AuditRecord(ctx context.Context, seq int64) (*audit.Record, bool, error) {
	r, ok, err := d.Data.AuditRecord(ctx, seq)
	if ok {
		changeSeventh(r)
	}
	return r, ok, err
}

func changeSeventh(r *audit.Record) {
	if r.Seq == 7 {
		r.Actor = "token:mallory"
	}
}

// Any call is explained: of another tool, by its arguments, and by a mistake in them.
func TestExplain(t *testing.T) {
	r := newRig(t)
	b := open(t, 1200, 900)
	b.logIn(r)
	b.at(r, "/ui/policy")
	b.do(click("form summary"),
		chromedp.SendKeys(`input[name="tool"]`, "write", chromedp.NodeVisible),
		chromedp.SendKeys(`textarea[name="input"]`, `{"file_path":"/home/dev/.ssh/authorized_keys","content":"x"}`),
		chromedp.SendKeys(`input[name="agent"]`, "claude"),
		chromedp.SendKeys(`#dir`, "/home/dev/src/app"+enter))
	b.shows("How the chain decides")
	b.waits("it does not allow", `["ask", "deny"].includes(document.querySelector("dd b").textContent)`)
	b.waits("the stage that decided", `document.querySelectorAll("li.decides").length === 1`)
	for query, want := range map[string]string{
		"command=cat+a+%7C+grep+b+%26%26+rm+-rf+build&dir=/src": "not proved to only read",
		"command=ls&dir=/src":       "allowed: readonly",
		"tool=write&input=%7B":      "the arguments cannot be read",
		"command=ls&input=%7B%7D":   "both a command and arguments are given",
		"tool=nothing&input=%7B%7D": "Decision",
		"command=%E2%80%AEls":       "U+202E",
		"command=ls&agent=%3Cimg+src%3Dx%3E&session=%3Cscript%3E1": "readonly",
	} {
		b.at(r, "/ui/policy?"+query)
		b.shows(want)
		if b.text(`document.querySelectorAll("main img, main script").length`) != "0" {
			t.Errorf("%s becomes a part of the page", query)
		}
	}
}

// evil is text that would be more than text on a page that does not escape it.
const evil = `"><img src=x onerror="document.title='owned'"><script>document.title='owned'</script></title>{{.}}`

// The page says of what the policy is made.
func TestPolicyInForce(t *testing.T) {
	r := newRig(t)
	r.Backend.Policy = func() *backend.InForce {
		return &backend.InForce{
			Problems: []string{"/etc/policyctl/policy.yaml:3:1: unknown key aprovals " + evil}, Notes: []string{"it may surprise"},
			Settings: []backend.Setting{{Key: "approvals.mode", Values: []backend.SettingValue{{Value: "manual", Origin: "user /home/dev/policy.yaml:2"}, {Value: evil, Origin: "project x", Held: "the managed layer locks it"}}}, {Key: "doom_loop.threshold", Values: []backend.SettingValue{{Value: "3"}}}},
			Files:    []backend.PolicyFile{{Layer: "managed", Path: "/etc/policyctl/policy.yaml", Locks: []string{"approvals.mode"}}, {Layer: "project", Path: "/src/.policyctl/policy.yaml", Trust: "changed since trusted"}, {Layer: "user", Path: evil, Error: "it cannot be read"}},
			Bundles:  []backend.PolicyBundle{{Name: "acme", URL: "https://bundles.example/acme", Revision: "r7", Contact: r.Now().Add(-time.Hour), Error: "the server says 503"}, {Name: "old", Stale: true}},
		}
	}
	b := open(t, 1200, 900)
	b.logIn(r)
	b.at(r, "/ui/policy")
	for _, want := range []string{
		"unknown key aprovals", "it may surprise", "user /home/dev/policy.yaml:2", "held back", "the managed layer locks it", "built in", "changed since trusted",
		"it cannot be read", "r7", "the server says 503", "too old: it only denies and asks", "not loaded",
	} {
		b.shows(want)
	}
	if b.text("document.title") == "owned" || b.text(`document.querySelectorAll("main img, main script").length`) != "0" {
		t.Error("a text becomes a part of the page")
	}
}

// learning has the service try permissions.
func (r *rig) learning(t testing.TB) {
	r.Backend.Policy = func() *backend.InForce {
		return &backend.InForce{With: func(p ...policy.Permission) (*policy.Engine, error) {
			s := policy.Defaults()
			s.Permissions = append(s.Permissions, p...)
			return policy.New(s, policy.Options{})
		}}
	}
}

// The page counts what was asked and answered, in pictures with their tables, and
// proposes what people's answers support.
func TestInsights(t *testing.T) {
	r := newRig(t)
	r.learning(t)
	for i := range 4 {
		r.decide(t, r.submit(t, "s1", fmt.Sprint("npm run lint", i)), `{"decision":"approved_once"}`)
	}
	r.decide(t, r.submit(t, "s2", "psql -c 'drop table users'"), `{"decision":"rejected"}`)
	r.submit(t, "s2", "npm run other")
	b := open(t, 1200, 900)
	b.logIn(r)
	b.at(r, "/ui/insights?days=7")
	b.shows("6 requests in 2 sessions")
	b.shows("Half of what people decided took at most")
	table := func(title string) string {
		return b.text(`(() => { const s = [...document.querySelectorAll("summary")].find(e => e.textContent === "Table: ` + title + `"); s.parentElement.open = true; return s.parentElement.innerText; })()`)
	}
	for title, want := range map[string][]string{
		"Asks a session": {r.Now().UTC().Format(time.DateOnly) + "\t3.0\t6\t2"},
		"What is asked about most: programs and tools": {"npm\t5\t83 %", "psql\t1\t17 %"},
		"What became of them":                          {"approved\t4\t67 %", "denied\t1\t17 %", "pending\t1\t17 %", "timed out\t0\t0 %"},
		"Who answers":                                  {"token:boss\t5\t100 %"},
		"Time to decision":                             {"5 s\t5\t100 %", "longer\t0\t0 %"},
	} {
		got := table(title)
		for _, row := range want {
			if !strings.Contains(got, row) {
				t.Errorf("%s lacks %q: %q", title, row, got)
			}
		}
	}
	if n := b.text(`document.querySelectorAll("svg[role=img] rect").length`); n == "0" || b.text(`document.querySelectorAll("[style]").length`) != "0" {
		t.Errorf("%s bars, or an inline style", n)
	}
	b.shows("allow shell npm run *")
	b.shows("It would have allowed 5 of the last 6 asks, and nothing that was denied: people had answered 4 of them so.")
	b.shows("policyctl learn --accept 'shell npm run *'")
	b.at(r, "/ui/insights?days=90")
	b.shows("6 requests in 2 sessions")
}

// A token is made, shown once, used, and revoked.
func TestTokens(t *testing.T) {
	r := newRig(t)
	b := open(t, 1200, 900)
	b.logIn(r)
	b.at(r, "/ui/tokens")
	b.do(chromedp.SendKeys(`#make-token [name="name"]`, "ci", chromedp.NodeVisible), click(`#make-token [value="submit"]`), click(`#make-token [value="read"]`), click(`#make-token button`))
	b.waits("the token is shown", `document.querySelector("#once").open`)
	secret := b.text(`document.querySelector("#once-text").textContent`)
	if a := r.Do(t, secret, "GET", "/v1/whoami", ""); a.At("identity") != "token:ci" || fmt.Sprint(a.At("scopes")) != "[submit read]" {
		t.Fatalf("the token is %s", a.Text)
	}
	b.click("#once-copy")
	b.waits("it says what came of copying", `document.querySelector("#once-said").textContent !== ""`)
	b.click(`#once button[type="submit"]`)
	b.waits("the secret is gone", `!document.documentElement.innerHTML.includes("`+secret+`")`)
	b.shows("Made: the token ci")
	row := b.text(`[...document.querySelectorAll("tbody tr")].find(e => e.innerText.startsWith("ci")).innerText`)
	if !strings.Contains(row, "submit, read") || !strings.Contains(row, "by login:1") || !strings.Contains(row, "valid") {
		t.Errorf("the row is %q", row)
	}
	id := strings.Split(secret, "_")[1]
	b.do(click(`button[data-revoke-token="`+id+`"]`), click("#answer button[value='']"))
	if a := r.Do(t, secret, "GET", "/v1/whoami", ""); a.Status != 200 {
		t.Errorf("to cancel revokes it: %s", a.Text)
	}
	b.do(click(`button[data-revoke-token="`+id+`"]`), click(ok))
	b.shows("Revoked: the token ci")
	if a := r.Do(t, secret, "GET", "/v1/whoami", ""); a.Status != 401 {
		t.Errorf("it still holds: %s", a.Text)
	}
	b.waits("it cannot be revoked again", `!document.querySelector('button[data-revoke-token="`+id+`"]')`)
	b.do(chromedp.SendKeys(`#make-token [name="name"]`, "nothing", chromedp.NodeVisible), click(`#make-token button`))
	b.shows("scopes: missing")
}

// Who is signed out elsewhere sees nothing any more, and the others go on.
func TestLogins(t *testing.T) {
	r := newRig(t)
	ann, bob, carol := open(t, 1200, 800), open(t, 1200, 800), open(t, 1200, 800)
	for _, b := range []*tab{ann, bob, carol} {
		b.logIn(r)
	}
	ann.at(r, "/ui/tokens")
	ann.shows("login:1, this browser")
	ann.do(click(`button[data-end-login][data-title="login:2"]`), click(ok))
	ann.shows("Signed out: login:2")
	bob.do(chromedp.Navigate(r.URL + "/ui"))
	bob.waits("it is led to the login", `location.pathname === "/login"`)
	carol.at(r, "/ui/history")
	ann.do(click(`button[data-end-others]`), click(ok))
	ann.shows("Signed out: all others")
	carol.do(chromedp.Navigate(r.URL + "/ui"))
	carol.waits("it is led to the login", `location.pathname === "/login"`)
	ann.at(r, "/ui/tokens")
	ann.waits("one is left", `document.querySelectorAll('[id^="login-"]').length === 1`)
}

// listPages are the pages beside requests, with some of what they can show.
var listPages = []string{"/ui/history?q=make&agent=claude", "/ui/audit?kind=request", "/ui/audit/3", "/ui/grants", "/ui/policy?command=rm+-rf+build+%7C+cat", "/ui/insights", "/ui/tokens"}

// peopled returns a service of which each page has something to show, in hostile words.
func peopled(t *testing.T) *rig {
	r := newRig(t)
	r.learning(t)
	long := strings.Repeat("long", 40)
	call, _ := json.Marshal(map[string]any{
		"tool": "shell", "input": map[string]any{"command": "make '" + evil + "' \u202e" + long}, "dir": "/home/dev/" + long, "home": "/home/dev", "session": evil, "agent": "claude",
	})
	a := r.Do(t, r.agent, "POST", "/v1/requests", `{"call":`+string(call)+`}`)
	id, _ := a.At("id").(string)
	r.decide(t, id, `{"decision":"rejected","reason":`+string(must(json.Marshal(evil)))+`}`)
	for i := range 3 {
		r.decide(t, r.submit(t, evil, fmt.Sprint("npm run lint", i, " "+long)), `{"decision":"approved_once"}`)
	}
	r.decide(t, r.submit(t, "s1", "cargo build"), `{"decision":"approved_remember","scope":"here"}`)
	r.decide(t, r.submit(t, "s1", "cargo test"), `{"decision":"approved_remember","scope":"session"}`)
	return r
}

func must(text []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return text
}

// What agents send is text on these pages too.
func TestHostileLists(t *testing.T) {
	r := peopled(t)
	b := open(t, 1200, 900)
	b.logIn(r)
	for _, path := range append(listPages, "/ui/history?q=%22%3E%3Cscript%3Ealert&session=%22%3E%3Cimg%3E", "/ui/audit?actor=%22%3E%3Cimg%3E") {
		b.at(r, path)
		if b.text("document.title") == "owned" || b.text(`document.querySelectorAll("main img, main script").length`) != "0" {
			t.Errorf("%s runs what an agent sent", path)
		}
	}
}

// At the width of a phone nothing is cut off, and all pages are reached.
func TestListsOnPhone(t *testing.T) {
	r := peopled(t)
	b := open(t, 360, 740)
	b.logIn(r)
	for _, path := range listPages {
		b.at(r, path)
		if wide := b.text("document.documentElement.scrollWidth"); wide != "360" {
			t.Errorf("%s is %s wide", path, wide)
		}
		if small := b.text(`[...document.querySelectorAll("nav a, button, input, select, summary, textarea")].filter(e => e.checkVisibility() && (e.getBoundingClientRect().height < 24 || e.getBoundingClientRect().width < 24)).map(e => e.outerHTML).join(" ")`); small != "" {
			t.Errorf("%s has small targets: %s", path, small)
		}
	}
	if n := b.text(`[...document.querySelectorAll("nav a")].filter(e => { const r = e.getBoundingClientRect(); return r.left >= 0 && r.right <= 360 && r.height > 0; }).length`); n != b.text(`document.querySelectorAll("nav a").length`) {
		t.Errorf("%s links can be reached", n)
	}
}

// Without scripts all can be read and filtered, and nothing changed.
func TestListsWithoutScript(t *testing.T) {
	r := peopled(t)
	b := open(t, 1200, 900)
	b.logIn(r)
	if _, err := chromedp.Call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/ui/history?q=lint0": "npm run lint0", "/ui/audit?kind=decision": "Verified", "/ui/audit/3": "Own hash", "/ui/grants": "cargo build", "/ui/policy?command=ls": "How the chain decides",
		"/ui/insights": "npm", "/ui/tokens": "boss",
	} {
		b.do(chromedp.Navigate(r.URL + path))
		page, err := chromedp.Run(b, chromedp.Text("body", chromedp.NodeVisible))
		if want == "Verified" {
			want = "not verified yet"
		}
		if err != nil || !strings.Contains(page, want) {
			t.Errorf("%s lacks %s: %q, %v", path, want, page, err)
		}
		for _, act := range []string{"Revoke\n", "Verify now", "Make a token", "Sign out"} {
			if strings.Contains(page, act) {
				t.Errorf("%s offers %s, which needs the script", path, act)
			}
		}
	}
}

// A cookie alone changes nothing, whatever route it is sent to; who may only read sees
// no tokens.
func TestCookieChangesNothing(t *testing.T) {
	r := peopled(t)
	counting, _, err := r.Granted.List(t.Context())
	if err != nil || len(counting) == 0 {
		t.Fatal(err)
	}
	cookie := r.cookie(t)
	for _, row := range []string{"DELETE /v1/grants/" + counting[0].ID, "POST /v1/grants/" + counting[0].ID + "/restore", "DELETE /v1/logins", "GET /v1/logins", "GET /v1/tokens", "POST /v1/tokens"} {
		method, path, _ := strings.Cut(row, " ")
		q, err := http.NewRequest(method, r.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Header = cookie.Clone()
		res, err := http.DefaultTransport.RoundTrip(q)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != 403 {
			t.Errorf("%s by a cookie: %d", row, res.StatusCode)
		}
	}
	if a := r.visit(t, "/ui/tokens", bearer(r.Token(t, "reader", "read"))); a.Status != 403 {
		t.Errorf("a reader sees the tokens: %d", a.Status)
	}
	if again, _, err := r.Granted.List(t.Context()); err != nil || len(again) != len(counting) {
		t.Errorf("%d grants, %v", len(again), err)
	}
}

// The pages have no violation that axe finds, in either theme.
func TestAccessibleLists(t *testing.T) {
	axe, err := os.ReadFile(filepath.Join(os.Getenv("AXE_CORE"), "axe.min.js"))
	if errors.Is(err, os.ErrNotExist) && os.Getenv("CI") == "" {
		t.Skip("AXE_CORE names no directory with axe.min.js")
	}
	if err != nil {
		t.Fatal(err)
	}
	r := peopled(t)
	b := open(t, 1200, 900)
	b.logIn(r)
	check := func(what string) {
		t.Helper()
		b.do(chromedp.Evaluate[chromedp.Void](string(axe)))
		found, err := chromedp.Run(b, chromedp.Evaluate[string](`axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}).then(r => r.violations.map(v => v.id + ": " + v.nodes.map(n => n.html).join(" ")).join("\n"))`, chromedp.EvalAwaitPromise))
		if err != nil || found != "" {
			t.Errorf("%s: %v\n%s", what, err, found)
		}
	}
	for _, scheme := range []string{"light", "dark"} {
		media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
		if _, err := chromedp.Call(b, emulation.SetEmulatedMedia, media); err != nil {
			t.Fatal(err)
		}
		for _, path := range listPages {
			b.at(r, path)
			b.do(chromedp.Evaluate[chromedp.Void](`for (const e of document.querySelectorAll("details")) e.open = true`))
			check(scheme + " " + path)
		}
	}
	b.at(r, "/ui/tokens")
	b.do(chromedp.SendKeys(`#make-token [name="name"]`, "ci", chromedp.NodeVisible), click(`#make-token [value="submit"]`), click(`#make-token button`))
	b.waits("the token is shown", `document.querySelector("#once").open`)
	check("the dialog of a token")
}
