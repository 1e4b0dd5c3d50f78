package audit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
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
	*o = append(appendString(append(*o, sep), name), ':')
}

func (o *object) text(name, s string) {
	o.name(name)
	*o = appendString(*o, s)
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
	for _, key := range slices.SortedFunc(maps.Keys(m), compareUnits) {
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
		*o = appendString(append(*o, sep), s)
		sep = ','
	}
	*o = append(*o, ']')
}

func (o *object) end() []byte { return append(*o, '}') }

// compareUnits orders names by their UTF-16 units (RFC 8785, section 3.2.3),
// which is the order of bytes but for what lies beside surrogates.
func compareUnits(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			continue
		}
		if a[i] < utf8.RuneSelf || b[i] < utf8.RuneSelf {
			return cmp.Compare(a[i], b[i])
		}
		return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
	}
	return cmp.Compare(len(a), len(b))
}

// appendString writes a string of UTF-8 (RFC 8785, section 3.2.2.2).
func appendString(b []byte, s string) []byte {
	const short = "\b\t\n\f\r\"\\"
	const letters = `btnfr"\`
	b = append(b, '"')
	from := 0
	for i := range len(s) {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		b, from = append(b, s[from:i]...), i+1
		if at := strings.IndexByte(short, c); at >= 0 {
			b = append(b, '\\', letters[at])
		} else {
			b = fmt.Appendf(b, `\u%04x`, c)
		}
	}
	return append(append(b, s[from:]...), '"')
}
