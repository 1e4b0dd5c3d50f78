package api

import (
	"net/http"
	"slices"

	"github.com/policyctl/policyctl/internal/service/auth"
)

// A Route is one method on one path.
type Route struct {
	Method, Path string
	// Scopes are those of which one is enough. Open routes need none, and every
	// other one without scopes is for nobody.
	Scopes auth.Scope
	Open   bool
	// Query are the parameters that it knows.
	Query   []string
	Summary string

	handle func(*API, *exchange) error
}

// Routes lists the routes, in the order of the documentation.
func Routes() []Route { return slices.Clone(table) }

// anyone are the scopes of routes for whoever is known.
const anyone = auth.Submit | auth.Approve | auth.Read | auth.Admin

const (
	get = http.MethodGet
	pst = http.MethodPost
	put = http.MethodPut
	del = http.MethodDelete

	submit  = auth.Submit
	approve = auth.Approve
	read    = auth.Read
	admin   = auth.Admin
)

// listQuery are the parameters of the list of requests.
var listQuery = []string{"state", "session", "submitter", "kind", "alike", "before", "limit"}

// table holds all routes. What a route shows of a request is decided by
// backend.Views besides.
var table = []Route{
	{get, "/health", 0, true, nil, "Say that the service runs", (*API).health},
	{get, "/login", 0, true, nil, "Say how to log in", (*API).loginPage},
	{pst, "/v1/login", 0, true, nil, "Log in with a code", (*API).login},
	{pst, "/v1/logout", anyone, false, nil, "End a login", (*API).logout},
	{get, "/v1/whoami", anyone, false, nil, "Say who asks", (*API).whoami},
	{get, "/v1/openapi.json", anyone, false, nil, "Describe the API", (*API).openapi},

	{pst, "/v1/requests", submit, false, []string{"wait"}, "Ask for approval of a call", (*API).submit},
	{get, "/v1/requests", submit | approve | read, false, listQuery, "List requests", (*API).listRequests},
	{get, "/v1/requests/{id}", submit | approve | read, false, []string{"wait"}, "Show a request", (*API).getRequest},
	{pst, "/v1/requests/{id}/decision", approve, false, nil, "Decide a request", (*API).decideRequest},
	{pst, "/v1/requests/{id}/revoke", approve, false, nil, "Take an approval back", (*API).revokeRequest},
	{pst, "/v1/requests/{id}/cancel", submit, false, nil, "Take a request back", (*API).cancelRequest},
	{pst, "/v1/requests/{id}/result", submit, false, nil, "Report what became of a call", (*API).reportResult},
	{pst, "/v1/sessions/{id}/end", submit, false, nil, "Take back what is pending of a session", (*API).endSession},

	{get, "/v1/session-denials", approve | read, false, nil, "List the sessions of which all is denied", (*API).sessionDenials},
	{pst, "/v1/session-denials", approve, false, nil, "Deny all of a session", (*API).denySession},
	{del, "/v1/session-denials", approve, false, []string{"session"}, "Deny all of a session no longer", (*API).releaseSession},

	{pst, "/v1/sessions/{id}/turn", submit, false, nil, "Tell that the user of a session has said something new", (*API).turn},

	{pst, "/v1/receipts/consume", submit, false, nil, "Use a receipt", (*API).consumeReceipt},
	{pst, "/v1/receipts/verify", submit | read, false, nil, "Check a receipt without using it", (*API).verifyReceipt},
	{get, "/v1/keys", anyone, false, nil, "List the keys that sign receipts", (*API).keys},

	{pst, "/v1/decide", submit | read, false, nil, "Decide a call", (*API).decide},
	{pst, "/v1/data/policyctl/decision", submit | read, false, nil, "Decide a call, in the shape of OPA", (*API).decideData},

	{get, "/v1/rules", read, false, nil, "List the rules", (*API).listRules},
	{pst, "/v1/rules", admin, false, nil, "Write a rule", (*API).postRule},
	{pst, "/v1/rules/preview", read, false, nil, "Show what a rule would have matched", (*API).previewRule},
	{get, "/v1/rules/deleted", read, false, []string{"limit"}, "List the rules that were deleted", (*API).deletedRules},
	{get, "/v1/rules/{id}", read, false, nil, "Show a rule", (*API).getRule},
	{put, "/v1/rules/{id}", admin, false, nil, "Write a rule under an id", (*API).putRule},
	{del, "/v1/rules/{id}", admin, false, nil, "Delete a rule", (*API).deleteRule},
	{get, "/v1/action-schemas", anyone, false, nil, "Describe what rules see of calls", (*API).actionSchemas},
	{get, "/v1/approvers", submit | approve | read, false, nil, "List the approvers", (*API).approvers},

	{get, "/v1/audit", read, false, []string{"after", "limit"}, "Read the audit log", (*API).audit},
	{get, "/v1/audit/verify", read, false, nil, "Verify the audit log", (*API).verifyAudit},
	{get, "/v1/audit/export", read, false, []string{"format"}, "Export the audit log", (*API).exportAudit},
	{get, "/v1/audit/checkpoint", read, false, nil, "Sign how far the audit log goes", (*API).checkpoint},
	{get, "/v1/events", approve | read, false, []string{"session", "last_event_id"}, "Follow what happens to requests", (*API).events},

	{get, "/v1/tokens", admin, false, nil, "List the tokens", (*API).listTokens},
	{pst, "/v1/tokens", admin, false, nil, "Make a token", (*API).makeToken},
	{del, "/v1/tokens/{id}", admin, false, nil, "Revoke a token", (*API).revokeToken},
}
