package desk_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/policyctl/policyctl/pkg/approval"
)

// submitWith asks for approval with more fields of the submission, given as JSON.
func (r *rig) submitWith(t *testing.T, command, more string) string {
	t.Helper()
	text, _ := json.Marshal(command)
	a := r.Do(t, r.agent, "POST", "/v1/requests", `{"call":{"tool":"shell","input":{"command":`+string(text)+`},"dir":"/home/dev/src/app","home":"/home/dev","session":"s1"},`+more+`}`)
	id, _ := a.At("id").(string)
	if id == "" {
		t.Fatalf("submit: %d %s", a.Status, a.Text)
	}
	return id
}

// Each command of a line is shown with what it does to which paths, and where it runs.
func TestCommandsOfRequest(t *testing.T) {
	r := newRig(t)
	id := r.submitWith(t, "cd ../lib && rm -r build && make deploy > log 2>/dev/null; true",
		`"asked":{"stage":"confirm","why":"it may change something","repository":{"branch":"feat/<b>x","remote":"git@h.example:p.git","changed":3}}`)
	b := open(t, 1200, 900)
	b.logIn(r)
	b.do(chromedp.Navigate(r.URL + "/ui/requests/" + id))
	b.shows("What each command does")
	want := "cd ../lib reads, changes and reaches nothing that its words name | rm -r build deletes /home/dev/src/lib/build and below | " +
		"make deploy > log 2>/dev/null writes /home/dev/src/lib/log · /dev/null | true reads, changes and reaches nothing that its words name"
	if got := b.text(`[...document.querySelectorAll(".commands > li")].map(li => li.innerText.replace(/\s+/g, " ").trim()).join(" | ")`); got != want {
		t.Errorf("the commands: %s", got)
	}
	b.shows("branch feat/<b>x, 3 changed files, from git@h.example:p.git, says the submitter")
}

// A person takes more time, as long as somebody waits for the answer.
func TestMoreTime(t *testing.T) {
	r := newRig(t)
	id := r.submitWith(t, "make deploy", `"waits":"8m"`)
	first := r.get(t, id).Expires
	b := open(t, 1200, 900)
	b.logIn(r)
	b.do(chromedp.Navigate(r.URL + "/ui/requests/" + id))
	b.shows("the agent waits until")
	b.click("button[data-extend]")
	b.shows("It has time until")
	q := r.get(t, id)
	if !q.Expires.After(first) || !q.Expires.Equal(*q.Latest) {
		t.Errorf("it had until %v, has until %v, latest %v", first, q.Expires, q.Latest)
	}
	b.waits("no more time is offered", `!document.querySelector("button[data-extend]")`)
	if shown := b.text(`document.querySelector(".left").dateTime`); shown != q.Expires.UTC().Format(time.RFC3339) {
		t.Errorf("the page counts down to %s", shown)
	}
	short := r.submitWith(t, "make quick", `"timeout":"40s"`)
	b.do(chromedp.Navigate(r.URL + "/ui/requests/" + short))
	b.shows("make quick")
	if b.text(`document.querySelectorAll("button[data-extend]").length`) != "0" {
		t.Error("more time is offered for an agent that does not wait")
	}
}

// What people decided about the same call before is summed up.
func TestDecidedBefore(t *testing.T) {
	r := newRig(t)
	boss := r.Token(t, "boss", "approve")
	for _, word := range []string{"approved_once", "approved_once", "rejected"} {
		id := r.submit(t, "s1", "make deploy")
		if a := r.Do(t, boss, "POST", "/v1/requests/"+id+"/decision", `{"decision":"`+word+`"}`); a.Status != 200 {
			t.Fatal(a.Text)
		}
	}
	b := open(t, 1200, 900)
	b.logIn(r)
	b.do(chromedp.Navigate(r.URL + "/ui/requests/" + r.submit(t, "s2", "make deploy")))
	b.shows("Approved 2 times, denied once; last just now")
}

// Before an approval that lasts, a call that it would newly allow is named.
func TestWitness(t *testing.T) {
	r := newRig(t)
	for _, command := range []string{"npm run lint", "ls", "cat x"} {
		r.submitWith(t, command, `"asked":{"stage":"confirm"}`)
	}
	id := r.submit(t, "s1", "npm run lint")
	b := open(t, 1200, 900)
	b.logIn(r)
	b.do(chromedp.Navigate(r.URL + "/ui/requests/" + id))
	b.shows("it would also allow shell: npm run another-word")
	b.press("h")
	b.click(ok)
	b.shows("saved npm run")
	r.settled(t, id)
	if state := r.get(t, r.submit(t, "s2", "npm run another-word")).State; state != approval.Approved {
		t.Errorf("the witness is %s", state)
	}
}
