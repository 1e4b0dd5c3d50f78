package server

import (
	"net/http"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
)

// reached notes when somebody who may decide is turned away: silence that the
// service caused itself is no consent.
func reached(b *backend.Backend, row *route.Route) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		if b.Reach == nil {
			return next
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			who, _ := auth.FromContext(r.Context())
			if !row.Login && !who.Scopes.Has(auth.Approve) {
				next.ServeHTTP(w, r)
				return
			}
			s := &status{ResponseWriter: w}
			next.ServeHTTP(s, r)
			if s.code >= http.StatusInternalServerError || !row.Login && s.code == http.StatusTooManyRequests {
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
