package desk_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/policyctl/policyctl/internal/service/auth/authtest"
	"github.com/policyctl/policyctl/pkg/approval"
)

const (
	ok    = "#answer-ok"
	enter = "\r"
)

// A denial takes a reason, one of those that are ready or another, which the agent is told.
func TestDeny(t *testing.T) {
	r := newRig(t)
	id := r.submit(t, "s1", "psql -c 'drop table users'")
	b := open(t, 1200, 800)
	b.logIn(r)
	b.press("jd")
	b.do(click("#answer-ready button"), click(ok))
	b.shows("Denied: shell: psql")
	if q := r.get(t, id); q.State != approval.Denied || q.Decision.Reason != "use the test database" {
		t.Errorf("it is %s: %q", q.State, q.Decision.Reason)
	}

	id = r.submit(t, "s1", "make deploy")
	b.shows("make deploy")
	b.do(click("button[data-deny]"), chromedp.SendKeys("#answer-reason", "not on a Friday"), click(ok))
	b.shows("Denied: shell: make deploy")
	if q := r.get(t, id); q.Decision.Reason != "not on a Friday" {
		t.Errorf("the reason is %q", q.Decision.Reason)
	}

	// To cancel the dialog decides nothing.
	id = r.submit(t, "s1", "make release")
	b.shows("make release")
	b.do(click("button[data-deny]"), click("#answer button[value='']"))
	b.waits("the dialog is closed", `!document.querySelector("#answer").open`)
	if q := r.get(t, id); q.State != approval.Pending {
		t.Errorf("it is %s", q.State)
	}
}

// Several calls are decided at once; where one is of high risk that takes a word.
func TestBulk(t *testing.T) {
	r := newRig(t)
	ids := []string{r.submit(t, "s1", "make deploy"), r.submit(t, "s2", "rm -rf build"), r.submit(t, "s3", "make other")}
	b := open(t, 1200, 800)
	b.logIn(r)
	b.press("jxjx")
	b.shows("2 selected")
	b.click("#bulk-approve")
	b.shows("2 calls, 1 of them of high risk")
	if b.text(`document.querySelector("#answer-ok").disabled`) != "true" {
		t.Error("the answer needs no word")
	}
	b.do(chromedp.SendKeys("#answer-word", "high"))
	if b.text(`document.querySelector("#answer-ok").disabled`) != "true" {
		t.Error("half the word is enough")
	}
	b.do(chromedp.SendKeys("#answer-word", " risk"), click(ok))
	b.shows("Approved: 2 requests")
	for i, want := range []approval.State{approval.Approved, approval.Approved, approval.Pending} {
		if q := r.get(t, ids[i]); q.State != want {
			t.Errorf("%s is %s", q.Title, q.State)
		}
	}
}

// The same call is shown once, however often it was asked about, and has one answer.
func TestAlike(t *testing.T) {
	r := newRig(t)
	ids := []string{r.submit(t, "s1", "make deploy"), r.submit(t, "s1", "make deploy"), r.submit(t, "s1", "make deploy")}
	b := open(t, 1200, 800)
	b.logIn(r)
	b.shows("asked 3 times")
	b.press("ja")
	b.shows("Approved: 3 requests")
	for _, id := range ids {
		if q := r.get(t, id); q.State != approval.Approved {
			t.Errorf("%s is %s", id, q.State)
		}
	}
}

// What the policy says may have changed since a request was shown. It is then
// approved only by who has seen it anew.
func TestPolicyChanged(t *testing.T) {
	r := newRig(t)
	id := r.submit(t, "s1", "make deploy")
	b := open(t, 1200, 800)
	b.logIn(r)
	// Else the page may be shown anew before the keys are pressed.
	b.do(chromedp.Evaluate[chromedp.Void](`events.close(); setTimeout(async () => { while (refreshing) await refreshing; document.body.dataset.still = "" }, 50)`))
	b.waits("the page stays as it is", `"still" in document.body.dataset`)
	admin := r.Token(t, "admin", "admin")
	if a := r.Do(t, admin, "POST", "/v1/rules", `{"id":"x","priority":1,"enabled":1,"source":"{\"shell.program\":\"npm\"}","decision":"deny","reason":"no"}`); a.Status >= 300 {
		t.Fatal(a.Text)
	}
	b.press("ja")
	b.shows("the policy has changed since the request was shown; look at the request again, and decide then")
	if q := r.get(t, id); q.State != approval.Pending {
		t.Fatalf("it is %s", q.State)
	}
	b.press("a")
	b.shows("Approved: shell: make deploy")
}

