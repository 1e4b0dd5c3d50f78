package compat

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A chat is an approver that hears of a webhook.
type chat struct{ info approval.ApproverInfo }

func (c chat) Info() approval.ApproverInfo { return c.info }

func (c chat) Ask(context.Context, *approval.Request, func(context.Context, string, approval.Answer) error) error {
	return nil
}

func (c chat) Webhook() http.Handler {
	if c.info.ID == "deaf" {
		return nil
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, "too long", http.StatusRequestEntityTooLarge)
			return
		}
		if r.Header.Get("X-Signature") != "mine" {
			http.Error(w, "unsigned", http.StatusForbidden)
			return
		}
		fmt.Fprintf(w, "%s %s %s", r.Method, r.URL.Path, body)
	})
}

func withApprovers(o *servertest.Options, _ *Handler) {
	o.Service = func(a *approval.Options) {
		a.Approvers = []approval.Approver{
			chat{approval.ApproverInfo{ID: "slack", Name: "Slack", Description: "a channel", Source: approval.Human}},
			chat{approval.ApproverInfo{ID: "judge", Name: "Judge", Description: "a model", Source: approval.LLM}},
			chat{approval.ApproverInfo{ID: "deaf", Source: approval.Human}},
		}
	}
}

func TestApprovers(t *testing.T) {
	r := newRig(t, withApprovers)
	a := r.do(200, r.boss, "GET", "/api/approvers", "")
	want := `{"human":[{"id":"dashboard-approval","name":"Queue","description":"the pending requests of this service, for policyctl requests and the API"},` +
		`{"id":"slack","name":"Slack","description":"a channel"},{"id":"deaf","name":"","description":""}],` +
		`"llm":[{"id":"judge","name":"Judge","description":"a model"}]}` + "\n"
	if a.Text != want {
		t.Errorf("%s, want %s", a.Text, want)
	}
	b := r.do(200, r.agent, "GET", "/api/action-schemas", "")
	if len(b.JSON) != 1 || !strings.Contains(b.Text, `"type":"shell.exec"`) {
		t.Errorf("%s", b.Text)
	}
}

// A webhook proves its sender itself: no token is asked for, and any type of
// body reaches it, up to the limit.
func TestWebhook(t *testing.T) {
	r := newRig(t, withApprovers)
	for _, row := range []struct {
		status     int
		want       string
		method     string
		path, sign string
	}{
		{200, "POST /act payload=x", "POST", "slack/act", "mine"},
		{200, "POST /a/b payload=x", "POST", "slack/a/b", "mine"},
		{200, "POST / payload=x", "POST", "slack/", "mine"},
		{200, "PUT /act payload=x", "PUT", "slack/act", "mine"},
		{403, "unsigned", "POST", "slack/act", "other"},
		{404, "", "POST", "deaf/act", "mine"},
		{404, "", "POST", "nobody/act", "mine"},
		{404, "", "POST", "dashboard-approval/act", "mine"},
		{404, "", "POST", "..%2fslack/act", "mine"},
		{404, "", "POST", "slack/../../rules", "mine"},
	} {
		q, err := http.NewRequest(row.method, r.URL+"/api/approvers/"+row.path, strings.NewReader("payload=x"))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		q.Header.Set("X-Signature", row.sign)
		a := servertest.Send(t, http.DefaultTransport, q)
		if a.Status != row.status || row.want != "" && strings.TrimSpace(a.Text) != row.want {
			t.Errorf("%s: %d %s", row.path, a.Status, a.Text)
		}
	}
	q, _ := http.NewRequest("POST", r.URL+"/api/approvers/slack/act", strings.NewReader(strings.Repeat("x", 1<<20+1)))
	q.Header.Set("X-Signature", "mine")
	if a := servertest.Send(t, http.DefaultTransport, q); a.Status != 413 {
		t.Errorf("%d %s", a.Status, a.Text)
	}
}
