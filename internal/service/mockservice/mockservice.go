// Package mockservice is an approval service that answers every program as its
// configuration says, for tests and demonstrations where nobody decides.
//
//	config, err := mockservice.ReadConfig(data)
//	err = mockservice.Serve(ctx, listener, config)
//
// It proves nothing: its receipts are not signed, and whoever reaches it gets
// the same answer. It keeps no requests and asks nobody.
package mockservice

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/policyctl/policyctl/pkg/approval"
)

// A submission is what counts of a request.
type submission struct {
	id       string
	program  *string
	declared string // the hash that the client says it has
}

// An answer is what a client reads.
type answer struct {
	Decision  approval.Word `json:"decision"`
	Receipt   string        `json:"receipt,omitempty"`
	Feedback  string        `json:"feedback,omitempty"`
	RequestID string        `json:"request_id"`
}

// maxBody bounds a request, in bytes.
const maxBody = 1 << 20

// Handler returns what answers POST /requests, and nothing else.
func Handler(c Config) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path != "/requests":
			refuse(w, http.StatusNotFound, "the mock has only /requests")
			return
		case r.Method != http.MethodPost:
			w.Header().Set("Allow", http.MethodPost)
			refuse(w, http.StatusMethodNotAllowed, "the mock answers only POST; it keeps no requests")
			return
		}
		in, err := read(http.MaxBytesReader(w, r.Body, maxBody))
		var long *http.MaxBytesError
		switch {
		case errors.As(err, &long):
			refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is longer than %d bytes; send less", maxBody))
		case err != nil:
			refuse(w, http.StatusBadRequest, err.Error())
		default:
			send(w, http.StatusOK, c.answer(in))
		}
	})
}

// answer says what becomes of a program. The hash is computed here: what a
// client says of its program is no proof.
func (c Config) answer(in submission) answer {
	out := answer{Decision: c.Decision, Feedback: c.Feedback, RequestID: in.id}
	if why := c.mismatch(in); why != "" {
		out.Decision, out.Feedback = approval.Rejected, why
	}
	if !out.Decision.Approves() {
		return out
	}
	out.Receipt = c.Receipt
	if out.Receipt == "" {
		out.Receipt = "mock-" + in.id
	}
	return out
}

// mismatch says why the program is not the one that it should be, "" if it is.
func (c Config) mismatch(in submission) string {
	if in.program == nil {
		if c.Program == "" {
			return ""
		}
		return "the request has no program, and the mock is to approve only one with the SHA-256 " + c.Program
	}
	sum := sha256.Sum256([]byte(*in.program))
	hash := hex.EncodeToString(sum[:])
	switch {
	case in.declared != "" && in.declared != hash:
		return "program_sha256 is not that of the program, which is " + hash
	case c.Program != "" && hash != c.Program:
		return "the program has the SHA-256 " + hash + ", and the mock is to approve only " + c.Program
	}
	return ""
}

func refuse(w http.ResponseWriter, status int, why string) {
	send(w, status, map[string]string{"error": why, "detail": why})
}

func send(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil { // only texts
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // who does not listen gets no answer
}
