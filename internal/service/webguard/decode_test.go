package webguard

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"
)

type base struct {
	ID string `json:"id"`
}

// A body has a field of every form that bodies have.
type body struct {
	base
	Decision string            `json:"decision"`
	Uses     int8              `json:"uses,omitempty"`
	Once     bool              `json:"once"`
	Until    *time.Time        `json:"until"`
	Tags     []string          `json:"tags"`
	Env      map[string]string `json:"env"`
	Call     *call             `json:"call"`
	Calls    []call            `json:"calls"`
	Input    map[string]any    `json:"input"`
	Raw      json.RawMessage   `json:"raw"`
	Word     word              `json:"word"`
	Plain    string
	Hidden   string `json:"-"`
}

type call struct {
	Tool string `json:"tool"`
	Args []any  `json:"args"`
}

// A word reads itself.
type word string

func (w *word) UnmarshalText(text []byte) error {
	if string(text) != "yes" {
		return fmt.Errorf("%q is no word: write yes", text)
	}
	*w = "yes"
	return nil
}

func TestDecode(t *testing.T) {
	for _, tc := range []struct{ want, in string }{
		{"", `{}`},
		{"", `{"decision":"deny","uses":3,"once":true,"until":"2030-01-02T03:04:05Z","tags":["a"],"id":"x","Plain":"p"}`},
		{"", ` { "call" : { "tool" : "t" , "args" : [ 1 , {"a":{"A":1}} ] } } ` + "\n"},
		{"", `{"env":{"http_proxy":"a","HTTP_PROXY":"b"},"input":{"Decision":1,"decision":2}}`},
		{"", `{"raw":{"x":[1,2,{"y":null}]},"word":"yes","until":null,"call":null}`},
		{"", `{"decision":"\ud83d\ude00 😀 \\ud800 \\\\ud800 \ufffd \u0000"}`},
		{"", `{"calls":[{"tool":"a"},{"tool":"a"}],"input":{"":1}}`},

		{`not-json: id: column 10: the JSON ends too early`, `{"id":"a"`},
		{`empty-body: the body is empty`, ``},
		{`empty-body: the body is empty`, " \n"},
		{`wrong-type: this is not an object`, `null`},
		{`wrong-type: this is not an object`, `[{"id":"x"}]`},
		{`wrong-type: this is not an object`, `"x"`},
		{`trailing-data: something follows the JSON value`, `{} {}`},
		{`trailing-data: something follows the JSON value`, `{}]`},
		{`trailing-data: something follows the JSON value`, `{}x`},

		{`unknown-key: decison: this key is unknown (did you mean "decision"?)`, `{"decison":"x"}`},
		{`unknown-key: Decision: this key is unknown (did you mean "decision"?)`, `{"Decision":"x"}`},
		{`unknown-key: Decision: this key is unknown (did you mean "decision"?)`, `{"decision":"deny","Decision":"allow"}`},
		{`unknown-key: ["deci\u017fion"]: this key is unknown (did you mean "decision"?)`, `{"deciſion":"x"}`},
		{`unknown-key: plain: this key is unknown (did you mean "Plain"?)`, `{"plain":"x"}`},
		{`unknown-key: Hidden: this key is unknown`, `{"Hidden":"x"}`},
		{`unknown-key: -: this key is unknown`, `{"-":"x"}`},
		{`unknown-key: base: this key is unknown`, `{"base":{}}`},
		{`unknown-key: call.Tool: this key is unknown (did you mean "tool"?)`, `{"call":{"Tool":"x"}}`},
		{`unknown-key: calls[1].approved: this key is unknown (leave it out; the keys are args, tool)`, `{"calls":[{"tool":"a"},{"approved":1}]}`},
		{`unknown-key: ["a\u202eb"]: this key is unknown`, `{"a` + "\u202e" + `b":1}`},

		{`duplicate-key: id: this key appears twice (keep one)`, `{"id":"a","id":"b"}`},
		{`duplicate-key: decision: this key appears twice`, `{"decision":"deny","\u0064ecision":"allow"}`},
		{`duplicate-key: call.tool: this key appears twice`, `{"call":{"tool":"a","tool":"a"}}`},
		{`duplicate-key: input.a[1].b: this key appears twice`, `{"input":{"a":[0,{"b":1,"b":1}]}}`},
		{`duplicate-key: raw["a b"]: this key appears twice`, `{"raw":{"a b":1,"a b":2}}`},
		{`duplicate-key: env.PATH: this key appears twice`, `{"env":{"PATH":"a","PATH":"b"}}`},
		{`duplicate-key: call.args[0].x: this key appears twice`, `{"call":{"args":[{"x":1,"x":1}]}}`},

		{`lone-surrogate: decision: a \u escape is half of a character`, `{"decision":"\ud800"}`},
		{`lone-surrogate: decision: a \u escape is half of a character`, `{"decision":"a\ude00"}`},
		{`lone-surrogate: decision: a \u escape is half of a character`, `{"decision":"\ud83d x\ude00"}`},
		{`lone-surrogate: decision: a \u escape is half of a character`, `{"decision":"\ud83d\u0041"}`},
		{`lone-surrogate: decision: a \u escape is half of a character`, `{"decision":"\ud83d\\ude00"}`},
		{`lone-surrogate: input: a \u escape is half of a character`, `{"input":{"\uD800":1}}`},
		{`not-utf-8: the JSON is not valid UTF-8`, "{\"id\":\"\xff\"}"},
		{`not-utf-8: the JSON is not valid UTF-8`, "{\"id\":\"\xed\xa0\x80\"}"},

		{`wrong-type: decision: found number (write a string)`, `{"decision":1}`},
		{`wrong-type: uses: found number 300 (write a whole number that fits)`, `{"uses":300}`},
		{`wrong-type: uses: found number 1.5 (write a whole number that fits)`, `{"uses":1.5}`},
		{`wrong-type: once: found string (write true or false)`, `{"once":"true"}`},
		{`wrong-type: tags: found string (write a list)`, `{"tags":"a"}`},
		{`wrong-type: call: found array (write an object)`, `{"call":[]}`},
		{`wrong-type: input: found string (write an object)`, `{"input":"x"}`},
		{`wrong-value: word: "no" is no word: write yes`, `{"word":"no"}`},
		{`wrong-value: until: `, `{"until":"tomorrow"}`},

		{`not-json: `, `{"id":"a",}`},
		{`not-json: tags: column 13: not JSON: `, `{"tags":["a",]}`},
		{`not-json: `, `{'id':1}`},
		{`not-json: `, `{"id" "a"}`},
		{`not-json: `, `{id:1}`},
		{`not-json: `, `{"id":NaN}`},
		{`not-json: `, `{"uses":01}`},
		{`not-json: `, `{"id":"a` + "\n" + `b"}`},
		{`not-json: `, `{} // comment`[3:]},
		{`not-json: `, "\ufeff{}"},
		{`not-json: `, `{"id":"\x41"}`},
		{`not-json: tags: line 2, column 1: `, "{\"tags\":[\"a\"\n1]}"},
	} {
		err := Decode(strings.NewReader(tc.in), new(body))
		if got := described(err); (tc.want == "") != (got == "") || !strings.HasPrefix(got, tc.want) {
			t.Errorf("%s: %s, want %s", tc.in, got, tc.want)
		}
	}
}

