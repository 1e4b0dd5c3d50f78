package install

import (
	"testing"

	"github.com/tailscale/hujson"
)

// Why the settings are spliced here: hujson puts what is new on the line of the
// last element, ends that line as Unix does, gives a next element the blanks of
// its own place, and formats all or nothing, with tabs. A row that fails is one
// that hujson could take over.
func TestSplice(t *testing.T) {
	add := func(d *document) string { return d.addMember(d.root, "c", 3) }
	remove := func(d *document) string { return d.removeFrom(d.root, 0) }
	only := func(patch string) func(*hujson.Value) error {
		return func(v *hujson.Value) error { return v.Patch([]byte(patch)) }
	}
	formatted := func(patch string) func(*hujson.Value) error {
		return func(v *hujson.Value) error {
			defer v.Format()
			return v.Patch([]byte(patch))
		}
	}
	const adds, removes = `[{"op":"add","path":"/c","value":3}]`, `[{"op":"remove","path":"/a"}]`
	rows := []struct {
		before, want string
		ours         func(*document) string
		theirs       func(*hujson.Value) error
		loses        string
	}{
		{"{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  \"c\": 3\n}\n", add, only(adds), "{\n  \"a\": 1,\"c\":3\n}\n"},
		{"{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  \"c\": 3\n}\n", add, formatted(adds), "{\n\t\"a\": 1,\n\t\"c\": 3\n}\n"},
		{"{\r\n \"a\": 1\r\n}", "{\r\n \"a\": 1,\r\n \"c\": 3\r\n}", add, only(adds), "{\r\n \"a\": 1,\"c\":3\n}"},
		{`{"a": 1, "b": 2}`, `{"b": 2}`, remove, only(removes), `{ "b": 2}`},
		{"{\"a\": 1\n}", "{}", remove, only(removes), "{\n}"},
	}
	for _, row := range rows {
		d, err := parse(row.before)
		if err != nil {
			t.Fatal(err)
		}
		if got := row.ours(d); got != row.want {
			t.Errorf("%q becomes %q, not %q", row.before, got, row.want)
		}
		v, err := hujson.Parse([]byte(row.before))
		if err != nil {
			t.Fatal(err)
		}
		if err := row.theirs(&v); err != nil || string(v.Pack()) != row.loses {
			t.Errorf("hujson makes %q of %q, no longer %q: %v", v.Pack(), row.before, row.loses, err)
		}
	}
}

// Comments stay where they are: behind the element that they follow.
func TestSpliceComments(t *testing.T) {
	rows := []struct{ before, added, removed string }{
		{"{\n  \"a\": 1, // one\n  \"b\": 2 // two\n}", "{\n  \"a\": 1, // one\n  \"b\": 2, // two\n  \"c\": 3\n}", "{ // one\n  \"b\": 2 // two\n}"},
		{"{\n  // none\n}", "{\n  // none\n  \"c\": 3\n}", ""},
		{`{"a": 1 /* x, y */, "b": 2}`, `{"a": 1 /* x, y */, "b": 2, "c": 3}`, `{ /* x, y */ "b": 2}`},
		{"{\n  /* a */ \"a\": 1 /* b */\n}", "{\n  /* a */ \"a\": 1, /* b */\n  \"c\": 3\n}", "{\n  /* a */ /* b */\n}"},
	}
	for _, row := range rows {
		d, err := parse(row.before)
		if err != nil {
			t.Fatal(err)
		}
		got := d.addMember(d.root, "c", 3)
		if got != row.added {
			t.Errorf("%q becomes %q, not %q", row.before, got, row.added)
		}
		if row.removed != "" {
			if got := d.removeFrom(d.root, 0); got != row.removed {
				t.Errorf("%q without its first becomes %q, not %q", row.before, got, row.removed)
			}
		}
		with, err := parse(got)
		if err != nil {
			t.Fatal(err)
		}
		if back := with.removeFrom(with.root, len(with.root.Items)-1); back != row.before {
			t.Errorf("%q comes back as %q", row.before, back)
		}
	}
}
