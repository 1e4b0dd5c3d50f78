package compat

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/approval"
)

// These are what the client's own tests of its service ask for, with a token,
// whole bodies and real hashes. Where they have a receipt of the caller's, the
// service has its own.

const once = `{"decision":"approved_once"}`

// A person approves, and everybody is told the same.
func TestStockWaits(t *testing.T) {
	r := newRig(t, nil)
	done := stock{r.url()}.raw(body("clr_test", "x", nil))
	id := r.pending("clr_test")
	stands := r.do(200, r.boss, "GET", "/requests/clr_test", "")
	if _, has := stands.JSON["approval"]; has || stands.At("status") != "pending" || stands.At("id") != id ||
		fmt.Sprint(stands.At("guarantees")) != "[emails.only(['bob@example.com'])]" || stands.At("program") != "x" || stands.At("risk") != "high" {
		t.Errorf("while it is pending: %s", stands.Text)
	}
	decision := r.do(200, r.boss, "POST", "/api/requests/clr_test/decision", `{"decision":"approved_once","receipt":"receipt-from-service"}`)
	receipt, _ := decision.At("receipt").(string)
	want := fmt.Sprintf(`{"decision":"approved_once","receipt":%q,"request_id":"clr_test"}`+"\n", receipt)
	if receipt == "" || receipt == "receipt-from-service" || decision.Text != want {
		t.Errorf("the decision: %s", decision.Text)
	}
	if got := <-done; got != want {
		t.Errorf("the client: %s, want %s", got, want)
	}
	list := r.records(r.boss, "/requests")
	if said, _ := json.Marshal(list[0]["approval"]); len(list) != 1 || string(said)+"\n" != want {
		t.Errorf("the record: %v", list)
	}
}

// raw posts a body and returns the text of the answer.
func (s stock) raw(body string) <-chan string {
	done := make(chan string, 1)
	go func() {
		v, err := s.run(body)
		text, _ := json.Marshal(struct {
			Decision string  `json:"decision"`
			Receipt  *string `json:"receipt,omitempty"`
			Feedback *string `json:"feedback,omitempty"`
			ID       string  `json:"request_id"`
		}{v.Decision, v.Receipt, v.Feedback, v.ID})
		if err != nil {
			text = []byte(err.Error())
		}
		done <- string(text) + "\n"
	}()
	return done
}

// A refusal with a reason: feedback is one word for it, reason another.
func TestStockRequestMore(t *testing.T) {
	r := newRig(t, nil)
	for _, key := range []string{"feedback", "reason"} {
		done := stock{r.url()}.raw(body("clr_"+key, "x", nil))
		r.pending("clr_" + key)
		a := r.do(200, r.boss, "POST", "/requests/clr_"+key+"/decision", `{"decision":"request_more","`+key+`":"prove nobody twice"}`)
		want := `{"decision":"request_more","feedback":"prove nobody twice","request_id":"clr_` + key + `"}` + "\n"
		if got := <-done; a.Text != want || got != want {
			t.Errorf("%s: %s and %s, want %s", key, a.Text, got, want)
		}
	}
}

// The routes below /api are the same.
func TestStockAliases(t *testing.T) {
	r := newRig(t, nil)
	done := stock{r.url() + "/api"}.start(body("clr_api", "x", nil))
	r.pending("clr_api")
	r.do(200, r.boss, "POST", "/api/requests/clr_api/decision", once)
	if list := r.records(r.boss, "/api/requests"); list[0]["request_id"] != "clr_api" {
		t.Errorf("%v", list)
	}
	if a := r.do(200, r.boss, "GET", "/api/requests/clr_api", ""); a.At("request_id") != "clr_api" {
		t.Errorf("%s", a.Text)
	}
	if o := wait(t, done); !o.runs() {
		t.Errorf("%+v", o)
	}
}

// The variable that serve prints is the whole of what a client knows.
func TestStockHealth(t *testing.T) {
	r := newRig(t, nil)
	for _, path := range []string{"/health", "/s/" + r.agent + "/health"} {
		if a := r.do(200, "", "GET", path, ""); a.At("ok") != true || a.At("status") != "ok" {
			t.Errorf("%s: %s", path, a.Text)
		}
	}
	r.Backend.Health.Set("audit-log", errors.New("a record is missing"))
	for _, path := range []string{"/health", "/s/" + r.agent + "/health"} {
		if a := r.do(503, "", "GET", path, ""); a.At("ok") != false || a.At("status") != "failing" {
			t.Errorf("%s: %s", path, a.Text)
		}
	}
}

