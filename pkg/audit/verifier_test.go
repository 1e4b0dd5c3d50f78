package audit

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func privateKey(seed byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(slices.Repeat([]byte{seed}, ed25519.SeedSize))
}

func signer(key ed25519.PrivateKey) func([]byte) ([]byte, error) {
	return func(text []byte) ([]byte, error) { return ed25519.Sign(key, text), nil }
}

var trusted = map[string]ed25519.PublicKey{"k1": privateKey(1).Public().(ed25519.PublicKey)}

func sign(t testing.TB, last *Record) *Checkpoint {
	t.Helper()
	c, err := Sign(signer(privateKey(1)), "k1", last, noon)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// verify checks a log against checkpoints and returns the first error.
func verify(t testing.TB, log []*Record, checkpoints ...*Checkpoint) error {
	t.Helper()
	var v Verifier
	for _, c := range checkpoints {
		if err := v.Expect(c, trusted); err != nil {
			return err
		}
	}
	for _, r := range log {
		if err := v.Check(r); err != nil {
			if again := v.End(); again != err {
				t.Errorf("End says %v after %v", again, err)
			}
			return err
		}
	}
	return v.End()
}

// rehashed returns a copy of a record with the hash of its content.
func rehashed(t testing.TB, r *Record, edit func(*Record)) *Record {
	t.Helper()
	forged := *r
	edit(&forged)
	var err error
	if forged.Hash, err = forged.digest(); err != nil {
		t.Fatal(err)
	}
	return &forged
}

// Each way to tamper with a log of five records, and the first bad record.
func TestTampering(t *testing.T) {
	a, b := chain(t, "a", 5), chain(t, "b", 5)
	changed := *a[2]
	changed.Decision = "rejected"
	renumbered := func(r *Record, seq int64) *Record { return rehashed(t, r, func(r *Record) { r.Seq = seq }) }
	forged := rehashed(t, a[2], func(r *Record) { r.Decision = "rejected" })
	anew := append(slices.Clone(a[:2]), forged)
	for _, r := range a[3:] {
		anew = append(anew, next(t, anew[len(anew)-1], r.Entry))
	}
	head := sign(t, a[4])
	rows := []struct {
		seq     int64
		problem string
		log     []*Record
		points  []*Checkpoint
	}{
		{0, "", a, nil},
		{0, "", a, []*Checkpoint{head, sign(t, a[2]), sign(t, nil)}},
		{0, "", nil, nil},
		{3, "it was changed", []*Record{a[0], a[1], &changed, a[3], a[4]}, nil},
		{4, "does not follow", []*Record{a[0], a[1], forged, a[3], a[4]}, nil},
		{3, "not that of the checkpoint", anew, []*Checkpoint{sign(t, a[2])}},
		{5, "not that of the checkpoint", anew, []*Checkpoint{head}},
		{3, "record 4 is in its place", []*Record{a[0], a[1], a[3], a[4]}, nil},
		{1, "record 2 is in its place", a[1:], nil},
		{2, "record 3 is in its place", []*Record{a[0], a[2], a[1], a[3], a[4]}, nil},
		{3, "record 2 is in its place", []*Record{a[0], a[1], a[1], a[2]}, nil},
		{3, "does not follow", []*Record{a[0], a[1], renumbered(a[3], 3), renumbered(a[4], 4)}, nil},
		{3, "does not follow", []*Record{a[0], a[1], renumbered(b[1], 3)}, nil},
		{3, "does not follow", []*Record{a[0], a[1], b[2], b[3]}, nil},
		{1, "does not follow", []*Record{renumbered(a[1], 1)}, nil},
		{6, "record 1 is in its place", slices.Concat(a, b), nil},
		{6, "does not follow", append(slices.Clone(a), renumbered(b[0], 6)), nil},
		{5, "it is missing: the checkpoint by key \"k1\" knows 5 records", a[:4], []*Checkpoint{head}},
		{1, "it is missing", nil, []*Checkpoint{head}},
		{2, "it is missing", []*Record{a[0], nil}, nil},
		{5, "not that of the checkpoint", b, []*Checkpoint{head}},
		{5, "two signed checkpoints", a, []*Checkpoint{head, sign(t, b[4])}},
	}
	for i, row := range rows {
		err := verify(t, row.log, row.points...)
		if row.problem == "" {
			if err != nil {
				t.Errorf("row %d: %v", i, err)
			}
			continue
		}
		var broken *Broken
		if !errors.As(err, &broken) || broken.Seq != row.seq || !strings.Contains(broken.Problem, row.problem) {
			t.Errorf("row %d: %v, not record %d: … %s …", i, err, row.seq, row.problem)
		}
	}
}

// A store that was tampered with can hold what JSON does not carry: it must
// not be smoothed over.
func TestDamagedRecords(t *testing.T) {
	rows := []struct {
		want string
		edit func(*Record)
	}{
		{"/reason is not UTF-8", func(r *Record) { r.Reason = "\xff" }},
		{"/tool is not UTF-8", func(r *Record) { r.Tool = "\x00" }},
		{"/detail: \"a\" is not", func(r *Record) { r.Detail = map[string]string{"a": "\xff"} }},
		{"/redacted is not", func(r *Record) { r.Redacted = []string{"\xff"} }},
		{"arguments: column 8: the key \"a\" appears twice", func(r *Record) { r.Arguments = json.RawMessage(`{"a":1,"a":2}`) }},
		{"arguments: column 2: the JSON ends too early", func(r *Record) { r.Arguments = json.RawMessage(`{`) }},
		{"arguments: column 2: the JSON is not valid UTF-8", func(r *Record) { r.Arguments = json.RawMessage("\"\xff\"") }},
		{"surrogate", func(r *Record) { r.Arguments = json.RawMessage(`"\ud83d"`) }},
		{"years 1 to 9999", func(r *Record) { r.Time = time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC) }},
		{"its hash is not", func(r *Record) { r.Hash = "" }},
		{"its hash is not", func(r *Record) { r.Hash = strings.ToUpper(r.Hash) }},
	}
	for _, row := range rows {
		r := next(t, nil, full())
		row.edit(r)
		if err := new(Verifier).Check(r); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%v, not an error with %q", err, row.want)
		}
	}
}

// After the first bad record nothing is good, whatever follows.
func TestBrokenStaysBroken(t *testing.T) {
	a := chain(t, "a", 2)
	var v Verifier
	first := v.Check(a[1])
	if err := v.Check(a[0]); first == nil || err != first {
		t.Errorf("%v, then %v", first, err)
	}
}

func TestResume(t *testing.T) {
	a := chain(t, "a", 4)
	var v Verifier
	if err := v.Resume(sign(t, a[1]), trusted); err != nil {
		t.Fatal(err)
	}
	if err := v.Expect(sign(t, a[0]), trusted); err == nil {
		t.Error("a checkpoint of a record that was passed over is accepted")
	}
	for _, r := range a[2:] {
		if err := v.Check(r); err != nil {
			t.Fatal(err)
		}
	}
	if seq, hash := v.Head(); seq != 4 || hash != a[3].Hash {
		t.Errorf("the head is %d %s", seq, hash)
	}
	if err := v.Resume(sign(t, a[1]), trusted); err == nil {
		t.Error("a verifier in use resumes")
	}
	if err := new(Verifier).Resume(sign(t, a[1]), nil); err == nil {
		t.Error("an unknown key is trusted")
	}
}