// An approval for longer says what it stores and for how long, is stored, and answers
// the next call; one that is valid everywhere takes a word.
func TestRemember(t *testing.T) {
	r := newRig(t)
	id := r.submit(t, "s1", "npm run lint")
	b := open(t, 1200, 900)
	b.logIn(r)
	b.do(chromedp.Navigate(r.URL + "/ui/requests/" + id))
	b.shows("stores npm run in /home/dev/src/app")
	b.press("h")
	b.do(chromedp.SetValue("#answer-life", "168h", chromedp.NodeVisible), click(ok))
	b.shows("saved npm run in /home/dev/src/app")
	r.settled(t, id)
	if q := r.get(t, id); q.Decision.Scope != approval.Here || q.Decision.For != approval.Life(7*24*3600e9) {
		t.Errorf("the decision is %+v", q.Decision)
	}
	if q := r.get(t, r.submit(t, "s2", "npm run test")); q.State != approval.Approved {
		t.Errorf("the next call is %s", q.State)
	}

	id = r.submit(t, "s2", "cargo build")
	b.do(chromedp.Navigate(r.URL+"/ui/requests/"+id), click(`button[data-scope="session"]`), click(ok))
	b.shows("approved_remember")
	if q := r.get(t, id); q.Decision.Scope != approval.ForChat || q.Decision.For != approval.Life(8*3600e9) {
		t.Errorf("the decision is %+v", q.Decision)
	}
}

// Of two browsers one decides; the other one sees it, and what it sends too late
// decides nothing.
func TestTwoBrowsers(t *testing.T) {
	r := newRig(t)
	r.submit(t, "s1", "make deploy")
	ann, bob := open(t, 1200, 800), open(t, 1200, 800)
	ann.logIn(r)
	bob.logIn(r)
	ann.press("ja")
	bob.shows("Nothing waits for an answer.")

	id := r.submit(t, "s1", "make release")
	ann.shows("make release")
	bob.shows("make release")
	// What bob's page shows is frozen, as on a slow line.
	bob.do(chromedp.Evaluate[chromedp.Void](`window.fetchAnew = window.fetch; window.fetch = (u, o) => o?.method === "POST" ? window.fetchAnew(u, o) : new Promise(() => {})`))
	ann.press("ja")
	ann.shows("Approved: shell: make release")
	bob.do(click("button[data-deny]"), click(ok), chromedp.Evaluate[chromedp.Void](`window.fetch = window.fetchAnew`))
	if q := r.get(t, id); q.State != approval.Approved {
		t.Errorf("it is %s", q.State)
	}
}

// Without scripts all can be read and nothing decided.
func TestWithoutScript(t *testing.T) {
	r := newRig(t)
	id := r.submit(t, "s1", "make deploy")
	b := open(t, 1200, 800)
	b.logIn(r)
	if _, err := chromedp.Call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/ui", "/ui/requests/" + id, "/ui/history"} {
		b.do(chromedp.Navigate(r.URL + path))
		page, err := chromedp.Run(b, chromedp.Text("html > body", chromedp.NodeVisible))
		if err != nil || !strings.Contains(page, "make deploy") || strings.Contains(page, "Approve once") != (path != "/ui" && path != "/ui/history") {
			t.Errorf("%s shows %q, %v", path, page, err)
		}
	}
}

