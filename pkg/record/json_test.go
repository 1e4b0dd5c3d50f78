package record_test

import (
	"encoding/json"
	"reflect"
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

// TestRecordRoundTrip shows records as they are written back.
func TestRecordRoundTrip(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{`{}`, `{"sensitivity":"mutate"}`},
		{`{"unknown": ["facets.http.headers.\"a\"", "shell", "x.\"a.b\"[2]"], "tags": ["b", "a"], "type": "t"}`,
			`{"type":"t","sensitivity":"mutate","tags":["b","a"],"unknown":["http.headers.a","shell","x.\"a.b\"[2]"]}`},
		{`{"facets": {"sql": {"verb": "DROP", "tables": ["a<b"]}, "http": {"status": 200, "body": {"n": 1.50, "z": [null, true]}, "url": null}}, "sensitivity": "read", "primary": "sql", "verb": "v", "summary": "s", "description": "d"}`,
			`{"summary":"s","description":"d","verb":"v","sensitivity":"read","primary":"sql","facets":{"http":{"body":{"n":1.50,"z":[null,true]},"status":200,"url":null},"sql":{"tables":["a<b"],"verb":"DROP"}}}`},
	} {
		r, err := decoded(t, tc.in)
		if err != nil {
			t.Errorf("%s: %v", tc.in, err)
			continue
		}
		got, err := r.MarshalJSON()
		if err != nil || string(got) != tc.want {
			t.Errorf("%s\n got %s, %v\nwant %s", tc.in, got, err, tc.want)
		}
		if again, err := decoded(t, string(got)); err != nil || !reflect.DeepEqual(again, r) {
			t.Errorf("%s becomes %+v, %v", got, again, err)
		}
	}
}

func TestRecordProblems(t *testing.T) {
	for _, tc := range [][2]string{
		{`{"facet": {}}`, `unknown key "facet" of a record: one of type, summary, description, verb, sensitivity, primary, tags, facets, unknown (did you mean facets?)`},
		{`{"http": {}}`, `http is a facet: it belongs below facets in a record`},
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
		{`{"unknown": ["shell.argv[x]"]}`, `"shell.argv[x]": an index between brackets starts at 0 and has at most 9 digits`},
		{`{"unknown": ["shell.argv[01]"]}`, `"shell.argv[01]": an index between brackets starts at 0 and has at most 9 digits`},
		{`{"unknown": ["x.a[1].b"]}`, `"x.a[1].b": the index of an element may only end a path`},
		{`{"unknown": [""]}`, `the path "" has an empty key`},
		{`{"tags": "a", "verb": 1}`, "tags takes a list of texts, not the text \"a\"\nverb takes a text, not the number 1"},
	} {
		_, err := decoded(t, tc[0])
		if err == nil || err.Error() != tc[1] {
			t.Errorf("%s\n got %v\nwant %s", tc[0], err, tc[1])
		}
	}
	if _, err := record.Decode(map[string]any{"facets": map[string]any{"x": map[string]any{"y": struct{}{}}}}); err == nil || err.Error() != "record: a value of the type struct {} is not JSON" {
		t.Errorf("a struct: %v", err)
	}
	deep := any("x")
	for range 70 {
		deep = []any{deep}
	}
	if _, err := record.Decode(map[string]any{"facets": deep}); err == nil || err.Error() != "record: nested more than 64 levels deep" {
		t.Errorf("a deep value: %v", err)
	}
}
