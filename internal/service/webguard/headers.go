package webguard

import "net/http"

// safeHeaders are those of every answer. A page sets a policy for content of
// its own; whatever it is, it keeps frame-ancestors, so that nobody is led to
// click on what they do not see.
var safeHeaders = map[string]string{
	"X-Content-Type-Options":       "nosniff",
	"Referrer-Policy":              "no-referrer",
	"Content-Security-Policy":      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	"X-Frame-Options":              "DENY",
	"Cache-Control":                "no-store",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
}

// Headers tells browsers to do nothing with an answer but to show it.
func Headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range safeHeaders {
			w.Header().Set(name, value)
		}
		next.ServeHTTP(w, r)
	})
}