// On a phone nothing is cut off, targets are large, and a call is decided in five
// touches.
func TestPhone(t *testing.T) {
	r := newRig(t)
	id := r.submit(t, "a session with a long name that has no end in sight at all", "git push origin "+strings.Repeat("long", 60))
	b := open(t, 360, 740)
	b.logIn(r)
	for _, path := range []string{"/ui/history", "/ui/audit", "/ui/policy?command=git+status", "/ui/you", "/ui/requests/" + id, "/ui"} {
		b.do(chromedp.Navigate(r.URL + path))
		b.waits(path, `document.querySelector("h1")`)
		if wide := b.text("document.documentElement.scrollWidth"); wide != "360" {
			t.Errorf("%s is %s wide", path, wide)
		}
	}
	b.waits("the buttons are there", `document.querySelector("button[data-scope]")?.offsetHeight > 0`)
	if small := b.text(`[...document.querySelectorAll(".item button")].filter(e => e.offsetHeight && (e.offsetHeight < 44 || e.offsetWidth < 44)).length`); small != "0" {
		t.Errorf("%s buttons that decide are small", small)
	}
	if small := b.text(`[...document.querySelectorAll("button, input, select")].filter(e => e.offsetHeight && (e.offsetHeight < 24 || e.offsetWidth < 24)).length`); small != "0" {
		t.Errorf("%s targets are small", small)
	}
	b.do(tap(`button[data-scope="once"]`))
	b.shows("Approved:")
	if q := r.get(t, id); q.State != approval.Approved {
		t.Errorf("it is %s", q.State)
	}
}

// Keys of one letter can be turned off, and do nothing while somebody types.
func TestShortcuts(t *testing.T) {
	r := newRig(t)
	id := r.submit(t, "s1", "make deploy")
	b := open(t, 1200, 800)
	b.logIn(r)
	b.press("/")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#filter").value = ""`)) // no browser of a person types the slash there
	b.press("a")
	if got := b.text(`document.querySelector("#filter").value`); got != "a" {
		t.Errorf("the filter has %q", got)
	}
	b.do(chromedp.Blur("#filter"))
	b.press("?")
	b.do(click("#shortcuts"), click("#help button"))
	b.press("ja")
	b.do(chromedp.Navigate(r.URL + "/ui"))
	b.shows("make deploy")
	b.press("ja")
	if q := r.get(t, id); q.State != approval.Pending {
		t.Errorf("it is %s", q.State)
	}
}

// What agents send is text. Nothing of it becomes a part of the page, and what a
// reader would not see is written out.
func TestHostileText(t *testing.T) {
	r := newRig(t)
	evil := `"><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>{{.}}`
	ids := []string{r.submit(t, evil, "echo '"+evil+"' > x; make"), r.submit(t, "s2", "make \u202etset\u202c \u200b\u0430dmin")}
	b := open(t, 1200, 800)
	b.logIn(r)
	for _, path := range []string{"/ui", "/ui/requests/" + ids[0], "/ui/history", "/ui?q=" + "%22%3E%3Cscript%3E"} {
		b.do(chromedp.Navigate(r.URL + path))
		b.waits(path, `document.querySelector("#live")?.textContent === "live"`)
		if b.text("document.title") == "owned" || b.text(`document.querySelectorAll("img, main script").length`) != "0" {
			t.Errorf("%s runs what an agent sent", path)
		}
	}
	b.do(chromedp.Navigate(r.URL + "/ui/requests/" + ids[1]))
	b.shows("make U+202EtsetU+202C U+200B")
	if got := b.text(`document.querySelector(".foreign-letter").textContent`); got != "\u0430" {
		t.Errorf("the letter is %q", got)
	}
}

