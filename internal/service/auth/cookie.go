package auth

import (
	"net/http"
)

// Cookies have one name with TLS and another without, and each is read only
// where it is written: a page of another port without TLS cannot set the first.
const (
	cookieName    = "policyctl_session"
	cookieNameTLS = "__Host-" + cookieName
)

// SetCookie gives the browser of a request the cookie of a session.
func SetCookie(w http.ResponseWriter, r *http.Request, s Session) {
	c := cookieFor(r)
	c.Value, c.MaxAge = s.Cookie, int(sessionLife.Seconds())
	http.SetCookie(w, c)
}

// EndCookie takes it away again.
func EndCookie(w http.ResponseWriter, r *http.Request) {
	c := cookieFor(r)
	c.MaxAge = -1
	http.SetCookie(w, c)
}

func cookieFor(r *http.Request) *http.Cookie {
	c := &http.Cookie{Name: cookieName, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode}
	if r.TLS != nil {
		c.Name, c.Secure = cookieNameTLS, true
	}
	return c
}

// cookieOf returns the values of the cookies of a session in a request: more
// than one means that somebody else has set one.
func cookieOf(r *http.Request) []string {
	var values []string
	for _, c := range r.CookiesNamed(cookieFor(r).Name) {
		values = append(values, c.Value)
	}
	return values
}
