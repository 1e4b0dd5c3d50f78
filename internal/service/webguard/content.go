package webguard

import (
	"mime"
	"net/http"
	"slices"
	"strings"
)

// JSONWrites refuses writes whose body is not said to be JSON. A form on a
// page of another site can send text and forms, but not that type, and nothing
// with an Authorization header: whoever sends one may say what they like of the
// body, such as curl -d does, which is read as JSON all the same. Headers that
// name another method are nowhere read.
func JSONWrites(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !reads(r.Method) && !plainJSON(r) && (r.Header.Get("Authorization") == "" || coded(r)) {
			Write(w, &Refusal{Status: http.StatusUnsupportedMediaType, Code: "not-json", Detail: "the body of this request must be JSON", Hint: `send the header "Content-Type: application/json" and no Content-Encoding`})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// reads reports whether a method is one that changes nothing.
func reads(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

// plainJSON reports whether a body, if there is one, is JSON as it is.
func plainJSON(r *http.Request) bool {
	if coded(r) {
		return false
	}
	types := r.Header.Values("Content-Type")
	if len(types) == 0 {
		return r.ContentLength == 0 // -1 is unknown
	}
	media, params, err := mime.ParseMediaType(types[0])
	if err != nil || media != "application/json" || len(types) > 1 {
		return false
	}
	charset, has := params["charset"]
	return len(params) == 0 || len(params) == 1 && has && strings.EqualFold(charset, "utf-8")
}

// coded reports whether a body is compressed or the like.
func coded(r *http.Request) bool {
	return slices.ContainsFunc(r.Header.Values("Content-Encoding"), func(coding string) bool { return !strings.EqualFold(coding, "identity") })
}

// Limit refuses bodies that are longer than so many bytes: at once where the
// length is said, and else when [Decode] reads that far.
func Limit(bytes int64) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.ContentLength > bytes {
				w.Header().Set("Connection", "close") // the rest is not read
				Write(w, tooLong(bytes))
				return
			}
			r.Body = http.MaxBytesReader(w, r.Body, bytes)
			next.ServeHTTP(w, r)
		})
	}
}
