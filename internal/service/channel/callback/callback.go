// Package callback is what the webhooks of channels have in common: how a body is read,
// and how who posts it is told what came of it. It proves nothing of who posts.
package callback

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/webguard"
)

// Body reads what is posted, of so many bytes at most. Where ok is false it has answered.
func Body(w http.ResponseWriter, r *http.Request, limit int64) (body []byte, ok bool) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		Refuse(w, http.StatusMethodNotAllowed, "method-not-allowed", "answers are posted", "use POST")
		return nil, false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if err != nil {
		webguard.Write(w, webguard.OfBody(err))
		return nil, false
	}
	return body, true
}

// Decode reads a body strictly, as [webguard.Decode] does.
func Decode(body []byte, into any) error { return webguard.Decode(bytes.NewReader(body), into) }

// Refuse answers with what is wrong and the next step.
func Refuse(w http.ResponseWriter, status int, code, detail, hint string) {
	webguard.Write(w, &webguard.Refusal{Status: status, Code: code, Detail: detail, Hint: hint})
}

// Later answers that nothing came of it, and after how many seconds to send the same
// again.
func Later(w http.ResponseWriter, status, seconds int, code, detail string) {
	webguard.Write(w, &webguard.Refusal{Status: status, Code: code, Detail: detail, Hint: "send the same again", RetryAfter: seconds})
}

// A told is what is told of a reply.
type told struct {
	Text    string `json:"text"`
	Done    bool   `json:"done"`
	Refused bool   `json:"refused"`
}

// Write tells a reply: 200 where a request is decided, 202 where it still waits, 403 for
// who may not decide, and 503 where the same may be said again.
func Write(w http.ResponseWriter, r channel.Reply) {
	status := http.StatusAccepted
	switch {
	case r.Again:
		Later(w, http.StatusServiceUnavailable, 1, "not-heard", "nothing was decided: "+r.Text)
		return
	case r.Refused:
		status = http.StatusForbidden
	case r.Done:
		status = http.StatusOK
	}
	JSON(w, status, told{r.Text, r.Done, r.Refused})
}

// JSON answers with a value, which is always JSON.
func JSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // who does not listen gets no answer
}
