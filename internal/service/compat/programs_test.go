package compat

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A stock client that knows nothing but the URL runs what is approved.
func TestStockClient(t *testing.T) {
	r := newRig(t, nil)
	for i, prefix := range []string{"", "/api"} {
		id := fmt.Sprintf("clr_%d", i)
		done := stock{r.url() + prefix}.start(body(id, "print('hé')", nil))
		r.pending(id)
		a := r.do(200, r.boss, "POST", prefix+"/requests/"+id+"/decision", `{"decision":"approved_once","feedback":"fine"}`)
		o := wait(t, done)
		if a.At("decision") != "approved_once" || a.At("request_id") != id || a.At("feedback") != "fine" || a.At("receipt") != *o.Receipt || len(a.JSON) != 4 {
			t.Errorf("the approver is told %s", a.Text)
		}
		if o.err != nil || !o.runs() || o.Decision != "approved_once" || o.feedback() != "fine" {
			t.Fatalf("%+v", o)
		}
		claims, err := r.Backend.Service.Keys().Verify(*o.Receipt, r.Now())
		if err != nil || claims.Request == id || claims.Submitter != "token:agent" {
			t.Errorf("the receipt: %+v, %v", claims, err)
		}
	}
}

// A refusal reaches the client in its own words, with the reason.
func TestRefused(t *testing.T) {
	r := newRig(t, nil)
	for i, word := range []string{"rejected", "rejected_contract", "request_more"} {
		id := fmt.Sprintf("clr_%d", i)
		done := stock{r.url()}.start(body(id, "x", nil))
		r.pending(id)
		a := r.do(200, r.boss, "POST", "/requests/"+id+"/decision", `{"decision":"`+word+`","feedback":"say which files"}`)
		if a.At("decision") != word || a.At("feedback") != "say which files" || a.At("receipt") != nil || len(a.JSON) != 3 {
			t.Errorf("%s: %s", word, a.Text)
		}
		if o := wait(t, done); o.err != nil || o.runs() || o.Receipt != nil || o.Decision != word || o.feedback() != "say which files" {
			t.Errorf("%s: %+v", word, o)
		}
	}
}

// Nobody answers: the client is told so, and does not run the program.
func TestNobody(t *testing.T) {
	r := newRig(t, nil)
	done := stock{r.url()}.start(body("clr_1", "x", nil))
	r.pending("clr_1")
	r.Skip(301 * time.Second)
	if o := wait(t, done); o.err != nil || o.runs() || o.Decision != "rejected" || o.feedback() != "nobody decided within 5m0s" {
		t.Errorf("%+v", o)
	}
	if a := r.do(409, r.boss, "POST", "/requests/clr_1/decision", `{"decision":"approved_once"}`); a.At("request.status") != "timed_out" || a.At("request.approval.decision") != "rejected" || a.At("detail") != a.At("error") {
		t.Errorf("too late: %s", a.Text)
	}
}

// A client that waits as long as it may is told so; the request stands.
func TestLongest(t *testing.T) {
	r := newRig(t, func(_ *servertest.Options, h *Handler) { h.wait = 50 * time.Millisecond })
	v, err := stock{r.url()}.run(body("clr_1", "x", nil))
	if err != nil || v.runs() || v.Decision != "rejected" || v.feedback() != "nobody decided within 50ms; the request is still open: run the program again to keep waiting" {
		t.Errorf("%+v, %v", v, err)
	}
	r.do(200, r.boss, "POST", "/requests/clr_1/decision", `{"decision":"approved_once"}`)
	if v, err = (stock{r.url()}).run(body("clr_1", "x", nil)); err != nil || !v.runs() {
		t.Errorf("joined: %+v, %v", v, err)
	}
}

// What is over at the very end of the wait is told as over.
func TestLongestAndOver(t *testing.T) {
	r := newRig(t, func(_ *servertest.Options, h *Handler) { h.wait = 300 * time.Millisecond })
	done := stock{r.url()}.start(body("clr_1", "x", nil))
	r.pending("clr_1")
	r.Skip(301 * time.Second)
	if o := wait(t, done); o.err != nil || o.runs() || o.feedback() != "nobody decided within 5m0s" {
		t.Errorf("%+v", o)
	}
}

// The policy of the service may say that silence allows: then it does, with a
// receipt.
func TestSilenceAllows(t *testing.T) {
	r := newRig(t, func(o *servertest.Options, _ *Handler) {
		o.Service = func(a *approval.Options) { a.Judge = silence{a.Judge} }
	})
	done := stock{r.url()}.start(body("clr_1", "x", nil))
	r.pending("clr_1")
	if a := r.do(200, r.boss, "GET", "/api/pending-actions", ""); !strings.Contains(a.Text, `"onTimeout":"allow"`) {
		t.Errorf("the person is not told: %s", a.Text)
	}
	r.Skip(301 * time.Second)
	if o := wait(t, done); o.err != nil || !o.runs() || o.Decision != "auto_approved" {
		t.Errorf("%+v", o)
	}
}

