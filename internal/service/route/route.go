// Package route is what the routes of the service have in common: the row that
// says all of one, the router that matches and admits by it, and the exchange
// that its handler gets.
//
//	router := route.NewRouter(b, families...)
//	row := router.Row(r) // what the checks before the router go by
//
// Whatever refuses says so by a [webguard.Refusal], and the family of the row
// has the form in which it is written. The package knows no route, and leaves
// hosts, origins, sizes and rates to the server's chain.
package route

import (
	"strings"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/webguard"
)

// A Route is one method on one path. No method stands for all.
type Route struct {
	Method, Path string
	// Scopes are those of which one is enough. Open routes need none, and every
	// other one without scopes is for nobody.
	Scopes auth.Scope
	Open   bool
	// Query are the parameters that it knows.
	Query   []string
	Summary string
	// MaxBody is how many bytes may be sent, 0 for as many as elsewhere.
	MaxBody int64
	// Free routes cost as little to answer as to refuse: who is unknown may
	// ask as often as they like.
	Free bool
	// Login routes are how somebody who decides gets in: that one fails keeps
	// them out.
	Login  bool
	Handle func(*Exchange) error

	*Family // set by NewRouter
}

// A Family are the routes of one kind of clients.
type Family struct {
	// Prefixes are what its paths begin with. What has no route is of the family
	// whose prefix is the longest.
	Prefixes []string
	// Form is that of its errors. Words replace what refusals with a code say;
	// an empty Detail leaves it.
	Form  webguard.Form
	Words map[string]Words
	// Proved says that something which no browser sends by itself says who
	// sends, so that a body need not be JSON.
	Proved bool
	// Key is what who is unknown shares a rate by: what follows the prefix in
	// the path, and from where the request comes. Nil stands for the latter.
	Key func(part, from string) string
	// Full reports whether an error of the store says that it has no space left;
	// nil takes none for that.
	Full   func(error) bool
	Routes []Route
}

// Words are what is wrong and the next step.
type Words struct{ Detail, Hint string }

// tokenInPath reports whether the path says who asks.
func (t *Route) tokenInPath() bool { return strings.Contains(t.Path, "{token}") }

// Pattern is the row as [net/http.ServeMux] writes it.
func (t *Route) Pattern() string { return strings.TrimSpace(t.Method + " " + t.Path) }

// prefix returns the longest of its prefixes that a path has.
func (f *Family) prefix(path string) (longest string, ok bool) {
	for _, p := range f.Prefixes {
		if strings.HasPrefix(path, p) && len(p) >= len(longest) {
			longest, ok = p, true
		}
	}
	return longest, ok
}

// RateKey returns what somebody who is unknown shares a rate by.
func (f *Family) RateKey(path, from string) string {
	if f.Key == nil {
		return "from:" + from
	}
	prefix, _ := f.prefix(path)
	part, _, _ := strings.Cut(strings.TrimPrefix(path, prefix), "/")
	return f.Key(part, from)
}
