package desk_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"

	"github.com/policyctl/policyctl/internal/service/auth/authtest"
	"github.com/policyctl/policyctl/internal/service/desk"
	"github.com/policyctl/policyctl/internal/service/push"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/internal/service/stream"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// newNamedRig is a rig at an address that has a name, as passkeys want it.
func newNamedRig(t *testing.T, above policy.Threshold, told func(*push.Options)) *rig {
	t.Helper()
	s := servertest.New(t, servertest.Options{
		Home: "/home/dev", PasskeyAbove: above, Push: told,
		More: func(*stream.Hub) []route.Family { return []route.Family{desk.New().Family()} },
	})
	s.URL = strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
	return &rig{s, s.Token(t, "agent", "submit")}
}

// authenticator gives the tab one that unlocks by a touch.
func (b *tab) authenticator() webauthn.AuthenticatorID {
	b.t.Helper()
	if _, err := chromedp.Call(b, webauthn.Enable, webauthn.EnableParams{}); err != nil {
		b.t.Fatal(err)
	}
	made, err := chromedp.Call(b, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
		Protocol: "ctap2", Transport: "internal", HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
	}})
	if err != nil {
		b.t.Fatal(err)
	}
	return made.AuthenticatorID
}

// register registers a passkey on the page of who is logged in.
func (b *tab) register(r *rig, person, label string) {
	b.t.Helper()
	b.do(chromedp.Navigate(r.URL+"/ui/you"), chromedp.SetValue("#passkey-person", person, chromedp.NodeVisible), chromedp.SendKeys("#passkey-label", label), click("#passkey-form button"))
}

func (b *tab) credentials(id webauthn.AuthenticatorID) []*webauthn.Credential {
	b.t.Helper()
	has, err := chromedp.Call(b, webauthn.GetCredentials, webauthn.GetCredentialsParams{AuthenticatorID: id})
	if err != nil {
		b.t.Fatal(err)
	}
	return has.Credentials
}

// A person registers a passkey, logs in by it, approves by it in their own name, and
// removes it, and nothing of that works without.
func TestPasskey(t *testing.T) {
	r := newNamedRig(t, "medium", nil)
	b := open(t, 1200, 900)
	authenticator := b.authenticator()
	b.logIn(r)
	b.click(".who a")
	b.shows("None is registered.")
	b.shows("a request of more than medium risk takes a passkey")
	b.register(r, "Ann", "work laptop")
	b.shows("Registered: work laptop")
	b.shows("never used")

	b.click("#log-out")
	b.waits("the login page", `location.pathname === "/login"`)
	id := r.submit(t, "s1", "rm -rf build")
	b.do(chromedp.Navigate(r.URL + "/ui/requests/" + id))
	b.waits("the login page remembers the request", `location.pathname === "/login" && location.search.includes("request=")`)
	b.click("#passkey")
	b.waits("the request", `location.pathname === "/ui/requests/`+id+`"`)
	b.shows("passkey:ann")
	b.click(`button[data-scope="once"]`)
	b.confirm()
	b.shows("approved_once by passkey:ann")
	if d := r.get(t, id).Decision; d.By != "passkey:ann" || d.Word != approval.ApprovedOnce {
		t.Errorf("the decision is %+v", d)
	}
	b.do(chromedp.Navigate(r.URL + "/ui/audit"))
	b.shows("passkey:ann")
	b.shows("registered")

	// A second passkey is confirmed by the first, and confirms that the first goes.
	keys, err := r.Data.Passkeys(t.Context())
	if err != nil || len(keys) != 1 || keys[0].LastUsed.IsZero() || keys[0].Origin != r.URL {
		t.Fatalf("%+v, %v", keys, err)
	}
	count := b.credentials(authenticator)[0].SignCount
	b.do(chromedp.Navigate(r.URL + "/ui/you"))
	b.shows("used 20")
	b.click("#passkey-" + keys[0].ID + " button")
	b.shows("Removed: work laptop")
	b.shows("None is registered.")
	if after := b.credentials(authenticator)[0].SignCount; after <= count {
		t.Errorf("the removal was not confirmed: %v, %v", count, after)
	}
}

// What needs a passkey is not approved where there is none, where the authenticator does
// not verify its owner, and where its count goes back.
func TestPasskeyRefused(t *testing.T) {
	r := newNamedRig(t, "low", nil)
	b := open(t, 1200, 900)
	id := r.submit(t, "s1", "rm -rf build")
	b.logIn(r)
	b.press("ja")
	b.confirm()
	b.shows("no passkey is registered for this address")

	authenticator := b.authenticator()
	b.register(r, "ann", "laptop")
	b.shows("Registered: laptop")
	if _, err := chromedp.Call(b, webauthn.SetUserVerified, webauthn.SetUserVerifiedParams{AuthenticatorID: authenticator}); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate(r.URL + "/ui"))
	b.shows("rm -rf build")
	b.press("ja")
	b.confirm()
	b.shows("the passkey was not used")
	if _, err := chromedp.Call(b, webauthn.SetUserVerified, webauthn.SetUserVerifiedParams{AuthenticatorID: authenticator, IsUserVerified: true}); err != nil {
		t.Fatal(err)
	}

	// A copy of the authenticator from before signs what the original has signed already.
	keys, err := r.Data.Passkeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if forward, err := r.Data.UsePasskey(t.Context(), keys[0].ID, 100, r.Now()); !forward || err != nil {
		t.Fatal(forward, err)
	}
	b.press("a")
	b.confirm()
	b.shows("there may be a copy of it")
	if q := r.get(t, id); q.State != approval.Pending {
		t.Errorf("it is %s", q.State)
	}
	b.do(chromedp.Navigate(r.URL + "/ui/audit"))
	b.shows("refusal")
}

// At an address that is a number there are no passkeys, and the pages say what to do.
func TestPasskeyNeedsName(t *testing.T) {
	r := newRig(t)
	b := open(t, 360, 740)
	b.do(chromedp.Navigate(r.URL + "/login#" + authtest.Code(r.Logins)))
	b.shows("the address of this page is a number")
	if hidden := b.text(`document.querySelector("#passkey").hidden`); hidden != "true" {
		t.Error("the button is there")
	}
	b.click("#localhost")
	b.waits("the same page by a name", `location.hostname === "localhost" && !document.querySelector("#passkey").hidden`)
	b.click("#open")
	b.waits("the code is good there", `location.pathname === "/ui"`)

	number := open(t, 360, 740)
	number.logIn(r)
	number.do(chromedp.Navigate(r.URL + "/ui/you"))
	number.shows("Open http://localhost:")
	if hidden := number.text(`document.querySelector("#passkey-form").hidden`); hidden != "true" {
		t.Error("the form is there")
	}
	if wide := number.text("document.documentElement.scrollWidth"); wide != "360" {
		t.Errorf("the page is %s wide", wide)
	}
	a := servertestPost(t, r, number)
	if a.Status != http.StatusConflict || a.Code() != "no-passkeys-here" {
		t.Errorf("%d %s", a.Status, a.Text)
	}
}

// servertestPost asks for options with the secret of a tab.
func servertestPost(t *testing.T, r *rig, b *tab) servertest.Answer {
	t.Helper()
	q, err := http.NewRequest(http.MethodPost, r.URL+"/v1/passkeys/options", strings.NewReader(`{"person":"ann","label":"x"}`))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Origin", r.URL)
	q.Header.Set("Authorization", "Bearer "+b.text(`sessionStorage.getItem("policyctl-login")`))
	return servertest.Send(t, http.DefaultTransport, q)
}
