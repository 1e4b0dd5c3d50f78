package webguard

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
)

// Recover answers 500 where a handler panics, and logs why. The client learns
// nothing of it. The path is not logged, as it may hold a token. An answer that
// has begun is broken off, so that nobody takes a part for the whole.
func Recover(log *slog.Logger) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			begun := &begin{ResponseWriter: w}
			defer func() {
				why := recover()
				if why == nil {
					return
				}
				if why == http.ErrAbortHandler { // a handler breaks off on purpose
					panic(why)
				}
				log.ErrorContext(r.Context(), "a handler panicked", "request", RequestIDFrom(r.Context()),
					"method", r.Method, "route", r.Pattern, "panic", fmt.Sprint(why), "stack", string(debug.Stack()))
				if begun.header {
					panic(http.ErrAbortHandler)
				}
				Write(w, &Refusal{Status: http.StatusInternalServerError, Code: "internal", Detail: "the service failed", Hint: "try again; the log of the service has the reason under the id of the request"})
			}()
			next.ServeHTTP(begun, r)
		})
	}
}

// A begin notes whether an answer has begun.
type begin struct {
	http.ResponseWriter
	header bool
}

func (b *begin) WriteHeader(status int) {
	b.header = b.header || status >= 200 // the others come before the answer
	b.ResponseWriter.WriteHeader(status)
}

func (b *begin) Write(p []byte) (int, error) {
	b.header = true
	return b.ResponseWriter.Write(p)
}

// FlushError sends the header too. It is found by [http.ResponseController],
// and deadlines are through Unwrap.
func (b *begin) FlushError() error {
	b.header = true
	return http.NewResponseController(b.ResponseWriter).Flush()
}

// Unwrap is for [http.ResponseController].
func (b *begin) Unwrap() http.ResponseWriter { return b.ResponseWriter }
