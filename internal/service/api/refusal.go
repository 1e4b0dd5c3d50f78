package api

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A refusal is an answer that is no success. The request, nil for none, is the
// one that is in the way.
type refusal struct {
	status             int
	code, detail, hint string
	request            *approval.Request
}

func (e *refusal) Error() string { return e.detail }

// An unread is a body that does not say what the route wants to know.
type unread struct{ error }

func (e *unread) Unwrap() error { return e.error }

// errAnswered says that the answer has been written.
var errAnswered = errors.New("answered")

// statuses are those of the errors of pkg/approval, by their codes.
var statuses = map[string]struct {
	status int
	hint   string
}{
	"not-found":            {http.StatusNotFound, "check the id"},
	"mismatch":             {http.StatusConflict, "use another key for another call"},
	"self-decision":        {http.StatusForbidden, "have somebody else decide it"},
	"not-approver":         {http.StatusForbidden, "leave it to the approver that the request names"},
	"too-many-pending":     {http.StatusTooManyRequests, ""},
	"decided":              {http.StatusConflict, "the decision that stands is in the request"},
	"receipt-consumed":     {http.StatusConflict, "ask for approval of another attempt"},
	"receipt-not-consumed": {http.StatusConflict, ""},
	"receipt-revoked":      {http.StatusConflict, "do not run the call"},
	"not-approved":         {http.StatusConflict, "deny it if it is pending; what ran cannot be taken back"},
	"reported":             {http.StatusConflict, "the report that stands is in the request"},
	"altered":              {http.StatusUnprocessableEntity, "approve nothing of it; find out who wrote to the database of the service"},
	"receipt":              {http.StatusUnprocessableEntity, "do not run the call; ask for approval of it"},
}

// fail answers with an error.
func (a *API) fail(x *exchange, err error) {
	var refused *refusal
	var body *unread
	var query *webguard.QueryError
	var invalid *approval.Invalid
	switch code := approval.CodeOf(err); {
	case errors.Is(err, errAnswered):
	case errors.As(err, &refused):
		x.refuse(refused)
	case errors.As(err, &body):
		webguard.WriteBody(x.w, body.error)
	case errors.As(err, &query):
		x.refuse(&refusal{http.StatusBadRequest, "bad-query", query.Detail, query.Hint, nil})
	case errors.As(err, &invalid):
		x.refuse(&refusal{http.StatusBadRequest, "invalid", invalid.Text, "correct it and send it again", nil})
	case code != "":
		s := statuses[code]
		x.refuse(&refusal{s.status, code, err.Error(), s.hint, nil})
	default:
		a.broken(x, err)
	}
}

// broken answers where the store, or what else the service needs, fails.
func (a *API) broken(x *exchange, err error) {
	if x.context().Err() == nil { // else the client has left, or the server ends
		a.b.Log.ErrorContext(x.context(), "a request was not served", "request", webguard.RequestIDFrom(x.context()),
			"route", x.r.Pattern, "error", err)
	}
	if a.o.Full != nil && a.o.Full(err) {
		x.refuse(&refusal{http.StatusInsufficientStorage, "storage", "the service has no space left, and nothing of this was stored",
			"free space where the service keeps its data, and send it again", nil})
		return
	}
	x.refuse(&refusal{http.StatusServiceUnavailable, "storage", "the service cannot read or store this now" + backend.CauseOf(err),
		"send it again; the log of the service has the reason under the id of the request", nil})
}

// retryAfter is how many seconds to wait where the service is in the way.
const retryAfter = "5"

// refuse writes a refusal as a problem.
func (x *exchange) refuse(e *refusal) {
	if e.status == http.StatusTooManyRequests || e.status == http.StatusServiceUnavailable {
		x.w.Header().Set("Retry-After", retryAfter)
	}
	if e.request == nil {
		webguard.Write(x.w, e.status, e.code, e.detail, e.hint)
		return
	}
	webguard.Write(&merged{x.w, e.request}, e.status, e.code, e.detail, e.hint)
}

// A merged adds the request to the problem that is written through it.
type merged struct {
	http.ResponseWriter
	request *approval.Request
}

func (m *merged) Write(problem []byte) (int, error) {
	var out struct {
		webguard.Problem
		Request shown `json:"request"`
	}
	if err := json.Unmarshal(problem, &out.Problem); err != nil {
		return 0, err
	}
	out.Request = shownOf(m.request)
	text, err := json.Marshal(out)
	if err != nil {
		return 0, err
	}
	return m.ResponseWriter.Write(append(text, '\n'))
}

// conflict adds the request as it stands to an error that has a code. Who may
// not see the request learns nothing of it.
func (x *exchange) conflict(err error, r *approval.Request) error {
	code := approval.CodeOf(err)
	if r == nil || statuses[code].status != http.StatusConflict {
		return err
	}
	seen, ok := backend.Views(x.who, r)
	if !ok {
		return approval.ErrNotFound
	}
	return &refusal{http.StatusConflict, code, err.Error(), statuses[code].hint, seen}
}
