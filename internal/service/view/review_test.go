package view_test

import (
	"testing"

	"github.com/policyctl/policyctl/internal/service/view"
	"github.com/policyctl/policyctl/pkg/approval"
)

func TestReviews(t *testing.T) {
	v := approval.Review{
		Model: "tiny", Outcome: approval.ReviewPeople, Why: "medium risk is above max_risk, low", Risk: "medium", Authorization: "unknown",
		In: 1000, Out: 50, Cost: 0.0016, Latency: 812,
	}
	for got, want := range map[string]string{
		view.ReviewOutcome(&v): "left to people: medium risk is above max_risk, low", view.ReviewScores(&v): "risk medium, authorization unknown",
		view.ReviewCost(&v): "tiny, 812 ms, 1000 tokens in, 50 out, cost 0.0016",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, none := range []float64{0, -0.5} { // the latter of a server that counts wrong
		v.Cost = none
		if got := view.ReviewCost(&v); got != "tiny, 812 ms, 1000 tokens in, 50 out" {
			t.Error(got)
		}
	}
	v.Cached = true
	if got := view.ReviewCost(&v); got != "tiny, as it said of an equal call before" {
		t.Error(got)
	}
	none := approval.Review{Outcome: approval.ReviewPeople, Why: "a program is for people"}
	if view.ReviewScores(&none) != "" || view.ReviewCost(&none) != "" {
		t.Error("nothing was asked")
	}
}
