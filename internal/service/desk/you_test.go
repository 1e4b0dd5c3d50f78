package desk_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/push"
)

// fillYou stores a passkey and a subscription with a label.
func (r *rig) fillYou(t *testing.T, label string) {
	t.Helper()
	k := auth.Passkey{
		ID: "k1", Person: "ann", Label: label, Credential: []byte("c"), Public: []byte("p"), Handle: []byte("h"), Origin: "https://desk.example.com", Created: r.Now(),
	}
	if err := r.Data.AddPasskey(t.Context(), k); err != nil {
		t.Fatal(err)
	}
	key, err := base64.RawURLEncoding.DecodeString("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
	if err != nil {
		t.Fatal(err)
	}
	s := push.Subscription{ID: "psh_1", Person: "passkey:ann", Label: label, Endpoint: "https://push.example.com/secret", Public: key, Secret: make([]byte, 16), Created: r.Now()}
	if err := r.Data.AddSubscription(t.Context(), s); err != nil {
		t.Fatal(err)
	}
}

// What people call their things is text, and the address of a browser is told nobody.
func TestYouHostile(t *testing.T) {
	r := newRig(t)
	label := `"><img src=x onerror=document.title="owned">{{.}}`
	r.fillYou(t, label)
	page := r.visit(t, "/ui/you", r.cookie(t)).Text
	if strings.Contains(page, "push.example.com") || strings.Contains(page, "<img") {
		t.Errorf("the page has %s", page)
	}
	b := open(t, 360, 740)
	b.logIn(r)
	b.do(chromedp.Navigate(r.URL + "/ui/you"))
	b.shows(label)
	b.waits("it is live", `document.querySelector("#live")?.textContent === "live"`)
	if b.text("document.title") == "owned" || b.text(`document.querySelectorAll("main img").length`) != "0" {
		t.Error("the page runs what somebody called a passkey")
	}
	if wide := b.text("document.documentElement.scrollWidth"); wide != "360" {
		t.Errorf("the page is %s wide", wide)
	}
	if small := b.text(`[...document.querySelectorAll("main button, main input, header a")].filter(e => e.offsetHeight && e.offsetHeight < 24).length`); small != "0" {
		t.Errorf("%s targets are small", small)
	}
	b.click("[data-shortcuts]")
	if b.text(`localStorage.getItem("policyctl-keys")`) != "off" || b.text(`document.querySelector("#shortcuts").checked`) != "false" {
		t.Error("the keys are on")
	}
}

// The link of a request is copied whole.
func TestCopyLink(t *testing.T) {
	r := newRig(t)
	id := r.submit(t, "s1", "make deploy")
	b := open(t, 1200, 800)
	b.logIn(r)
	b.do(chromedp.Navigate(r.URL+"/ui/requests/"+id), chromedp.Evaluate[chromedp.Void](`navigator.clipboard.writeText = async (text) => { window.copied = text; }`),
		click("[data-copy]"))
	b.shows("The link is copied.")
	if got := b.text("window.copied"); got != r.URL+"/ui/requests/"+id {
		t.Errorf("it is %s", got)
	}
}
