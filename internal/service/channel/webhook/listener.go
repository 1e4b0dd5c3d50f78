package webhook

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/callback"
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
	// Confirmed says that the sender was asked what confirm says.
	Confirmed bool `json:"confirmed"`
}

func (l *listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, ok := callback.Body(w, r, maxBody)
	if !ok {
		return
	}
	id, problem := l.proved(r.Header, body)
	if problem != "" {
		callback.Refuse(w, http.StatusUnauthorized, "not-proved", problem, "sign the answer as Standard Webhooks has it, with the secret of this channel and the present time")
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
		callback.Refuse(w, http.StatusConflict, "id-used", err.Error(), "use a new webhook-id for each answer")
	case errors.Is(err, errFull):
		callback.Later(w, http.StatusTooManyRequests, 60, "too-many", err.Error())
	case err != nil: // who asks is gone
		callback.Later(w, http.StatusServiceUnavailable, 1, "not-heard", "the answer that came before is still being heard")
	default:
		callback.Write(w, reply)
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
	if err := callback.Decode(body, &a); err != nil {
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
	out := channel.Answer{Sender: a.Sender, Token: a.Token, Request: a.Request, Reason: a.Reason, Confirmed: a.Confirmed}
	if a.Approve != nil {
		out.Approve = *a.Approve
	}
	return out, nil
}
