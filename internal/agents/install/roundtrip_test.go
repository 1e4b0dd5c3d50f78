package install

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// What install adds, uninstall removes, to the byte.
func TestRoundTrip(t *testing.T) {
	texts := []string{
		"", " \n", "{}", "{ }\n", "{\n}\n", `{"a":1}`, `{"a": 1, "b": [1.0, 1e5, "\u00e9"]}`,
		"{\n\t\"a\": {\n\t\t\"b\": []\n\t}\n}", "{\r\n    \"a\": 1\r\n}\r\n", "{\n  \"a\": 1}", "{\"a\": 1,\n \"b\": 2\n}",
		`{"hooks":{}}`, "{\"hooks\": { \n } }", "{\n  \"hooks\": {\n    \"PreToolUse\": [],\n    \"PermissionRequest\": [ ]\n  }\n}\n",
		`{"hooks":{"Stop":[{"hooks":[]}],"PermissionRequest":[]},"z":null}`, `{"hooks": {"Other": "not ours to judge"}}`,
		`{"disableAllHooks": true, "hooks": {"PreToolUse": []}}`, `{"__proto__": {"hooks": {}}, "": "", " ": " "}`,
		"\r\n\t{\r\n\r\n\t\t\"a\" :\t[ 1E+2 ,-0, 1.50,\"\\/\\ud83d\\ude00\\u2028\"\t]\r\n ,\r\n\t\t\"b\":{}\r\n}\t\r\n\r\n",
		"{\n\n  \"a\": {\"x\": [\n]},\n\n\n  \"z\" : \"<&>\"   \n\n}",
		"{ \"hooks\" :{ \"PreToolUse\":[ \n ] ,\t\"SessionEnd\" : [ { \"hooks\" : [ ] } ]\n}\n,\"a\":1}",
		strings.Repeat(`{"n":[`, 40) + strings.Repeat("]}", 40),
	}
	comments := []string{
		"// mine\n{\n  // keep me\n}\n// end", "{/* a */}", "{ // a, b\r\n}\r\n", `{"a": 1 /* , */, "b": 2 /**/}`,
		"{\n  \"a\": 1 // the last, of all  \n}\n", "{\n  \"a\": [1, /* two */ 2] // \"b\": 3,\n  // \"c\": 4\n}",
		"{\n  \"hooks\": {\n    // none yet\n    \"PreToolUse\": [\n      /* first */ {\"hooks\": []} // second\n    ]\n  }\n}",
	}
	for _, a := range agents() {
		loc, _ := a.location(User, "linux")
		if loc.form != settingsJSON {
			continue // TestOtherForms
		}
		all := texts
		if a.comments {
			all = slices.Concat(texts, comments)
		}
		for _, text := range all {
			r := request(a, newPlace(t))
			put(t, settings(t, r), text)
			if n := apply(t, Install, r); n != 1+len(a.beside) {
				t.Errorf("%s: %q: %d changes", a.Name, text, n)
			}
			if n := apply(t, Install, r); n != 0 {
				t.Errorf("%s: %q: %d changes the second time", a.Name, text, n)
			}
			if got := get(t, settings(t, r)); strings.Count(got, "//") < strings.Count(text, "//") || strings.Count(got, "/*") != strings.Count(text, "/*") {
				t.Errorf("%s: %q lost a comment: %q", a.Name, text, got)
			}
			if n := apply(t, Uninstall, r); n != 1 {
				t.Errorf("%s: %q: %d changes to uninstall", a.Name, text, n)
			}
			if got := get(t, settings(t, r)); got != text {
				t.Errorf("%s: %q has become %q", a.Name, text, got)
			}
		}
	}
}