// A login URL works once; a second tab of the browser decides too, and logging out in
// one ends both.
func TestLogin(t *testing.T) {
	r := newRig(t)
	id := r.submit(t, "s1", "make deploy")
	b := open(t, 1200, 800)
	b.logIn(r)
	code := authtest.Code(r.Logins)
	if _, err := r.Logins.Exchange(code); err != nil {
		t.Fatal(err)
	}
	other := open(t, 1200, 800)
	other.do(chromedp.Navigate(r.URL+"/login#"+code), click("#open"))
	other.shows("the code is not accepted")
	other.do(chromedp.Navigate(r.URL + "/ui"))
	other.waits("it is led to the login", `location.pathname === "/login"`)
	other.do(chromedp.Navigate(r.URL + "/login"))
	other.shows("There is no code in this address")

	second := b.another()
	second.do(chromedp.Navigate(r.URL + "/ui"))
	second.waits("the second tab can decide", `document.querySelector("button[data-scope]")?.offsetHeight > 0`)
	second.press("ja")
	second.shows("Approved: shell: make deploy")
	if q := r.get(t, id); q.State != approval.Approved {
		t.Errorf("it is %s", q.State)
	}
	b.click("#log-out")
	b.waits("the login page", `location.pathname === "/login"`)
	second.shows("This tab can show requests but not decide.")
}

// A tab that knows only the cookie shows requests, and decides nothing.
func TestCookieAlone(t *testing.T) {
	r := newRig(t)
	r.submit(t, "s1", "make deploy")
	b := open(t, 1200, 800)
	b.logIn(r)
	b.do(chromedp.Evaluate[chromedp.Void](`sessionStorage.clear()`), chromedp.Reload())
	b.shows("This tab can show requests but not decide.")
	if n := b.text(`[...document.querySelectorAll(".item button")].filter(e => e.offsetHeight).length`); n != "0" {
		t.Errorf("%s buttons are shown", n)
	}
}

// A session that runs wild is denied as a whole, for as long as the person says.
func TestDenySession(t *testing.T) {
	r := newRig(t)
	wild := []string{r.submit(t, "wild", "make a"), r.submit(t, "wild", "make b")}
	other := r.submit(t, "other", "make c")
	b := open(t, 1200, 800)
	b.logIn(r)
	b.do(click(`button[data-session="wild"]`), chromedp.SendKeys("#answer-reason", "it runs wild"), click(ok))
	b.shows("Denied: 2 of the session, and what comes of it")
	later := r.submit(t, "wild", "make d")
	for _, id := range append(wild, later) {
		if q := r.get(t, id); q.State != approval.Denied || !strings.Contains(q.Decision.Reason, "it runs wild") {
			t.Errorf("%s is %s: %+v", q.Title, q.State, q.Decision)
		}
	}
	if q := r.get(t, other); q.State != approval.Pending {
		t.Errorf("%s is %s", q.Title, q.State)
	}
	all, err := r.Backend.Service.SessionDenials(t.Context())
	if err != nil || len(all) != 1 || all[0].Until == nil || all[0].Until.Sub(r.Now()).Round(time.Hour) != 8*time.Hour {
		t.Errorf("%+v, %v", all, err)
	}
}

// The list can be filtered, by scripts or without.
func TestFilter(t *testing.T) {
	r := newRig(t)
	r.submit(t, "s1", "make deploy")
	r.submit(t, "s2", "npm run lint")
	b := open(t, 1200, 800)
	b.logIn(r)
	b.do(chromedp.SendKeys("#filter", "LINT"+enter))
	b.shows("1 of 2")
	b.waits("only one is shown", `document.querySelectorAll(".item").length === 1`)
	r.submit(t, "s3", "npm run lint --fix")
	b.shows("2 of 3") // what comes later is filtered too
}

// Where the item with the focus is decided elsewhere, it keeps the focus as a line; what
// is selected stays so.
func TestFocus(t *testing.T) {
	r := newRig(t)
	first := r.submit(t, "s1", "make a")
	r.submit(t, "s2", "make b")
	r.submit(t, "s3", "make c")
	b := open(t, 1200, 800)
	b.logIn(r)
	b.press("kxkkj")
	b.press("k")
	boss := r.Token(t, "boss", "approve")
	r.Do(t, boss, "POST", "/v1/requests/"+first+"/decision", `{"decision":"rejected"}`)
	b.shows("Denied: shell: make a")
	if got := b.text(`document.activeElement.closest(".item")?.dataset.title`); got != "shell: make a" {
		t.Errorf("the focus is on %s", got)
	}
	b.shows("1 selected")
	b.press("j")
	if got := b.text(`document.activeElement.closest(".item")?.dataset.title`); got != "shell: make b" {
		t.Errorf("the next one is %s", got)
	}
}

