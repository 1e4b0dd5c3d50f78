package own

import (
	"net/url"
	"slices"
	"strings"
)

// A Use is what a command, or a request, is to the service of the machine.
type Use uint8

// The uses, the harmless first.
const (
	None     Use = iota // it does not reach the service
	Ordinary            // it asks, looks, submits, or follows
	Unclear             // it reaches the service, and what it does there is unknown
	Decides             // it logs in, decides, or changes rules or tokens
)

// A route is a use of paths below an address. A * stands for one element, ** at
// the end for any number.
type route struct {
	// methods are those of which it speaks, "" for all.
	methods, path string
	use           Use
}

// writing are the methods that change something.
const writing = "POST PUT PATCH DELETE"

// routes says what the routes of the service are for an agent; the first that
// matches counts. They are spelt without the prefixes under which some stand
// twice. A test compares them with the tables of the service.
var routes = []route{
	{"", "/health", Ordinary},
	{"", "/health/*", Ordinary},
	{"", "/metrics", Ordinary},
	{"", "/login", Decides},
	{"", "/v1/login/**", Decides},
	{"", "/v1/logout", Unclear},
	{"", "/v1/whoami", Ordinary},
	{"", "/v1/openapi.json", Ordinary},

	{"", "/v1/requests/*/decision/**", Decides},
	{"", "/v1/requests/*/revoke", Decides},
	{"", "/v1/requests/*/extend", Decides},
	{writing, "/v1/session-denials", Decides},
	{"", "/v1/session-denials", Ordinary},
	{writing, "/v1/grants/**", Decides},
	{"", "/v1/grants", Ordinary},
	{"", "/v1/requests/*/cancel", Ordinary},
	{"", "/v1/requests/*/result", Ordinary},
	{"", "/v1/requests/*", Ordinary},
	{"", "/v1/requests", Ordinary},
	{"", "/v1/sessions/*/end", Ordinary},
	{"", "/v1/sessions/*/turn", Unclear},
	{"", "/v1/receipts/consume", Ordinary},
	{"", "/v1/receipts/verify", Ordinary},
	{"", "/v1/keys", Ordinary},
	{"", "/v1/decide", Ordinary},
	{"", "/v1/data/policyctl/decision", Ordinary},
	{"", "/v1/decisions", Decides},

	{"", "/v1/rules/preview", Ordinary},
	{"", "/v1/rules/check", Ordinary},
	{writing, "/v1/rules/**", Decides},
	{"", "/v1/rules/**", Ordinary},
	{writing, "/v1/action-schemas", Decides},
	{"", "/v1/action-schemas", Ordinary},
	{"", "/v1/profiles", Ordinary},
	{"", "/v1/integrations", Ordinary},
	{"", "/v1/approvers", Ordinary},
	{writing, "/v1/channels/**", Unclear},
	{"", "/v1/channels/**", Ordinary},
	{"", "/v1/audit/**", Ordinary},
	{"", "/v1/events", Ordinary},
	{"", "/v1/tokens/**", Decides},
	{"", "/v1/logins/**", Decides},
	{writing, "/v1/passkeys/**", Decides},
	{"", "/v1/passkeys/**", Ordinary},
	{writing, "/v1/push/**", Decides},
	{"", "/v1/push/**", Ordinary},

	{"", "/requests/*/decision", Decides},
	{"", "/requests/*", Ordinary},
	{"", "/requests", Ordinary},
	{"", "/approvals/*/*", Decides},
	{"", "/approvals/*", Ordinary},
	{"", "/approvals", Ordinary},
	{"", "/rules/preview", Ordinary},
	{writing, "/rules/**", Decides},
	{"", "/rules/**", Ordinary},
	{writing, "/action-schemas", Decides},
	{"", "/action-schemas", Ordinary},
	{"", "/profiles", Ordinary},
	{"", "/integrations", Ordinary},
	{"", "/approvers/*/**", Decides},
	{"", "/approvers", Ordinary},
	{"", "/pending-actions/*/decision", Decides},
	{"", "/pending-actions/stream", Ordinary},
	{"", "/pending-actions", Ordinary},
}

// UseOf returns what a request to the service is for an agent. An empty method
// is one that is unknown.
func UseOf(method, path string) Use {
	elems := elements(path)
	for i := range routes {
		r := &routes[i]
		if !matches(strings.Split(r.path[1:], "/"), elems) {
			continue
		}
		switch {
		case r.methods == "" || strings.Contains(r.methods, strings.ToUpper(method)) && method != "":
			return r.use
		case method == "":
			return Unclear
		}
	}
	return Unclear
}

// elements returns the elements of a path as servers read it, without its query
// and the prefixes of routes.
func elements(path string) []string {
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		path = path[:i]
	}
	for range 2 { // what a proxy decodes, a server may decode again
		if plain, err := url.PathUnescape(path); err == nil {
			path = plain
		}
	}
	var out []string
	for e := range strings.SplitSeq(strings.ReplaceAll(path, `\`, "/"), "/") {
		switch e = strings.TrimSpace(e); e {
		case "", ".":
		case "..":
			out = out[:max(0, len(out)-1)]
		default:
			out = append(out, strings.ToLower(e))
		}
	}
	if len(out) > 2 && out[0] == "s" {
		out = out[2:]
	}
	if len(out) > 1 && out[0] == "api" {
		out = out[1:]
	}
	return out
}

func matches(pattern, path []string) bool {
	for i, p := range pattern {
		switch {
		case p == "**":
			return true
		case i == len(path) || p != "*" && p != path[i]:
			return false
		}
	}
	return len(pattern) == len(path)
}

// spelled are the parts of paths by which a text spells a route that decides,
// where the text is no URL of its own.
var spelled = []string{
	"/v1/login", "/login#", "/decision", "/v1/tokens", "/v1/grants", "/v1/passkeys", "/v1/push", "/approve", "/deny", "/v1/rules", "/api/rules", "/approvers/",
}

// spellsDeciding reports whether a text holds the path of a route that decides.
func spellsDeciding(text string) bool {
	text = strings.ToLower(text)
	if plain, err := url.PathUnescape(text); err == nil {
		text = plain
	}
	return slices.ContainsFunc(spelled, func(p string) bool { return strings.Contains(text, p) })
}