// One approval, one run: a client that uses no receipt up asks for each run.
func TestOneApprovalOneRun(t *testing.T) {
	r := newRig(t, nil)
	ran := 0
	for i := range 4 {
		done := stock{r.url()}.start(body("clr_1", "x", nil))
		id := r.pending("clr_1")
		if i == 0 {
			r.do(200, r.boss, "POST", "/requests/clr_1/decision", once)
		} else {
			r.do(409, r.boss, "POST", "/requests/clr_1/decision", once) // nobody has looked at this attempt
			r.do(200, r.boss, "GET", "/requests/clr_1", "")
			r.do(200, r.boss, "POST", "/requests/clr_1/decision", `{"decision":"rejected","reason":"enough"}`)
		}
		o := wait(t, done)
		if o.err != nil {
			t.Fatal(o.err)
		}
		if o.runs() {
			ran++
			r.do(409, r.agent, "POST", "/v1/receipts/consume", `{"receipt":"`+*o.Receipt+`"}`)
		} else if o.feedback() != "enough" {
			t.Errorf("%s: %+v", id, o)
		}
	}
	if list := r.records(r.boss, "/requests"); ran != 1 || len(list) != 1 {
		t.Errorf("%d runs, want 1; the list has %v", ran, list)
	}
}

// After each end the program can be asked for again.
func TestAskedAgain(t *testing.T) {
	for name, end := range map[string]func(*rig, string){
		"denied": func(r *rig, id string) {
			r.do(200, r.boss, "POST", "/requests/"+id+"/decision", `{"decision":"rejected"}`)
		},
		"timed out": func(r *rig, _ string) { r.Skip(301 * time.Second) },
		"cancelled": func(r *rig, id string) { r.do(200, r.agent, "POST", "/v1/requests/"+id+"/cancel", "") },
	} {
		r := newRig(t, nil)
		first := stock{r.url()}.start(body("clr_1", "x", nil))
		was := r.pending("clr_1")
		end(r, was)
		if o := wait(t, first); o.err != nil || o.runs() {
			t.Errorf("%s: %+v", name, o)
		}
		again := stock{r.url()}.start(body("clr_1", "x", map[string]any{"target": "second"}))
		id := r.pending("clr_1")
		if id == was {
			t.Fatalf("%s: the request of before is pending", name)
		}
		a := r.do(200, r.boss, "GET", "/requests/clr_1", "")
		if a.At("id") != id || a.At("target") != "second" {
			t.Errorf("%s: shown: %s", name, a.Text)
		}
		r.do(200, r.boss, "POST", "/requests/clr_1/decision", once)
		if o := wait(t, again); o.err != nil || !o.runs() {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

// An approval for which nobody came is for the client that comes back, but for
// no other text under its name, and not for long.
func TestUnclaimed(t *testing.T) {
	r := newRig(t, func(_ *servertest.Options, h *Handler) { h.wait = 50 * time.Millisecond })
	approve := func(name string) {
		if o := wait(t, stock{r.url()}.start(body(name, "x", nil))); o.runs() {
			t.Fatalf("%+v", o)
		}
		r.do(200, r.boss, "POST", "/requests/"+name+"/decision", once)
	}
	approve("clr_1")
	if a := r.do(200, r.agent, "GET", "/requests/clr_1", ""); a.At("approval.receipt") != nil || a.At("approval.decision") != "approved_once" {
		t.Errorf("a look hands it out: %s", a.Text)
	}
	if o := wait(t, stock{r.url()}.start(body("clr_1", "x", map[string]any{"target": "evil"}))); o.err != nil || o.runs() {
		t.Errorf("another text: %+v", o)
	}
	approve("clr_2")
	if o := wait(t, stock{r.url()}.start(body("clr_2", "x", nil))); !o.runs() {
		t.Errorf("it comes back: %+v", o)
	}
	approve("clr_3")
	r.Skip(approval.DefaultReceiptTime)
	if o := wait(t, stock{r.url()}.start(body("clr_3", "x", nil))); o.err != nil || o.runs() {
		t.Errorf("too late: %+v", o)
	}
}

// Ids are the submitter's own: another one asks for itself.
func TestIDsOfSubmitters(t *testing.T) {
	r := newRig(t, nil)
	other := r.Token(t, "other", "submit")
	mine, theirs := stock{r.url()}.start(body("clr_1", "x", nil)), stock{r.URL + "/s/" + other}
	was := r.pending("clr_1")
	their := theirs.start(body("clr_1", "x", map[string]any{"target": "evil"}))
	for i := 0; len(r.records(r.boss, "/requests")) < 2; i++ {
		if i == 500 {
			t.Fatal("the other one does not ask")
		}
		time.Sleep(10 * time.Millisecond)
	}
	if a := r.do(200, r.agent, "GET", "/requests/clr_1", ""); a.At("id") != was || a.At("target") != "main" {
		t.Errorf("%s", a.Text)
	}
	if a := r.do(200, other, "GET", "/requests/clr_1", ""); a.At("id") == was || a.At("target") != "evil" {
		t.Errorf("%s", a.Text)
	}
	if a := r.do(409, r.boss, "POST", "/requests/clr_1/decision", once); !strings.Contains(a.Text, "decide each by its id") {
		t.Errorf("%s", a.Text)
	}
	r.do(404, other, "GET", "/requests/"+was, "")
	r.do(200, r.boss, "POST", "/requests/"+was+"/decision", once)
	if o := wait(t, mine); !o.runs() {
		t.Errorf("%+v", o)
	}
	r.do(200, r.boss, "POST", "/requests/"+r.pending("clr_1")+"/decision", `{"decision":"rejected"}`)
	if o := wait(t, their); o.runs() {
		t.Errorf("%+v", o)
	}
}

// Who submits ends what the approver looks at and puts another text in its
// place: the decision is not for that.
func TestSwapped(t *testing.T) {
	r := newRig(t, nil)
	stock{r.url()}.start(body("clr_1", "x", nil))
	was := r.pending("clr_1")
	r.do(200, r.boss, "GET", "/requests", "")
	r.do(200, r.agent, "POST", "/v1/requests/"+was+"/cancel", "")
	evil := stock{r.url()}.start(body("clr_1", "x", map[string]any{"target": "evil"}))
	id := r.pending("clr_1")
	if a := r.do(409, r.boss, "POST", "/requests/clr_1/decision", once); a.At("request.id") != was {
		t.Errorf("%s", a.Text)
	}
	r.pending(id)
	r.do(200, r.boss, "GET", "/requests", "")
	r.do(200, r.boss, "POST", "/requests/clr_1/decision", once)
	if o := wait(t, evil); !o.runs() {
		t.Errorf("what they saw: %+v", o)
	}
	r.do(200, r.boss, "POST", "/requests/clr_1/decision", once) // the same again decides nothing new
}

// A name that is the id of another program is not it.
func TestNamedAsAnother(t *testing.T) {
	seed.Slow(t)
	r := newRig(t, nil)
	good := stock{r.url()}.start(body("clr_1", "x", nil))
	id := r.pending("clr_1")
	stock{r.URL + "/s/" + r.Token(t, "other", "submit")}.start(body(id, "x", map[string]any{"target": "evil"}))
	for i := 0; len(r.records(r.boss, "/requests")) < 2 && i < 500; i++ {
		time.Sleep(10 * time.Millisecond)
	}
	if a := r.do(200, r.boss, "GET", "/requests/"+id, ""); a.At("target") != "main" {
		t.Errorf("%s", a.Text)
	}
	r.do(200, r.boss, "POST", "/requests/"+id+"/decision", once)
	if o := wait(t, good); !o.runs() {
		t.Errorf("%+v", o)
	}
}

// Where something can be remembered, it is, as little as is offered.
func TestRemember(t *testing.T) {
	saved := make(chan approval.Scope, 1)
	r := newRig(t, func(o *servertest.Options, _ *Handler) {
		o.Service = func(a *approval.Options) { a.Judge = offering{a.Judge, saved} }
	})
	done := stock{r.url()}.start(body("clr_1", "x", nil))
	r.pending("clr_1")
	if a := r.do(200, r.boss, "POST", "/requests/clr_1/decision", `{"decision":"approved_remember"}`); a.At("decision") != "approved_remember" {
		t.Errorf("%s", a.Text)
	}
	if o := wait(t, done); !o.runs() || o.Decision != "approved_remember" {
		t.Errorf("%+v", o)
	}
	if s := <-saved; s != approval.Here {
		t.Errorf("saved %s", s)
	}
}
