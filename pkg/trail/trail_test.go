package trail

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

var noon = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

func decided(t testing.TB, c *policy.Call) policy.Outcome {
	t.Helper()
	e, err := policy.New(policy.Defaults(), policy.Options{Revision: "r1"})
	if err != nil {
		t.Fatal(err)
	}
	v, err := e.Decide(context.Background(), nil, c)
	if err != nil {
		t.Fatal(err)
	}
	return policy.Outcome{Call: *c, Verdict: v, Time: noon, Took: 1500 * time.Nanosecond}
}

func TestEntry(t *testing.T) {
	c := policy.Shell("rm -rf /", "/w")
	c.ID, c.Session, c.Agent = "toolu_1", "s1", "claude"
	o := decided(t, c)
	e := Entry(From{Actor: "uid:7", Via: "hook"}, &o)
	id := e.Detail[ID]
	e.Detail[ID] = "x"
	got, err := Encode(&e)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"time":"2026-11-26T12:00:00Z","kind":"verdict","actor":"uid:7","tool":"shell","arguments":{"command":"rm -rf /"},"session":"s1","agent":"claude","dir":"/w",` +
		`"decision":"deny","decided_by":"policy","reason":"hardline","rule":"root-delete","stage":"hardline","revision":"r1",`
	if !strings.HasPrefix(string(got), want) {
		t.Errorf("entry\n%s\nwant\n%s", got, want)
	}
	if e.Detail["call_id"] != "toolu_1" || e.Detail["via"] != "hook" || e.Detail[Took] != "1" || e.Detail["risk"] != "high" || e.Detail["why"] == "" {
		t.Errorf("detail %v", e.Detail)
	}
	again := Entry(From{Actor: "uid:7", Via: "hook"}, &o)
	if !isID(id) || len(id) != 36 || again.Detail[ID] == id {
		t.Errorf("ids %q and %q", id, again.Detail[ID])
	}
	if _, err := audit.Next(nil, Collected(e, "token:m1", "spool-1", noon.Add(time.Hour))); err != nil {
		t.Error(err)
	}
}

// A line is bounded also where every byte is written as six.
func TestEntryOfControls(t *testing.T) {
	text := strings.Repeat("\x01", 1<<16)
	c := policy.Call{ID: text, Tool: text, Session: text, Agent: text, Dir: text, Input: map[string]any{"a": text[:5000]}}
	v := policy.Verdict{Rule: text, Why: text, Revision: text, Origin: policy.Origin{File: text}}
	e := Entry(From{Actor: text, Via: text, By: text, Request: text, Receipt: text}, &policy.Outcome{Call: c, Verdict: v, Time: noon})
	line, err := Encode(&e)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(line); err != nil || len(line) > maxLine {
		t.Errorf("%d bytes, %v", len(line), err)
	}
}

// What is secret is in no byte of an entry, wherever it stands, and also where it
// is cut.
func TestEntryHidesSecrets(t *testing.T) {
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	for _, pad := range []int{0, maxText - 20, 4<<10 - 20, 8<<10 - 20, 40 << 10} {
		text := strings.Repeat("x ", pad/2) + secret
		c := &policy.Call{
			Tool: "write", Input: map[string]any{"file_path": "/w/a", "content": text, "note": text, "list": []any{text}},
			ID: secret, Dir: "/w/" + secret, Session: text, Agent: text,
		}
		o := policy.Outcome{Call: *c, Verdict: policy.Verdict{Why: text, Rule: text}, Time: noon}
		e := Entry(From{Actor: text, Via: "hook", By: text, Request: text, Receipt: text}, &o)
		line, err := Encode(&e)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(line), secret) || strings.Contains(string(line), secret[:20]) {
			t.Errorf("%d bytes before it: the secret is in %d bytes", pad, len(line))
		}
		if len(line) > maxLine {
			t.Errorf("%d bytes before it: a line of %d bytes", pad, len(line))
		}
		if _, err := Decode(line); err != nil {
			t.Errorf("%d bytes before it: %v", pad, err)
		}
		if pad == 0 && e.Detail["masked"] == "" {
			t.Error("nothing says that something was masked")
		}
	}
}

func TestEntryIsBounded(t *testing.T) {
	many := make(map[string]any)
	for i := range 1000 {
		many[strings.Repeat("k", i)] = strings.Repeat("v", 5000)
	}
	for name, c := range map[string]policy.Call{
		"content": {Tool: "write", Input: map[string]any{"content": strings.Repeat("a", 1<<20)}},
		"command": {Tool: "shell", Input: map[string]any{"command": strings.Repeat("a", 1<<20)}},
		"many":    {Tool: "mcp__x__y", Input: many},
		"texts":   {Tool: strings.Repeat("t", 1<<20), Session: strings.Repeat("s", 1<<20), Dir: "/" + strings.Repeat("d", 1<<20)},
		"no JSON": {Tool: "shell", Input: map[string]any{"command": make(chan int)}},
		"no text": {Tool: "shell\xff\x00", Input: map[string]any{"command": "a\xffb\x00"}},
	} {
		e := Entry(From{Actor: "uid:7"}, &policy.Outcome{Call: c, Time: noon})
		line, err := Encode(&e)
		if err != nil || len(line) > maxLine {
			t.Errorf("%s: %d bytes, %v", name, len(line), err)
		}
		if _, err := Decode(line); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := audit.Next(nil, Collected(e, "uid:7", "s", noon)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if name != "texts" && name != "no text" && e.Detail["cut"] == "" {
			t.Errorf("%s: nothing says that something was cut: %v", name, e.Detail)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	o := policy.Outcome{Call: *policy.Shell("ls", "/w"), Time: noon}
	for want, change := range map[string]func(*audit.Entry){
		"":                    func(*audit.Entry) {},
		"kind":                func(e *audit.Entry) { e.Kind = audit.KindDecision },
		"time is missing":     func(e *audit.Entry) { e.Time = time.Time{} },
		"actor is missing":    func(e *audit.Entry) { e.Actor = "" },
		"detail.id":           func(e *audit.Entry) { e.Detail[ID] = "" },
		"detail.id ":          func(e *audit.Entry) { e.Detail[ID] = "a b" },
		"detail.id  ":         func(e *audit.Entry) { e.Detail[ID] = strings.Repeat("a", 65) },
		"detail has the key":  func(e *audit.Entry) { e.Detail["token_id"] = "x" },
		"detail has the key ": func(e *audit.Entry) { e.Detail["via why"] = "x" },
		"decided_by":          func(e *audit.Entry) { e.DecidedBy = "token:ann" },
		"request_id":          func(e *audit.Entry) { e.RequestID = "req_1" },
		"request_id ":         func(e *audit.Entry) { e.DecidedAt = &noon },
		"request_id  ":        func(e *audit.Entry) { e.RequestHash = "x" },
		"request_id   ":       func(e *audit.Entry) { e.ExecutionResult = "x" },
		"does not go with":    func(e *audit.Entry) { e.Decision = "allow" },
		"does not go with ":   func(e *audit.Entry) { e.Reason = "none" },
		"decision":            func(e *audit.Entry) { e.Decision = "yes" },
		"reason":              func(e *audit.Entry) { e.Reason = "yes" },
		"stage":               func(e *audit.Entry) { e.Stage = "yes" },
		"bytes are more than": func(e *audit.Entry) { e.Dir = strings.Repeat("a", maxLine) },
	} {
		e := Entry(From{Actor: "uid:7"}, &o)
		change(&e)
		line, err := Encode(&e)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Decode(line)
		if want := strings.TrimSpace(want); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v", want, err)
		}
	}
	for _, line := range []string{"", "{", "[]", `{"kind":"verdict","kind":"verdict"}`, `{"kind":"verdict","seq":1}`} {
		if _, err := Decode([]byte(line)); err == nil {
			t.Errorf("%q is taken", line)
		}
	}
}

// A line of the largest size is read, and one of a byte more is not.
func TestLongestLine(t *testing.T) {
	e := Entry(From{Actor: "uid:7"}, &policy.Outcome{Call: *policy.Shell("ls", "/w"), Time: noon})
	line, err := Encode(&e)
	if err != nil {
		t.Fatal(err)
	}
	e.Dir += strings.Repeat("a", maxLine-len(line))
	for _, more := range []string{"", "a"} {
		e.Dir += more
		line, err := Encode(&e)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = Decode(line); (err == nil) != (len(line) == maxLine) || len(line) != maxLine+len(more) {
			t.Errorf("%d bytes: %v", len(line), err)
		}
	}
}

// Arguments of exactly the size that is kept are kept whole, and of larger ones it is
// said that they are cut.
func TestLargestArguments(t *testing.T) {
	input := map[string]any{}
	for _, name := range []string{"a", "b", "c", "d"} {
		input[name] = strings.Repeat("v", maxArguments/4-len(`"a":"", `))
	}
	of := func() audit.Entry {
		return Entry(From{Actor: "uid:7"}, &policy.Outcome{Call: policy.Call{Tool: "mcp__x__y", Input: input}, Time: noon})
	}
	e := of()
	input["a"] = input["a"].(string) + strings.Repeat("v", maxArguments-len(e.Arguments))
	if e = of(); len(e.Arguments) != maxArguments || e.Detail["cut"] != "" {
		t.Errorf("%d bytes, cut %q", len(e.Arguments), e.Detail["cut"])
	}
	input["a"] = input["a"].(string) + "v"
	if e = of(); len(e.Arguments) == 0 || len(e.Arguments) > maxArguments || e.Detail["cut"] == "" {
		t.Errorf("%d bytes, cut %q", len(e.Arguments), e.Detail["cut"])
	}
}

// The time that a decision took is on record where somebody measured it, as at least
// a microsecond.
func TestTook(t *testing.T) {
	for took, want := range map[time.Duration]string{0: "", 1: "1", 999: "1", 1999: "1", 2000: "2", time.Second: "1000000"} {
		e := Entry(From{Actor: "a"}, &policy.Outcome{Call: *policy.Shell("ls", "/w"), Time: noon, Took: took})
		if got := e.Detail[Took]; got != want {
			t.Errorf("%d ns: %q, want %q", took, got, want)
		}
	}
}

// What masks nothing says nothing of it, and ids have up to 64 bytes.
func TestMarks(t *testing.T) {
	e := Entry(From{Actor: "a"}, &policy.Outcome{Call: *policy.Shell("ls", "/w"), Time: noon})
	if text, ok := e.Detail["masked"]; ok {
		t.Errorf("masked: %q", text)
	}
	for id, want := range map[string]bool{"": false, "a": true, strings.Repeat("a", 64): true, strings.Repeat("a", 65): false, "a b": false, "é": false} {
		if isID(id) != want {
			t.Errorf("%q: %v", id, !want)
		}
	}
}

func TestBatch(t *testing.T) {
	entry := Entry(From{Actor: "uid:7"}, &policy.Outcome{Call: *policy.Shell("ls", "/w"), Time: noon})
	of := func(positions ...int64) *Batch {
		b := &Batch{Source: "s"}
		for _, p := range positions {
			b.Entries = append(b.Entries, Placed{p, entry})
		}
		return b
	}
	long := func(n int) *Batch {
		b := of()
		for i := range n {
			b.Entries = append(b.Entries, Placed{int64(i + 1), entry})
		}
		return b
	}
	wrong := of(1, 2)
	wrong.Entries[1].Entry.Actor = ""
	for _, row := range []struct {
		want  string
		batch *Batch
	}{
		{"", of()}, {"", of(1)}, {"", of(3, 7, math.MaxInt64-1)}, {"", long(MaxBatch)},
		{"source", &Batch{}}, {"source", &Batch{Source: "a b"}},
		{"entries: 201 are more than 200", long(MaxBatch + 1)},
		{"entries[0].position: 0 does not lie behind 0", of(0)},
		{"entries[0].position", of(-1)},
		{"entries[1].position: 5 does not lie behind 5", of(5, 5)},
		{"entries[1].position", of(5, 4)},
		{"entries[0].position", of(math.MaxInt64)},
		{"entries[1].entry: actor is missing", wrong},
	} {
		err := row.batch.Check()
		if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
			t.Errorf("%q: %v", row.want, err)
		}
	}
}

// What waits is handed over in order, up to 64 at once.
func TestQueueBatches(t *testing.T) {
	var sizes []int
	hold, begun := make(chan struct{}), make(chan struct{}, 8)
	q := NewQueue(200, From{Actor: "a"}, func(batch []audit.Entry) error {
		begun <- struct{}{}
		<-hold
		sizes = append(sizes, len(batch))
		return nil
	})
	q.Record(policy.Outcome{Time: noon})
	<-begun // the first is being kept
	for range 130 {
		q.Record(policy.Outcome{Time: noon})
	}
	close(hold)
	if err := q.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []int{1, 64, 64, 2}; !slices.Equal(sizes, want) {
		t.Errorf("%v, want %v", sizes, want)
	}
}

// What cannot be kept is counted, and an end that is not waited for says so.
func TestQueueFails(t *testing.T) {
	hold := make(chan struct{})
	q := NewQueue(8, From{Actor: "a"}, func([]audit.Entry) error { <-hold; return errors.New("full") })
	q.Record(policy.Outcome{Time: noon})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := q.Close(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("closed: %v", err)
	}
	close(hold)
	if err := q.Close(t.Context()); err != nil || q.Dropped() != 1 {
		t.Errorf("%d dropped, %v", q.Dropped(), err)
	}
}

func FuzzDecode(f *testing.F) {
	e := Entry(From{Actor: "uid:7"}, &policy.Outcome{Call: *policy.Shell("ls", "/w"), Time: noon})
	line, _ := Encode(&e)
	f.Add(line)
	f.Fuzz(func(t *testing.T, line []byte) {
		e, err := Decode(line)
		if err != nil {
			return
		}
		r, err := audit.Next(nil, Collected(e, "token:m1", "s", noon))
		if err == nil && (r.Actor != "token:m1" || r.DecidedBy != policyIdentity || r.Kind != audit.KindVerdict) {
			t.Errorf("%q is recorded as %+v", line, r)
		}
	})
}

func TestQueue(t *testing.T) {
	var mu sync.Mutex
	var kept []audit.Entry
	hold := make(chan struct{})
	q := NewQueue(4, From{Actor: "a", Via: "engine"}, func(batch []audit.Entry) error {
		<-hold
		mu.Lock()
		defer mu.Unlock()
		kept = append(kept, batch...)
		return nil
	})
	e, err := policy.New(policy.Defaults(), policy.Options{Recorder: q})
	if err != nil {
		t.Fatal(err)
	}
	const calls = 20
	for range calls {
		if _, err := e.Decide(t.Context(), nil, policy.Shell("rm -rf /", "/w")); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Review(t.Context(), nil, policy.Shell("rm -rf /", "/w")); err != nil { // which is no decision
			t.Fatal(err)
		}
		if _, err := e.Decide(t.Context(), nil, policy.Shell("ls", "/w")); err != nil { // an allow
			t.Fatal(err)
		}
	}
	dropped := q.Dropped()
	close(hold)
	if err := q.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if dropped == 0 || uint64(len(kept))+dropped != calls {
		t.Errorf("%d kept, %d dropped of %d", len(kept), dropped, calls)
	}
	for _, e := range kept {
		if e.Decision != "deny" || e.Actor != "a" || e.Detail["via"] != "engine" {
			t.Errorf("%+v", e)
		}
	}
	q.Record(policy.Outcome{})
	if q.Dropped() != dropped+1 {
		t.Error("what comes after the end is not counted")
	}
}

func BenchmarkRecorder(b *testing.B) {
	q := NewQueue(1024, From{Actor: "a"}, func([]audit.Entry) error { return nil })
	for name, recorder := range map[string]policy.Recorder{"none": nil, "queue": q} {
		s := policy.Defaults()
		s.RecordAllows = 100
		e, err := policy.New(s, policy.Options{Recorder: recorder})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			c := policy.Shell("git status", "/w")
			for b.Loop() {
				_, _ = e.Decide(b.Context(), nil, c)
			}
		})
	}
}

// BenchmarkPut is what a decision waits for.
func BenchmarkPut(b *testing.B) {
	q := NewQueue(1024, From{Actor: "a"}, func([]audit.Entry) error { return nil })
	o := decided(b, policy.Shell("rm -rf /", "/w"))
	b.ReportAllocs()
	for b.Loop() {
		_ = q.Now()
		_ = q.Now()
		q.Record(o)
	}
}

func BenchmarkEntry(b *testing.B) {
	o := decided(b, policy.Shell("git push --force origin main", "/w"))
	b.ReportAllocs()
	for b.Loop() {
		e := Entry(From{Actor: "uid:7", Via: "hook"}, &o)
		if _, err := Encode(&e); err != nil {
			b.Fatal(err)
		}
	}
}
