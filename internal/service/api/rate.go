package api

import (
	"context"
	"net/http"

	"github.com/policyctl/policyctl/internal/service/webguard"
)

type rateKey struct{}

// rate returns a rate whose key [exchange.within] gives.
func rate(b, otherwise webguard.Bucket) func(http.Handler) http.Handler {
	if b.Burst == 0 {
		b = otherwise
	}
	b.Key = func(r *http.Request) string {
		key, _ := r.Context().Value(rateKey{}).(string)
		return key
	}
	return webguard.Rate(b)
}

// within answers that requests with a key come too often, if they do.
func (x *exchange) within(rate func(http.Handler) http.Handler, key string) error {
	err := errAnswered
	pass := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { err = nil })
	rate(pass).ServeHTTP(x.w, x.r.WithContext(context.WithValue(x.context(), rateKey{}, key)))
	return err
}
