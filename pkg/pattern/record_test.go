package pattern

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/record"
)

func decoded(t *testing.T, text string) (*record.Record, error) {
	t.Helper()
	var m map[string]any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&m); err != nil {
		t.Fatal(err)
	}
	return record.Decode(m)
}

// TestUnknownPaths shows which paths a rule cannot look at.
func TestUnknownPaths(t *testing.T) {
	for _, tc := range []struct{ unknown, path, want string }{
		{`"x.a"`, `x.a`, "unknown"},
		{`"facets.x.a"`, `x.a`, "unknown"},
		{`"x.a"`, `facets.x.a`, "unknown"},
		{`"x"`, `x.a`, "unknown"},
		{`"x.a"`, `x.a.k`, "unknown"},
		{`"x.a.k"`, `x.a`, "unknown"},
		{`"x.\"a\""`, `x.a`, "unknown"},
		{`"x.a"`, `x."a"`, "unknown"},
		{`"x.a[0]"`, `x.a`, "unknown"}, // which is no list
		{`"x[0]"`, `x.a`, "unknown"},   // which is no list either
		{`"facets.\"x\".\"\\u0061\""`, `x.a`, "unknown"},
		{`"\"x\""`, `x.a`, "unknown"},
		{`"facets"`, `x.a`, "unknown"},
		{`"facets"`, `verb`, "true"},
		{`"facets.facets"`, `x.a`, "true"},
		{`"facets.facets.a"`, `facets.facets.a`, "unknown"},
		{`"x.\"d.\\\"[t\""`, `x."d.\"[t"`, "unknown"},
		{`"verb"`, `verb`, "unknown"},
		{`"x.b"`, `x.a`, "true"},
		{`"x.ab"`, `x.a`, "true"},
		{`"xx"`, `x.a`, "true"},
		{`"x.l[1]"`, `x.l`, "true"},
		{`"x.l[9]"`, `x.l`, "true"},
	} {
		r, err := decoded(t, `{"verb": "v", "facets": {"x": {"a": "1", "l": [1, 2]}}, "unknown": [`+tc.unknown+`]}`)
		if err != nil {
			t.Errorf("%s: %v", tc.unknown, err)
			continue
		}
		key, err := json.Marshal(tc.path)
		if err != nil {
			t.Fatal(err)
		}
		if c := compile(t, `{"x.l": {"contains": 3}}`); strings.Contains(tc.unknown, "x.l[") && c.Eval(r, nil) != Unknown {
			t.Errorf("with %s not known x.l does not hold 3", tc.unknown)
		}
		c := compile(t, `{`+string(key)+`: {"exists": true}}`)
		if got := c.Eval(r, nil); got.String() != tc.want {
			t.Errorf("%s with %s not known is %s, not %s", tc.path, tc.unknown, got, tc.want)
		}
	}
}

// A record that was made by hand may name what is unknown in any spelling, and
// what cannot be read hides everything in the facets.
func TestUnknownByHand(t *testing.T) {
	c := compile(t, `{"x.a": {"exists": true}}`)
	for unknown, want := range map[string]Truth{`x."a"`: Unknown, `facets."x".a`: Unknown, `"x"`: Unknown, `x."a`: Unknown, `x."b"`: True} {
		r := &record.Record{Facets: map[string]map[string]any{"x": {"a": "1"}}, Unknown: []string{unknown}}
		if got := c.Eval(r, nil); got != want {
			t.Errorf("with %s not known x.a exists is %s, not %s", unknown, got, want)
		}
	}
}

// Null in a list of texts is an element that is unknown, and stays null.
func TestOpenTexts(t *testing.T) {
	r, err := decoded(t, `{"facets": {"shell": {"argv": ["make", null]}}}`)
	if err != nil {
		t.Fatal(err)
	}
	for condition, want := range map[string]Truth{`{"contains": "make"}`: True, `{"contains": "deploy"}`: Unknown, `{"notContains": "deploy"}`: Unknown} {
		c := compile(t, `{"shell.argv": `+condition+`}`)
		if got := c.Eval(r, nil); got != want {
			t.Errorf("%s is %s, not %s", condition, got, want)
		}
	}
	text, err := json.Marshal(r)
	if want := `"argv":["make",null]}},"unknown":["shell.argv[1]"]}`; err != nil || !strings.HasSuffix(string(text), want) {
		t.Errorf("got %s, %v; want it to end with %s", text, err, want)
	}
}

// Each null in a list of a record is named among what is unknown: rules say
// the same of the record and of what is read from its JSON.
func TestElementBehindList(t *testing.T) {
	r, err := decoded(t, `{"tags": ["a"], "facets": {"shell": {"argv": []}, "x": {"l": ["v", null]}}, "unknown": ["tags[1]", "shell.argv[2]", "x.l[3]"]}`)
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.MarshalJSON()
	if want := `{"sensitivity":"mutate","tags":["a",null],"facets":{"shell":{"argv":[]},"x":{"l":["v",null]}},"unknown":["tags[1]","shell.argv[2]","x.l[3]"]}`; err != nil || string(text) != want {
		t.Errorf("got %s, %v; want %s", text, err, want)
	}
	again, err := decoded(t, string(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, condition := range []string{
		`{"tags": {"contains": "b"}}`, `{"tags": {"contains": "a"}}`, `{"shell.argv": {"equals": []}}`, `{"shell.argv": {"notContains": "x"}}`,
		`{"x.l": {"in": [null]}}`, `{"x.l": {"contains": "w"}}`, `{"x.l": {"equals": ["v", null]}}`,
	} {
		c := compile(t, condition)
		if before, after := c.Eval(r, nil), c.Eval(again, nil); before != after {
			t.Errorf("%s: %v, and %v of what is read again", condition, before, after)
		}
	}
}
