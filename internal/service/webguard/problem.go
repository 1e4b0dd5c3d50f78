package webguard

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
)

// A Problem is the body of every error, as RFC 9457 has it. Code is a stable
// word for programs, and Hint the next step for people.
type Problem struct {
	Type     string `json:"type"` // always "about:blank": Code says more
	Title    string `json:"title"`
	Status   int    `json:"status"`
	Detail   string `json:"detail,omitempty"`
	Instance string `json:"instance,omitempty"` // the id of the request, as a URN
	Code     string `json:"code"`
	Hint     string `json:"hint,omitempty"`
	Request  any    `json:"request,omitempty"` // what is in the way
}

// A Refusal is an answer that is no success, before it has the form that its
// client reads.
type Refusal struct {
	Status             int
	Code, Detail, Hint string // as a Problem has them
	// RetryAfter is how many seconds to wait, 0 for what the status tells.
	RetryAfter int
	// Request is what is in the way, nil for none.
	Request any
}

// Error says what and the next step.
func (e *Refusal) Error() string {
	if e.Hint == "" {
		return e.Detail
	}
	return e.Detail + "; " + e.Hint
}

// Write answers with a refusal, in the form of the answer. Headers that are set
// before stay as they are.
func Write(w http.ResponseWriter, e *Refusal) {
	h := w.Header()
	body, media := e.body(w)
	h.Set("Content-Type", media)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Del("Content-Length")
	e.SetHeaders(h)
	w.WriteHeader(e.Status)
	_, _ = w.Write(append(body, '\n')) // who does not listen gets no answer
}

// SetHeaders sets those that go with a refusal, whatever its form is.
func (e *Refusal) SetHeaders(h http.Header) {
	if e.Status == http.StatusUnauthorized && h.Get("WWW-Authenticate") == "" {
		h.Set("WWW-Authenticate", `Bearer realm="policyctl"`)
	}
	if e.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(e.RetryAfter))
	}
}

// body returns a refusal in the form that the client of an answer reads.
func (e *Refusal) body(w http.ResponseWriter) (body []byte, media string) {
	var v any
	switch formOf(w) {
	case ErrorForm:
		v, media = map[string]string{"error": e.Error()}, "application/json"
	case DetailForm:
		v, media = map[string]string{"error": e.Error(), "detail": e.Error()}, "application/json"
	default:
		p := Problem{
			Type: "about:blank", Title: http.StatusText(e.Status), Status: e.Status,
			Detail: e.Detail, Code: e.Code, Hint: e.Hint, Request: e.Request,
		}
		if id := w.Header().Get(requestIDHeader); id != "" {
			p.Instance = "urn:policyctl:request:" + id
		}
		v, media = p, "application/problem+json"
	}
	body, err := json.Marshal(v)
	if err != nil { // only texts, a number and a request
		panic(err)
	}
	return body, media
}

// OfBody returns the refusal for an error of [Decode]: 413 for a body that is
// too long, 400 for one that is wrong or does not arrive.
func OfBody(err error) *Refusal {
	var long *http.MaxBytesError
	var wrong *Refusal
	switch {
	case errors.As(err, &long):
		return tooLong(long.Limit)
	case errors.As(err, &wrong):
		return wrong
	}
	return &Refusal{Status: http.StatusBadRequest, Code: "body-incomplete", Detail: "the body of the request did not arrive", Hint: "send the request again"}
}

func tooLong(limit int64) *Refusal {
	return &Refusal{Status: http.StatusRequestEntityTooLarge, Code: "body-too-long",
		Detail: fmt.Sprintf("the body of the request is longer than %d bytes", limit), Hint: "send less"}
}
