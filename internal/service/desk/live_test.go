package desk_test

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// A page that loses the service says so, and shows what came meanwhile when the service
// is back, without a reload.
func TestServiceRestarts(t *testing.T) {
	r := newRig(t)
	b := open(t, 1200, 800)
	b.logIn(r)
	b.do(chromedp.Evaluate[chromedp.Void](`window.same = true`))
	r.submit(t, "s1", "make before")
	b.shows("make before")
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	b.waits("it says so", `document.querySelector("#live").textContent === "not live"`)
	r.Restart(t)
	r.submit(t, "s1", "make after")
	b.shows("make after")
	b.waits("it is live", `document.querySelector("#live").textContent === "live" && window.same`)
	b.press("ja")
	b.shows("Approved: shell: make before")
}

// The URL of a login also works in a tab that shows the login page already.
func TestLoginInSameTab(t *testing.T) {
	r := newRig(t)
	b := open(t, 1200, 800)
	b.do(chromedp.Navigate(r.URL + "/login"))
	b.shows("There is no code in this address")
	b.logIn(r)
}

// What one browser decides another one shows at once.
func TestSeenAtOnce(t *testing.T) {
	r := newRig(t)
	ann, bob := open(t, 1200, 800), open(t, 1200, 800)
	ann.logIn(r)
	bob.logIn(r)
	best := time.Hour
	for i := range 5 { // the machine may be busy
		command := "make number" + strconv.Itoa(i)
		r.submit(t, "s1", command)
		ann.shows(command)
		bob.shows(command)
		began := `new Promise(done => {
			const wait = setInterval(() => { if (!document.querySelector(".item")) { clearInterval(wait); done(String(Date.now())); } }, 2);
		})`
		seen := make(chan string, 1)
		go func() {
			at, err := chromedp.Run(bob, chromedp.Evaluate[string](began, chromedp.EvalAwaitPromise))
			if err != nil {
				at = err.Error()
			}
			seen <- at
		}()
		ann.press("j")
		pressed := time.Now()
		ann.press("a")
		at := <-seen
		ms, err := strconv.ParseInt(at, 10, 64)
		if err != nil {
			t.Fatal(at)
		}
		best = min(best, time.UnixMilli(ms).Sub(pressed))
	}
	t.Logf("%v from the key in one browser to the page of another", best)
	if best > 500*time.Millisecond {
		t.Errorf("it takes %v", best)
	}
}

// The pictures of the documentation, which go to the directory that SCREENSHOTS names.
func TestScreenshots(t *testing.T) {
	r := newRig(t)
	r.submit(t, "fix the build", "git fetch origin && git rebase origin/main && git push --force-with-lease origin fix-build")
	r.submit(t, "fix the build", "npm install --save-dev vitest@3")
	id := r.submit(t, "release", "rm -rf dist && npm publish --access public")
	b := open(t, 1200, 760)
	b.logIn(r)
	b.shows("vitest")
	for name, path := range map[string]string{"desk": "/ui", "desk-request": "/ui/requests/" + id} {
		b.do(chromedp.Navigate(r.URL + path))
		b.waits("it is live", `document.querySelector("#live").textContent === "live"`)
		picture, err := chromedp.Run(b, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		if img, err := png.Decode(bytes.NewReader(picture)); err != nil || img.Bounds().Dx() != 1200 {
			t.Fatalf("%s: %v", name, err)
		}
		if dir := os.Getenv("SCREENSHOTS"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
