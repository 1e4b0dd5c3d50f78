package desk_test

import (
	"bytes"
	"crypto/ecdh"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"

	"github.com/policyctl/policyctl/internal/service/desk/icon"
	"github.com/policyctl/policyctl/internal/service/push"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A phone finds all that it needs to install the desk, and the icons are those that the
// generator draws.
func TestInstallable(t *testing.T) {
	r := newRig(t)
	a := r.visit(t, "/ui/assets/desk.webmanifest", nil)
	if media := a.Header.Get("Content-Type"); a.Status != 200 || media != "application/manifest+json" {
		t.Fatalf("%d %s", a.Status, media)
	}
	for key, want := range map[string]any{"name": "policyctl", "display": "standalone", "start_url": "/ui", "scope": "/ui", "theme_color": "#14161a", "background_color": "#14161a", "id": "/ui"} {
		if a.JSON[key] != want {
			t.Errorf("%s: %v", key, a.JSON[key])
		}
	}
	seen := make(map[string]bool)
	for _, one := range a.JSON["icons"].([]any) {
		i := one.(map[string]any)
		file, size := i["src"].(string), i["sizes"].(string)
		got := r.visit(t, file, nil)
		if got.Status != 200 || got.Header.Get("Content-Type") != i["type"] {
			t.Errorf("%s: %d %s", file, got.Status, got.Header.Get("Content-Type"))
		}
		seen[i["purpose"].(string)+" "+size] = true
		if i["type"] != "image/png" {
			continue
		}
		if p, err := png.DecodeConfig(strings.NewReader(got.Text)); err != nil || size != fmt.Sprintf("%dx%d", p.Width, p.Height) {
			t.Errorf("%s is %dx%d, %v", file, p.Width, p.Height, err)
		}
	}
	for _, want := range []string{"any 192x192", "any 512x512", "maskable 192x192", "maskable 512x512"} {
		if !seen[want] {
			t.Errorf("there is no icon %s", want)
		}
	}
	for name, drawing := range icon.Files {
		text := r.visit(t, "/ui/assets/"+name, nil).Text
		shown, err := png.Decode(strings.NewReader(text))
		if err != nil {
			t.Fatal(name, err)
		}
		drawn := drawing.Draw()
		for y := range drawing.Size {
			for x := range drawing.Size {
				r1, g1, b1, a1 := shown.At(x, y).RGBA()
				if r2, g2, b2, a2 := drawn.At(x, y).RGBA(); r1 != r2 || g1 != g2 || b1 != b2 || a1 != a2 {
					t.Fatalf("%s is not what is drawn: go run ./internal/service/desk/icon/gen internal/service/desk/assets", name)
				}
			}
		}
		if _, _, _, alpha := drawn.At(0, 0).RGBA(); drawing.Full != (alpha == 0xffff) {
			t.Errorf("%s: a corner has the opacity %d", name, alpha)
		}
	}
	page := r.visit(t, "/ui", r.cookie(t)).Text
	for _, want := range []string{"viewport-fit=cover", `rel="apple-touch-icon"`, `name="theme-color"`, `rel="manifest"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	worker := r.visit(t, "/ui/assets/worker.js", nil)
	if worker.Header.Get("Service-Worker-Allowed") != "/ui" || !strings.HasPrefix(worker.Header.Get("Content-Type"), "text/javascript") {
		t.Errorf("the worker has %v", worker.Header)
	}
	for _, not := range []string{"fetch", "caches"} {
		if strings.Contains(worker.Text, `addEventListener("`+not) || strings.Contains(worker.Text, not+".") {
			t.Errorf("the worker has to do with %s", not)
		}
	}
}

// asPhone makes a tab one of a touch screen.
func (b *tab) asPhone() {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile, chromedp.EmulateTouch))
	if _, err := chromedp.Call(b, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true, MaxTouchPoints: 1}); err != nil {
		b.t.Fatal(err)
	}
}

