package route

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
)

// Refuse returns a refusal.
func Refuse(status int, code, detail, hint string) error {
	return &webguard.Refusal{Status: status, Code: code, Detail: detail, Hint: hint}
}

// statuses are those of the errors of pkg/approval, by their codes, with the
// next step.
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
	"policy-changed":       {http.StatusConflict, "look at the request again, and decide then"},
	"receipt-consumed":     {http.StatusConflict, "ask for approval of another attempt"},
	"receipt-not-consumed": {http.StatusConflict, ""},
	"receipt-revoked":      {http.StatusConflict, "do not run the call"},
	"no-time":              {http.StatusConflict, "decide now, or have the agent ask again"},
	"not-approved":         {http.StatusConflict, "deny it if it is pending; what ran cannot be taken back"},
	"reported":             {http.StatusConflict, "the report that stands is in the request"},
	"altered":              {http.StatusUnprocessableEntity, "approve nothing of it; find out who wrote to the database of the service"},
	"receipt":              {http.StatusUnprocessableEntity, "do not run the call; ask for approval of it"},
}

// RefusalOf returns the refusal that an error stands for.
func (x *Exchange) RefusalOf(err error) *webguard.Refusal {
	var refused *webguard.Refusal
	var invalid *approval.Invalid
	var rule *ruledb.Invalid
	var stale *ruledb.Stale
	switch code, passkey := approval.CodeOf(err), backend.PasskeyCode(err); {
	case errors.As(err, &refused):
		return refused
	case errors.As(err, &invalid):
		return senseless(invalid)
	case errors.As(err, &rule):
		return senseless(rule)
	case errors.As(err, &stale):
		return &webguard.Refusal{Status: http.StatusPreconditionFailed, Code: "stale", Detail: stale.Error(), Hint: "look at it as it is now, and decide then"}
	case errors.Is(err, ruledb.ErrNoChange):
		return &webguard.Refusal{Status: http.StatusNotFound, Code: "not-found", Detail: err.Error(), Hint: "list the changes for their numbers"}
	case passkey != "":
		detail, hint, _ := strings.Cut(err.Error(), "; ")
		return &webguard.Refusal{Status: http.StatusForbidden, Code: passkey, Detail: detail, Hint: hint}
	case code != "":
		s := statuses[code]
		return &webguard.Refusal{Status: s.status, Code: code, Detail: err.Error(), Hint: s.hint}
	}
	return x.broken(err)
}

func senseless(what error) *webguard.Refusal {
	return &webguard.Refusal{Status: http.StatusBadRequest, Code: "invalid", Detail: what.Error(), Hint: "correct it and send it again"}
}

// broken is where the store, or what else the service needs, fails.
func (x *Exchange) broken(err error) *webguard.Refusal {
	if x.Context().Err() == nil { // else the client has left, or the server ends
		x.Log.ErrorContext(x.Context(), "a request was not served", "request", webguard.RequestIDFrom(x.Context()),
			"route", x.R.Pattern, "error", err)
	}
	if x.row.Full != nil && x.row.Full(err) {
		return &webguard.Refusal{Status: http.StatusInsufficientStorage, Code: "storage",
			Detail: "the service has no space left, and nothing of this was stored",
			Hint:   "free space where the service keeps its data, and send it again"}
	}
	return &webguard.Refusal{Status: http.StatusServiceUnavailable, Code: "storage",
		Detail: "the service cannot read or store this now" + backend.CauseOf(err),
		Hint:   "send it again; the log of the service has the reason under the id of the request"}
}

// retryAfter is how many seconds to wait where the service is in the way.
const retryAfter = 5

// refuse answers with an error, in the words and the form of the family.
func (x *Exchange) refuse(err error) {
	e := *x.RefusalOf(err)
	if w, ok := x.row.Words[e.Code]; ok {
		if e.Hint = w.Hint; w.Detail != "" {
			e.Detail = w.Detail
		}
	}
	if e.RetryAfter == 0 && (e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable) {
		e.RetryAfter = retryAfter
	}
	if x.row.Form == webguard.ProblemForm {
		webguard.Write(x.W, &e)
		return
	}
	// The members have an order of their own here: other readers than ours may
	// have come to know it.
	body := struct {
		Error   string `json:"error"`
		Detail  string `json:"detail,omitempty"`
		Request any    `json:"request,omitempty"`
	}{Error: e.Error(), Request: e.Request}
	if x.row.Form == webguard.DetailForm {
		body.Detail = body.Error
	}
	e.SetHeaders(x.W.Header())
	_ = x.Answer(e.Status, body) // what is in it has a form in JSON
}

// Conflict adds the request as it stands to an error that is about that, in a
// form of the family. Who may not see the request learns nothing of it.
func (x *Exchange) Conflict(id string, err error, form func(*approval.Request) any) error {
	code := approval.CodeOf(err)
	if statuses[code].status != http.StatusConflict {
		return err
	}
	r, unread := x.Service.Get(x.Context(), id)
	if unread != nil {
		return err
	}
	seen, ok := backend.Views(x.Who, r)
	if !ok {
		return approval.ErrNotFound
	}
	e := x.RefusalOf(err)
	e.Request = form(seen)
	return e
}

// Attempted notes in the audit log that somebody tried what they may not, where
// an error is one of some. That it could not be noted changes nothing of the
// answer, which refuses anyway.
func (x *Exchange) Attempted(request string, why error, kinds ...error) {
	if !slices.ContainsFunc(kinds, func(kind error) bool { return errors.Is(why, kind) }) {
		return
	}
	err := x.Data.Record(x.Context(), backend.Refused(x.Who.Name, request, why, x.Now()))
	if err != nil {
		x.Log.ErrorContext(x.Context(), "a refusal was not recorded", "request", webguard.RequestIDFrom(x.Context()), "error", err)
	}
}
