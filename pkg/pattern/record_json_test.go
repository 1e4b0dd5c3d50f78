package pattern

import (
	"encoding/json"
	"strings"
	"testing"
)

func record(t *testing.T, text string) (*Record, error) {
	t.Helper()
	var m map[string]any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&m); err != nil {
		t.Fatal(err)
	}
	return DecodeRecord(m)
}

// TestRecordRoundTrip shows records as they are written back.
func TestRecordRoundTrip(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{`{}`, `{"sensitivity":"mutate"}`},
		{`{"unknown": ["facets.http.headers.\"a\"", "shell", "x.\"a.b\"[2]"], "tags": ["b", "a"], "type": "t"}`,
			`{"type":"t","sensitivity":"mutate","tags":["b","a"],"unknown":["http.headers.a","shell","x.\"a.b\"[2]"]}`},
		{`{"facets": {"sql": {"verb": "DROP", "tables": ["a<b"]}, "http": {"status": 200, "body": {"n": 1.50, "z": [null, true]}, "url": null}}, "sensitivity": "read", "primary": "sql", "verb": "v", "summary": "s", "description": "d"}`,
			`{"summary":"s","description":"d","verb":"v","sensitivity":"read","primary":"sql","facets":{"http":{"body":{"n":1.50,"z":[null,true]},"status":200,"url":null},"sql":{"tables":["a<b"],"verb":"DROP"}}}`},
	} {
		r, err := record(t, tc.in)
		if err != nil {
			t.Errorf("%s: %v", tc.in, err)
			continue
		}
		got, err := r.MarshalJSON()
		if err != nil || string(got) != tc.want {
			t.Errorf("%s\n got %s, %v\nwant %s", tc.in, got, err, tc.want)
		}
		if again, err := record(t, string(got)); err != nil || asJSON(again) != asJSON(r) {
			t.Errorf("%s becomes %s, %v", got, asJSON(again), err)
		}
	}
}

func TestRecordProblems(t *testing.T) {
	for _, tc := range [][2]string{
		{`{"facet": {}}`, `unknown key "facet" of a record: one of type, summary, description, verb, sensitivity, primary, tags, facets, unknown (did you mean facets?)`},
		{`{"http": {}}`, `http is a facet: it stands below facets in a record`},
		{`{"type": 1}`, `type takes a text, not the number 1`},
		{`{"verb": null}`, `verb takes a text, not nothing`},
		{`{"sensitivity": "reed"}`, `sensitivity is one of destructive, mutate, write, read, not the text "reed" (did you mean read?)`},
		{`{"tags": "a"}`, `tags takes a list of texts, not the text "a"`},
		{`{"tags": ["a", 1]}`, `tags takes a list of texts; here is the number 1`},
		{`{"facets": []}`, `facets takes a mapping of facets, not a list`},
		{`{"facets": {"http": "x"}}`, `the facet http is a mapping of fields, not the text "x"`},
		{`{"facets": {"http": {"methd": "x"}}}`, `unknown field "http.methd": the facet http has method, url, scheme, host, port, path, query, status, headers, body (did you mean http.method?)`},
		{`{"facets": {"http": {"method": ["x"]}}}`, `http.method takes a text, not a list`},
		{`{"facets": {"http": {"status": "200"}}}`, `http.status takes a number, not the text "200"`},
		{`{"facets": {"http": {"headers": "x"}}}`, `http.headers takes a mapping, not the text "x"`},
		{`{"facets": {"shell": {"argv": "ls"}}}`, `shell.argv takes a list of texts, not the text "ls"`},
		{`{"unknown": "shell"}`, `unknown takes a list of texts, not the text "shell"`},
		{`{"unknown": ["shell.args"]}`, `unknown field "shell.args": the facet shell has program, argv, command, dir, context, writes, reads, hosts, dangerous, line (did you mean shell.argv?)`},
		{`{"unknown": ["shell.argv[x]"]}`, `"shell.argv[x]": between brackets stands the place of an element, from 0 and of at most 9 digits`},
		{`{"unknown": ["shell.argv[01]"]}`, `"shell.argv[01]": between brackets stands the place of an element, from 0 and of at most 9 digits`},
		{`{"unknown": ["x.a[1].b"]}`, `"x.a[1].b": the place of an element stands at the end of a path only`},
		{`{"unknown": [""]}`, `the path "" has an empty key`},
		{`{"tags": "a", "verb": 1}`, "tags takes a list of texts, not the text \"a\"\nverb takes a text, not the number 1"},
	} {
		_, err := record(t, tc[0])
		if err == nil || err.Error() != tc[1] {
			t.Errorf("%s\n got %v\nwant %s", tc[0], err, tc[1])
		}
	}
	if _, err := DecodeRecord(map[string]any{"facets": map[string]any{"x": map[string]any{"y": struct{}{}}}}); err == nil || err.Error() != "record: a value of the type struct {} is none of JSON" {
		t.Errorf("a struct: %v", err)
	}
	deep := any("x")
	for range 70 {
		deep = []any{deep}
	}
	if _, err := DecodeRecord(map[string]any{"facets": deep}); err == nil || err.Error() != "record: nested more than 64 levels deep" {
		t.Errorf("a deep value: %v", err)
	}
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
		r, err := record(t, `{"verb": "v", "facets": {"x": {"a": "1", "l": [1, 2]}}, "unknown": [`+tc.unknown+`]}`)
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

// A record that was made by hand may name what is not known in any spelling, and
// what cannot be read hides everything in the facets.
func TestUnknownByHand(t *testing.T) {
	c := compile(t, `{"x.a": {"exists": true}}`)
	for unknown, want := range map[string]Truth{`x."a"`: Unknown, `facets."x".a`: Unknown, `"x"`: Unknown, `x."a`: Unknown, `x."b"`: True} {
		r := &Record{Facets: map[string]map[string]any{"x": {"a": "1"}}, Unknown: []string{unknown}}
		if got := c.Eval(r, nil); got != want {
			t.Errorf("with %s not known x.a exists is %s, not %s", unknown, got, want)
		}
	}
}

// Null in a list of texts is an element that is not known, and stays null.
func TestOpenTexts(t *testing.T) {
	r, err := record(t, `{"facets": {"shell": {"argv": ["make", null]}}}`)
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

// Each null in a list of a record is named among what is not known: rules say
// the same of the record and of what is read from its JSON.
func TestElementBehindList(t *testing.T) {
	r, err := record(t, `{"tags": ["a"], "facets": {"shell": {"argv": []}, "x": {"l": ["v", null]}}, "unknown": ["tags[1]", "shell.argv[2]", "x.l[3]"]}`)
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.MarshalJSON()
	if want := `{"sensitivity":"mutate","tags":["a",null],"facets":{"shell":{"argv":[]},"x":{"l":["v",null]}},"unknown":["tags[1]","shell.argv[2]","x.l[3]"]}`; err != nil || string(text) != want {
		t.Errorf("got %s, %v; want %s", text, err, want)
	}
	again, err := record(t, string(text))
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
