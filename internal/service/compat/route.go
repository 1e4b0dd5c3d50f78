package compat

import (
	"net/http"

	"github.com/policyctl/policyctl/internal/service/auth"
)

// A Route is one method on one path. No method stands for all.
type Route struct {
	Method, Path string
	// Scopes are those of which one is enough. Open routes need none: what
	// answers them proves the sender itself.
	Scopes auth.Scope
	Open   bool
	// Query are the parameters that it knows.
	Query   []string
	Summary string

	family family
	handle func(*Handler, *exchange) error
}

// A family is a group of routes with one form of errors.
type family int

const (
	plain    family = iota // {"error": …}
	programs               // {"error": …, "detail": …}, as FastAPI has it
)

func (r *Route) pattern() string {
	if r.Method == "" {
		return r.Path
	}
	return r.Method + " " + r.Path
}

const (
	get = http.MethodGet
	pst = http.MethodPost
	del = http.MethodDelete

	submit  = auth.Submit
	approve = auth.Approve
	read    = auth.Read
	admin   = auth.Admin
	anyone  = submit | approve | read | admin
)

// page are the parameters of lists.
var page = []string{"before", "limit"}

// Routes lists the routes, in the order of the documentation.
func Routes() []Route {
	var all []Route
	for _, prefix := range []string{"", "/api"} {
		all = append(all, ofPrograms(prefix)...)
	}
	// A client of clauz3 is told a URL and nothing else: the token is in its
	// path. Such a URL serves to submit, and to look at what was submitted.
	for _, prefix := range []string{"/s/{token}", "/s/{token}/api"} {
		all = append(all, ofPrograms(prefix)[:3]...)
	}
	all = append(all, Route{get, "/s/{token}/health", submit, false, nil, "Say that the service runs, and that the URL holds", programs, (*Handler).health})
	return append(all, others...)
}

// ofPrograms returns the routes of clauz3 below a prefix; those of who submits
// come first.
func ofPrograms(prefix string) []Route {
	path := prefix + "/requests"
	return []Route{
		{pst, path, submit, false, nil, "Submit a program and wait for the decision", programs, (*Handler).submitProgram},
		{get, path, submit | approve | read, false, page, "List programs", programs, (*Handler).listPrograms},
		{get, path + "/{id}", submit | approve | read, false, nil, "Show a program", programs, (*Handler).showProgram},
		{pst, path + "/{id}/decision", approve, false, nil, "Decide a program", programs, (*Handler).decideProgram},
	}
}

// others are the routes of the other families.
var others = []Route{
	{get, "/api/approvals", submit | approve | read, false, append([]string{"status"}, page...), "List approvals", plain, (*Handler).listApprovals},
	{get, "/api/approvals/{id}", submit | approve | read, false, nil, "Show an approval", plain, (*Handler).showApproval},
	{pst, "/api/approvals/{id}/approve", approve, false, nil, "Approve a call once", plain, (*Handler).approve},
	{pst, "/api/approvals/{id}/deny", approve, false, nil, "Deny a call", plain, (*Handler).deny},

	{get, "/api/rules", read, false, nil, "List the rules", plain, (*Handler).listRules},
	{pst, "/api/rules", admin, false, nil, "Write a rule", plain, (*Handler).putRule},
	{pst, "/api/rules/preview", read, false, nil, "Show what a rule would have matched", plain, (*Handler).previewRule},
	{get, "/api/rules/{id}", read, false, nil, "Show a rule", plain, (*Handler).showRule},
	{del, "/api/rules/{id}", admin, false, nil, "Delete a rule", plain, (*Handler).deleteRule},

	{get, "/api/action-schemas", anyone, false, nil, "Describe what rules see of calls", plain, (*Handler).actionSchemas},
	{pst, "/api/action-schemas", admin, false, nil, "Write what a plugin says of its records", plain, (*Handler).putSchemas},
	{get, "/api/profiles", read, false, nil, "List the profiles that rules and calls name", plain, (*Handler).profiles},
	{get, "/api/integrations", read, false, []string{"plugin"}, "List the integrations that rules and calls name", plain, (*Handler).integrations},
	{get, "/api/approvers", submit | approve | read, false, nil, "List the approvers", plain, (*Handler).approvers},
	{"", "/api/approvers/{plugin}/{path...}", 0, true, nil, "Hear from an approver", plain, (*Handler).webhook},

	{get, "/api/pending-actions", approve | read, false, page, "List what is pending", plain, (*Handler).listPending},
	{get, "/api/pending-actions/stream", approve | read, false, []string{"last_event_id"}, "Follow what is pending", plain, (*Handler).followPending},
	{pst, "/api/pending-actions/{id}/decision", approve, false, nil, "Decide what is pending", plain, (*Handler).decidePending},
}
