package compat

import (
	"net/http"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
)

const (
	get = http.MethodGet
	pst = http.MethodPost
	del = http.MethodDelete

	submit  = auth.Submit
	approve = auth.Approve
	read    = auth.Read
	admin   = auth.Admin
	anyone  = submit | approve | read | admin | auth.Record
)

// page are the parameters of lists.
var page = []string{"before", "limit"}

// ownWords are what these services say where the native API says something else.
var ownWords = map[string]route.Words{
	"body-too-long":    {Detail: "the body of the request is too long", Hint: "send less"},
	"invalid":          {},
	"storage":          {Hint: "send it again"},
	"mismatch":         {Hint: "wait until that one is decided"},
	"not-approver":     {Hint: "leave it to the one that the policy names"},
	"too-many-waiting": {Hint: "wait for those"},
	"too-many-pending": {Detail: approval.ErrTooMany.Error(), Hint: "wait for a decision, or cancel some"},
	"altered":          {Detail: approval.ErrAltered.Error(), Hint: "approve nothing of it, and find out who wrote to the database of the service"},
}

// Families returns the routes, in the order of the documentation.
func (h *Handler) Families() []route.Family {
	ofURL := append(h.ofPrograms("/s/{token}")[:3], h.ofPrograms("/s/{token}/api")[:3]...)
	return []route.Family{
		{Prefixes: []string{"/requests", "/api/requests"}, Form: webguard.DetailForm, Words: ownWords, Routes: append(h.ofPrograms(""), h.ofPrograms("/api")...)},
		// A client of clauz3 is told a URL and nothing else: the token is in its
		// path, which no page of another site knows. Such a URL serves to submit,
		// and to look at what was submitted.
		{Prefixes: []string{"/s/"}, Form: webguard.DetailForm, Words: ownWords, Proved: true, Key: keyOfToken, Routes: append(ofURL,
			route.Route{Method: get, Path: "/s/{token}/health", Scopes: submit, Summary: "Say that the service runs, and that the URL holds", Handle: h.health})},
		{Prefixes: []string{"/"}, Form: webguard.ErrorForm, Words: ownWords, Routes: h.others()},
		// Approvers are called here, such as by a chat. They prove who sends, and
		// some are sent forms.
		{Prefixes: []string{"/api/approvers/"}, Form: webguard.ErrorForm, Words: ownWords, Proved: true, Key: keyOfPlugin, Routes: []route.Route{
			{Path: "/api/approvers/{plugin}/{path...}", Open: true, Summary: "Hear from an approver", Handle: h.webhook},
		}},
	}
}

// maxPart bounds what is remembered of a path that nobody has checked.
const maxPart = 128

// keyOfToken is for who only knows a URL, which has the token in it.
func keyOfToken(token, from string) string {
	if len(token) > maxPart {
		return "from:" + from
	}
	return "path:" + token
}

func keyOfPlugin(plugin, from string) string {
	return "hook:" + plugin[:min(len(plugin), maxPart)] + "@" + from
}

// ofPrograms returns the routes of clauz3 below a prefix; those of who submits
// come first.
func (h *Handler) ofPrograms(prefix string) []route.Route {
	path := prefix + "/requests"
	return []route.Route{
		{Method: pst, Path: path, Scopes: submit, Summary: "Submit a program and wait for the decision", Handle: h.submitProgram},
		{Method: get, Path: path, Scopes: submit | approve | read, Query: page, Summary: "List programs", Handle: h.listPrograms},
		{Method: get, Path: path + "/{id}", Scopes: submit | approve | read, Summary: "Show a program", Handle: h.showProgram},
		{Method: pst, Path: path + "/{id}/decision", Scopes: approve, Summary: "Decide a program", Handle: h.decideProgram},
	}
}

// others returns the routes of the other services.
func (h *Handler) others() []route.Route {
	return []route.Route{
		{Method: get, Path: "/api/approvals", Scopes: submit | approve | read, Query: append([]string{"status"}, page...), Summary: "List approvals", Handle: h.listApprovals},
		{Method: get, Path: "/api/approvals/{id}", Scopes: submit | approve | read, Summary: "Show an approval", Handle: h.showApproval},
		{Method: pst, Path: "/api/approvals/{id}/approve", Scopes: approve, Summary: "Approve a call once", Handle: route.WithAny(h.approve)},
		{Method: pst, Path: "/api/approvals/{id}/deny", Scopes: approve, Summary: "Deny a call", Handle: route.WithAny(h.deny)},

		{Method: get, Path: "/api/rules", Scopes: read, Summary: "List the rules", Handle: h.listRules},
		{Method: pst, Path: "/api/rules", Scopes: admin, Summary: "Write a rule", Handle: route.With(h.putRule)},
		{Method: pst, Path: "/api/rules/preview", Scopes: read, Summary: "Show what a rule would have matched", Handle: route.With(h.previewRule)},
		{Method: get, Path: "/api/rules/{id}", Scopes: read, Summary: "Show a rule", Handle: h.showRule},
		{Method: del, Path: "/api/rules/{id}", Scopes: admin, Summary: "Delete a rule", Handle: h.deleteRule},

		{Method: get, Path: "/api/action-schemas", Scopes: anyone, Summary: "Describe what rules see of calls", Handle: h.actionSchemas},
		{Method: pst, Path: "/api/action-schemas", Scopes: admin, Summary: "Write what a plugin says of its records", Handle: h.putSchemas},
		{Method: get, Path: "/api/profiles", Scopes: read, Summary: "List the profiles that rules and calls name", Handle: h.profiles},
		{Method: get, Path: "/api/integrations", Scopes: read, Query: []string{"plugin"}, Summary: "List the integrations that rules and calls name", Handle: h.integrations},
		{Method: get, Path: "/api/approvers", Scopes: submit | approve | read, Summary: "List the approvers", Handle: h.approvers},

		{Method: get, Path: "/api/pending-actions", Scopes: approve | read, Query: page, Summary: "List what is pending", Handle: h.listPending},
		{Method: get, Path: "/api/pending-actions/stream", Scopes: approve | read, Query: []string{"last_event_id"}, Summary: "Follow what is pending", Handle: h.followPending},
		{Method: pst, Path: "/api/pending-actions/{id}/decision", Scopes: approve, Summary: "Decide what is pending", Handle: route.With(h.decidePending)},
	}
}
