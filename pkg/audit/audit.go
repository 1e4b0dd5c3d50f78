// Package audit makes and checks a log that can only grow. Each [Record] holds
// the hash of the one before it; [Next] makes the next, a [Verifier] checks a
// chain, and a signed [Checkpoint] kept elsewhere shows a tail that was cut off
// or a chain that was written anew. Secrets are replaced before a record is
// hashed; only kind and place stay, as from a hash a short secret is guessed.
//
// The package stores nothing, knows no clock, and does not prove that what is
// recorded happened.
package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// An Entry is what is to be recorded. Kind, Actor and Time are required.
type Entry struct {
	// Time is when it happened. It is kept in UTC, to the microsecond.
	Time time.Time `json:"time"`
	// Kind is one of the kinds of entries.
	Kind string `json:"kind"`
	// Actor is the identity that caused it, such as "token:laptop" (the name of
	// a token, never the token), "uid:1000" or "service".
	Actor     string `json:"actor"`
	RequestID string `json:"request_id,omitempty"`
	Tool      string `json:"tool,omitempty"`
	// Arguments is one JSON value, of any type. [Next] sorts its keys and drops
	// its blanks; numbers keep their spelling.
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Session   string          `json:"session,omitempty"`
	Agent     string          `json:"agent,omitempty"`
	// Dir is the directory of the call.
	Dir      string `json:"dir,omitempty"`
	Decision string `json:"decision,omitempty"`
	// DecidedBy is the identity that decided, in the form of Actor.
	DecidedBy string     `json:"decided_by,omitempty"`
	DecidedAt *time.Time `json:"decided_at,omitempty"`
	Reason    string     `json:"reason,omitempty"`
	// Rule, Stage and Revision are of the policy that asked.
	Rule     string `json:"rule,omitempty"`
	Stage    string `json:"stage,omitempty"`
	Revision string `json:"revision,omitempty"`
	// RequestHash is the hash of the request that a receipt is bound to.
	RequestHash     string `json:"request_hash,omitempty"`
	ExecutionResult string `json:"execution_result,omitempty"`
	// Detail is what else there is to say. Its keys are names that the service
	// gives, never text of an agent.
	Detail map[string]string `json:"detail,omitempty"`
}

// A Record is an entry in its place in the chain. A store must keep every field
// as it is; arguments are text to it, since databases rewrite JSON numbers.
type Record struct {
	// Seq counts from 1.
	Seq int64 `json:"seq"`
	// Prev is the hash of the record before; the first has a hash that names this format.
	Prev string `json:"prev"`
	Entry
	// Redacted says what was replaced: a JSON pointer (RFC 6901) into the
	// record, a space and a kind. The kinds are those of internal/support/redact, "not-json"
	// for arguments that are kept as a string because they are no sound JSON,
	// and "not-text" for a field that held bytes other than UTF-8, or NUL: those
	// stand as \xNN there, and each backslash is doubled.
	Redacted []string `json:"redacted,omitempty"`
	// Hash is the SHA-256, in lower-case hexadecimal digits, of the record as
	// canonical JSON (RFC 8785), without "hash" and with the arguments as a
	// string that holds their text.
	Hash string `json:"hash"`
}

// genesis returns what stands for the hash before the first record. It names
// the form of the log, so that a later form cannot be taken for this one.
func genesis() string {
	return hexHash([]byte("policyctl audit log 1"))
}

// Next returns the record of an entry after the last one, nil for the first. It
// keeps nothing of the entry's memory. An error means that the caller left out
// what is required or that the record is too large: what an agent sent, be it
// no JSON and no text, is recorded.
func Next(last *Record, e Entry) (*Record, error) {
	if err := e.check(); err != nil {
		return nil, fmt.Errorf("audit entry: %w", err)
	}
	r := &Record{Seq: 1, Prev: genesis()}
	if last != nil {
		if last.Seq < 1 || !isHash(last.Hash) {
			return nil, fmt.Errorf("record %d, the last of the log, is damaged: verify the log", last.Seq)
		}
		r.Seq, r.Prev = last.Seq+1, last.Hash
	}
	var err error
	if r.Entry, r.Redacted, err = cleaned(e); err != nil {
		return nil, fmt.Errorf("audit entry: %w", err)
	}
	if err = r.checkForm(); err == nil {
		r.Hash, err = r.plainDigest()
	}
	if err != nil {
		return nil, fmt.Errorf("record %d: %w", r.Seq, err)
	}
	return r, nil
}

func (e *Entry) check() error {
	if !slices.Contains(Kinds(), e.Kind) {
		return fmt.Errorf("kind %q is unknown: give one of %s", e.Kind, strings.Join(Kinds(), ", "))
	}
	if e.Actor == "" {
		return errors.New("actor is empty: give the identity that caused it")
	}
	if e.Time.IsZero() || e.DecidedAt != nil && e.DecidedAt.IsZero() {
		return errors.New("time or decided_at is the zero time: give the time at which it happened")
	}
	for key := range e.Detail {
		if key == "" || !isText(key) {
			return fmt.Errorf("detail has the key %q: give a name in UTF-8", key)
		}
	}
	return nil
}

func hexHash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// isHash reports whether a text has the form of a hash.
func isHash(s string) bool {
	return len(s) == 2*sha256.Size && strings.Trim(s, "0123456789abcdef") == ""
}
