package slack

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/webguard"
)

// tolerance is how far the time of a request may be from ours; maxBody bounds a
// request, in bytes.
const (
	tolerance = 5 * time.Minute
	maxBody   = 256 << 10
)

const (
	headerTime      = "X-Slack-Request-Timestamp"
	headerSignature = "X-Slack-Signature"
)

// Webhook hears presses that Slack signs with the secret of the app, nil without one.
func (d *Driver) Webhook(hear channel.Hear) http.Handler {
	if len(d.secret) == 0 {
		return nil
	}
	return &listener{d, hear}
}

// A listener hears signed requests.
type listener struct {
	*Driver
	hear channel.Hear
}

func (l *listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		refuse(w, http.StatusMethodNotAllowed, "method-not-allowed", "Slack posts what people press", "use POST")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		l.log.WarnContext(r.Context(), "a request in the name of Slack is refused: its body cannot be read", "error", err)
		webguard.Write(w, webguard.OfBody(err))
		return
	}
	if err := l.proved(r.Header, body); err != nil {
		l.log.WarnContext(r.Context(), "a request in the name of Slack is refused: "+err.Error(), "remote", r.RemoteAddr)
		refuse(w, http.StatusUnauthorized, "not-proved", err.Error(), "Slack signs each request with the signing secret of the app and the present time")
		return
	}
	in, err := read(body)
	if err != nil {
		l.log.WarnContext(r.Context(), "a request of Slack cannot be read", "error", l.api.clean(err.Error()))
		refuse(w, http.StatusBadRequest, "wrong-body", "the body is not an interaction of Slack", "send the form with one payload, as Slack does")
		return
	}
	say := l.pressed(r.Context(), in, l.hear)
	w.Header().Set("Content-Length", "0")
	w.WriteHeader(http.StatusOK)
	if say == "" {
		return
	}
	_ = http.NewResponseController(w).Flush() // Slack waits for three seconds
	l.tell(context.WithoutCancel(r.Context()), in.User.ID, say)
}

// proved says why nothing proves that Slack sends a request now.
func (l *listener) proved(h http.Header, body []byte) error {
	stamps, signatures := h.Values(headerTime), h.Values(headerSignature)
	if len(stamps) != 1 || len(signatures) != 1 {
		return fmt.Errorf("the headers %s and %s must be there, once each", headerTime, headerSignature)
	}
	seconds, err := strconv.ParseInt(stamps[0], 10, 64)
	if err != nil {
		return fmt.Errorf("%s is not a number of seconds", headerTime)
	}
	if !hmac.Equal([]byte(sign(l.secret, stamps[0], body)), []byte(signatures[0])) {
		return errors.New("the signature does not hold")
	}
	off, side := l.now().Sub(time.Unix(seconds, 0)), "behind"
	if off < 0 {
		side = "ahead of"
	}
	if off.Abs() > tolerance {
		return fmt.Errorf("its time is %s %s that of this machine, and no more than %s is taken; if Slack sent it just now, set the clock", off.Abs().Round(time.Second), side, tolerance)
	}
	return nil
}

// sign is the signature of Slack, version 0.
func sign(secret []byte, stamp string, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("v0:" + stamp + ":"))
	mac.Write(body)
	return "v0=" + hex.EncodeToString(mac.Sum(nil))
}

// read reads the form of an interaction.
func read(body []byte) (*interaction, error) {
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, errors.New("the form is broken")
	}
	if len(form["payload"]) != 1 {
		return nil, errors.New("the form must have one payload")
	}
	in := new(interaction)
	return in, json.Unmarshal([]byte(form.Get("payload")), in)
}

func refuse(w http.ResponseWriter, status int, code, detail, hint string) {
	webguard.Write(w, &webguard.Refusal{Status: status, Code: code, Detail: detail, Hint: hint})
}
