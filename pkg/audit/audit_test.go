package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gowebpki/jcs"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.FixedZone("CET", 3600))

// full returns an entry in which every field has a value.
func full() Entry {
	at := noon.Add(time.Minute)
	return Entry{
		Time: noon, Kind: KindDecision, Actor: "token:laptop", RequestID: "6f1c2c4e-2b1f-4a53-9d3e-0f4f0c6f2d11",
		Tool: "shell", Arguments: json.RawMessage(`{"timeout": 120, "command": "git push && echo <ok>"}`), Session: "s-1",
		Agent: "claude-code", Dir: "/home/ann/src/app", Decision: "approved_once", DecidedBy: "token:phone", DecidedAt: &at,
		Reason: "release branch, checked by hand", Rule: "ask-push", Stage: "ask_rules",
		Revision: strings.Repeat("0a1b2c3d", 8), RequestHash: strings.Repeat("4e5f6071", 8), ExecutionResult: "exit 0",
		Detail: map[string]string{"channel": "telegram", "uses": "1"},
	}
}

// next makes the next record or fails the test.
func next(t testing.TB, last *Record, e Entry) *Record {
	t.Helper()
	r, err := Next(last, e)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// chain returns a log of n records whose reasons begin with a name.
func chain(t testing.TB, name string, n int) []*Record {
	t.Helper()
	var records []*Record
	var last *Record
	for i := range n {
		e := full()
		e.Reason = fmt.Sprintf("%s %d", name, i+1)
		last = next(t, last, e)
		records = append(records, last)
	}
	return records
}

func each(records []*Record) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func TestRecordsFollowOneAnother(t *testing.T) {
	log := chain(t, "a", 3)
	prev := genesis()
	for i, r := range log {
		if r.Seq != int64(i+1) || r.Prev != prev || !isHash(r.Hash) {
			t.Errorf("record %d: seq %d, prev %s, hash %s", i+1, r.Seq, r.Prev, r.Hash)
		}
		prev = r.Hash
	}
}

// The form of the log is a promise: what was written must verify for ever.
func TestFormIsStable(t *testing.T) {
	r := next(t, nil, full())
	line, err := r.line()
	if err != nil {
		t.Fatal(err)
	}
	want := `{"seq":1,"prev":"` + genesis() + `","time":"2026-03-01T11:00:00.123456Z","kind":"decision",` +
		`"actor":"token:laptop","request_id":"6f1c2c4e-2b1f-4a53-9d3e-0f4f0c6f2d11","tool":"shell",` +
		`"arguments":{"command":"git push && echo <ok>","timeout":120},"session":"s-1","agent":"claude-code",` +
		`"dir":"/home/ann/src/app","decision":"approved_once","decided_by":"token:phone",` +
		`"decided_at":"2026-03-01T11:01:00.123456Z","reason":"release branch, checked by hand","rule":"ask-push",` +
		`"stage":"ask_rules","revision":"0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d",` +
		`"request_hash":"4e5f60714e5f60714e5f60714e5f60714e5f60714e5f60714e5f60714e5f6071",` +
		`"execution_result":"exit 0","detail":{"channel":"telegram","uses":"1"},` +
		`"hash":"b9fb59a58f174d8e5b20531666ec5d0b87a0b7af912a1e33a214ba62d57e324e"}`
	if diff := cmp.Diff(want, string(line)); diff != "" {
		t.Error(diff)
	}
	if want := "1a5fcf609b89f3f30720bad9b3c174129b1859e2917248ec0e6109b24cae4ef0"; genesis() != want {
		t.Errorf("the genesis is %s, not %s", genesis(), want)
	}
}

// Another program can compute the hash from a line as the doc comment says.
func TestHashAsDocumented(t *testing.T) {
	line, err := next(t, nil, full()).line()
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(line, &m); err != nil {
		t.Fatal(err)
	}
	hash := m["hash"]
	delete(m, "hash")
	m["arguments"] = `{"command":"git push && echo <ok>","timeout":120}`
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if data, err = jcs.Transform(data); err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != hash {
		t.Errorf("the hash of the record is %s, another program computes %x", hash, sum)
	}
}

func TestNextRefuses(t *testing.T) {
	rows := []struct {
		want string
		edit func(*Entry)
	}{
		{`kind "" is unknown: give one of request, decision,`, func(e *Entry) { e.Kind = "" }},
		{`kind "Request" is unknown`, func(e *Entry) { e.Kind = "Request" }},
		{"actor is empty", func(e *Entry) { e.Actor = "" }},
		{"zero time", func(e *Entry) { e.Time = time.Time{} }},
		{"zero time", func(e *Entry) { e.DecidedAt = &time.Time{} }},
		{"years 1 to 9999", func(e *Entry) { e.Time = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) }},
		{"years 1 to 9999", func(e *Entry) { *e.DecidedAt = time.Date(0, 12, 31, 0, 0, 0, 0, time.UTC) }},
		{`detail has the key ""`, func(e *Entry) { e.Detail = map[string]string{"": "x"} }},
		{`detail has the key "\xff"`, func(e *Entry) { e.Detail = map[string]string{"\xff": "x"} }},
		{"record 1: 83", func(e *Entry) { e.ExecutionResult = strings.Repeat("a", maxSize) }},
	}
	for _, row := range rows {
		e := full()
		row.edit(&e)
		if r, err := Next(nil, e); r != nil || err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("got %v, not an error with %q", err, row.want)
		}
	}
}

