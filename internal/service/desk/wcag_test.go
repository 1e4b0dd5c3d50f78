package desk_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/policyctl/policyctl/internal/service/auth/authtest"
)

// What WCAG 2.2 asks beyond what axe can tell. Keys of one letter (2.1.4) are in
// TestShortcuts, time that can be extended (2.2.1) in TestMoreTime, what can be done
// without dragging (2.5.7) in TestSlide, and the size of targets (2.5.8) in TestPhone
// and TestListsOnPhone.

// Whatever has the focus can be seen: nothing lies over it (2.4.11).
func TestFocusIsSeen(t *testing.T) {
	r := newRig(t)
	for _, command := range []string{"make a", "make b", "make c", "make d", "make e", "make f"} {
		r.submit(t, "s1", command)
	}
	for _, width := range []int64{360, 1200} {
		b := open(t, width, 500)
		b.logIn(r)
		seen := 0
		for range 40 {
			b.press("\t")
			hidden := b.text(`(() => {
				const e = document.activeElement, r = e.getBoundingClientRect();
				if (e === document.body) return "";
				const over = document.elementFromPoint(Math.min(innerWidth - 1, r.left + r.width / 2), Math.min(innerHeight - 1, Math.max(0, r.top + Math.min(r.height / 2, 20))));
				return over && (e.contains(over) || over.contains(e)) ? "" : e.outerHTML + " is under " + over?.outerHTML;
			})()`)
			if hidden != "" {
				t.Fatalf("%d wide: %s", width, hidden)
			}
			if b.text(`document.activeElement.closest(".item") !== null`) == "true" {
				seen++
			}
		}
		if seen < 10 {
			t.Errorf("%d wide: the focus comes to %d parts of items", width, seen)
		}
	}
}

// To log in nothing has to be remembered, typed or solved (3.3.8).
func TestLoginAsksNothing(t *testing.T) {
	r := newRig(t)
	b := open(t, 1200, 800)
	b.do(chromedp.Navigate(r.URL + "/login#" + authtest.Code(r.Logins)))
	b.waits("the button", `document.querySelector("#open")`)
	if asked := b.text(`document.querySelectorAll("input, select, textarea").length`); asked != "0" {
		t.Errorf("%s fields are to be filled in", asked)
	}
	b.press("\t" + enter)
	b.waits("the desk", `document.querySelector("h1")?.textContent.startsWith("Pending")`)
}

// What happens is said to who does not see it, and takes no focus (4.1.3).
func TestStatusIsSaid(t *testing.T) {
	r := newRig(t)
	r.submit(t, "s1", "make deploy")
	b := open(t, 1200, 800)
	b.logIn(r)
	b.press("ja")
	b.shows("Approved: shell: make deploy")
	said := b.text(`[...document.querySelectorAll("[role=status], [aria-live=polite]")].map(e => e.textContent).join(" ")`)
	if !strings.Contains(said, "Approved: shell: make deploy") {
		t.Errorf("what is said: %q", said)
	}
	if focus := b.text(`document.activeElement.closest("[role=status], [aria-live]") === null`); focus != "true" {
		t.Error("the message has taken the focus")
	}
}

// Whoever has the colours of the system forced, as with high contrast, sees what a
// button is for and where the focus is.
func TestForcedColours(t *testing.T) {
	r := newRig(t)
	r.submit(t, "s1", "rm -rf build")
	b := open(t, 1200, 800)
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}, {Name: "prefers-contrast", Value: "more"}}}
	if _, err := chromedp.Call(b, emulation.SetEmulatedMedia, media); err != nil {
		t.Fatal(err)
	}
	b.logIn(r)
	b.press("j")
	if outline := b.text(`getComputedStyle(document.activeElement).outlineStyle`); outline == "none" {
		t.Error("the focus has no outline")
	}
	if bare := b.text(`[...document.querySelectorAll(".item button")].filter(e => e.checkVisibility() && getComputedStyle(e).borderStyle === "none").length`); bare != "0" {
		t.Errorf("%s buttons have no border", bare)
	}
}
