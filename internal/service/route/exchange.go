package route

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/webguard"
)

// An Exchange is one request of an identity to the service, and its answer.
type Exchange struct {
	*backend.Backend
	W     http.ResponseWriter
	R     *http.Request
	Who   auth.Identity // nobody on open routes
	Query url.Values
	ID    string // of the path, "" where it has none

	row *Route
}

// Context is that of the request.
func (x *Exchange) Context() context.Context { return x.R.Context() }

// Answer writes a value as JSON.
func (x *Exchange) Answer(status int, v any) error {
	var text bytes.Buffer
	if err := render.NewLine(&text).Encode(v); err != nil {
		return err
	}
	return x.Write(status, "application/json", text.Bytes())
}

// Write writes a whole answer. Who does not listen gets none.
func (x *Exchange) Write(status int, media string, text []byte) error {
	x.W.Header().Set("Content-Type", media)
	x.W.Header().Set("Content-Length", strconv.Itoa(len(text)))
	x.W.WriteHeader(status)
	_, _ = x.W.Write(text)
	return nil
}

// Body reads the body strictly.
func (x *Exchange) Body(into any) error {
	if err := webguard.Decode(x.R.Body, into); err != nil {
		return webguard.OfBody(err)
	}
	return nil
}

// With returns the handler of a route that reads a body.
func With[T any](handle func(*Exchange, *T) error) func(*Exchange) error {
	return func(x *Exchange) error {
		body := new(T)
		if err := x.Body(body); err != nil {
			return err
		}
		return handle(x, body)
	}
}

// WithAny returns the handler of a route that reads a body, where there is one.
// What has nothing to say but may send {} is a struct without fields.
func WithAny[T any](handle func(*Exchange, *T) error) func(*Exchange) error {
	read := With(handle)
	return func(x *Exchange) error {
		if x.R.ContentLength == 0 {
			return handle(x, new(T))
		}
		return read(x)
	}
}

// Number returns a parameter that is a number within bounds.
func (x *Exchange) Number(name string, otherwise, least, most int64) (int64, error) {
	if !x.Query.Has(name) {
		return otherwise, nil
	}
	n, err := strconv.ParseInt(x.Query.Get(name), 10, 64)
	if err != nil || n < least || n > most {
		return 0, webguard.BadQuery(fmt.Sprintf("%s: %.64q", name, x.Query.Get(name)), fmt.Sprintf("give a number from %d to %d", least, most))
	}
	return n, nil
}
