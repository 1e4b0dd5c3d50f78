package api

import (
	"net/http"
	"slices"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/route"
)

// anyone are the scopes of routes for whoever is known.
const anyone = auth.Submit | auth.Approve | auth.Read | auth.Admin | auth.Record

const (
	get = http.MethodGet
	pst = http.MethodPost
	put = http.MethodPut
	del = http.MethodDelete

	submit  = auth.Submit
	approve = auth.Approve
	read    = auth.Read
	admin   = auth.Admin
	ship    = auth.Record
)

// The parameters of lists and of exports.
var (
	listQuery   = append(slices.Clone(route.RequestQuery), "limit")
	auditQuery  = append(slices.Clone(route.AuditQuery), "limit")
	exportQuery = append(slices.Clone(route.RequestQuery), "format")
	auditExport = append(slices.Clone(route.AuditQuery), "format")
)

// Family returns the routes, in the order of the documentation. What a route
// shows of a request is decided by backend.Views besides.
func (a *API) Family() route.Family {
	return route.Family{Prefixes: []string{"/v1/", "/health", "/metrics", "/login"}, Full: a.o.Full, Routes: []route.Route{
		{Method: get, Path: "/health", Open: true, Free: true, Summary: "Say that the service runs", Handle: a.health},
		{Method: get, Path: "/health/live", Open: true, Free: true, Summary: "Say that the process answers", Handle: a.live},
		{Method: get, Path: "/health/ready", Open: true, Free: true, Summary: "Say whether the service can be given work", Handle: a.ready},
		{Method: get, Path: "/metrics", Scopes: read, Summary: "Read the metrics, in the text format of Prometheus", Handle: a.metrics},
		{Method: get, Path: "/login", Open: true, Free: true, Query: []string{"request"}, Summary: "Say how to log in", Handle: a.loginPage},
		{Method: pst, Path: "/v1/login", Open: true, Free: true, Login: true, MaxBody: 4 << 10, Summary: "Log in with a code", Handle: route.With(a.login)},
		{Method: pst, Path: "/v1/login/passkey", Open: true, Free: true, Login: true, MaxBody: 16 << 10, Summary: "Log in with a passkey", Handle: route.With(a.loginByPasskey)},
		{Method: pst, Path: "/v1/login/passkey/options", Open: true, Free: true, Login: true, MaxBody: 4 << 10, Summary: "Begin a login with a passkey", Handle: route.WithAny(a.loginOptions)},
		{Method: pst, Path: "/v1/logout", Scopes: anyone, Summary: "End a login", Handle: route.WithAny(a.logout)},
		{Method: get, Path: "/v1/whoami", Scopes: anyone, Summary: "Say who asks", Handle: a.whoami},
		{Method: get, Path: "/v1/openapi.json", Scopes: anyone, Summary: "Describe the API", Handle: a.openapi},

		{Method: pst, Path: "/v1/requests", Scopes: submit, Query: []string{"wait"}, Summary: "Ask for approval of a call", Handle: a.submit},
		{Method: get, Path: "/v1/requests", Scopes: submit | approve | read, Query: listQuery, Summary: "List requests", Handle: a.listRequests},
		{Method: get, Path: "/v1/requests/export", Scopes: read, Query: exportQuery, Summary: "Export requests", Handle: a.exportRequests},
		{Method: get, Path: "/v1/requests/{id}", Scopes: submit | approve | read, Query: []string{"wait"}, Summary: "Show a request", Handle: a.getRequest},
		{Method: pst, Path: "/v1/requests/{id}/decision", Scopes: approve, Summary: "Decide a request", Handle: route.With(a.decideRequest)},
		{Method: pst, Path: "/v1/requests/{id}/decision/options", Scopes: approve, Summary: "Begin an approval with a passkey", Handle: route.With(a.decisionOptions)},
		{Method: pst, Path: "/v1/requests/{id}/revoke", Scopes: approve, Summary: "Take an approval back", Handle: route.WithAny(a.revokeRequest)},
		{Method: pst, Path: "/v1/requests/{id}/extend", Scopes: approve, Summary: "Give a request more time", Handle: route.With(a.extendRequest)},
		{Method: pst, Path: "/v1/requests/{id}/cancel", Scopes: submit, Summary: "Take a request back", Handle: route.WithAny(a.cancelRequest)},
		{Method: pst, Path: "/v1/requests/{id}/result", Scopes: submit, Summary: "Report what became of a call", Handle: route.With(a.reportResult)},
		{Method: pst, Path: "/v1/sessions/{id}/end", Scopes: submit, Summary: "Take back what is pending of a session", Handle: route.WithAny(a.endSession)},

		{Method: get, Path: "/v1/session-denials", Scopes: approve | read, Summary: "List the denied sessions", Handle: a.sessionDenials},
		{Method: pst, Path: "/v1/session-denials", Scopes: approve, Summary: "Deny all of a session", Handle: route.With(a.denySession)},
		{Method: del, Path: "/v1/session-denials", Scopes: approve, Query: []string{"session"}, Summary: "Deny all of a session no longer", Handle: route.WithAny(a.releaseSession)},

		{Method: get, Path: "/v1/grants", Scopes: approve | read, Summary: "List the grants", Handle: a.listGrants},
		{Method: del, Path: "/v1/grants/{id}", Scopes: approve, Summary: "Revoke a grant", Handle: a.revokeGrant},
		{Method: pst, Path: "/v1/grants/{id}/restore", Scopes: approve, Summary: "Restore a grant that was revoked", Handle: route.WithAny(a.restoreGrant)},

		{Method: pst, Path: "/v1/sessions/{id}/turn", Scopes: submit, Summary: "Tell that the user of a session has said something new", Handle: route.WithAny(a.turn)},

		{Method: pst, Path: "/v1/receipts/consume", Scopes: submit, Summary: "Use a receipt", Handle: route.With(a.consumeReceipt)},
		{Method: pst, Path: "/v1/receipts/verify", Scopes: submit | read, Summary: "Check a receipt without using it", Handle: route.With(a.verifyReceipt)},
		{Method: get, Path: "/v1/keys", Scopes: anyone, Summary: "List the keys that sign receipts", Handle: a.keys},

		{Method: pst, Path: "/v1/decide", Scopes: submit | read, Summary: "Decide a call", Handle: route.With(a.decide)},
		{Method: pst, Path: "/v1/data/policyctl/decision", Scopes: submit | read, Summary: "Decide a call, in the shape of OPA", Handle: route.With(a.decideData)},
		{Method: pst, Path: "/v1/decisions", Scopes: ship, MaxBody: 4 << 20, Summary: "Put decisions on record", Handle: route.With(a.collect)},

		{Method: get, Path: "/v1/rules", Scopes: read, Summary: "List the rules", Handle: a.listRules},
		{Method: pst, Path: "/v1/rules", Scopes: admin, Summary: "Write a rule", Handle: route.With(a.putRule)},
		{Method: pst, Path: "/v1/rules/preview", Scopes: read, Summary: "Show what a rule would have matched", Handle: route.With(a.previewRule)},
		{Method: pst, Path: "/v1/rules/check", Scopes: read, Summary: "Say what is wrong with a rule that is being written", Handle: route.With(a.checkRule)},
		{Method: pst, Path: "/v1/rules/import", Scopes: admin, MaxBody: 4 << 20, Summary: "Show what an import would do, or do it", Handle: route.With(a.importRules)},
		{Method: get, Path: "/v1/rules/export", Scopes: read, Query: []string{"format"}, Summary: "Export the rules", Handle: a.exportRules},
		{Method: get, Path: "/v1/rules/changes", Scopes: read, Query: []string{"rule", "before", "limit"}, Summary: "List what was changed of rules", Handle: a.ruleChanges},
		{Method: pst, Path: "/v1/rules/changes/{id}/undo", Scopes: admin, Summary: "Make a rule what it was before a change", Handle: route.WithAny(a.undoRule)},
		{Method: get, Path: "/v1/rules/deleted", Scopes: read, Query: []string{"limit"}, Summary: "List the rules that were deleted", Handle: a.deletedRules},
		{Method: get, Path: "/v1/rules/{id}", Scopes: read, Summary: "Show a rule", Handle: a.getRule},
		{Method: put, Path: "/v1/rules/{id}", Scopes: admin, Summary: "Write a rule under an id", Handle: route.With(a.putRule)},
		{Method: del, Path: "/v1/rules/{id}", Scopes: admin, Summary: "Delete a rule", Handle: a.deleteRule},
		{Method: get, Path: "/v1/action-schemas", Scopes: anyone, Summary: "Describe what rules see of calls", Handle: a.actionSchemas},
		{Method: get, Path: "/v1/approvers", Scopes: submit | approve | read, Summary: "List the approvers", Handle: a.approvers},
		{Method: get, Path: "/v1/channels", Scopes: approve | read, Summary: "List the channels that tell people, and how they fare", Handle: a.channels},
		{Method: pst, Path: "/v1/channels/{id}/test", Scopes: submit | approve, Summary: "Ask about nothing by one channel", Handle: route.With(a.testChannel)},

		{Method: get, Path: "/v1/audit", Scopes: read, Query: auditQuery, Summary: "Read the audit log", Handle: a.audit},
		{Method: get, Path: "/v1/audit/verify", Scopes: read, Summary: "Verify the audit log", Handle: a.verifyAudit},
		{Method: get, Path: "/v1/audit/verified", Scopes: read, Summary: "Say how far the audit log was verified", Handle: a.verifiedAudit},
		{Method: get, Path: "/v1/audit/export", Scopes: read, Query: auditExport, Summary: "Export the audit log", Handle: a.exportAudit},
		{Method: get, Path: "/v1/audit/checkpoint", Scopes: read, Summary: "Sign how far the audit log goes", Handle: a.checkpoint},
		{Method: get, Path: "/v1/events", Scopes: approve | read, Query: []string{"session", "last_event_id"}, Summary: "Follow what happens to requests", Handle: a.events},

		{Method: get, Path: "/v1/passkeys", Scopes: approve | read, Summary: "List the passkeys", Handle: a.listPasskeys},
		{Method: pst, Path: "/v1/passkeys", Scopes: approve, Summary: "Register a passkey", Handle: route.With(a.addPasskey)},
		{Method: pst, Path: "/v1/passkeys/options", Scopes: approve, Summary: "Begin to register a passkey", Handle: route.With(a.passkeyOptions)},
		{Method: pst, Path: "/v1/passkeys/{id}/removal", Scopes: approve, Summary: "Remove a passkey", Handle: route.With(a.removePasskey)},
		{Method: pst, Path: "/v1/passkeys/{id}/removal/options", Scopes: approve, Summary: "Begin to remove a passkey", Handle: route.WithAny(a.removalOptions)},
		{Method: get, Path: "/v1/push", Scopes: approve | read, Summary: "List the browsers that push tells, and the key of the service", Handle: a.push},
		{Method: pst, Path: "/v1/push", Scopes: approve, MaxBody: 8 << 10, Summary: "Have push tell a browser", Handle: route.With(a.subscribe)},
		{Method: del, Path: "/v1/push/{id}", Scopes: approve, Summary: "Have push tell a browser no more", Handle: a.unsubscribe},

		{Method: get, Path: "/v1/tokens", Scopes: admin, Summary: "List the tokens", Handle: a.listTokens},
		{Method: pst, Path: "/v1/tokens", Scopes: admin, Summary: "Make a token", Handle: route.With(a.makeToken)},
		{Method: del, Path: "/v1/tokens/{id}", Scopes: admin, Summary: "Revoke a token", Handle: a.revokeToken},

		{Method: get, Path: "/v1/logins", Scopes: admin, Summary: "List the logins", Handle: a.listLogins},
		{Method: del, Path: "/v1/logins", Scopes: admin, Summary: "End all other logins", Handle: a.endLogins},
		{Method: del, Path: "/v1/logins/{id}", Scopes: admin, Summary: "End a login of somebody", Handle: a.endOneLogin},
	}}
}
