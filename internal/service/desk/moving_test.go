package desk_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/policyctl/policyctl/pkg/approval"
)

// A spot is a place in a window.
type spot struct{ X, Y float64 }

// buttonOf chooses a button of the card of a call.
func buttonOf(title, button string) string {
	return `.item[data-title=` + quote("shell: "+title) + `] ` + button
}

const once = `button[data-scope="once"]`

// spotOf returns the middle of an element.
func (b *tab) spotOf(selector string) (at spot) {
	b.t.Helper()
	b.waits(selector, `document.querySelector(`+quote(selector)+`)?.offsetHeight > 0`)
	text := b.text(`JSON.stringify((r => ({X: r.x + r.width / 2, Y: r.y + r.height / 2}))(document.querySelector(` + quote(selector) + `).getBoundingClientRect()))`)
	if err := json.Unmarshal([]byte(text), &at); err != nil {
		b.t.Fatal(err)
	}
	return at
}

func (b *tab) mouse(kind input.DispatchMouseEventType, at spot, count int64) {
	b.t.Helper()
	p := input.DispatchMouseEventParams{Type: kind, X: at.X, Y: at.Y, ClickCount: count}
	if count > 0 {
		p.Button = "left"
	}
	if _, err := chromedp.Call(b, input.DispatchMouseEvent, p); err != nil {
		b.t.Fatal(err)
	}
}

// hover moves the pointer, and strike presses its button at once.
func (b *tab) hover(at spot) { b.mouse("mouseMoved", at, 0) }

func (b *tab) strike(at spot, count int64) {
	b.t.Helper()
	b.mouse("mousePressed", at, count)
	b.mouse("mouseReleased", at, count)
}

// calm waits until all buttons can be pressed.
func (b *tab) calm() {
	b.t.Helper()
	b.waits("nothing moves", `document.querySelectorAll("button").length > 0 && [...document.querySelectorAll("button")].every((e) => typeof settled === "undefined" || settled(e))`)
}

// freeze stops the clock of the page once nothing moves: what moves from now on stands
// never, however slow the machine is. It notes what is answered. thaw has time go on.
func (b *tab) freeze() {
	b.t.Helper()
	b.calm()
	b.do(chromedp.Evaluate[chromedp.Void](`(() => {
		const now = performance.now();
		performance.now = () => now;
		window.answered = [];
		const send = window.fetch;
		window.fetch = (path, o) => {
			const id = /requests\/([^/]+)\/decision/.exec(path)?.[1];
			if (id) window.answered.push(id);
			return send(path, o);
		};
	})()`))
}

func (b *tab) thaw() { b.do(chromedp.Evaluate[chromedp.Void](`delete performance.now`)) }

func (b *tab) answered() string { return b.text(`window.answered.join(" ")`) }

// waiting counts the cards that can be answered.
func waitingAre(n int) string {
	return fmt.Sprintf(`document.querySelectorAll(".item:not(.over)").length === %d`, n)
}

// A double click answers one call, and not the one that comes to its place.
func TestDoubleClick(t *testing.T) {
	r := newRig(t)
	first, second := r.submit(t, "s1", "make a"), r.submit(t, "s1", "make b")
	b := open(t, 1200, 800)
	b.logIn(r)
	b.do(chromedp.Evaluate[chromedp.Void](`say("Something was done before.")`))
	at := b.spotOf(buttonOf("make a", once))
	b.hover(at)
	b.freeze()
	b.strike(at, 1)
	b.shows("Approved: shell: make a")
	b.waits("the list is shown anew", waitingAre(1))
	b.strike(at, 2)
	b.strike(at, 1)
	if got := b.answered(); got != first {
		t.Errorf("answered are %s, want %s", got, first)
	}
	// What stands is answered as ever, and nobody in the list has it as it is.
	b.thaw()
	b.calm()
	b.click(buttonOf("make b", once))
	b.shows("Nothing waits for an answer.")
	if q := r.get(t, second); q.State != approval.Approved {
		t.Errorf("%s is %s", q.Title, q.State)
	}
}

