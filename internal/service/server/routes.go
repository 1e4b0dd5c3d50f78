package server

import (
	"net/http"
	"path"
	"strings"

	"github.com/policyctl/policyctl/internal/service/webguard"
)

// routes returns all routes, and what answers where there is none.
func routes(c *Config, native func(*http.ServeMux)) http.Handler {
	mux := http.NewServeMux()
	native(mux)
	if c.More != nil {
		c.More(mux)
	}
	mux.HandleFunc(none, func(w http.ResponseWriter, r *http.Request) { noRoute(w, r, mux) })
	return mux
}

// none is the pattern of all that has no route.
const none = "/"

// noRoute answers 405 where there is a route for another method, and 404.
func noRoute(w http.ResponseWriter, r *http.Request, mux *http.ServeMux) {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete} {
		if _, pattern := mux.Handler(&http.Request{Method: method, URL: r.URL, Host: r.Host}); pattern != none && pattern != "" {
			allowed = append(allowed, method)
		}
	}
	if allowed == nil {
		notFound(w)
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	webguard.Write(w, http.StatusMethodNotAllowed, "bad-method", "this method is not for this path", "use "+strings.Join(allowed, " or "))
}

func notFound(w http.ResponseWriter) {
	webguard.Write(w, http.StatusNotFound, "no-route", "there is nothing at this path", "/v1/openapi.json lists what there is")
}

// plainPath refuses paths with "..", "." and empty parts, for which the mux
// would send the client elsewhere.
func plainPath(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := r.URL.EscapedPath()
		if clean := path.Clean(p); !strings.HasPrefix(p, "/") || p != clean && p != clean+"/" {
			notFound(w)
			return
		}
		next.ServeHTTP(w, r)
	})
}
