package compat

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
)

// An exchange is one request of an identity, and its answer.
type exchange struct {
	w     http.ResponseWriter
	r     *http.Request
	route *Route
	who   auth.Identity // nobody on open routes
	query url.Values
}

func (x *exchange) context() context.Context { return x.r.Context() }

// answer writes a value as JSON. Who does not listen gets none.
func (x *exchange) answer(status int, v any) error {
	var text bytes.Buffer
	if err := render.NewLine(&text).Encode(v); err != nil {
		return err
	}
	x.w.Header().Set("Content-Type", "application/json")
	x.w.Header().Set("Content-Length", strconv.Itoa(text.Len()))
	x.w.WriteHeader(status)
	_, _ = x.w.Write(text.Bytes())
	return nil
}

// body reads the body strictly.
func (x *exchange) body(into any) error { return decode(x.r.Body, into) }

// bodyIfAny reads the body strictly, where there is one.
func (x *exchange) bodyIfAny(into any) error {
	if x.r.ContentLength == 0 {
		return nil
	}
	return x.body(into)
}

// decode reads JSON. The error is an [unread].
func decode(from io.Reader, into any) error {
	if err := webguard.Decode(from, into); err != nil {
		return &unread{err}
	}
	return nil
}

// id returns the id in the path.
func (x *exchange) id() (string, error) {
	id := x.r.PathValue("id")
	if !webguard.ValidID(id) {
		return "", refuse(http.StatusBadRequest, "%.64q is no id; an id has letters, digits and . _ : - and begins with a letter or a digit", id)
	}
	return id, nil
}

// filter returns the part of a list that the query asks for.
func (x *exchange) filter() (approval.Filter, error) {
	f := x.own()
	f.Before, f.Limit = x.query.Get("before"), approval.DefaultLimit
	if f.Before != "" && !webguard.ValidID(f.Before) {
		return f, refuse(http.StatusBadRequest, "before: %.64q is no id; give the last id of the page before", f.Before)
	}
	if x.query.Has("limit") {
		n, err := strconv.Atoi(x.query.Get("limit"))
		if err != nil || n < 1 || n > approval.MaxLimit {
			return f, refuse(http.StatusBadRequest, "limit: %.64q; give a number from 1 to %d", x.query.Get("limit"), approval.MaxLimit)
		}
		f.Limit = n
	}
	return f, nil
}

// own returns the filter for what the identity may see: who only submits sees
// what it submitted.
func (x *exchange) own() (f approval.Filter) {
	if !x.who.Scopes.Has(auth.Read) && !x.who.Scopes.Has(auth.Approve) {
		f.Submitter = x.who.Name
	}
	return f
}

// refuse returns a refusal.
func refuse(status int, format string, args ...any) error {
	return &refusal{status, fmt.Sprintf(format, args...), nil}
}
