package webguard

import "net/http"

// CrossOrigin refuses requests that a browser makes for a page of another
// origin, another port of the same host included: writes by
// [http.CrossOriginProtection], and reads that are no visit of a person, such
// as an image, a frame or a stream.
func CrossOrigin(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if protection.Check(r) != nil || foreignRead(r) {
			Write(w, &Refusal{Status: http.StatusForbidden, Code: "cross-origin", Detail: "the request comes from a page of another origin", Hint: "open the page of this service itself; a program sends neither Origin nor Sec-Fetch-Site"})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// foreignRead reports whether a page of another origin embeds what is asked for.
// To follow a link is none: the page that has it learns nothing.
func foreignRead(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return false
	}
	return r.Header.Get("Sec-Fetch-Mode") != "navigate" || r.Header.Get("Sec-Fetch-Dest") != "document"
}
