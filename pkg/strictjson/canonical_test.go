package strictjson_test

import (
	"slices"
	"testing"

	"github.com/gowebpki/jcs"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// The names of RFC 8785, section 3.2.3, in their order.
func TestCompareNames(t *testing.T) {
	want := []string{"\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"}
	got := slices.Sorted(slices.Values(want))
	slices.SortFunc(got, strictjson.CompareNames)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if strictjson.CompareNames("a", "ab") >= 0 || strictjson.CompareNames("ab", "a") <= 0 || strictjson.CompareNames("é", "é") != 0 {
		t.Error("a name and its beginning")
	}
}

func TestAppendString(t *testing.T) {
	for text, want := range map[string]string{
		"": `""`, "a/<&>": `"a/<&>"`, "\"\\\b\t\n\f\r": `"\"\\\b\t\n\f\r"`, "\x00\x1f\x7f": "\"\\u0000\\u001f\x7f\"", "€😀": `"€😀"`,
	} {
		if got := string(strictjson.AppendString([]byte("x"), text)); got != "x"+want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// The canonical form is that of another implementation.
func TestAppend(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `false`, `0`, `-0.5`, `1e21`, `1e-7`, `123456789012345680000`, `5e-324`, `1.7976931348623157e308`, `""`,
		`"\u0000\u0001\b\t\n\f\r\u001f \"\\/<>&\u007f\u0080é€\u2028\u2029😀"`, `[]`, `{}`, `[1,[2,{"a":[]}],"x"]`,
		`{"b":1,"a":2,"":3,"B":4,"aa":5,"a\u0000":6}`,
		`{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"😀":5,"\u0080":6,"ö":7,"\ud7ff":8,"\ue000":9,"\uffff":10,"𐀀":11}`,
		`{"a😀":1,"a\ufb33":2,"a\u20ac":3,"aé":4,"ab":5}`,
	} {
		want, err := jcs.Transform([]byte("[" + text + "]"))
		if err != nil {
			t.Fatal(text, err)
		}
		v, err := strictjson.Value([]byte(text), strictjson.Options{})
		if err != nil {
			t.Fatal(text, err)
		}
		if got := "[" + string(strictjson.Append(nil, v)) + "]"; got != string(want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for _, r := range []struct {
		want string
		v    any
	}{
		{`3`, 3}, {`{"a":[1,"b"]}`, map[string]any{"a": []any{uint8(1), "b"}}}, {`["x"]`, []string{"x"}}, {`"a` + "\ufffd" + `b"`, "a\xffb"},
		{`"(1+2i)"`, 1 + 2i},
	} {
		if got := string(strictjson.Append(nil, r.v)); got != r.want {
			t.Errorf("%v: %s, want %s", r.v, got, r.want)
		}
	}
}
