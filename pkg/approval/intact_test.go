package approval

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// edit changes a request in the store, as SQL would.
func (r *rig) edit(id string, change func(*Request)) {
	r.t.Helper()
	q, err := r.store.get(id)
	if err != nil {
		r.t.Fatal(err)
	}
	change(q)
	if err := r.store.put(q, nil); err != nil {
		r.t.Fatal(err)
	}
}

// A request that was changed to show one call and bind another is neither
// shown nor approved, by nobody and by no silence. It can be denied.
func TestAltered(t *testing.T) {
	other := json.RawMessage(`{"tool":"shell","input":{"command":"rm -rf ~/work"},"dir":"/work","session":"s1"}`)
	for name, change := range map[string]func(*Request){
		"another call": func(q *Request) {
			q.Call = json.RawMessage(strings.Replace(string(q.Call), "make", "ls", 1))
		},
		"another hash":    func(q *Request) { q.Hash, _ = HashOf(call("rm -rf ~/work")) },
		"no call":         func(q *Request) { q.Call = nil },
		"a call and more": func(q *Request) { q.Contract = other },
		"a program":       func(q *Request) { q.Kind = KindContract },
		"another key":     func(q *Request) { q.Call = json.RawMessage(`{"tool":"shell","tools":1}`) },
	} {
		r := newRig(t)
		r.o.Failed = nil
		q := r.submit("make")
		r.edit(q.ID, change)
		if _, err := r.Get(t.Context(), q.ID); !errors.Is(err, ErrAltered) {
			t.Errorf("%s: shown: %v", name, err)
		}
		if list, err := r.List(t.Context(), Filter{}); err != nil || len(list) != 0 {
			t.Errorf("%s: listed: %v", name, err)
		}
		if _, err := r.Decide(t.Context(), q.ID, "token:ann", once); !errors.Is(err, ErrAltered) {
			t.Errorf("%s: approved: %v", name, err)
		}
		if got, err := r.Decide(t.Context(), q.ID, "token:ann", Answer{Word: Rejected}); err != nil || got.State != Denied {
			t.Errorf("%s: denied: %v", name, err)
		}
		q = r.submit("make")
		r.edit(q.ID, func(q *Request) { change(q); q.OnTimeout = Approved })
		r.now.Add(400)
		if _, err := r.Expire(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, _ := r.store.get(q.ID); got.State != TimedOut || got.Receipt != nil {
			t.Errorf("%s: silence makes it %s", name, got.State)
		}
	}
}

// What a request shows beside its call is made of the call.
func TestShownAnew(t *testing.T) {
	r := newRig(t)
	q := r.submit("make deploy")
	r.edit(q.ID, func(q *Request) { q.Title, q.Dir, q.Tool, q.Agent = "shell: ls", "/tmp", "read", "ann" })
	list, err := r.List(t.Context(), Filter{})
	got := r.want(q.ID, Pending)
	if err != nil || got.Title != q.Title || got.Dir != q.Dir || got.Tool != q.Tool || got.Agent != q.Agent || list[0].Title != q.Title {
		t.Errorf("%+v %v", got, err)
	}
	if got, err = r.Decide(t.Context(), q.ID, "token:ann", once); err != nil || got.Title != q.Title {
		t.Errorf("%+v %v", got, err)
	}
}

// Every request is intact as it was submitted.
func TestIntact(t *testing.T) {
	r := newRig(t)
	for _, in := range []Submission{
		{Call: call("make \"<a>\" & 'é\u2028' # \\")},
		{Call: &policy.Call{Tool: "x", ID: "1", Input: map[string]any{"n": json.Number("9007199254740993"), "$f": 1.5, "e": json.Number("1e400"), "l": []any{nil, true}}}},
		{Call: &policy.Call{Tool: "Write", Input: map[string]any{"file_path": "/a", "content": ""}, Record: map[string]any{"type": "file.write"}, OS: "linux"}},
		{Contract: json.RawMessage(`{"b": 1.0, "a": "<&>", "n": 123456789012345678901234567890}`), Title: "a program"},
	} {
		q, err := r.Submit(t.Context(), "token:agent", in)
		if err != nil {
			t.Fatal(err)
		}
		if err := q.intact(); err != nil {
			t.Errorf("%s%s: %v", q.Call, q.Contract, err)
		}
		if _, err := r.Decide(t.Context(), q.ID, "token:ann", once); err != nil {
			t.Error(err)
		}
	}
}
