package server

import (
	"net/http"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
)

// reached notes when somebody is turned away who might have decided: silence that the
// service caused itself is no consent. That is who may, a login in its browser, who logs in,
// and who sends what may be a credential, or an answer of a chat, while the service fails.
func reached(b *backend.Backend, row *route.Route) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		if b.Reach == nil {
			return next
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			who, _ := auth.FromContext(r.Context())
			decides := who.Scopes.Has(auth.Approve) || auth.Current(r) != "" && who.Name != "" && who.Agent == ""
			unsure := r.Context().Value(unsureKey{}) != nil
			if !decides && !unsure && !row.Login && !row.Proved {
				next.ServeHTTP(w, r)
				return
			}
			s := &status{ResponseWriter: w}
			next.ServeHTTP(s, r)
			// Who sends a wrong code too often, or is not known, has no say.
			if s.code >= http.StatusInternalServerError || decides && s.code == http.StatusTooManyRequests {
				b.Reach.TurnedAway(b.Now())
			}
		})
	}
}

// A status notes the status of an answer.
type status struct {
	http.ResponseWriter
	code int
}

func (s *status) WriteHeader(code int) {
	s.code = code
	s.ResponseWriter.WriteHeader(code)
}

// Unwrap is for [http.ResponseController].
func (s *status) Unwrap() http.ResponseWriter { return s.ResponseWriter }
