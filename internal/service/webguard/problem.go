package webguard

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
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
}

// Write answers with a problem. Headers that are set before stay as they are.
func Write(w http.ResponseWriter, status int, code, detail, hint string) {
	p := Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: detail, Code: code, Hint: hint,
	}
	h := w.Header()
	if id := h.Get(requestIDHeader); id != "" {
		p.Instance = "urn:policyctl:request:" + id
	}
	body, media := p.body(w)
	h.Set("Content-Type", media)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Del("Content-Length")
	if status == http.StatusUnauthorized && h.Get("WWW-Authenticate") == "" {
		h.Set("WWW-Authenticate", `Bearer realm="policyctl"`)
	}
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // who does not listen gets no answer
}

// body returns a problem in the form that the client of an answer reads.
func (p *Problem) body(w http.ResponseWriter) (body []byte, media string) {
	var v any = p
	media = "application/problem+json"
	if f := formOf(w); f != ProblemForm {
		text := p.Detail
		if p.Hint != "" {
			text += "; " + p.Hint
		}
		plain := map[string]string{"error": text}
		if f == DetailForm {
			plain["detail"] = text
		}
		v, media = plain, "application/json"
	}
	body, err := json.Marshal(v)
	if err != nil { // only texts and a number
		panic(err)
	}
	return body, media
}

// WriteBody answers with the problem of an error of [Decode]: 413 for a body
// that is too long, 400 for one that is wrong or does not arrive.
func WriteBody(w http.ResponseWriter, err error) {
	var long *http.MaxBytesError
	var wrong *BodyError
	switch {
	case errors.As(err, &long):
		writeTooLong(w, long.Limit)
	case errors.As(err, &wrong):
		Write(w, http.StatusBadRequest, wrong.Code, wrong.where(), wrong.Hint)
	default:
		Write(w, http.StatusBadRequest, "body-incomplete", "the body of the request did not arrive", "send the request again")
	}
}

func writeTooLong(w http.ResponseWriter, limit int64) {
	Write(w, http.StatusRequestEntityTooLarge, "body-too-long",
		fmt.Sprintf("the body of the request is longer than %d bytes", limit), "send less")
}