// A placed is a button that approves, and where it is.
type placed struct {
	Title string
	X, Y  float64
}

// approving returns the buttons in sight that approve.
func (b *tab) approving() (list []placed) {
	b.t.Helper()
	text := b.text(`JSON.stringify([...document.querySelectorAll(".item:not(.over) button[data-scope=once], #bulk-approve")].filter((e) => e.offsetHeight > 0).map((e) => { const r = e.getBoundingClientRect(); return {Title: e.closest(".item")?.dataset.title ?? "bulk", X: r.x + r.width / 2, Y: r.y + r.height / 2}; }))`)
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		b.t.Fatal(err)
	}
	return list
}

// Whatever changes of the page, a click answers what the person aims at, or nothing.
func TestMovingList(t *testing.T) {
	decide := func(t *testing.T, r *rig, id, word string) {
		if a := r.Do(t, r.Token(t, "boss", "approve"), "POST", "/v1/requests/"+id+"/decision", `{"decision":"`+word+`"}`); a.Status != 200 {
			t.Fatal(a.Text)
		}
	}
	for _, row := range []struct {
		name string
		act  func(t *testing.T, r *rig, b *tab, first string)
		done string // when the page knows
		says string // in the place of the first card, "" where it stays
	}{
		{"decided by another", func(t *testing.T, r *rig, _ *tab, first string) { decide(t, r, first, "approved_once") }, waitingAre(2), "Approved: shell: mkdir docs/a"},
		{"denied by another", func(t *testing.T, r *rig, _ *tab, first string) { decide(t, r, first, "rejected") }, waitingAre(2), "Denied: shell: mkdir docs/a"},
		{"withdrawn by the agent", func(t *testing.T, r *rig, _ *tab, first string) {
			if a := r.Do(t, r.agent, "POST", "/v1/requests/"+first+"/cancel", ""); a.Status != 200 {
				t.Fatal(a.Text)
			}
		}, waitingAre(2), "Withdrawn by the agent: shell: mkdir docs/a"},
		{"timed out", func(t *testing.T, r *rig, _ *tab, first string) { r.runOut(t, first) }, waitingAre(2), "Timed out: shell: mkdir docs/a"},
		{"a new request", func(t *testing.T, r *rig, _ *tab, _ string) { r.submit(t, "s1", "make new") }, `document.querySelectorAll(".item").length === 4 || document.querySelector("#fresh")?.textContent === "1 new"`, ""},
		{"a new request of the same call", func(t *testing.T, r *rig, _ *tab, _ string) { r.submit(t, "s1", "mkdir docs/a") }, `document.body.innerText.includes("asked 2 times")`, ""},
		{"the status line", func(_ *testing.T, _ *rig, b *tab, _ string) {
			b.do(chromedp.Evaluate[chromedp.Void](`say("Something was done, and it takes many words to say it. ".repeat(20))`))
		}, `document.querySelector("#status").offsetHeight > 30`, ""},
		{"the bulk bar", func(_ *testing.T, _ *rig, b *tab, _ string) {
			b.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll(".selected").forEach((e) => { e.checked = true; }); show()`))
		}, `document.querySelector("#bulk").offsetHeight > 0`, ""},
		{"the filter", func(_ *testing.T, r *rig, b *tab, _ string) {
			still := page.AddScriptToEvaluateOnNewDocumentParams{Source: `performance.now = () => 0; window.answered = []; { const send = window.fetch; window.fetch = (path, o) => { const id = /requests\/([^/]+)\/decision/.exec(path)?.[1]; if (id) window.answered.push(id); return send(path, o); }; }`}
			if _, err := chromedp.Call(b, page.AddScriptToEvaluateOnNewDocument, still); err != nil {
				b.t.Fatal(err)
			}
			b.do(chromedp.Navigate(r.URL + "/ui?q=terraform"))
		}, `document.querySelectorAll(".item button[data-scope]").length === 1 && document.querySelector(".item button[data-scope]").offsetHeight > 0`, ""},
	} {
		for _, inside := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, pointer in the list %v", row.name, inside), func(t *testing.T) {
				r := newRig(t)
				ids := map[string]string{}
				titles := []string{"mkdir docs/a", "terraform apply", "make c"}
				for i, command := range titles {
					ids[command] = r.submit(t, fmt.Sprint("s", 1+i/2), command)
				}
				width := int64(1200)
				grows := row.name == "a new request of the same call"
				if grows { // on a phone, where that makes the card higher
					width = 360
				}
				b := open(t, width, 1400)
				b.logIn(r)
				at := map[string]spot{}
				for command := range ids {
					at[command] = b.spotOf(buttonOf(command, once))
				}
				b.hover(spot{5, 5})
				if inside {
					b.hover(at["mkdir docs/a"])
				}
				b.freeze()
				row.act(t, r, b, ids["mkdir docs/a"])
				b.waits("the page knows", row.done)
				if inside && row.says != "" {
					b.waits("a line in its place", `document.querySelector(".item.over")?.innerText.startsWith(`+quote(row.says)+`)`)
				}
				for _, command := range titles {
					stays := inside && row.name != "the filter" && !grows || row.name == "the status line" || row.name == "the bulk bar"
					if gone := row.says != "" && command == titles[0]; stays && !gone && b.spotOf(buttonOf(command, once)) != at[command] {
						t.Errorf("%s has moved", command)
					}
				}
				// What has just come to a place, or moved there, nobody has aimed at.
				came := 0
				for _, p := range b.approving() {
					if was, stood := at[strings.TrimPrefix(p.Title, "shell: ")]; !stood || was != (spot{p.X, p.Y}) {
						came++
						b.strike(spot{p.X, p.Y}, 1)
					}
				}
				if got := b.answered(); got != "" || b.text(`document.querySelector("dialog[open]") === null`) != "true" {
					t.Errorf("what has just come is answered: %s", got)
				}
				if moves := !inside && row.name != "the status line" || grows || row.name == "the bulk bar" || row.name == "the filter"; moves && came == 0 {
					t.Error("nothing comes under the pointer, so that nothing is tried")
				}
				aimed := map[string]bool{}
				for _, command := range titles {
					b.strike(at[command], 1)
					aimed["shell: "+command] = true
					for id := range strings.FieldsSeq(b.answered()) {
						if q := r.get(t, id); !aimed[q.Title] {
							t.Errorf("a click on %s answers %s", command, q.Title)
						}
					}
				}
			})
		}
	}
}

// runOut has a request end since nobody has answered.
func (r *rig) runOut(t *testing.T, id string) {
	t.Helper()
	q := r.get(t, id)
	for _, other := range r.pending(t) { // it alone
		if other != id {
			if a := r.Do(t, r.Token(t, "boss", "approve"), "POST", "/v1/requests/"+other+"/extend", `{"for":"1h"}`); a.Status != 200 {
				t.Fatal(a.Text)
			}
		}
	}
	r.Skip(q.Expires.Sub(r.Now()) + time.Second)
	if _, err := r.Backend.Service.Expire(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (r *rig) pending(t *testing.T) (ids []string) {
	t.Helper()
	list, err := r.Backend.Service.List(t.Context(), approval.Filter{States: []approval.State{approval.Pending}})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range list {
		ids = append(ids, q.ID)
	}
	return ids
}

// Who is in a list sees how many are new, and has them shown by the button, by a key, or
// when they leave; until then nothing comes between, and the focus stays.
func TestNewWait(t *testing.T) {
	r := newRig(t)
	first := r.submit(t, "s1", "make a")
	r.submit(t, "s2", "make b")
	b := open(t, 1200, 800)
	b.logIn(r)
	b.press("jx")
	r.submit(t, "s1", "make c")
	r.submit(t, "s3", "make d")
	b.shows("2 new")
	r.Do(t, r.Token(t, "boss", "approve"), "POST", "/v1/requests/"+first+"/decision", `{"decision":"rejected"}`)
	b.shows("Denied: shell: make a")
	if got := b.text(`[...document.querySelectorAll(".item")].map((e) => e.dataset.title).join(", ") + "; " + document.activeElement.closest(".item").dataset.title + "; " + chosen().length`); got != "shell: make a, shell: make b; shell: make a; 0" {
		t.Errorf("it shows %s", got)
	}
	for _, key := range []string{"a", "s", "c", "d", "x"} { // of what is decided nothing is answered
		b.press(key)
	}
	b.shows("It waits no more.")
	if b.text(`document.querySelector("dialog[open]") === null`) != "true" {
		t.Error("a dialog asks about what is decided")
	}
	b.press("n")
	b.waits("all are shown", waitingAre(3)+` && !document.querySelector(".over") && document.querySelector("#fresh").hidden`)
	b.press("j")
	r.submit(t, "s4", "make e")
	b.shows("1 new")
	b.click("#fresh")
	b.waits("all are shown", waitingAre(4))
	b.press("j")
	r.submit(t, "s5", "make f")
	b.shows("1 new")
	b.do(chromedp.Blur(".open:focus"))
	b.waits("all are shown", waitingAre(5))
}

// Keys answer what had the focus, and not what has come to its place: where the list has
// just moved, the focus is no sign that somebody has looked.
func TestKeysOfMovedList(t *testing.T) {
	r := newRig(t)
	first := r.submit(t, "s1", "mkdir docs/a")
	r.submit(t, "s1", "make b")
	b := open(t, 1200, 800)
	b.logIn(r)
	b.hover(spot{5, 5})
	b.freeze()
	r.Do(t, r.Token(t, "boss", "approve"), "POST", "/v1/requests/"+first+"/decision", `{"decision":"rejected"}`)
	b.waits("it is gone", waitingAre(1))
	b.keys("a") // without the focus
	b.keys("ja")
	b.shows("Nothing was done, since the list has just moved")
	if got := b.answered(); got != "" {
		t.Errorf("answered is %s", got)
	}
	b.thaw()
	b.do(chromedp.Navigate(r.URL + "/ui"))
	b.shows("make b")
	b.press("ja")
	b.shows("Approved: shell: make b")
}

// What lies over the list and goes away uncovers buttons: a second click there answers
// nothing.
func TestUncovered(t *testing.T) {
	r := newRig(t)
	for i := range 8 {
		r.submit(t, "s1", fmt.Sprint("make ", i))
	}
	b := open(t, 1200, 800)
	b.logIn(r)
	b.press("x" + "jx")
	b.waits("the bar", `document.querySelector("#bulk").offsetHeight > 0`)
	at := b.spotOf("#bulk-approve")
	b.hover(at)
	// A card lies below the button.
	b.do(chromedp.Evaluate[chromedp.Void](`{ const e = [...document.querySelectorAll(".item button[data-scope=once]")].at(5).getBoundingClientRect(); scrollBy(0, e.y + e.height / 2 - ` + fmt.Sprint(at.Y) + `); document.querySelector("#bulk").style.marginLeft = e.x + e.width / 2 - ` + fmt.Sprint(at.X) + ` + "px"; }`))
	at = b.spotOf("#bulk-approve")
	b.freeze()
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll(".selected").forEach((e) => { e.checked = false; }); show()`))
	b.waits("the bar is gone", `document.querySelector("#bulk").hidden && document.elementFromPoint(`+fmt.Sprintf("%f, %f", at.X, at.Y)+`).closest(".item button[data-scope=once]")`)
	b.strike(at, 2)
	b.strike(at, 1)
	if got := b.answered(); got != "" {
		t.Errorf("answered are %s", got)
	}
}