// Who waits with a token that is revoked meanwhile gets no receipt.
func TestRevokedMeanwhile(t *testing.T) {
	r := newRig(t, nil)
	done := stock{r.url()}.start(body("clr_1", "x", nil))
	r.pending("clr_1")
	if revoked, err := r.Data.RevokeToken(t.Context(), r.agent[4:15], time.Now()); !revoked || err != nil {
		t.Fatal(revoked, err)
	}
	r.do(200, r.boss, "POST", "/requests/clr_1/decision", `{"decision":"approved_once"}`)
	if o := wait(t, done); o.err == nil || o.runs() || !strings.Contains(o.err.Error(), "401") {
		t.Errorf("%+v", o)
	}
}

// A client that hangs up leaves the request, and comes back to it.
func TestHangUp(t *testing.T) {
	r := newRig(t, func(_ *servertest.Options, h *Handler) { h.waits = webguard.NewWaits(1) })
	ctx, hangUp := context.WithCancel(t.Context())
	q, err := http.NewRequestWithContext(ctx, "POST", r.url()+"/requests", strings.NewReader(body("clr_1", "x", nil)))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/json")
	gone := make(chan error, 1)
	go func() {
		res, err := http.DefaultClient.Do(q)
		if err == nil {
			res.Body.Close()
		}
		gone <- err
	}()
	r.pending("clr_1")
	hangUp()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	for i := 0; ; i++ {
		if end, err := r.handler.waits.Begin("token:agent"); err == nil {
			end()
			break
		}
		if i == 500 {
			t.Fatal("the service still holds the answer back")
		}
		time.Sleep(10 * time.Millisecond)
	}
	r.pending("clr_1")
	r.do(200, r.boss, "POST", "/requests/clr_1/decision", `{"decision":"approved_once"}`)
	if v, err := (stock{r.url()}).run(body("clr_1", "x", nil)); err != nil || !v.runs() {
		t.Errorf("%+v, %v", v, err)
	}
}

// The same submission joins what stands; another one under its id is refused.
func TestJoin(t *testing.T) {
	r := newRig(t, nil)
	same := body("clr_1", "x", map[string]any{"new_in_2027": []any{1, "two"}})
	var spaced strings.Builder
	spaced.WriteString(strings.Replace(same, "{", "{\n  ", 1))
	first, second := stock{r.url()}.start(same), stock{r.url() + "/api"}.start(spaced.String())
	r.pending("clr_1")
	for _, other := range []string{
		body("clr_1", "y", map[string]any{"new_in_2027": []any{1, "two"}}),
		body("clr_1", "x", nil),
		body("clr_1", "x", map[string]any{"new_in_2027": []any{1, "two"}, "guarantees": []string{}}),
	} {
		a := r.do(409, r.agent, "POST", "/requests", other)
		if a.At("error") != "the key belongs to another submission; wait until that one is decided" || a.At("detail") != a.At("error") {
			t.Errorf("%s", a.Text)
		}
	}
	r.do(200, r.boss, "POST", "/requests/clr_1/decision", `{"decision":"approved_once"}`)
	a, b := wait(t, first), wait(t, second)
	if a.err != nil || b.err != nil || a.runs() == b.runs() || a.feedback()+b.feedback() != "another run got this approval, which is for one; run the program again to ask again" {
		t.Errorf("%+v, %+v", a, b)
	}
	if list := r.records(r.boss, "/requests"); len(list) != 1 || fmt.Sprint(list[0]["new_in_2027"]) != "[1 two]" {
		t.Errorf("listed: %v", list)
	}
}

func TestCancelled(t *testing.T) {
	r := newRig(t, nil)
	done := stock{r.url()}.start(body("clr_1", "x", nil))
	r.do(200, r.agent, "POST", "/v1/requests/"+r.pending("clr_1")+"/cancel", "")
	if o := wait(t, done); o.err != nil || o.runs() || o.Decision != "rejected" || o.feedback() != "the request was cancelled" {
		t.Errorf("%+v", o)
	}
}

// A service that ends tells the client so, and the request stands.
func TestEnds(t *testing.T) {
	seed.Slow(t)
	r := newRig(t, nil)
	done := stock{r.url()}.start(body("clr_1", "x", nil))
	r.pending("clr_1")
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	if o := wait(t, done); o.err == nil || !strings.Contains(o.err.Error(), "503") || !strings.Contains(o.err.Error(), "the request is still open") {
		t.Errorf("%+v", o)
	}
	r.pending("clr_1")
}

