package api

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/webguard"
)

// An exchange is one request of an identity, and its answer.
type exchange struct {
	w     http.ResponseWriter
	r     *http.Request
	who   auth.Identity // nobody on open routes
	query url.Values
}

func (x *exchange) context() context.Context { return x.r.Context() }

// answer writes a value as JSON.
func (x *exchange) answer(status int, v any) error {
	var text bytes.Buffer
	if err := render.NewLine(&text).Encode(v); err != nil {
		return err
	}
	return x.write(status, "application/json", text.Bytes())
}

// write writes a whole answer. Who does not listen gets none.
func (x *exchange) write(status int, media string, text []byte) error {
	x.w.Header().Set("Content-Type", media)
	x.w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	x.w.WriteHeader(status)
	_, _ = x.w.Write(text)
	return nil
}

// body reads the body strictly.
func (x *exchange) body(into any) error {
	if err := webguard.Decode(x.r.Body, into); err != nil {
		return &unread{err}
	}
	return nil
}

// nothing reads a body that has nothing to say: none, or {}.
func (x *exchange) nothing() error {
	return x.bodyIfAny(&struct{}{})
}

// bodyIfAny reads the body strictly, where there is one.
func (x *exchange) bodyIfAny(into any) error {
	if x.r.ContentLength == 0 {
		return nil
	}
	return x.body(into)
}

// id returns the id in the path.
func (x *exchange) id() (string, error) {
	id := x.r.PathValue("id")
	if !webguard.ValidID(id) {
		return "", &refusal{http.StatusBadRequest, "bad-id", fmt.Sprintf("%.64q is no id", id),
			"an id has letters, digits and . _ : - and begins with a letter or a digit", nil}
	}
	return id, nil
}

// number returns a parameter that is a number within bounds.
func (x *exchange) number(name string, otherwise, least, most int64) (int64, error) {
	if !x.query.Has(name) {
		return otherwise, nil
	}
	n, err := strconv.ParseInt(x.query.Get(name), 10, 64)
	if err != nil || n < least || n > most {
		return 0, badQuery(fmt.Sprintf("%s: %.64q", name, x.query.Get(name)), fmt.Sprintf("give a number from %d to %d", least, most))
	}
	return n, nil
}

// maxWait is how long an answer may be held back.
const maxWait = 60 * time.Second

// wait returns how long the answer is to be held back, 0 for not at all.
func (x *exchange) wait() (time.Duration, error) {
	if !x.query.Has("wait") {
		return 0, nil
	}
	d, err := time.ParseDuration(x.query.Get("wait"))
	if err != nil || d < 0 || d > maxWait {
		return 0, badQuery(fmt.Sprintf("wait: %.64q", x.query.Get("wait")), "give a time from 0s to 60s, such as 30s")
	}
	return d, nil
}

// badQuery is the error of a parameter that says nothing of use.
func badQuery(detail, hint string) error { return &webguard.QueryError{Detail: detail, Hint: hint} }