// What is of high risk takes a second act wherever it is approved at the desk: by the
// button of the list, by a key, with a comment, on its own page, and among others. To
// deny it takes none but the dialog.
func TestHighRiskAsksAgain(t *testing.T) {
	r := newRig(t)
	b := open(t, 1200, 900)
	b.logIn(r)
	for i, row := range []struct {
		name  string
		begin func(id string)
	}{
		{"the button of the list", func(string) { b.click(`button[data-scope="once"]`) }},
		{"a key", func(string) { b.press("ja") }},
		{"a comment", func(string) { b.press("jc") }},
		{"its page", func(id string) {
			b.do(chromedp.Navigate(r.URL+"/ui/requests/"+id), click(`button[data-scope="once"]`))
		}},
		{"a key on its page", func(id string) {
			b.do(chromedp.Navigate(r.URL + "/ui/requests/" + id))
			b.waits("it can decide", `document.querySelector("button[data-scope]")?.offsetHeight > 0`)
			b.press("a")
		}},
		{"the bar", func(string) {
			b.press("jx")
			b.click("#bulk-approve")
		}},
	} {
		command := fmt.Sprintf("rm -rf build%d", i)
		id := r.submit(t, "s1", command)
		b.do(chromedp.Navigate(r.URL + "/ui"))
		b.shows(command)
		b.waits("it can decide", `document.querySelector("button[data-scope]")?.offsetHeight > 0`)
		row.begin(id)
		b.waits(row.name+" asks again", `document.querySelector("#answer").open && document.querySelector("#answer-word").offsetHeight > 0 && document.querySelector("#answer-ok").disabled`)
		b.keys(enter) // a second press of anything but the words
		b.do(chromedp.SendKeys("#answer-word", "yes"+enter))
		if q := r.get(t, id); q.State != approval.Pending {
			t.Fatalf("%s: it is %s", row.name, q.State)
		}
		b.confirm()
		b.shows("Approved: shell: " + command)
	}
}

// Nobody who uses a screen reader, a keyboard or large letters is left out, as far as
// axe can tell.
func TestAccessible(t *testing.T) {
	axe, err := os.ReadFile(filepath.Join(os.Getenv("AXE_CORE"), "axe.min.js"))
	switch {
	case err == nil:
	case os.Getenv("CI") != "":
		t.Fatal("AXE_CORE must name the directory of axe-core's axe.min.js: ", err)
	default:
		t.Skip("AXE_CORE names no directory with axe.min.js")
	}
	r := newRig(t)
	r.fillYou(t, "work laptop")
	id := r.submit(t, "s1", "rm -rf build && npm run lint > \u202ex")
	b := open(t, 1200, 800)
	b.do(chromedp.Navigate(r.URL + "/login#" + authtest.Code(r.Logins)))
	check := func(what string) {
		t.Helper()
		b.do(chromedp.Evaluate[chromedp.Void](string(axe)))
		found, err := chromedp.Run(b, chromedp.Evaluate[string](`axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}).then(r => r.violations.map(v => v.id + ": " + v.nodes.map(n => n.html).join(" ")).join("\n"))`, chromedp.EvalAwaitPromise))
		if err != nil || found != "" {
			t.Errorf("%s: %v\n%s", what, err, found)
		}
	}
	check("login")
	b.logIn(r)
	for _, scheme := range []string{"light", "dark"} {
		media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
		if _, err := chromedp.Call(b, emulation.SetEmulatedMedia, media); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/ui", "/ui/requests/" + id, "/ui/history", "/ui/audit", "/ui/policy", "/ui/policy?command=rm+-rf+~", "/ui/requests/req_NONE", "/ui/you"} {
			b.do(chromedp.Navigate(r.URL + path))
			b.waits(path, `document.querySelector("#live")?.textContent === "live"`)
			check(scheme + " " + path)
		}
	}
	b.do(chromedp.Navigate(r.URL + "/ui"))
	b.shows("rm -rf build")
	b.press("jd")
	check("the dialog")
	b.do(chromedp.Navigate(r.URL + "/ui"))
	b.asPhone()
	b.do(tap(`button[data-scope="once"]`))
	b.shows("Slide to the end to approve")
	check("the slide")
}

