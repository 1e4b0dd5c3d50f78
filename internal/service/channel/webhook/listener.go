package webhook

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/webguard"
)

// tolerance is how far the time of an answer may be from ours; maxBody and maxID bound
// an answer and its id, in bytes.
const (
	tolerance = 5 * time.Minute
	maxBody   = 64 << 10
	maxID     = 256
)

// A listener hears the answers of programs.
type listener struct {
	*Driver
	hear channel.Hear
}

// An answer is the body of what is heard.
type answer struct {
	Token   string `json:"token"`
	Request string `json:"request"`
	Approve *bool  `json:"approve"`
	Sender  string `json:"sender"`
	Reason  string `json:"reason"`
}

// A told is what the sender of an answer is told.
type told struct {
	Text    string `json:"text"`
	Done    bool   `json:"done"`
	Refused bool   `json:"refused"`
}

func (l *listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		refuse(w, http.StatusMethodNotAllowed, "method-not-allowed", "answers are posted", "use POST")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		webguard.Write(w, webguard.OfBody(err))
		return
	}
	id, problem := l.proved(r.Header, body)
	if problem != "" {
		refuse(w, http.StatusUnauthorized, "not-proved", problem, "sign the answer as Standard Webhooks has it, with the secret of this channel and the present time")
		return
	}
	a, err := read(body)
	if err != nil {
		webguard.Write(w, webguard.OfBody(err))
		return
	}
	reply, err := l.seen.once(r.Context(), id, body, l.now(), func() channel.Reply { return l.hear(r.Context(), a) })
	switch {
	case errors.Is(err, errOther):
		refuse(w, http.StatusConflict, "id-used", err.Error(), "use a new webhook-id for each answer")
	case errors.Is(err, errFull):
		webguard.Write(w, &webguard.Refusal{Status: http.StatusTooManyRequests, Code: "too-many", Detail: err.Error(), Hint: "send it again in a minute", RetryAfter: 60})
	case err != nil, reply.Again:
		webguard.Write(w, &webguard.Refusal{Status: http.StatusServiceUnavailable, Code: "not-heard", Detail: "nothing was decided: " + reply.Text, Hint: "send the same again", RetryAfter: 1})
	default:
		write(w, reply)
	}
}

// proved returns the id of an answer, or says why nothing proves who sends it.
func (l *listener) proved(h http.Header, body []byte) (id, problem string) {
	id, once := one(h, headerID)
	stamp, stampOnce := one(h, headerTime)
	signatures, signedOnce := one(h, headerSignature)
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	switch {
	case !once || !stampOnce || !signedOnce || len(id) > maxID:
		return "", "the headers webhook-id, webhook-timestamp and webhook-signature must be there, once each"
	case err != nil:
		return "", "webhook-timestamp is not a number of seconds"
	case !l.keys.verify(id, stamp, body, signatures):
		return "", "no signature holds"
	}
	if off := l.now().Sub(time.Unix(seconds, 0)); off > tolerance || off < -tolerance {
		return "", "webhook-timestamp is more than 5 minutes from the time here"
	}
	return id, ""
}

// one returns a header that is there exactly once.
func one(h http.Header, name string) (value string, ok bool) {
	values := h.Values(name)
	if len(values) != 1 || values[0] == "" {
		return "", false
	}
	return values[0], true
}

// read reads the body of an answer.
func read(body []byte) (channel.Answer, error) {
	var a answer
	if err := webguard.Decode(bytes.NewReader(body), &a); err != nil {
		return channel.Answer{}, err
	}
	wrong := func(detail, hint string) (channel.Answer, error) {
		return channel.Answer{}, &webguard.Refusal{Status: http.StatusBadRequest, Code: "wrong-value", Detail: detail, Hint: hint}
	}
	switch {
	case a.Sender == "":
		return wrong("sender is missing", "write who decided, as people of the channel are named")
	case a.Token != "" && (a.Request != "" || a.Approve != nil):
		return wrong("there are both a token and a request", "write a token, or request and approve")
	case a.Token == "" && (a.Request == "" || a.Approve == nil):
		return wrong("there is neither a token nor a request with approve", "write the token of a button, or request and approve")
	}
	out := channel.Answer{Sender: a.Sender, Token: a.Token, Request: a.Request, Reason: a.Reason}
	if a.Approve != nil {
		out.Approve = *a.Approve
	}
	return out, nil
}

func refuse(w http.ResponseWriter, status int, code, detail, hint string) {
	webguard.Write(w, &webguard.Refusal{Status: status, Code: code, Detail: detail, Hint: hint})
}

// write tells a reply: 200 where a request is decided, 202 where it still waits, 403
// for who may not decide.
func write(w http.ResponseWriter, r channel.Reply) {
	status := http.StatusAccepted
	switch {
	case r.Refused:
		status = http.StatusForbidden
	case r.Done:
		status = http.StatusOK
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(told{r.Text, r.Done, r.Refused}) // who does not listen gets no answer
}
