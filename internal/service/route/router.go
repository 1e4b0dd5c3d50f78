package route

import (
	"iter"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/webguard"
)

// A Router serves the routes of families. It is safe for concurrent use.
type Router struct {
	b    *backend.Backend
	mux  *http.ServeMux
	rows map[string]*Route // by their patterns
	none []*Route          // for what has no route, one for each family
}

// nothing is the pattern of all that has no route.
const nothing = "/"

// NewRouter returns the router of families. Errors about a path of none are
// {"error": …}, and those about what is no path problems.
func NewRouter(b *backend.Backend, families ...Family) *Router {
	t := &Router{b: b, mux: http.NewServeMux(), rows: make(map[string]*Route)}
	families = append(families, Family{Prefixes: []string{"/"}, Form: webguard.ErrorForm}, Family{Prefixes: []string{""}})
	for i := range families {
		f := &families[i]
		t.none = append(t.none, &Route{Family: f})
		for _, row := range f.Routes {
			row.Family = f
			t.rows[row.Pattern()] = &row
			t.mux.HandleFunc(row.Pattern(), func(w http.ResponseWriter, r *http.Request) { t.serve(&row, w, r) })
		}
	}
	t.mux.HandleFunc(nothing, t.refuse)
	return t
}

// Rows returns what Row may return.
func (t *Router) Rows() []*Route {
	all := slices.Clone(t.none)
	for _, row := range t.rows {
		all = append(all, row)
	}
	return all
}

// Row returns the row of a request: the one that serves it, or else one of
// another method on the path, or else one that says of which family it is.
func (t *Router) Row(r *http.Request) *Route {
	if plain(r.URL) {
		if row := t.match(r); row != nil {
			return row
		}
		for _, row := range t.others(r) {
			return row
		}
	}
	var longest string
	var of *Route
	for _, row := range t.none {
		if p, ok := row.prefix(r.URL.Path); ok && (of == nil || len(p) > len(longest)) {
			longest, of = p, row
		}
	}
	return of
}

// match returns the row that serves a request, nil for none.
func (t *Router) match(r *http.Request) *Route {
	_, pattern := t.mux.Handler(r)
	return t.rows[pattern]
}

// others yields the methods that the path of a request has, with their rows.
func (t *Router) others(r *http.Request) iter.Seq2[string, *Route] {
	return func(yield func(string, *Route) bool) {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete} {
			row := t.match(&http.Request{Method: method, URL: r.URL, Host: r.Host})
			if row != nil && !yield(method, row) {
				return
			}
		}
	}
}

// plain reports whether a path has no "..", "." or empty part, for which the
// mux would send the client elsewhere.
func plain(u *url.URL) bool {
	p := u.EscapedPath()
	clean := path.Clean(p)
	return strings.HasPrefix(p, "/") && (p == clean || p == clean+"/")
}

// ServeHTTP answers a request.
func (t *Router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !plain(r.URL) {
		notFound(w)
		return
	}
	t.mux.ServeHTTP(w, r)
}

// serve has a row answer who may use it.
func (t *Router) serve(row *Route, w http.ResponseWriter, r *http.Request) {
	x := &Exchange{Backend: t.b, W: w, R: r, row: row}
	err := x.admit()
	if err == nil {
		err = row.Handle(x)
	}
	if err != nil {
		x.refuse(err)
	}
}

// refuse answers 405 where there is a route for another method, and 404.
func (t *Router) refuse(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for method := range t.others(r) {
		allowed = append(allowed, method)
	}
	if allowed == nil {
		notFound(w)
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	webguard.Write(w, &webguard.Refusal{
		Status: http.StatusMethodNotAllowed, Code: "bad-method", Detail: "this method is not for this path", Hint: "use " + strings.Join(allowed, " or "),
	})
}

func notFound(w http.ResponseWriter) {
	webguard.Write(w, &webguard.Refusal{
		Status: http.StatusNotFound, Code: "no-route", Detail: "there is nothing at this path", Hint: "/v1/openapi.json lists what there is",
	})
}
