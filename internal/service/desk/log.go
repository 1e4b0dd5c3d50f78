package desk

import (
	"math"
	"slices"

	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// An auditPage is a part of the audit log, the newest record first.
type auditPage struct {
	Records []*audit.Record
	// Head is the last record of the log, nil for an empty one.
	Head *audit.Record
	// Older is the number before which older records follow, 0 for none.
	Older int64
}

// auditLimit is how many records a page of the log shows.
const auditLimit = 100

func (d *Desk) audit(x *route.Exchange) (string, *frame, error) {
	before, err := x.Number("before", 0, 1, math.MaxInt64)
	if err != nil {
		return "", nil, err
	}
	page := new(auditPage)
	if page.Head, err = x.Data.AuditHead(x.Context()); err != nil {
		return "", nil, err
	}
	last := int64(0)
	if page.Head != nil {
		last = page.Head.Seq
	}
	if before > 0 {
		last = min(last, before-1)
	}
	if from := max(0, last-auditLimit); from < last {
		if page.Records, err = x.Data.Audit(x.Context(), from, int(last-from)); err != nil {
			return "", nil, err
		}
		slices.Reverse(page.Records)
		if from > 0 {
			page.Older = from + 1
		}
	}
	return "audit.html", &frame{Title: "Audit", At: "audit", Content: page}, nil
}

// A policyPage says what the policy of the service answers to a command, and how the
// chain comes to it.
type policyPage struct {
	Revision     string
	Command, Dir string
	Stages       []policy.StageInfo
	// Explained is nil before a command is given.
	Explained *policy.Explanation
	// Marked is the command with the part that decided.
	Marked []piece
}

func (d *Desk) policy(x *route.Exchange) (string, *frame, error) {
	engine := x.Decider.Engine()
	page := &policyPage{Revision: engine.Revision(), Command: x.Query.Get("command"), Dir: x.Query.Get("dir"), Stages: policy.Stages()}
	if page.Command != "" {
		explained, err := engine.Explain(x.Context(), nil, policy.Shell(page.Command, page.Dir))
		if err != nil {
			return "", nil, err
		}
		page.Explained = &explained
		var span *[2]int
		if s := explained.Span; s != nil && s.From < s.To && s.To <= len(page.Command) {
			span = &[2]int{s.From, s.To}
		}
		page.Marked = pieces(page.Command, span)
	}
	return "policy.html", &frame{Title: "Policy", At: "policy", Content: page}, nil
}