// touch moves a finger over the slider, from one part of it to another.
func (b *tab) touch(from, to float64) {
	b.t.Helper()
	var box struct{ X, Y, W, H float64 }
	text := b.text(`JSON.stringify((r => ({X: r.x, Y: r.y, W: r.width, H: r.height}))(document.querySelector("#answer-slide").getBoundingClientRect()))`)
	if err := json.Unmarshal([]byte(text), &box); err != nil {
		b.t.Fatal(err)
	}
	at := func(part float64) []*input.TouchPoint {
		return []*input.TouchPoint{{X: box.X + 8 + part*(box.W-16), Y: box.Y + box.H/2}}
	}
	send := func(kind input.DispatchTouchEventType, points []*input.TouchPoint) {
		if _, err := chromedp.Call(b, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points}); err != nil {
			b.t.Fatal(err)
		}
	}
	send("touchStart", at(from))
	for i := 1; i <= 12; i++ {
		send("touchMove", at(from+(to-from)*float64(i)/12))
	}
	send("touchEnd", []*input.TouchPoint{})
}

// On a touch screen, what is of high risk is approved by a slide from the start to the
// end, or by a word; a touch alone approves nothing.
func TestSlide(t *testing.T) {
	r := newRig(t)
	id := r.submit(t, "s1", "rm -rf build")
	b := open(t, 360, 740)
	b.asPhone()
	b.logIn(r)
	if b.text(`matchMedia("(pointer: coarse)").matches`) != "true" {
		t.Fatal("the screen is not one to touch")
	}
	approve := `button[data-scope="once"]`
	begin := func() {
		b.do(tap(approve))
		b.waits("the dialog", `document.querySelector("#answer").open`)
	}
	begin()
	b.shows("Slide to the end to approve")
	if size := b.text(`document.querySelector("#answer-slide").offsetHeight >= 44`); size != "true" {
		t.Error("the slider is small")
	}
	pending := func(what string) {
		t.Helper()
		time.Sleep(50 * time.Millisecond)
		if q := r.get(t, id); q.State != approval.Pending {
			t.Fatalf("%s: it is %s", what, q.State)
		}
		if v := b.text(`document.querySelector("#answer-slide").value`); v != "0" {
			t.Errorf("%s: the slider is at %s", what, v)
		}
	}
	b.touch(1, 1)
	pending("a touch at the end")
	b.touch(0.6, 1)
	pending("a slide from the middle")
	b.touch(0, 0.7)
	pending("a slide that stops before the end")
	if b.text(`document.querySelector("#answer-ok").disabled`) != "true" {
		t.Error("the button is on")
	}
	b.touch(0, 1)
	b.shows("Approved: shell: rm -rf build")
	if q := r.get(t, id); q.State != approval.Approved {
		t.Errorf("it is %s", q.State)
	}

	// With keys and with a word, the button answers.
	id = r.submit(t, "s2", "rm -rf dist")
	b.shows("rm -rf dist")
	begin()
	b.do(chromedp.SendKeys("#answer-word", "high risk"), click(ok))
	b.shows("Approved: shell: rm -rf dist")
	id = r.submit(t, "s3", "rm -rf out")
	b.shows("rm -rf out")
	begin()
	b.do(chromedp.Evaluate[chromedp.Void](`{ const s = document.querySelector("#answer-slide"); s.focus(); s.value = 100; s.dispatchEvent(new Event("input", {bubbles: true})); s.dispatchEvent(new Event("change", {bubbles: true})); }`))
	if q := r.get(t, id); q.State != approval.Pending {
		t.Fatalf("keys alone have approved it: %s", q.State)
	}
	b.click(ok)
	b.shows("Approved: shell: rm -rf out")

	// What is of less risk takes one touch.
	id = r.submit(t, "s4", "make deploy")
	b.shows("make deploy")
	b.do(tap(approve))
	b.shows("Approved: shell: make deploy")
}

