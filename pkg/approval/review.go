package approval

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/redact"
	"github.com/policyctl/policyctl/pkg/audit"
)

// ReviewTerms say that a language model may answer a request.
type ReviewTerms struct {
	// CacheTTL is how long an approval may stand for equal calls, zero for this call
	// alone.
	CacheTTL Life `json:"cache_ttl"`
	// FailClosed says that a model that cannot be reached approves nothing.
	FailClosed bool `json:"fail_closed"`
}

// The outcomes of reviews.
const (
	ReviewApproved = "approved" // the model may approve this, and its scores do
	ReviewDenied   = "denied"
	ReviewPeople   = "people" // people decide
)

// A Review is what a language model said about a request, or why it said nothing.
type Review struct {
	// By is the identity of the reviewer, Model the one that was asked, "" for none.
	By    string    `json:"by"`
	Model string    `json:"model,omitempty"`
	At    time.Time `json:"at"`
	// Outcome is one of the outcomes above, and Why says in a clause how it came
	// about.
	Outcome string `json:"outcome"`
	Why     string `json:"why"`
	// Risk is low, medium, high or critical, Authorization high, medium, low or
	// unknown: how clearly the user has asked for the call. Quote is the part of the
	// call that was judged. All are "" where there is no verdict.
	Risk          string `json:"risk,omitempty"`
	Authorization string `json:"authorization,omitempty"`
	Quote         string `json:"quote,omitempty"`
	Rationale     string `json:"rationale,omitempty"`
	// Cached says that the verdict is that of an equal call of before.
	Cached bool `json:"cached,omitempty"`
	// In, Out and CachedIn count tokens; CachedIn is a part of In.
	In       int64 `json:"tokens_in"`
	Out      int64 `json:"tokens_out"`
	CachedIn int64 `json:"tokens_cached"`
	// Cost is in the currency of the prices in the settings, 0 without prices.
	Cost float64 `json:"cost"`
	// Latency is in milliseconds.
	Latency int64 `json:"latency_ms"`
}

// maxReviews bounds the reviews that a request keeps, and maxReviewText each of
// their texts, in bytes.
const (
	maxReviews    = 8
	maxReviewText = 2048
)

// clean bounds the texts of a review and takes secrets out of them.
func (v Review) clean() Review {
	for _, text := range []*string{&v.By, &v.Model, &v.Outcome, &v.Why, &v.Risk, &v.Authorization, &v.Quote, &v.Rationale} {
		if len(*text) > maxReviewText {
			*text = strings.ToValidUTF8((*text)[:maxReviewText], "") + "…"
		}
		masked, _ := redact.Text(*text)
		lines := strings.Split(masked, "\n")
		for i := range lines {
			lines[i] = clip.Legible(lines[i])
		}
		*text = strings.Join(lines, "\n")
	}
	return v
}

// detail is what the audit log records of a review.
func (v *Review) detail() map[string]string {
	out := map[string]string{
		"review_outcome": v.Outcome, "review_why": v.Why, "tokens_in": strconv.FormatInt(v.In, 10), "tokens_out": strconv.FormatInt(v.Out, 10),
		"tokens_cached": strconv.FormatInt(v.CachedIn, 10), "latency_ms": strconv.FormatInt(v.Latency, 10),
		"cost": strconv.FormatFloat(v.Cost, 'f', -1, 64), "cached": strconv.FormatBool(v.Cached),
	}
	for name, text := range map[string]string{"model": v.Model, "review_risk": v.Risk, "authorization": v.Authorization, "quote": v.Quote, "rationale": v.Rationale} {
		if text != "" {
			out[name] = text
		}
	}
	return out
}

// reviewed adds what a model said to a request that is still kept, and to the
// record of a decision.
func (r *Request) reviewed(v *Review, e *audit.Entry) {
	if e.Detail == nil {
		e.Detail = make(map[string]string)
	}
	maps.Copy(e.Detail, v.detail())
	if r.Pruned == nil && len(r.Reviews) < maxReviews {
		r.Reviews = append(r.Reviews, *v)
	}
}

// note keeps what a model said that decides nothing.
func (s *Service) note(ctx context.Context, id string, v Review) error {
	_, err := s.update(ctx, id, func(r *Request) ([]audit.Entry, error) {
		if v.By == r.Submitter {
			return nil, ErrSelf
		}
		e := r.entry(audit.KindReview, v.By, s.now())
		r.reviewed(&v, &e)
		return []audit.Entry{e}, nil
	})
	return err
}

// byModel says why a language model cannot give this answer. What it may answer at
// all, the policy of the service has said.
func (r *Request) byModel(d *Decision) error {
	switch {
	case r.Asked.Review == nil || r.Asked.EveryTime:
		return fmt.Errorf("%w: the policy does not leave it to a language model", ErrNotApprover)
	case d.Word == ApprovedOnce, d.Word == Rejected:
		return nil
	}
	return &Invalid{fmt.Sprintf("decision: a language model cannot say %s", d.Word)}
}

// reviewer returns the language model that is asked about a request, nil for none:
// the one that the rule names, and the first where it names nobody.
func (s *Service) reviewer(r *Request) Approver {
	if r.Asked.Review == nil || r.Asked.EveryTime {
		return nil
	}
	names := r.Approvers()
	for _, a := range s.o.Approvers {
		if info := a.Info(); info.Source == LLM && (len(names) == 0 || len(names) == 1 && names[0] == info.ID) {
			return a
		}
	}
	return nil
}
