package desk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/policyctl/policyctl/internal/service/auth/authtest"
	"github.com/policyctl/policyctl/internal/service/desk"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/internal/service/stream"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A rig is a service whose desk browsers look at.
type rig struct {
	*servertest.Service
	agent string // its token
}

func newRig(t *testing.T, more ...func(*servertest.Options)) *rig {
	t.Helper()
	o := servertest.Options{
		Home: "/home/dev",
		More: func(*stream.Hub) []route.Family { return []route.Family{desk.New().Family()} },
	}
	for _, change := range more {
		change(&o)
	}
	s := servertest.New(t, o)
	return &rig{s, s.Token(t, "agent", "submit")}
}

// submit asks for approval of a command in a session.
func (r *rig) submit(t *testing.T, session, command string) string {
	t.Helper()
	call, err := json.Marshal(map[string]any{
		"tool": "shell", "input": map[string]any{"command": command}, "dir": "/home/dev/src/app", "home": "/home/dev", "session": session, "agent": "claude",
	})
	if err != nil {
		t.Fatal(err)
	}
	a := r.Do(t, r.agent, "POST", "/v1/requests", `{"call":`+string(call)+`}`)
	id, _ := a.At("id").(string)
	if a.Status != 201 && a.Status != 200 || id == "" {
		t.Fatalf("submit: %d %s", a.Status, a.Text)
	}
	return id
}

func (r *rig) get(t *testing.T, id string) *approval.Request {
	t.Helper()
	q, err := r.Backend.Service.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// settled waits until what a decision stores is stored, which is after it is shown.
func (r *rig) settled(t *testing.T, id string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); r.get(t, id).Owed != nil; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("what the decision on %s stores is not stored", id)
		}
	}
}

// chromium is the browser that all tests share, nil where there is none.
var chromium = sync.OnceValue(func() context.Context {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU)
		ctx, _ := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, stopBrowser = chromedp.NewContext(ctx)
		if err := chromedp.Do(ctx); err != nil {
			fmt.Fprintln(os.Stderr, "the browser does not start:", err)
			return nil
		}
		return ctx
	}
	return nil
})

var stopBrowser = func() {}

func TestMain(m *testing.M) {
	code := m.Run()
	stopBrowser()
	os.Exit(code)
}

// A tab is one of a browser of its own: it shares cookies with no other test.
type tab struct {
	context.Context
	t *testing.T
}

// open opens a tab in a browser of its own at a size.
func open(t *testing.T, width, height int64) *tab {
	t.Helper()
	seed.Slow(t)
	browser := chromium()
	switch {
	case browser != nil:
	case os.Getenv("CI") != "":
		t.Fatal("chromium is not installed")
	default:
		t.Skip("chromium is not installed")
	}
	ctx, stop := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(stop)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, height)); err != nil { // the first context lives as long as the tab
		t.Fatal(err)
	}
	still := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}}
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, still); err != nil { // a click hits what does not move
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(cancel)
	return &tab{ctx, t}
}

