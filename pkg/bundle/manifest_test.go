package bundle

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestManifest(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 2000) + "1" + strings.Repeat("}", 2000)
	for _, row := range []struct {
		text     string // "" accepts
		manifest string
	}{
		{"", `{}`},
		{"", ` {"revision": "r", "metadata": {"other": {"sequence": -1}}} ` + "\n"},
		{"", `{"revision": "", "roots": ["a", "/b/c/"], "rego_version": 1, "file_rego_versions": {"*.rego": 1}}`},
		{"", `{"rego_version": null, "metadata": null, "unknown_to_opa": 1}`},
		{"", `{"metadata": {"policyctl": {}}}`},
		{"", `{"metadata": {"policyctl": {"sequence": 0}}}`},
		{"", `{"metadata": {"policyctl": {"sequence": 18446744073709551615, "expires": "2026-01-31T12:00:00.5+02:00"}}}`},

		{"ends too early", ``},
		{"line 2, column 16: not JSON", "{\n\"revision\": \"a\",\n}"},
		{"not JSON", `revision: yaml`},
		{"something follows", `{} {}`},
		{"not JSON", "\xef\xbb\xbf{}"},
		{"not valid UTF-8", "{\"revision\": \"\xff\"}"},
		{"is not an object", `null`},
		{"is not an object", `[]`},
		{"is not an object", `"x"`},
		{"correct the type", `{"revision": 5}`},
		{"correct the type", `{"revision": ` + strings.Repeat("9", 5000) + `}`},
		{"correct the type", `{"roots": "a"}`},
		{"correct the type", `{"metadata": []}`},
		{"correct the type", `{"rego_version": 1.5}`},
		{"nests deeper than 1000", `{"metadata": ` + deep + `}`},
		{"nests deeper than 1000", `{"metadata": ` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`},

		{`line 2, column 1: the key "revision" appears twice`, "{\"revision\": \"a\",\n\"revision\": \"b\"}"},
		{`the key "metadata" appears twice`, `{"metadata": {"policyctl": {"sequence": 1}}, "metadata": {}}`},
		{`the key "sequence" appears twice`, `{"metadata": {"policyctl": {"sequence": 9, "sequence": 1}}}`},
		{`the key "expires" appears twice`, `{"metadata": {"policyctl": {"expires": "2026-01-01T00:00:00Z", "\u0065xpires": "2099-01-01T00:00:00Z"}}}`},
		{`the key "policyctl" appears twice`, `{"metadata": {"policyctl": {"sequence": 1}, "policyctl": {}}}`},
		{"the key Revision is not spelt \"revision\"", `{"revision": "a", "Revision": "b"}`},
		{"the key rootſ is not spelt \"roots\"", `{"rootſ": []}`},
		{"the key METADATA is not spelt \"metadata\"", `{"METADATA": {}}`},

		{"rego_version 0 is not supported", `{"rego_version": 0}`},
		{"rego_version 2 is not supported", `{"rego_version": 2}`},
		{"version 0 of x.rego is not supported", `{"file_rego_versions": {"y.rego": 1, "x.rego": 0}}`},
		{"WebAssembly is refused", `{"wasm": [{"entrypoint": "a", "module": "b"}]}`},
		{"one printable line", `{"revision": "a\u001b[31m"}`},
		{"one printable line", `{"revision": "` + strings.Repeat("r", 1025) + `"}`},
		{"overlapped roots", `{"roots": ["a", "a"]}`},
		{"overlapped roots", `{"roots": ["", "a"]}`},
		{"is not a path", `{"roots": ["../a"]}`},
		{"is not a path", `{"roots": ["a\nb"]}`},
		{"do not permit", `{"roots": ["b"]}`},
		{"do not permit", `{"roots": []}`},
		{"do not permit", `{"roots": ["a/module"]}`},

		{"metadata.policyctl: it is not an object", `{"metadata": {"policyctl": 12}}`},
		{"metadata.policyctl: it is not an object", `{"metadata": {"policyctl": null}}`},
		{`unknown key sequnce; did you mean "sequence"?`, `{"metadata": {"policyctl": {"sequnce": 1}}}`},
		{`unknown key Expires; did you mean "expires"?`, `{"metadata": {"policyctl": {"Expires": "x"}}}`},
		{`unknown key expiry; did you mean "expires"?`, `{"metadata": {"policyctl": {"expiry": "x"}}}`},
		{`unknown key built_at; did you mean "built"?`, `{"metadata": {"policyctl": {"built_at": "x"}}}`},
		{`unknown key x; known are sequence, built, expires`, `{"metadata": {"policyctl": {"x": 1}}}`},
		{`unknown key "\n"; known are`, `{"metadata": {"policyctl": {"\n": 1}}}`},
		{`unknown key ""; known are`, `{"metadata": {"policyctl": {"": 1}}}`},

		{"sequence -1 is not a whole number", `{"metadata": {"policyctl": {"sequence": -1}}}`},
		{"sequence 1.0 is not a whole number", `{"metadata": {"policyctl": {"sequence": 1.0}}}`},
		{"sequence 1e3 is not a whole number", `{"metadata": {"policyctl": {"sequence": 1e3}}}`},
		{"sequence 18446744073709551616 is not", `{"metadata": {"policyctl": {"sequence": 18446744073709551616}}}`},
		{"sequence \"9999", `{"metadata": {"policyctl": {"sequence": ` + strings.Repeat("9", 5000) + `}}}`},
		{"sequence is not a number", `{"metadata": {"policyctl": {"sequence": "12"}}}`},
		{"sequence is not a number", `{"metadata": {"policyctl": {"sequence": null}}}`},
		{"sequence is not a number", `{"metadata": {"policyctl": {"sequence": true}}}`},
		{"sequence is not a number", `{"metadata": {"policyctl": {"sequence": [12]}}}`},

		{"expires is not a date", `{"metadata": {"policyctl": {"expires": ""}}}`},
		{"expires is not a date", `{"metadata": {"policyctl": {"expires": null}}}`},
		{"expires is not a date", `{"metadata": {"policyctl": {"expires": 1769860800}}}`},
		{"expires is not a date", `{"metadata": {"policyctl": {"expires": "2026-01-31"}}}`},
		{"expires is not a date", `{"metadata": {"policyctl": {"expires": "2026-02-30T00:00:00Z"}}}`},
		{"expires is not a date", `{"metadata": {"policyctl": {"expires": "2026-01-31T12:00:00"}}}`},
		{"expires is not a date", `{"metadata": {"policyctl": {"expires": "0001-01-01T00:00:00Z"}}}`},
		{"expires is not a date", `{"metadata": {"policyctl": {"expires": "0001-01-01T02:00:00+02:00"}}}`},
		{"built is not a date", `{"metadata": {"policyctl": {"built": "never"}}}`},
		{"expires is not after built", `{"metadata": {"policyctl": {"built": "2026-01-31T12:00:00Z", "expires": "2026-01-31T12:00:00Z"}}}`},
	} {
		_, err := Read(archived("a.rego", "package a", manifestFile, row.manifest), nil, Limits{})
		if row.text == "" && err != nil {
			t.Errorf("%.200s: %v", row.manifest, err)
		}
		if row.text != "" && (!errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), row.text)) {
			t.Errorf("%s: got %v", row.text, err)
		}
		if err != nil && len(err.Error()) > 700 {
			t.Errorf("%s: an error of %d bytes", row.text, len(err.Error()))
		}
	}
}

func TestMetadata(t *testing.T) {
	const manifest = `{"revision": "r", "roots": ["/a/"], "metadata": {"policyctl": {"sequence": 7, "built": "2026-01-31T12:00:00+02:00"}}}`
	b, err := Read(archived("a.rego", "package a", manifestFile, manifest), nil, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if want := time.Date(2026, 1, 31, 10, 0, 0, 0, time.UTC); b.Sequence != 7 || b.Built != want || !b.Expires.IsZero() || b.Roots[0] != "a" {
		t.Errorf("got %+v", b)
	}
}
