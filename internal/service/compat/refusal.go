package compat

import (
	"errors"
	"net/http"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A refusal is an answer that is no success. The request, nil for none, is
// what is in the way, as the family shows it.
type refusal struct {
	status  int
	text    string
	request any
}

func (e *refusal) Error() string { return e.text }

// An unread is a body that does not say what the route wants to know.
type unread struct{ error }

func (e *unread) Unwrap() error { return e.error }

// statuses are those of the errors of a service, with the next step.
var statuses = []struct {
	err    error
	status int
	next   string
}{
	{approval.ErrNotFound, http.StatusNotFound, "; check the id"},
	{approval.ErrMismatch, http.StatusConflict, "; wait until that one is decided"},
	{approval.ErrSelf, http.StatusForbidden, "; have somebody else decide it"},
	{approval.ErrNotApprover, http.StatusForbidden, "; leave it to the one that the policy names"},
	{approval.ErrTooMany, http.StatusTooManyRequests, "; wait for a decision, or cancel some"},
	{approval.ErrAltered, http.StatusUnprocessableEntity, "; approve nothing of it, and find out who wrote to the database of the service"},
	{approval.ErrDecided, http.StatusConflict, "; the decision that stands is in the request"},
}

// fail answers with an error.
func (h *Handler) fail(x *exchange, err error) {
	var refused *refusal
	var invalid *approval.Invalid
	var rule *ruledb.Invalid
	var query *webguard.QueryError
	var body *unread
	switch {
	case errors.As(err, &refused):
		x.refuse(refused)
	case errors.As(err, &body):
		x.refuse(bodyRefusal(body.error))
	case errors.As(err, &query):
		x.refuse(&refusal{http.StatusBadRequest, query.Error(), nil})
	case errors.As(err, &invalid):
		x.refuse(&refusal{http.StatusBadRequest, invalid.Text, nil})
	case errors.As(err, &rule):
		x.refuse(&refusal{http.StatusBadRequest, rule.Error(), nil})
	default:
		h.failed(x, err)
	}
}

// failed answers with an error of the service, or of what it needs.
func (h *Handler) failed(x *exchange, err error) {
	for _, known := range statuses {
		if errors.Is(err, known.err) {
			x.refuse(&refusal{known.status, known.err.Error() + known.next, nil})
			return
		}
	}
	if x.context().Err() == nil {
		h.b.Log.ErrorContext(x.context(), "a request was not served", "request", webguard.RequestIDFrom(x.context()),
			"route", x.route.pattern(), "error", err)
	}
	x.refuse(&refusal{http.StatusServiceUnavailable, "the service cannot read or store this now" + backend.CauseOf(err) + "; send it again", nil})
}

func bodyRefusal(err error) *refusal {
	var long *http.MaxBytesError
	var wrong *webguard.BodyError
	switch {
	case errors.As(err, &long):
		return &refusal{http.StatusRequestEntityTooLarge, "the body of the request is too long; send less", nil}
	case errors.As(err, &wrong):
		return &refusal{http.StatusBadRequest, wrong.Error(), nil}
	}
	return &refusal{http.StatusBadRequest, "the body of the request did not arrive; send the request again", nil}
}

// retryAfter is how many seconds to wait where the service is in the way.
const retryAfter = "5"

// refuse writes a refusal in the form of the family.
func (x *exchange) refuse(e *refusal) {
	switch e.status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		x.w.Header().Set("Retry-After", retryAfter)
	case http.StatusUnauthorized:
		x.w.Header().Set("WWW-Authenticate", `Bearer realm="policyctl"`)
	}
	body := struct {
		Error   string `json:"error"`
		Detail  string `json:"detail,omitempty"`
		Request any    `json:"request,omitempty"`
	}{Error: e.text, Request: e.request}
	if x.route.family == programs {
		body.Detail = e.text
	}
	_ = x.answer(e.status, body) // what is in it has a form in JSON
}

// record notes in the audit log that somebody tried what they may not. That it
// could not be noted changes nothing of the answer, which refuses anyway.
func (h *Handler) record(x *exchange, request string, why error) {
	err := h.b.Data.Record(x.context(), backend.Refused(x.who.Name, request, why, h.b.Now()))
	if err != nil {
		h.b.Log.ErrorContext(x.context(), "a refusal was not recorded", "request", webguard.RequestIDFrom(x.context()), "error", err)
	}
}
