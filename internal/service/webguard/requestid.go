package webguard

import (
	"context"
	"crypto/rand"
	"net/http"
)

const requestIDHeader = "X-Request-Id"

type requestIDKey struct{}

// RequestID gives each request an id, in its context and in the header
// X-Request-Id of the answer. What the client sends under that name is dropped:
// it could forge entries of logs.
func RequestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := rand.Text()
		r.Header.Del(requestIDHeader)
		w.Header().Set(requestIDHeader, id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id)))
	})
}

// RequestIDFrom returns the id of a request, "" for none.
func RequestIDFrom(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}
