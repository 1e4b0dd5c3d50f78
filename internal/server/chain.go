package server

import (
	"net/http"
	"strings"

	"github.com/policyctl/policyctl/internal/auth"
	"github.com/policyctl/policyctl/internal/webguard"
)

// maxBody bounds the body of a request, in bytes.
const maxBody = 1 << 20

// chain puts the checks around the routes, the outermost first. What every
// answer needs comes before what may refuse; where a request comes from before
// what it says; and who asks before how often.
func (s *Server) chain(c *Config, hosts []string) http.Handler {
	return webguard.Chain(routes(c, s.api.Register),
		webguard.RequestID,
		webguard.Recover(c.Backend.Log),
		webguard.Headers,
		webguard.Hosts(hosts),
		webguard.CrossOrigin,
		unlessWebhook(webguard.JSONWrites),
		webguard.Limit(maxBody),
		identify(c.Backend.Auth),
		webguard.Rate(identities(c.Identities)),
		plainPath,
	)
}

// identify notes who asks. Whom it does not know the routes refuse: some are
// open, and some find out by other means.
func identify(a *auth.Authenticator) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if who, err := a.Identify(r); err == nil {
				r = r.WithContext(auth.NewContext(r.Context(), who))
			}
			next.ServeHTTP(w, r)
		})
	}
}

// maxToken bounds what is remembered of a token that nobody has checked.
const maxToken = 128

// identities returns the rate of identities. All that say nothing of who they
// are share one.
func identities(b webguard.Bucket) webguard.Bucket {
	if b.Burst == 0 {
		b = webguard.Bucket{PerSecond: 50, Burst: 200}
	}
	b.Key = func(r *http.Request) string {
		if who, ok := auth.FromContext(r.Context()); ok {
			return who.Name
		}
		// Clients that only know a URL have their token in it.
		if rest, ok := strings.CutPrefix(r.URL.Path, "/s/"); ok {
			if token, _, _ := strings.Cut(rest, "/"); len(token) <= maxToken {
				return "path:" + token
			}
		}
		return ""
	}
	return b
}

// webhooks is where approvers are called, such as by a chat. They prove who
// sends, and some are sent forms.
const webhooks = "/api/approvers/"

func unlessWebhook(m func(http.Handler) http.Handler) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		checked := m(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.EscapedPath(), webhooks) {
				next.ServeHTTP(w, r)
				return
			}
			checked.ServeHTTP(w, r)
		})
	}
}
