package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/pkg/approval"
)

// reviewWords say what came of a review.
var reviewWords = map[string]string{
	approval.ReviewApproved: "approved", approval.ReviewDenied: "denied", approval.ReviewPeople: "left to people",
}

// ReviewOutcome says in a clause what came of a review, and why.
func ReviewOutcome(v *approval.Review) string {
	word := reviewWords[v.Outcome]
	if word == "" {
		word = v.Outcome
	}
	return word + ": " + v.Why
}

// ReviewScores says what a model scored, "" where there is no verdict.
func ReviewScores(v *approval.Review) string {
	if v.Risk == "" {
		return ""
	}
	return fmt.Sprintf("risk %s, authorization %s", v.Risk, v.Authorization)
}

// ReviewCost says what was asked and what that took, "" where nothing was.
func ReviewCost(v *approval.Review) string {
	switch {
	case v.Model == "":
		return ""
	case v.Cached:
		return v.Model + ", as it said of an equal call before"
	}
	parts := []string{v.Model, fmt.Sprintf("%d ms", v.Latency), fmt.Sprintf("%d tokens in, %d out", v.In, v.Out)}
	if v.Cost > 0 {
		parts = append(parts, "cost "+strconv.FormatFloat(v.Cost, 'f', -1, 64))
	}
	return strings.Join(parts, ", ")
}
