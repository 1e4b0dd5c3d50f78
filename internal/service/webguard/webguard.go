// Package webguard holds what stands between the network and the routes of
// the service: small middleware, strict JSON, and one shape of errors.
//
//	handler := webguard.Chain(mux, webguard.RequestID, webguard.Recover(log), webguard.Headers,
//		webguard.Hosts(hosts), webguard.CrossOrigin, webguard.JSONWrites, webguard.Limit(1<<20))
//	server := webguard.Server(handler, log)
//
// Each refusal is a [Problem]. The package does not know who speaks or what
// may be done, terminates no TLS, and trusts no header of a proxy.
package webguard

import (
	"net/http"
	"slices"
)

// Chain puts middleware around a handler. The first is the outermost.
func Chain(h http.Handler, m ...func(http.Handler) http.Handler) http.Handler {
	for _, wrap := range slices.Backward(m) {
		h = wrap(h)
	}
	return h
}
