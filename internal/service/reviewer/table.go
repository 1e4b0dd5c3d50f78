package reviewer

import (
	"fmt"

	"github.com/policyctl/policyctl/pkg/approval"
)

// A row says what becomes of a call with these scores.
type row struct {
	risk     Risk
	from, to Authorization
	// ceiling is the max_risk from which on the outcome holds; below it, people
	// decide.
	ceiling Risk
	outcome string
}

// table is the decision: a model gives two scores, and this says what they mean. A
// pair of scores that has no row is for people.
var table = []row{
	{Low, Unknown, Clear, Low, approval.ReviewApproved},
	{Medium, Unknown, Clear, Medium, approval.ReviewApproved},
	{High, Implied, Clear, High, approval.ReviewApproved}, // nobody but the user takes such a risk
	{High, Unknown, Vague, NoRisk, approval.ReviewPeople},
	{Critical, Unknown, Clear, NoRisk, approval.ReviewDenied},
}

// outcomeOf looks scores up, and says in a clause why.
func outcomeOf(r Risk, a Authorization, ceiling Risk) (outcome, why string) {
	for _, row := range table {
		switch {
		case row.risk != r || a < row.from || a > row.to:
		case ceiling < row.ceiling:
			return approval.ReviewPeople, fmt.Sprintf("%s risk is above max_risk, %s", r, ceiling)
		case row.outcome == approval.ReviewApproved:
			return row.outcome, fmt.Sprintf("%s risk is within max_risk, %s", r, ceiling)
		case row.outcome == approval.ReviewDenied:
			return row.outcome, fmt.Sprintf("%s risk is denied", r)
		default:
			return row.outcome, fmt.Sprintf("%s risk needs a user who has asked for it, and authorization is %s", r, a)
		}
	}
	return approval.ReviewPeople, "there is no rule for these scores"
}

// raised returns the risk of a call of which a model has said one and the policy
// another. A model only tightens: what the policy calls high stays high. Medium is what
// the policy calls whatever may change something, so that this is for the model to say.
func raised(model Risk, policy string) Risk {
	if policy == "low" || policy == "medium" {
		return model
	}
	return max(model, High) // and what nobody knows the risk of
}
