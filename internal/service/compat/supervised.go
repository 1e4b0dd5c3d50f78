package compat

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A supervision is a request as a supervisor of tools sees it.
type supervision struct {
	ID        string          `json:"id"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Dir       string          `json:"dir,omitempty"`
	Record    json.RawMessage `json:"record,omitempty"`
	harm
	Session   string              `json:"session"`
	Agent     string              `json:"agent"`
	Status    string              `json:"status"`
	Created   time.Time           `json:"created_at"`
	Expires   time.Time           `json:"expires_at"`
	Reason    string              `json:"reason,omitempty"`
	Code      policy.Reason       `json:"reason_code"`
	DecidedBy string              `json:"decided_by,omitempty"`
	DecidedAt *time.Time          `json:"decided_at,omitempty"`
	Votes     string              `json:"votes,omitempty"`
	Revision  string              `json:"revision,omitempty"` // what an approval must name once it was asked again
	Execution *approval.Execution `json:"execution_result,omitempty"`
}

// harm is how much harm a call can do, beside what else is said of it.
type harm struct {
	Risk      string   `json:"risk,omitempty"`
	Dangerous []string `json:"dangerous,omitempty"` // the ids of the patterns
}

func harmOf(r *approval.Request) harm {
	risk, dangerous := r.Harm()
	h := harm{Risk: risk}
	for _, d := range dangerous {
		h.Dangerous = append(h.Dangerous, d.Rule)
	}
	return h
}

func supervisionOf(r *approval.Request) supervision {
	s := supervision{
		ID: r.ID, Tool: r.Tool, Arguments: arguments(r), Dir: r.Dir, Record: given(r), Session: r.Session, Agent: r.Agent,
		Status: status(r), Created: r.Created, Expires: r.Expires, Execution: r.Execution,
		Code: r.Reason(), harm: harmOf(r), Votes: votes(r), Revision: r.Revision,
	}
	if d := r.Decision; d != nil {
		s.Reason, s.DecidedBy, s.DecidedAt = d.Reason, d.Who(), &d.At
	}
	if r.Revocation != nil {
		s.Reason = r.Outcome()
	}
	return s
}

// status is a state in the words of these services.
func status(r *approval.Request) string { return strings.ToLower(string(r.State)) }

// arguments returns the input of a call, or the submission of a program.
func arguments(r *approval.Request) json.RawMessage {
	var call struct {
		Input json.RawMessage `json:"input"`
	}
	switch {
	case len(r.Contract) > 0:
		return r.Contract
	case json.Unmarshal(r.Call, &call) != nil || call.Input == nil:
		return json.RawMessage("null")
	}
	return call.Input
}

// given returns what a call says of itself for rules, nil for nothing.
func given(r *approval.Request) json.RawMessage {
	var call struct {
		Record json.RawMessage `json:"record"`
	}
	if json.Unmarshal(r.Call, &call) != nil {
		return nil
	}
	return call.Record
}

func (h *Handler) listApprovals(x *route.Exchange) error {
	f, err := filterOf(x)
	if err != nil {
		return err
	}
	if x.Query.Has("status") {
		state, err := stateOf(x.Query.Get("status"))
		if err != nil {
			return err
		}
		f.States = []approval.State{state}
	}
	list, err := h.list(x, f)
	if err != nil {
		return err
	}
	out := []supervision{}
	for _, r := range list {
		out = append(out, supervisionOf(r))
	}
	return x.Answer(http.StatusOK, out)
}

// stateOf returns the state of a word.
func stateOf(word string) (approval.State, error) {
	var known []string
	for _, s := range approval.States() {
		known = append(known, strings.ToLower(string(s)))
	}
	if i := slices.Index(known, word); i >= 0 {
		return approval.States()[i], nil
	}
	return "", refuse(http.StatusBadRequest, "status: %.64q is unknown; write one of %s", word, strings.Join(known, ", "))
}

func (h *Handler) showApproval(x *route.Exchange) error {
	r, err := x.Service.Get(x.Context(), x.ID)
	if err != nil {
		return err
	}
	seen, ok := backend.Views(x.Who, r)
	if !ok {
		return approval.ErrNotFound
	}
	return x.Answer(http.StatusOK, supervisionOf(seen))
}

func (h *Handler) approve(x *route.Exchange, body *struct {
	Revision string `json:"revision"`
}) error {
	return h.supervise(x, approval.Answer{Word: approval.ApprovedOnce, Revision: body.Revision})
}

func (h *Handler) deny(x *route.Exchange, body *struct {
	Reason string `json:"reason"`
}) error {
	return h.supervise(x, approval.Answer{Word: approval.Rejected, Reason: body.Reason})
}

func (h *Handler) supervise(x *route.Exchange, a approval.Answer) error {
	r, err := decide(x, x.ID, a, func(r *approval.Request) any { return supervisionOf(r) })
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, supervisionOf(r))
}