// A hook that waits is installed with a timeout that leaves it time to answer,
// is healthy, and goes as it came.
func TestWait(t *testing.T) {
	for _, a := range agents() {
		r := installed(t, a.Name)
		before := get(t, settings(t, r))
		r.Wait = 580 * time.Second
		if a.most > 0 && r.Wait+Slack > a.most {
			if _, err := Install(r); err == nil || !strings.Contains(err.Error(), "at most: choose a shorter time") {
				t.Errorf("%s: %v", a.Name, err)
			}
			continue
		}
		if n := apply(t, Install, r); n == 0 {
			t.Errorf("%s: nothing changes", a.Name)
		}
		text, err := get(t, settings(t, r)), error(nil)
		if want := strings.Count(before, r.Command); want == 0 || strings.Count(text, r.Command+" --wait 580s") != want && strings.Count(text, `"580s"]`) != 1 {
			t.Errorf("%s: %s", a.Name, text)
		}
		if loc, _ := a.location(User, "linux"); loc.form != settingsJSON {
			if text, err = asSettings(loc.form, text); err != nil {
				t.Fatal(err)
			}
		}
		d, err := parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range a.allOurs(d) {
			if got := a.wait(h); a.timeoutKey != "" && a.events[0].name == h.event && got != 600*time.Second {
				t.Errorf("%s: %s waits %s", a.Name, h.event, got)
			}
		}
		if got := told(r, Problem, good); got != "" {
			t.Errorf("%s:\n%s", a.Name, got)
		}
		if n := apply(t, Install, r); n != 0 {
			t.Errorf("%s: %d changes the second time", a.Name, n)
		}
		if apply(t, Uninstall, r); has(t, settings(t, r), r.Command) {
			t.Errorf("%s: something is left", a.Name)
		}
	}
}

// has reports whether a file, if there is one, holds a text.
func has(t *testing.T, path, text string) bool {
	t.Helper()
	data, err := os.ReadFile(path)
	return err == nil && strings.Contains(string(data), text)
}

func TestNewlines(t *testing.T) {
	r := request(lookup(t, "claude"), Place{})
	got, err := r.add("{\r\n  \"a\": 1\r\n}\r\n")
	if err != nil || strings.Count(got, "\n") != strings.Count(got, "\r\n") {
		t.Errorf("%q %v", got, err)
	}
}

// The newest of the earlier settings counts.
func TestEarlier(t *testing.T) {
	r := request(lookup(t, "claude"), newPlace(t))
	for i, text := range []string{`{"hooks": {}}`, `{"a": 1}`, `{"hooks": {  }, "a": 1}`} {
		put(t, settings(t, r), text)
		for j, plan := range []func(Request) (*Plan, error){Install, Uninstall} {
			p, err := plan(r)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.Changes[0].Apply(time.Date(2026, 1, 2, 3, i, j, 0, time.UTC)); err != nil {
				t.Fatal(err)
			}
		}
		if got := get(t, settings(t, r)); got != text {
			t.Errorf("%s comes back as %s", text, got)
		}
	}
}

// Whatever the settings are: they are refused, or have one hook of ours for
// each event and, without it, the values of before.
func FuzzAdd(f *testing.F) {
	f.Add("", "claude")
	f.Add(`{"hooks":{"PreToolUse":[{"hooks":[{"command":"/x/policyctl hook codex"},{"command":"a"}]}]}}`, "codex")
	f.Add(`{"version":1,"hooks":{"PreToolUse":[{"bash":"/x/policyctl-hook copilot || true"}]}}`, "copilot")
	f.Add("{\r\n\"a\":[\n1]\t, \"hooks\" : {\"PermissionRequest\":[]}}", "qwen")
	f.Fuzz(func(t *testing.T, text, name string) {
		a, ok := Lookup(name)
		if !ok {
			return
		}
		r := request(a, Place{})
		after, err := r.add(text)
		if err != nil {
			return
		}
		d, err := a.strict(after)
		if err != nil {
			t.Fatalf("%q has become %q: %v", text, after, err)
		}
		for _, e := range a.events {
			ours, err := a.ours(d, e.name)
			if err != nil || len(ours) != 1 || !d.equals(ours[0].node, r.wanted(e)) || !ours[0].everywhere() {
				t.Errorf("%q has %d hooks of ours: %v", after, len(ours), err)
			}
		}
		if again, err := r.add(after); err != nil || again != after {
			t.Errorf("%q becomes %q: %v", after, again, err)
		}
		before, err := a.strict(text)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.allOurs(before)) > 0 {
			return
		}
		back, err := a.remove(after, before)
		if err != nil {
			t.Fatal(err)
		}
		now, err := a.strict(back)
		if err != nil || !reflect.DeepEqual(before.root.Value(), now.root.Value()) {
			t.Errorf("%q comes back as %q: %v", text, back, err)
		}
	})
}
