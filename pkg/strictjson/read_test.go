package strictjson_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

func limits(f strictjson.Fault) strictjson.Options {
	if f == strictjson.Values {
		return strictjson.Options{Values: 9}
	}
	return strictjson.Options{Folded: true}
}

func TestRefused(t *testing.T) {
	deep := strings.Repeat("[", 65)
	for _, r := range []struct {
		fault strictjson.Fault
		want  string
		text  string
	}{
		{"duplicate", `column 8: the key "a" appears twice: keep one`, `{"a":1,"a":2}`},
		{"duplicate", `column 14: the key "a" appears twice: keep one`, `{"b":[{"a":1,"\u0061":1}]}`},
		{"duplicate", `line 2, column 3: the key "é" appears twice: keep one`, "{\"é\":1,\n  \"é\":2}\n"},
		{"duplicate", `column 9: the keys "aB" and "ab" differ only in case`, `{"aB":1,"ab":2}`},
		{"duplicate", `column 8: the keys "k" and "` + "\u212a" + `" differ only in case`, `{"k":1,"` + "\u212a" + `":2}`},
		{"depth", `column 65: the JSON nests deeper than 64 levels`, deep + "1"},
		{"surrogate", `column 7: half of a surrogate pair, \ud800: \ud800 to \udfff come in pairs`, `{"a":"\ud800"}`},
		{"surrogate", `\uDC00`, `"ab\uDC00"`},
		{"surrogate", `\ude00`, `"\ude00\ud83d"`},
		{"surrogate", `\ud83d`, `"\ud83dx\ude00"`},
		{"surrogate", `\ud83d`, `"\ud83d\ude00\ud83d"`},
		{"surrogate", `\ud800`, `"\\\ud800"`},
		{"surrogate", `\ud800`, `{"\ud800":1}`},
		{"surrogate", `\ud800`, `"\ud800\u0041"`},
		{"encoding", `column 3: the JSON is not valid UTF-8`, "\"a\xff\""},
		{"encoding", `column 2: the JSON is not valid UTF-8`, "\"\xed\xa0\x80\""},
		{"truncated", `column 9: the JSON ends too early`, `{"a":"b"`},
		{"truncated", `column 5: the JSON ends too early`, `"abc`},
		{"truncated", `column 1: the JSON ends too early`, ``},
		{"trailing", `line 2, column 1: something follows the JSON: remove it`, "{}\n{}"},
		{"trailing", `column 3: something follows`, `{}]`},
		{"syntax", `column 6: not JSON: invalid character`, `{"a":x}`},
		{"syntax", `column 4: not JSON: invalid character ','`, `[1,,2]`},
		{"syntax", `column 3: not JSON: invalid character ','`, `[1,]`},
		{"syntax", `column 7: not JSON: invalid character ','`, `{"a":1,}`},
		{"syntax", `not JSON: `, `[1 2]`},
		{"syntax", `not JSON: `, `{"a" 1}`},
		{"syntax", `not JSON: `, `{"a":1 "b":2}`},
		{"syntax", `not JSON: `, `{1:2}`},
		{"syntax", `not JSON: `, `[01]`},
		{"syntax", `not JSON: `, `[1}`},
		{"syntax", `not JSON: `, "\"a\nb\""},
		{"syntax", `column 1: JSON has no comments`, `// x`},
		{"syntax", `not JSON: `, "\ufeff{}"},
		{"syntax", `not JSON: `, `nulx`},
		{"values", `the JSON holds more than 9 keys and values`, `[1,2,3,4,{"a":1,"b":2,"c":3}]`},
	} {
		_, err := strictjson.Count([]byte(r.text), limits(r.fault))
		if e, ok := errors.AsType[*strictjson.Error](err); !ok || e.Fault != r.fault || !strings.Contains(err.Error(), r.want) {
			t.Errorf("%s: %v, want %s: %s", r.text, err, r.fault, r.want)
		}
		if _, err2 := strictjson.Read([]byte(r.text), limits(r.fault)); err2 == nil || err2.Error() != err.Error() {
			t.Errorf("%s: with places it is %v, not %v", r.text, err2, err)
		}
	}
}

