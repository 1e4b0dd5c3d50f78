package desk_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/policyctl/policyctl/pkg/approval"
)

const twoOfThree = `{"id":"two","priority":0,"enabled":1,"dialect":"pattern","source":"{\"shell.program\":\"make\"}","decision":"require_human","on_timeout":"deny","timeout_ms":300000,"approver_plugin_id":"alice,bob,carol","approver_any":2}`

// A person votes at the desk, which says whom it waits for, and shows the vote of
// another one without a reload.
func TestVotesAtDesk(t *testing.T) {
	r := newNamedRig(t, "", nil)
	r.put(t, twoOfThree)
	bob, carol := r.Token(t, "bob", "approve,read"), r.Token(t, "carol", "approve,read")
	b := open(t, 1200, 900)
	b.authenticator()
	b.logIn(r)
	b.register(r, "Alice", "work laptop")
	b.shows("Registered: work laptop")
	b.click("#log-out")
	b.waits("the login page", `location.pathname === "/login"`)
	b.click("#passkey")
	b.shows("passkey:alice")
	id := r.submit(t, "s1", "make deploy")
	b.shows("0 of 2 approved; waiting for 2 of alice, bob, carol")
	b.click(`button[data-scope="once"]`)
	b.shows("your approval counts as 1 of 2; waiting for one more of bob, carol")
	b.shows("1 of 2 approved by alice; waiting for one more of bob, carol")
	b.do(chromedp.Navigate(r.URL + "/ui/requests/" + id))
	b.shows("2 of alice, bob, carol")
	b.shows("vote: approved_once by passkey:alice")
	if a := r.Do(t, bob, "POST", "/v1/requests/"+id+"/decision", `{"decision":"approved_once","reason":"<b>fine</b>"}`); a.Status != 200 || a.At("state") != "APPROVED" {
		t.Fatal(a.Text)
	}
	b.shows("approved_once by passkey:alice and token:bob: <b>fine</b>")
	b.shows("vote: approved_once by token:bob: <b>fine</b>")

	// One who says no ends it, and votes of before stay in sight.
	id = r.submit(t, "s1", "make other")
	b.do(chromedp.Navigate(r.URL + "/ui/requests/" + id))
	b.click(`button[data-scope="once"]`)
	b.shows("1 of 2 approved by alice")
	if a := r.Do(t, carol, "POST", "/v1/requests/"+id+"/decision", `{"decision":"rejected","reason":"not today"}`); a.Status != 200 || a.At("state") != "DENIED" {
		t.Fatal(a.Text)
	}
	b.shows("rejected by token:carol: not today")
	b.shows("vote: approved_once by passkey:alice")
	if q := r.get(t, id); q.State != approval.Denied || len(q.Votes) != 2 {
		t.Errorf("%+v", q)
	}
	b.do(chromedp.Navigate(r.URL + "/ui/history"))
	b.shows("passkey:alice and token:bob")

	// A login without a name has no vote.
	id = r.submit(t, "s1", "make third")
	b.do(chromedp.Navigate(r.URL + "/ui/you"))
	b.click("#log-out")
	b.waits("the login page", `location.pathname === "/login"`)
	b.logIn(r)
	b.click(`button[data-scope="once"]`)
	b.shows("another approver must decide")
	if q := r.get(t, id); q.State != approval.Pending || len(q.Votes) != 0 {
		t.Errorf("%+v", q)
	}
}

// The builder makes a rule that several must agree to, and shows it again.
func TestBuilderQuorum(t *testing.T) {
	r := newRig(t)
	b := open(t, 1200, 900)
	b.logIn(r)
	b.openRule(r, "new")
	b.choose(`[data-at="when.0.value"]`, "make")
	b.choose(`[data-key="id"]`, "releases")
	b.choose(`[data-key="approver.any"]`, "3")
	b.choose(`[data-key="approver.of"]`, "alice,  bob")
	b.shows("3 must approve, and 2 are named")
	b.choose(`[data-key="approver.any"]`, "2")
	b.waits("the source", `document.querySelector("#source").value.includes('"any": 2')`)
	b.click("#save")
	b.waits("the rule", `location.pathname === "/ui/rules/releases"`)
	if a := r.stored(t, "releases"); a.At("approver_any") != 2.0 || a.At("approver_plugin_id") != "alice,bob" {
		t.Errorf("%s", a.Text)
	}
	b.waits("the builder shows it", `document.querySelector('[data-key="approver.of"]')?.value === "alice, bob" && document.querySelector('[data-key="approver.any"]').value === "2"`)
}
