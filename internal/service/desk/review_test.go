package desk_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/policyctl/policyctl/internal/service/desk"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/internal/service/stream"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A doubter is a language model that leaves everything to people.
type doubter struct{}

func (doubter) Info() approval.ApproverInfo {
	return approval.ApproverInfo{ID: "local", Name: "local", Source: approval.LLM}
}

func (doubter) Ask(ctx context.Context, _ *approval.Request, decide func(context.Context, string, approval.Answer) error) error {
	return decide(ctx, "reviewer:local", approval.Answer{Review: &approval.Review{
		Model: "tiny", Outcome: approval.ReviewPeople, Why: "medium risk is above max_risk, low", Risk: "medium", Authorization: "unknown",
		Quote: "npm ci <b>", Rationale: "It runs scripts of packages.<script>alert(1)</script>", In: 900, Out: 40, Cost: 0.0012, Latency: 640,
	}})
}

func (doubter) Webhook() http.Handler { return nil }

// Who decides next sees what the model said, as text, beside the call and above the
// choices.
func TestReviewOfRequest(t *testing.T) {
	sources := sourcesOf(t, "version: 1\nrules:\n- {id: install, when: {shell.program: npm}, decision: require_llm}\n")
	s := servertest.New(t, servertest.Options{
		Sources: sources, Service: func(o *approval.Options) { o.Approvers = append(o.Approvers, doubter{}) },
		More: func(*stream.Hub) []route.Family { return []route.Family{desk.New().Family()} },
	})
	r := &rig{s, s.Token(t, "agent", "submit")}
	id := r.submitWith(t, "npm ci", `"said":"install the <i>packages</i>"`)
	b := open(t, 1200, 900)
	b.logIn(r)
	b.do(chromedp.Navigate(r.URL + "/ui/requests/" + id))
	b.shows("What the model said")
	want := "What the model said Outcome left to people: medium risk is above max_risk, low " +
		"Rationale It runs scripts of packages.<script>alert(1)</script> Scores risk medium, authorization unknown Of npm ci <b> Asked "
	got := b.text(`document.querySelector(".reviews").innerText.replace(/\s+/g, " ").trim()`)
	if len(got) < len(want) || got[:len(want)] != want {
		t.Errorf("the box: %s", got)
	}
	b.shows("reviewer:local, tiny, 640 ms, 900 tokens in, 40 out, cost 0.0012")
	b.shows("install the <i>packages</i>")
	if b.text(`document.querySelector(".reviews").compareDocumentPosition(document.querySelector(".choices")) & Node.DOCUMENT_POSITION_FOLLOWING`) == "0" {
		t.Error("the box stands below the choices")
	}
	if q := r.get(t, id); q.State != approval.Pending {
		t.Errorf("it is %s", q.State)
	}
}