// What is sound is read alike with and without places, and by encoding/json.
func TestValue(t *testing.T) {
	for _, text := range []string{
		`null`, ` true `, `false`, `"a\ud83d\ude00\n\u00e9 \\ud800"`, `-1.50e+3`, `[]`, `{}`, strings.Repeat("[", 64) + "1" + strings.Repeat("]", 64), `[1,"b",[null,{}],{"a":{"A":[true]}}]`,
		"{\"a\": 1,\r\n\t\"b\": [ ] }\n", `{"":0}`, strings.Repeat("[", 64) + strings.Repeat("]", 64),
	} {
		got, err := strictjson.Value([]byte(text), strictjson.Options{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		var want any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(want, got) { // which does not take long for what nests
			t.Errorf("%s: %v", text, got)
		}
		n, err := strictjson.Read([]byte(text), strictjson.Options{})
		if !reflect.DeepEqual(want, n.Value()) || err != nil || text[n.From:n.To] != strings.TrimSpace(text) {
			t.Errorf("%s: with places: %v %v", text, n.Value(), err)
		}
	}
}

func TestPlaces(t *testing.T) {
	text := "{\"é\": [1,\n  {\"b\" : \"x\"}]}"
	n, err := strictjson.Read([]byte(text), strictjson.Options{})
	if err != nil {
		t.Fatal(err)
	}
	inner := &n.Get("é").Items[1]
	b := inner.Get("b")
	if got := text[inner.From:inner.To]; got != `{"b" : "x"}` || inner.Line != 2 || inner.Column != 3 {
		t.Errorf("%s %d:%d", got, inner.Line, inner.Column)
	}
	if key := inner.Keys[0]; text[key.From:key.To] != `"b"` || key.Column != 4 || b.Column != 10 || text[b.From:b.To] != `"x"` || b.Text != "x" {
		t.Errorf("%+v %+v", key, b)
	}
	if n.Get("é", "b") != nil || n.Get("x") != nil || inner.Index("x") != -1 {
		t.Error("what is not there is found")
	}
}

func TestDecode(t *testing.T) {
	type form struct {
		A int `json:"a"`
		V any `json:"v"`
	}
	for _, r := range []struct{ closed, open, text string }{
		{"", "", `{"a":1,"v":{"x":1.0}}`},
		{"unknown field", "", `{"a":1,"b":2}`},
		{"", "", `{"v":{"x":1,"X":2}}`},
		{"appears twice", "appears twice", `{"a":1,"a":2}`},
		{"something follows", "something follows", `{"a":1} 2`},
		{"cannot unmarshal string", "cannot unmarshal string", `{"a":"x"}`},
	} {
		for want, decode := range map[*string]func([]byte, any) error{&r.closed: strictjson.Decode, &r.open: strictjson.DecodeOpen} {
			var f form
			if err := decode([]byte(r.text), &f); *want == "" && err != nil || *want != "" && (err == nil || !strings.Contains(err.Error(), *want)) {
				t.Errorf("%s: %v, want %q", r.text, err, *want)
			}
		}
	}
}

func TestMembers(t *testing.T) {
	for text, want := range map[string][]string{
		`{"x":1,"id":"a","y":2}`: {`"a"`}, `{"id":1,"id":{"a":[ 2]}}`: {"1", `{"a":[ 2]}`}, `{"id":1,"x":`: {"1"}, `{"a":1,"a":1,"id":5} x`: {"5"},
		`{"a":"\ud800","id":5`: {"5"}, "{\"a\":\"\xff\",\"id\":5": {"5"}, `[{"id":1}]`: nil, `{"a":{"id":1}}`: nil, `{"id":`: nil, ``: nil, `{"\u0069d":7}`: {"7"},
	} {
		var got []string
		for _, v := range strictjson.Members([]byte(text), "id") {
			got = append(got, string(v))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// No text is read that encoding/json does not read, and to the same value.
func FuzzValue(f *testing.F) {
	for _, s := range []string{`"\ud800"`, `"\`, "\xff", `{"a":[1,{"b":null}]}`, `{"a":1,"a":2}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := strictjson.Value(data, strictjson.Options{})
		n, err2 := strictjson.Read(data, strictjson.Options{})
		if (err == nil) != (err2 == nil) {
			t.Fatalf("%q: %v, with places %v", data, err, err2)
		}
		if err != nil {
			return
		}
		var want any
		d := json.NewDecoder(strings.NewReader(string(data)))
		d.UseNumber()
		if err := d.Decode(&want); err != nil || !reflect.DeepEqual(want, got) || !reflect.DeepEqual(want, n.Value()) {
			t.Errorf("%q: %v, %v", data, got, err)
		}
	})
}

func TestCount(t *testing.T) {
	text := []byte(`{"a":[1,{"b":null}],"c":""}`)
	if n, err := strictjson.Count(text, strictjson.Options{Values: 9}); n != 9 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := strictjson.Count(text, strictjson.Options{Values: 8}); err == nil || !strings.Contains(err.Error(), "more than 8 keys") {
		t.Errorf("%v", err)
	}
}

func TestPath(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":[0,{"b c":{"d":1,"d":2}}]}`: `a[1]["b c"].d`, `[1,[2,"\ud800"]]`: "[1][1]", `{"a":1,"a":2}`: "a", `{} x`: "",
	} {
		_, err := strictjson.Read([]byte(text), strictjson.Options{})
		if e, ok := errors.AsType[*strictjson.Error](err); !ok || e.Path.String() != want {
			t.Errorf("%s: %v at %s, want %s", text, err, e.Path, want)
		}
	}
	if got := strictjson.Pointer("/a", "b/c~"); got != "/a/b~1c~0" {
		t.Error(got)
	}
}

func TestSequence(t *testing.T) {
	var got []any
	for n, err := range strictjson.Sequence([]byte(" 1 {\"a\":2}\n[3] {\"a\":1,\"a\":1} 4"), strictjson.Options{}) {
		if err != nil {
			got = append(got, err.Error())
			continue
		}
		got = append(got, n.Value())
	}
	want := []any{json.Number("1"), map[string]any{"a": json.Number("2")}, []any{json.Number("3")}, `line 2, column 12: the key "a" appears twice: keep one`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