// Who only submits sees its own programs, with the receipt; who reads sees
// all, without.
func TestProgramViews(t *testing.T) {
	r := newRig(t, nil)
	other := r.Token(t, "other", "submit")
	for _, row := range []struct{ id, url string }{{"clr_mine", r.url()}, {"clr_other", r.URL + "/s/" + other}} {
		id, url := row.id, row.url
		done := stock{url}.start(body(id, "x", nil))
		r.pending(id)
		r.do(200, r.boss, "POST", "/requests/"+id+"/decision", `{"decision":"approved_once"}`)
		wait(t, done)
	}
	r.propose("s", "make a")
	for _, row := range []struct {
		want  string
		token string
		path  string
	}{
		{"clr_mine receipt", r.agent, "/requests"},
		{"clr_mine receipt", "", "/s/" + r.agent + "/requests"},
		{"clr_other receipt", other, "/api/requests"},
		{"clr_other receipt clr_mine receipt", r.boss, "/requests"},
		{"clr_other clr_mine", r.Token(t, "reader", "read"), "/requests"},
	} {
		var got []string
		for _, one := range r.records(row.token, row.path) {
			got = append(got, one["request_id"].(string))
			if one["approval"].(map[string]any)["receipt"] != nil {
				got = append(got, "receipt")
			}
		}
		if strings.Join(got, " ") != row.want {
			t.Errorf("%s: %s, want %s", row.path, got, row.want)
		}
	}
	r.do(404, r.agent, "GET", "/requests/clr_other", "")
	r.do(404, "", "GET", "/s/"+r.agent+"/requests/clr_other", "")
	if a := r.do(200, "", "GET", "/s/"+r.agent+"/api/requests/clr_mine", ""); a.At("approval.receipt") == nil || a.At("target") != "main" || a.At("status") != "approved" {
		t.Errorf("%s", a.Text)
	}
	first := r.do(200, r.boss, "GET", "/requests?limit=1", "")
	next := regexp.MustCompile(`<(.*)>; rel="next"`).FindStringSubmatch(first.Header.Get("Link"))
	if next == nil {
		t.Fatalf("%v", first.Header)
	}
	if list := r.records(r.boss, "/requests"+next[1]); len(list) != 1 || list[0]["request_id"] != "clr_mine" {
		t.Errorf("the next page: %v", list)
	}
}

// One identity cannot hold all answers back: of two that come at once, one is
// refused, and its request stands.
func TestTooManyWait(t *testing.T) {
	r := newRig(t, func(_ *servertest.Options, h *Handler) { h.waits = webguard.NewWaits(1) })
	refused := make(chan servertest.Answer, 2)
	for _, id := range []string{"clr_1", "clr_2"} {
		go func() { refused <- r.Do(t, r.agent, "POST", "/requests", body(id, "x", nil)) }()
	}
	a := <-refused
	if a.Status != 429 || a.Header.Get("Retry-After") == "" || !strings.HasPrefix(fmt.Sprint(a.At("error")), "token:agent has 1 answers held back already") {
		t.Errorf("%d %v %s", a.Status, a.Header, a.Text)
	}
	for _, id := range []string{"clr_1", "clr_2"} {
		r.do(200, r.boss, "POST", "/requests/"+id+"/decision", `{"decision":"approved_once"}`)
	}
	if a := <-refused; a.Status != 200 || a.At("decision") != "approved_once" {
		t.Errorf("the other: %d %s", a.Status, a.Text)
	}
}

// The token in the path is in no log, whatever fails.
func TestTokenNotLogged(t *testing.T) {
	r := newRig(t, func(o *servertest.Options, _ *Handler) {
		o.Data = func(d backend.Data) backend.Data { return &failing{Data: d} }
	})
	for _, id := range []string{"panics", "fails"} {
		_, err := stock{r.url()}.run(body(id, "x", nil))
		if err == nil || strings.Contains(err.Error(), r.agent) {
			t.Errorf("%s: %v", id, err)
		}
	}
	r.do(404, "", "GET", "/s/"+r.agent+"/v1/tokens", "")
	if log := r.log.String(); !strings.Contains(log, "a handler panicked") || !strings.Contains(log, "the disk is full") || strings.Contains(log, r.agent) {
		t.Errorf("the log: %s", log)
	}
}

// A failing store does not store some requests.
type failing struct{ backend.Data }

func (f *failing) Create(ctx context.Context, q *approval.Request, log ...audit.Entry) (stored *approval.Request, created, undenied bool, err error) {
	if q.Name == "panics" {
		panic("a bug")
	}
	return nil, false, false, errors.New("the disk is full")
}