func TestNextRefusesDamagedLast(t *testing.T) {
	good := strings.Repeat("0a", 32)
	for _, last := range []*Record{{}, {Seq: 1}, {Seq: 0, Hash: good}, {Seq: -1, Hash: good}, {Seq: 1, Hash: good[1:]}, {Seq: 1, Hash: "Z" + good[1:]}} {
		if r, err := Next(last, full()); r != nil || err == nil || !strings.Contains(err.Error(), "is damaged: verify the log") {
			t.Errorf("after %+v: %v", last, err)
		}
	}
	if _, err := Next(&Record{Seq: maxSeq, Hash: good}, full()); err == nil {
		t.Error("a number that JSON readers round was given")
	}
}

// What the caller does to its entry afterwards changes no record.
func TestNextKeepsNoMemoryOfTheEntry(t *testing.T) {
	e := full()
	r := next(t, nil, e)
	copy(e.Arguments, "XXXXXXXX")
	e.Detail["channel"] = "changed"
	*e.DecidedAt = noon
	if err := new(Verifier).Check(r); err != nil {
		t.Error(err)
	}
}

// A store may give a record back from JSON, with HTML escapes and in another
// time zone.
func TestRecordSurvivesStores(t *testing.T) {
	r := next(t, nil, full())
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	back := &Record{}
	if err := json.Unmarshal(data, back); err != nil {
		t.Fatal(err)
	}
	back.Time = back.Time.In(time.FixedZone("EST", -5*3600))
	if err := new(Verifier).Check(back); err != nil {
		t.Error(err)
	}
}

// Every field counts: a change of any of them is found.
func TestEveryFieldIsHashed(t *testing.T) {
	for _, name := range fields(reflect.TypeFor[Record]()) {
		r := next(t, nil, full())
		r.Redacted = []string{}
		f := reflect.ValueOf(r).Elem().FieldByName(name)
		switch v := f.Addr().Interface().(type) {
		case *string:
			*v += " "
		case *int64:
			*v++
		case *time.Time:
			*v = v.Add(time.Nanosecond)
		case **time.Time:
			*v = nil
		case *json.RawMessage:
			*v = json.RawMessage(`{"command":"git push && echo <ok>","timeout":120.0}`)
		case *map[string]string:
			(*v)["uses"] = "2"
		case *[]string:
			*v = append(*v, "/reason password")
		default:
			t.Fatalf("%s: a type that this test does not know", name)
		}
		var broken *Broken
		if err := new(Verifier).Check(r); !errors.As(err, &broken) || broken.Seq != 1 {
			t.Errorf("%s was changed: %v", name, err)
		}
	}
}

// fields returns the names of the fields of a struct, with those of embedded
// ones.
func fields(s reflect.Type) []string {
	var names []string
	for _, f := range reflect.VisibleFields(s) {
		if !f.Anonymous {
			names = append(names, f.Name)
		}
	}
	return names
}