// A denial from now on is three presses: Deny, how far, Deny. Each way says what it stores;
// the next call of that kind is denied, the page of grants lists the denial, and to revoke
// it has the call ask again.
func TestDenyAlways(t *testing.T) {
	r := newRig(t)
	id := r.submit(t, "s1", "git push --force origin main")
	b := open(t, 1200, 900)
	b.logIn(r)
	b.click("button[data-deny]")
	b.shows("Only this call: stores nothing")
	b.shows("Deny git push --force in /home/dev/src/app, in this session from now on")
	b.shows("Deny git push --force anywhere from now on")
	b.click(`#answer-ways input[value="here"]`)
	b.click(ok)
	b.shows("Denied: shell: git push --force origin main")
	r.settled(t, id)
	if q := r.get(t, id); q.State != approval.Denied || q.Decision.Scope != approval.Here || q.Decision.For != 0 || strings.Join(q.Decision.Saved, ";") != "deny git push --force in /home/dev/src/app" {
		t.Errorf("the decision is %+v", q.Decision)
	}
	next := r.get(t, r.submit(t, "s2", "env A=b git push -f"))
	if next.State != approval.Denied || !strings.Contains(next.Decision.Reason, "denied always by ") {
		t.Errorf("the next call is %s: %+v", next.State, next.Decision)
	}

	b.at(r, "/ui/grants")
	b.shows("Denied: git push --force in /home/dev/src/app")
	b.shows("no end")
	b.click("button[data-revoke]")
	b.shows("Revoked: deny git push --force in /home/dev/src/app")
	if q := r.get(t, r.submit(t, "s2", "git push -f")); q.State != approval.Pending {
		t.Errorf("what is denied no more is %s", q.State)
	}

	// The dialog begins anew, and what is chosen in one is not in the next.
	b.at(r, "/ui")
	b.press("jd")
	b.waits("this call alone is chosen", `document.querySelector("#answer-ways input:checked").value === ""`)
	b.click(ok)
	b.shows("Denied: shell: git push -f")
	if a := r.Do(t, r.Token(t, "boss", "approve"), "GET", "/v1/grants", ""); len(a.At("grants").([]any)) != 0 {
		t.Errorf("stored: %s", a.Text)
	}
}

// An approval for the next three calls is one choice of the dialog, and is shown with what
// is left of it.
func TestThreeTimes(t *testing.T) {
	r := newRig(t)
	id := r.submit(t, "s1", "npm run lint")
	b := open(t, 1200, 900)
	b.logIn(r)
	b.press("jh")
	b.do(chromedp.SetValue("#answer-life", "3x", chromedp.NodeVisible), click(ok))
	b.shows("Approved: shell: npm run lint")
	r.settled(t, id)
	if q := r.get(t, id); q.Decision.Uses != 3 || q.Decision.For != approval.StoredFor {
		t.Errorf("the decision is %+v", q.Decision)
	}
	for i, want := range []approval.State{approval.Approved, approval.Approved, approval.Approved, approval.Pending} {
		if q := r.get(t, r.submit(t, "s2", "npm run test"+strings.Repeat(" x", i))); q.State != want {
			t.Errorf("call %d is %s", i+1, q.State)
		}
		if i == 0 {
			b.at(r, "/ui/grants")
			b.shows("2 of 3 left")
		}
	}
	b.at(r, "/ui/grants")
	b.shows("Nothing is granted.")
}
