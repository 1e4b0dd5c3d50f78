package audit

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// maxSize bounds the canonical JSON of a record, in bytes.
const maxSize = 8 << 20

// digest returns what the hash of a record must be.
func (r *Record) digest() (string, error) {
	p, err := r.plain()
	if err != nil {
		return "", err
	}
	return p.plainDigest()
}

// plainDigest is [Record.digest] of a record that is plain already.
func (r *Record) plainDigest() (string, error) {
	data := r.canonical()
	if len(data) > maxSize {
		return "", fmt.Errorf("%d bytes are too many, %d is the limit: shorten the arguments or the result", len(data), maxSize)
	}
	return hexHash(data), nil
}

// canonical returns what is hashed of a plain record: an object as RFC 8785
// writes it, so the order of the lines below counts. The arguments are a string
// there, because RFC 8785 rounds numbers: two calls could have one hash.
func (r *Record) canonical() []byte {
	decidedAt := ""
	if r.DecidedAt != nil {
		decidedAt = r.DecidedAt.Format(time.RFC3339Nano)
	}
	w := make(object, 0, 1024)
	w.text("actor", r.Actor)
	w.optional("agent", r.Agent)
	w.optional("arguments", string(r.Arguments))
	w.optional("decided_at", decidedAt)
	w.optional("decided_by", r.DecidedBy)
	w.optional("decision", r.Decision)
	w.texts("detail", r.Detail)
	w.optional("dir", r.Dir)
	w.optional("execution_result", r.ExecutionResult)
	w.text("kind", r.Kind)
	w.text("prev", r.Prev)
	w.optional("reason", r.Reason)
	w.list("redacted", r.Redacted)
	w.optional("request_hash", r.RequestHash)
	w.optional("request_id", r.RequestID)
	w.optional("revision", r.Revision)
	w.optional("rule", r.Rule)
	w.number("seq", r.Seq)
	w.optional("session", r.Session)
	w.optional("stage", r.Stage)
	w.text("time", r.Time.Format(time.RFC3339Nano))
	w.optional("tool", r.Tool)
	return w.end()
}

// An object is JSON in the making, in the form of RFC 8785. The caller adds the
// members in the order of their names.
type object []byte

func (o *object) name(name string) {
	sep := byte(',')
	if len(*o) == 0 {
		sep = '{'
	}
	*o = append(strictjson.AppendString(append(*o, sep), name), ':')
}

func (o *object) text(name, s string) {
	o.name(name)
	*o = strictjson.AppendString(*o, s)
}

// optional leaves out an empty text.
func (o *object) optional(name, s string) {
	if s != "" {
		o.text(name, s)
	}
}

// number takes integers of up to 53 bits.
func (o *object) number(name string, n int64) {
	o.name(name)
	*o = strconv.AppendInt(*o, n, 10)
}

func (o *object) texts(name string, m map[string]string) {
	if len(m) == 0 {
		return
	}
	var members object
	for _, key := range slices.SortedFunc(maps.Keys(m), strictjson.CompareNames) {
		members.text(key, m[key])
	}
	o.name(name)
	*o = append(*o, members.end()...)
}

func (o *object) list(name string, items []string) {
	if len(items) == 0 {
		return
	}
	o.name(name)
	sep := byte('[')
	for _, s := range items {
		*o = strictjson.AppendString(append(*o, sep), s)
		sep = ','
	}
	*o = append(*o, ']')
}

func (o *object) end() []byte { return append(*o, '}') }