// notified has a message come, and returns what is shown. A worker that begins just then
// may miss one, so that it comes again.
func (b *tab) notified(r *rig, worker serviceworker.RegistrationID, data, want string) (shown string) {
	b.t.Helper()
	const all = `navigator.serviceWorker.getRegistration("/ui").then((w) => w.getNotifications()).then((all) => JSON.stringify(all.map((n) => [n.title, n.body, n.data.request])[0] ?? null))`
	for range 20 {
		if _, err := chromedp.Call(b, serviceworker.DeliverPushMessage, serviceworker.DeliverPushMessageParams{Origin: r.URL, RegistrationID: worker, Data: data}); err != nil {
			b.t.Fatal(err)
		}
		for range 25 {
			var err error
			if shown, err = chromedp.Run(b, chromedp.Evaluate[string](all, chromedp.EvalAwaitPromise)); err != nil {
				b.t.Fatal(err)
			}
			if shown == want {
				return shown
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	return shown
}

// A browser subscribes, is told when a request comes, and no more when it is removed.
func TestNotifications(t *testing.T) {
	told := make(chan int, 9)
	vendor := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		var body bytes.Buffer
		_, _ = body.ReadFrom(q.Body)
		told <- body.Len()
		w.WriteHeader(http.StatusCreated)
	}))
	t.Cleanup(vendor.Close)
	host, roots := strings.TrimPrefix(vendor.URL, "https://"), x509.NewCertPool()
	roots.AddCert(vendor.Certificate())
	guard := push.Guard{host}
	r := newNamedRig(t, "", func(o *push.Options) {
		o.Guard, o.Sender, o.Gather = guard, push.NewSender(guard, roots), time.Millisecond
	})
	b := open(t, 360, 740)
	if _, err := chromedp.CallBrowser(b, browser.SetPermission, browser.SetPermissionParams{
		Permission: &browser.PermissionDescriptor{Name: "notifications"}, Setting: "granted", Origin: r.URL, BrowserContextID: chromedp.FromContext(b).BrowserContextID,
	}); err != nil {
		t.Fatal(err)
	}
	registered := make(chan serviceworker.RegistrationID, 9)
	if err := chromedp.Listen(b, func(ev any) {
		if e, ok := ev.(*serviceworker.EventWorkerRegistrationUpdated); ok {
			for _, one := range e.Registrations {
				if one.ScopeURL == r.URL+"/ui" && !one.IsDeleted {
					registered <- one.RegistrationID
				}
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(b, serviceworker.Enable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	b.logIn(r)
	b.do(chromedp.Navigate(r.URL + "/ui/you"))
	b.shows("No browser is told.")
	// No vendor's push service is asked: this one stands in for it.
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	encode := base64.RawURLEncoding.EncodeToString
	b.do(chromedp.Evaluate[chromedp.Void](`PushManager.prototype.getSubscription = async () => null; PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
		window.asked = { userVisibleOnly, applicationServerKey };
		return { toJSON: () => ({ endpoint: "` + vendor.URL + `/secret", expirationTime: null, keys: { p256dh: "` + encode(private.PublicKey().Bytes()) + `", auth: "` + encode(make([]byte, 16)) + `" } }) };
	}`))
	b.do(chromedp.SendKeys("#push-label", "my <b>phone</b>", chromedp.NodeVisible), click("#push-form button"))
	b.shows("Notified from now on: my <b>phone</b>")
	key, err := r.Push.PublicKey()
	if err != nil || b.text("window.asked.applicationServerKey") != key || b.text("window.asked.userVisibleOnly") != "true" {
		t.Errorf("it is subscribed with %s, %v", b.text("JSON.stringify(window.asked)"), err)
	}
	id := r.submit(t, "s1", "make deploy")
	select {
	case <-told:
	case <-time.After(10 * time.Second):
		t.Fatal("the browser is not told")
	}
	b.do(chromedp.Navigate(r.URL + "/ui/you"))
	b.shows("told 20")

	// What the worker shows, and where it leads.
	worker := <-registered
	for _, row := range []struct{ data, title, body, request string }{
		{`{"waiting":3,"risk":"high","request":"` + id + `"}`, "3 requests wait", "The newest is of high risk.", id},
		{`no JSON`, "Requests wait", "Open the desk to see more.", ""},
		{`{"waiting":1,"risk":"low","request":"../../login#x"}`, "1 request waits", "The newest is of low risk.", ""},
		{`{"waiting":"<b>","risk":"<b>","request":7}`, "Requests wait", "Open the desk to see more.", ""},
	} {
		want, err := json.Marshal([]string{row.title, row.body, row.request})
		if err != nil {
			t.Fatal(err)
		}
		if got := b.notified(r, worker, row.data, string(want)); got != string(want) {
			t.Errorf("%s: it shows %s, want %s", row.data, got, want)
		}
	}
	if wide := b.text("document.documentElement.scrollWidth"); wide != "360" {
		t.Errorf("the page is %s wide", wide)
	}
	b.click(".things button[data-push-remove]")
	b.shows("No browser is told.")
	r.submit(t, "s1", "make release")
	select {
	case <-told:
		t.Error("it is told though it was removed")
	case <-time.After(200 * time.Millisecond):
	}
}