func described(err error) string {
	var wrong *Refusal
	switch {
	case err == nil:
		return ""
	case errors.As(err, &wrong) && wrong.Hint != "" && wrong.Error() == wrong.Detail+"; "+wrong.Hint:
		return fmt.Sprintf("%s: %s (%s)", wrong.Code, wrong.Detail, wrong.Hint)
	}
	return "another error: " + err.Error()
}

func TestDecodeValues(t *testing.T) {
	var got body
	in := `{"id":"x","decision":"deny","input":{"big":12345678901234567890,"e":1e400},"raw":{"b":1.0}}`
	if err := Decode(strings.NewReader(in), &got); err != nil {
		t.Fatal(err)
	}
	want := body{base: base{ID: "x"}, Decision: "deny", Raw: json.RawMessage(`{"b":1.0}`),
		Input: map[string]any{"big": json.Number("12345678901234567890"), "e": json.Number("1e400")}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	var list []call
	if err := Decode(strings.NewReader(`[{"tool":"t"}]`), &list); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
	var all any
	if err := Decode(strings.NewReader(`[1,{"a":2}]`), &all); err != nil {
		t.Error(err)
	}
	if err := Decode(strings.NewReader(`[1,{"a":2,"a":3}]`), &all); err == nil {
		t.Error("a key twice in a value of any form")
	}
}

func TestDecodeDepth(t *testing.T) {
	nested := func(open, end string, n int) string { return strings.Repeat(open, n) + "1" + strings.Repeat(end, n) }
	for _, tc := range []struct{ want, in string }{
		{"", `{"raw":` + nested(`[`, `]`, 63) + `}`},
		{"too-deep", `{"raw":` + nested(`[`, `]`, 64) + `}`},
		{"", `{"input":` + nested(`{"a":`, `}`, 63) + `}`},
		{"too-deep", `{"input":` + nested(`{"a":`, `}`, 64) + `}`},
		{"too-deep", `{"input":{"a":` + nested(`[`, `]`, 10_000) + `}}`},
		{"too-deep", `{"input":` + strings.Repeat(`{"a":`, 10_000)},
		{"too-deep", strings.Repeat(`[`, 1_000_000)},
	} {
		into := any(new(body))
		if tc.in[0] == '[' {
			into = new(any)
		}
		got, _, _ := strings.Cut(described(Decode(strings.NewReader(tc.in), into)), ":")
		if got != tc.want {
			t.Errorf("%.40s…: %s, want %s", tc.in, got, tc.want)
		}
	}
}

// An error shows little of a key that somebody else has chosen.
func TestDecodeLongKey(t *testing.T) {
	err := Decode(strings.NewReader(`{"`+strings.Repeat("é", 100_000)+`":1}`), new(body))
	if err == nil || len(err.Error()) > 1000 {
		t.Errorf("%d bytes: %.200v", len(fmt.Sprint(err)), err)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestOfBody(t *testing.T) {
	for _, tc := range []struct {
		want string
		err  error
	}{
		{`400 unknown-key "id2: this key is unknown" "did you mean \"id\"?"`, Decode(strings.NewReader(`{"id2":1}`), new(body))},
		{`400 body-incomplete "the body of the request did not arrive" "send the request again"`, Decode(brokenReader{}, new(body))},
		{`400 body-incomplete "the body of the request did not arrive" "send the request again"`, errors.New("secret")},
	} {
		w := httptest.NewRecorder()
		Write(w, OfBody(tc.err))
		var p Problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%d %s %q %q", w.Code, p.Code, p.Detail, p.Hint); got != tc.want {
			t.Errorf("%s, want %s", got, tc.want)
		}
	}
}

// Whatever passes is JSON for the standard library too, with the same meaning
// under another order of its keys.
func FuzzDecode(f *testing.F) {
	f.Add(`{"id":"a","calls":[{"tool":"t","args":[1,"\ud83d\ude00"]}],"raw":{"x":[]}}`)
	f.Add(`{"decision":"\ud800","Decision":1}`)
	f.Add(strings.Repeat(`{"input":`, 70))
	f.Fuzz(func(t *testing.T, in string) {
		var strict, plain body
		if Decode(strings.NewReader(in), &strict) != nil {
			return
		}
		if !json.Valid([]byte(in)) {
			t.Fatalf("no JSON: %q", in)
		}
		d := json.NewDecoder(strings.NewReader(in))
		d.UseNumber()
		if err := d.Decode(&plain); err != nil || !reflect.DeepEqual(strict, plain) {
			t.Fatalf("%q: %v: %+v, not %+v", in, err, strict, plain)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	in := `{"id":"req-1","decision":"approved_once","tags":["a","b"],"call":{"tool":"shell","args":["ls",1]},"input":{"command":"git status","env":{"A":"b"}}}`
	b.ReportAllocs()
	for b.Loop() {
		if err := Decode(strings.NewReader(in), new(body)); err != nil {
			b.Fatal(err)
		}
	}
}

// A body holds a bounded number of values, keys and digits.
func TestValues(t *testing.T) {
	repeat := func(item string, n int) string {
		return "[" + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + "]"
	}
	for name, row := range map[string]struct {
		body  string
		taken bool
	}{
		"as many as there may be": {repeat("1", maxValues-1), true}, // the list is one
		"one more":                {repeat("1", maxValues), false},
		"lists":                   {repeat("[]", maxValues), false},
		"deep":                    {repeat("[[[1]]]", maxValues/4), false},
		"members":                 {repeat(`{"a":1}`, maxValues/2), false},
		"long keys":               {repeat(`{"`+strings.Repeat("k", 10*keyBytes)+`":1}`, maxValues/12+1), false},
		"long numbers":            {repeat(strings.Repeat("7", 10*numberBytes), maxValues/11+1), false},
		"long texts":              {repeat(`"`+strings.Repeat("k", 200)+`"`, maxValues-1), true},
	} {
		var into any
		err := Decode(strings.NewReader(row.body), &into)
		var wrong *Refusal
		if row.taken != (err == nil) || err != nil && (!errors.As(err, &wrong) || wrong.Code != "too-many-values") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