// another opens a second tab of the same browser.
func (b *tab) another() *tab {
	b.t.Helper()
	ctx, stop := chromedp.NewContext(chromium(), chromedp.WithExistingBrowserContext(chromedp.FromContext(b).BrowserContextID))
	b.t.Cleanup(stop)
	return &tab{ctx, b.t}
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// logIn opens the desk by a login URL.
func (b *tab) logIn(r *rig) {
	b.t.Helper()
	b.do(chromedp.Navigate(r.URL+"/login#"+authtest.Code(r.Logins)), click("#open"))
	b.waits("the desk", `document.querySelector("h1")?.textContent.startsWith("Pending") && document.querySelector("#live").textContent === "live"`)
}

// waits waits until an expression holds.
func (b *tab) waits(what, expression string) {
	b.t.Helper()
	for range 1500 {
		ok, err := chromedp.Run(b, chromedp.Evaluate[bool]("Boolean("+expression+")"))
		if b.Err() != nil {
			b.t.Fatalf("%s: %v", what, err)
		}
		if ok { // an error is a page that is being left
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	b.t.Fatalf("%s: %s never holds; the page shows\n%s", what, expression, b.text("document.body.innerText"))
}

// text returns what an expression says.
func (b *tab) text(expression string) string {
	b.t.Helper()
	s, err := chromedp.Run(b, chromedp.Evaluate[string]("String("+expression+")"))
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

// shows waits until the page shows a text.
func (b *tab) shows(text string) {
	b.t.Helper()
	quoted, _ := json.Marshal(text)
	b.waits("shows "+text, "document.body.innerText.includes("+string(quoted)+")")
}

// press presses keys one after the other, once nothing moves, and keys presses them at
// once.
func (b *tab) press(keys string) {
	b.t.Helper()
	b.calm()
	b.keys(keys)
}

func (b *tab) keys(keys string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys))
}

// click clicks an element once it stands still and is seen. The page may still change under
// the pointer, such as by a preview: a click that hit something else is tried again.
func click(selector string) chromedp.Action[chromedp.Void] {
	return hit(selector, chromedp.Click(selector, chromedp.NodeVisible))
}

// tap is click on a touch screen.
func tap(selector string) chromedp.Action[chromedp.Void] {
	return hit(selector, chromedp.Tap(selector, chromedp.NodeVisible))
}

func hit(selector string, act chromedp.Action[chromedp.Void]) chromedp.Action[chromedp.Void] {
	quoted, _ := json.Marshal(selector)
	still := chromedp.Evaluate[bool](`(() => {
		const e = document.querySelector(` + string(quoted) + `);
		e?.scrollIntoView({ block: "nearest" });
		const r = e?.getBoundingClientRect(), at = r && r.top + " " + r.left;
		if (r && window.stood?.e === e && window.stood.at === at) return Date.now() - window.stood.since > 50 && (typeof settled === "undefined" || settled(e));
		window.stood = { e, at, since: Date.now() };
		return false;
	})()`)
	listen := chromedp.Evaluate[chromedp.Void](`(() => {
		window.hit = false;
		addEventListener("click", (e) => { window.hit = Boolean(e.target.closest(` + string(quoted) + `)); }, { capture: true, once: true });
	})()`)
	missed := chromedp.Evaluate[bool]("window.hit === false")
	return func(ctx context.Context, target *chromedp.Target) (none chromedp.Void, err error) {
		for range 10 {
			for range 1500 {
				if stands, _ := still(ctx, target); stands || ctx.Err() != nil {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			if _, err = listen(ctx, target); err != nil {
				return
			}
			if _, err = act(ctx, target); err != nil {
				return
			}
			if again, err := missed(ctx, target); err != nil || !again { // an error is a page that is being left
				return none, nil
			}
		}
		return none, fmt.Errorf("no click hits %s", selector)
	}
}

func (b *tab) click(selector string) {
	b.t.Helper()
	b.do(click(selector))
}

// confirm confirms that what is of high risk is approved.
func (b *tab) confirm() {
	b.t.Helper()
	b.waits("it asks again", `document.querySelector("#answer-word")?.offsetHeight > 0`)
	// No browser of a person types the key there that opened the dialog.
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#answer-word").select()`), chromedp.SendKeys("#answer-word", "high risk"), click(ok))
}

// A request appears without a reload, is approved by two keys, and the executor that
// waits for it gets its receipt.
func TestApproveByKeyboard(t *testing.T) {
	r := newRig(t)
	b := open(t, 1200, 800)
	b.logIn(r)
	b.shows("Nothing waits for an answer.")
	id := r.submit(t, "s1", "make deploy")
	answer := make(chan servertest.Answer, 1)
	go func() { answer <- r.Do(t, r.agent, "GET", "/v1/requests/"+id+"?wait=30s", "") }()
	b.shows("make deploy")
	b.press("j")
	b.press("a")
	select {
	case a := <-answer:
		if a.At("state") != "APPROVED" || a.At("receipt.receipt") == nil {
			t.Errorf("the executor is told %s", a.Text)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the executor waits: " + b.text("document.body.innerText"))
	}
	b.shows("Approved: shell: make deploy")
	b.shows("Nothing waits for an answer.")
	if d := r.get(t, id).Decision; d.Word != approval.ApprovedOnce || !strings.HasPrefix(d.By, "login:") {
		t.Errorf("the decision is %+v", d)
	}
}
