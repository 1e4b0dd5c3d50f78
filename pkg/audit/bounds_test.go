package audit

import (
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// The largest record is one, and a byte more is too many.
func TestLargestDigest(t *testing.T) {
	r := next(t, nil, full())
	room := maxSize - len(r.canonical())
	for more, fine := range []bool{true, false} {
		large := *r
		large.Reason += strings.Repeat("x", room+more)
		if _, err := large.digest(); fine != (err == nil) {
			t.Errorf("%d bytes more: %v", more, err)
		}
	}
}

// The years 1 to 9999 have a form, and no other.
func TestYears(t *testing.T) {
	for year, fine := range map[int]bool{-1: false, 0: false, 1: true, 9999: true, 10000: false} {
		e := full()
		e.Time = time.Date(year, 6, 1, 0, 0, 0, 0, time.UTC)
		r, err := Next(nil, e)
		if fine != (err == nil) {
			t.Errorf("%d: %v", year, err)
		}
		if err != nil {
			continue
		}
		if line, err := r.line(); err != nil || !agrees(t, line) {
			t.Errorf("%d: %s is not read, %v", year, line, err)
		}
	}
}

// The last record that can be counted is one, for readers and for checkpoints.
func TestLastRecord(t *testing.T) {
	r := *next(t, nil, full())
	first, err := r.line()
	if err != nil {
		t.Fatal(err)
	}
	for seq, fine := range map[int64]bool{maxSeq: true, maxSeq + 1: false} {
		r.Seq = seq
		_, err := Sign(signer(privateKey(1)), "k1", &r, noon)
		if fine != (err == nil) {
			t.Errorf("a checkpoint of %d: %v", seq, err)
		}
		line := strings.Replace(string(first), `"seq":1,`, fmt.Sprintf(`"seq":%d,`, seq), 1)
		if _, quick := Spelled([]byte(line)); quick != fine {
			t.Errorf("record %d is read: %t", seq, quick)
		}
	}
}

// Arguments may be nested so deep, in both kinds of brackets, and no deeper. Deeper ones are
// kept as a text.
func TestDeepestArguments(t *testing.T) {
	for _, brackets := range []string{"[]", `{"a":}`} {
		left, right := brackets[:len(brackets)-1], brackets[len(brackets)-1:]
		for more, fine := range []bool{true, false} {
			n := maxDepth + more
			text := strings.Repeat(left, n) + "1" + strings.Repeat(right, n)
			if got := isSpelled([]byte(text)); got != fine {
				t.Errorf("%d times %s is read: %t", n, brackets, got)
			}
			e := full()
			e.Arguments = json.RawMessage(text)
			if kept := next(t, nil, e); (string(kept.Arguments) == text) != fine || (len(kept.Redacted) == 0) != fine {
				t.Errorf("%d times %s is kept as %.20s, %v", n, brackets, kept.Arguments, kept.Redacted)
			}
		}
	}
}

// Every number is read quickly, and nothing beside one.
func TestNumbersSpelled(t *testing.T) {
	for text, fine := range map[string]bool{"0": true, "9": true, "5": true, "-3": true, "/": false, ":": false} {
		if got := isSpelled([]byte(text)); got != fine {
			t.Errorf("%s is read: %t", text, got)
		}
	}
}

// A record is found by what it says, up to a length.
func TestWords(t *testing.T) {
	e := full()
	e.Arguments = json.RawMessage(`{"command":"make deploy","list":["one",{"two":"three"}]}`)
	r := next(t, nil, e)
	words := r.Words()
	for _, want := range []string{"decision", "make deploy", "one", "three", e.Actor, e.RequestID, "telegram"} {
		if !strings.Contains(words, want) {
			t.Errorf("%q lacks %q", words, want)
		}
	}
	broken := *r
	broken.Arguments = json.RawMessage("{make deploy")
	if words := broken.Words(); !strings.Contains(words, "{make deploy") {
		t.Errorf("%q lacks what is no JSON", words)
	}
	short := Record{Entry: Entry{Kind: KindLogin, Actor: "uid:0"}}
	room := maxWords - len(short.Words())
	for more, want := range []string{"xé", "x"} {
		long := short
		long.Arguments = json.RawMessage(`x` + strings.Repeat("y", room-3+more) + "xé")
		long.Arguments = long.Arguments[1:]
		if got := strings.TrimRight(long.Words(), "\n"); len(got) > maxWords || !strings.HasSuffix(got, want) {
			t.Errorf("%d bytes more: %d bytes, which end with %q", more, len(got), got[len(got)-4:])
		}
	}
}

// A record says by itself whether its hash is that of its content.
func TestHashHolds(t *testing.T) {
	r := next(t, nil, full())
	changed, damaged := *r, *r
	changed.Reason = "another"
	damaged.Seq = 0
	for name, row := range map[string]struct {
		r    *Record
		want bool
	}{"as it was": {r, true}, "changed": {&changed, false}, "damaged": {&damaged, false}} {
		if got := row.r.HashHolds(); got != row.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// Of several checkpoints that a log does not reach, the last one says how much is missing.
func TestTailCutOff(t *testing.T) {
	log := chain(t, "a", 5)
	for range 10 { // the order of a map
		var v Verifier
		for _, at := range []int{2, 4, 3} {
			if err := v.Expect(sign(t, log[at]), map[string]ed25519.PublicKey(trusted)); err != nil {
				t.Fatal(err)
			}
		}
		for _, r := range log[:2] {
			if err := v.Check(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := v.End(); err == nil || !strings.Contains(err.Error(), "record 3: it is missing") || !strings.Contains(err.Error(), "knows 5 records") {
			t.Fatal(err)
		}
	}
}

// A line that was edited says where.
func TestColumnOfEdit(t *testing.T) {
	line := strings.TrimSuffix(written(t, []*Record{next(t, nil, full())}), "\n")
	at := strings.Index(line, "claude-code") + 1
	for edited, column := range map[string]int{
		line + " ":                         len(line) + 1,
		line[:at-1] + `\u0063` + line[at:]: at,
	} {
		var got error
		for _, err := range ReadJSONL(strings.NewReader(edited + "\n")) {
			got = err
		}
		if got == nil || !strings.Contains(got.Error(), fmt.Sprintf("column %d:", column)) {
			t.Errorf("%v, want column %d", got, column)
		}
	}
}
