package compat

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A pendingItem is a request that waits for a person, as a dashboard shows it.
type pendingItem struct {
	ID        string          `json:"id"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Dir       string          `json:"dir,omitempty"`
	Record    json.RawMessage `json:"record,omitempty"`
	Summary   string          `json:"summary"`
	harm
	SessionID string    `json:"sessionId"`
	Agent     string    `json:"agent"`
	Stage     string    `json:"stage"`
	RuleID    string    `json:"ruleId"`
	Why       string    `json:"why"`
	CreatedAt time.Time `json:"createdAt"`
	ExpiresAt time.Time `json:"expiresAt"`
	// OnTimeout is what becomes of it when nobody decides: allow or deny.
	OnTimeout string `json:"onTimeout"`
	// Votes say how many of several people have approved, and who.
	Votes string `json:"votes,omitempty"`
	// Revision is what an approval must name once it was asked again.
	Revision string `json:"revision,omitempty"`
}

func pendingOf(r *approval.Request) pendingItem {
	p := pendingItem{
		ID: r.ID, Tool: r.Tool, Arguments: arguments(r), Dir: r.Dir, Record: given(r), Summary: r.Title, SessionID: r.Session,
		Agent: r.Agent, CreatedAt: r.Created, ExpiresAt: r.Expires, OnTimeout: "deny",
		harm: harmOf(r), Revision: r.Revision,
	}
	p.Stage, p.RuleID, p.Why = asking(r)
	if r.OnTimeout == approval.Approved {
		p.OnTimeout = "allow"
	}
	p.Votes = votes(r)
	return p
}

// votes says how many of several people have approved, "" where one decides.
func votes(r *approval.Request) string {
	if r.Tally == nil {
		return ""
	}
	return r.Tally.Text()
}

// asking returns what asks and why: what the service finds, or else what the
// submitter says, which says so.
func asking(r *approval.Request) (stage, rule, why string) {
	switch j := r.Judged; {
	case j == nil:
		return r.Asked.Stage, r.Asked.Rule, r.Asked.Why
	case j.Decision == "ask":
		return j.Stage, j.Rule, j.Why
	}
	return r.Asked.Stage, r.Asked.Rule, line(r.Submitter + " says: " + r.Asked.Why)
}

func (h *Handler) listPending(x *route.Exchange) error {
	f, err := filterOf(x)
	if err != nil {
		return err
	}
	if !x.Query.Has("limit") {
		f.Limit = approval.MaxLimit
	}
	f.States = []approval.State{approval.Pending}
	list, err := h.list(x, f)
	if err != nil {
		return err
	}
	out := struct {
		Pending []pendingItem `json:"pending"`
		Next    *string       `json:"next"`
	}{Pending: []pendingItem{}}
	for _, r := range list {
		out.Pending = append(out.Pending, pendingOf(r))
	}
	if len(list) == f.Limit {
		out.Next = &list[len(list)-1].ID
	}
	return x.Answer(http.StatusOK, out)
}

// words are those of a queue, with what they mean.
var words = map[string]approval.Word{
	"allow": approval.ApprovedOnce, "approve": approval.ApprovedOnce, "approved_once": approval.ApprovedOnce,
	"deny": approval.Rejected, "rejected": approval.Rejected,
}

// decidePending decides in the name of who has the token, whoever the body
// says it is.
func (h *Handler) decidePending(x *route.Exchange, body *struct {
	Decision string  `json:"decision"`
	Reason   string  `json:"reason"`
	Reviewer *string `json:"reviewer"`
	Revision string  `json:"revision"`
}) error {
	word, known := words[body.Decision]
	switch {
	case !known:
		return refuse(http.StatusBadRequest, `decision: %.64q is unknown; write "allow" or "deny"`, body.Decision)
	case body.Reviewer != nil && !names(*body.Reviewer, x.Who.Name):
		return refuse(http.StatusBadRequest, "reviewer: the token says who decides, which is %s; name nobody else, or leave the reviewer out", x.Who.Name)
	}
	answer := approval.Answer{Word: word, Reason: body.Reason, Revision: body.Revision}
	r, err := decide(x, x.ID, answer, func(r *approval.Request) any { return supervisionOf(r) })
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, map[string]any{"ok": true, "id": r.ID, "status": status(r)})
}

// names reports whether a text names an identity, such as token:ann, by all of its name or
// by that of the person. It gives no authority, which is the token's.
func names(text, who string) bool {
	_, person, _ := strings.Cut(who, ":")
	return text == who || person != "" && strings.EqualFold(text, person)
}
