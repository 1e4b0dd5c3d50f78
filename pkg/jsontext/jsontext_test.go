package jsontext_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/jsontext"
)

func TestCheck(t *testing.T) {
	for _, r := range []struct{ want, text string }{
		{"", `{"a":"b"}`},
		{"", `"\ud83d\ude00"`},
		{"", `"\uD83D\uDE00\u0041"`},
		{"", `"\\ud800"`},
		{"", `"\\\\ud800"`},
		{"", `"\ue000 \ud7ff"`},
		{"", `"😀 �"`},
		{"", `"\`},
		{"", `"\u"`},
		{`\ud800, at byte 1`, `"\ud800"`},
		{`\uDC00, at byte 3`, `"ab\uDC00"`},
		{`\ud800, at byte 1`, `"\ud800\ud800\udc00"`},
		{`\ude00, at byte 1`, `"\ude00\ud83d"`},
		{`\ud83d, at byte 1`, `"\ud83dx\ude00"`},
		{`\ud83d, at byte 13`, `"\ud83d\ude00\ud83d"`},
		{`\ud800, at byte 3`, `"\\\ud800"`},
		{`\ud800, at byte 2`, `{"\ud800":1}`},
		{"not valid UTF-8, from byte 2", "\"a\xff\""},
		{"not valid UTF-8, from byte 1", "\"\xed\xa0\x80\""},
	} {
		err := jsontext.Check([]byte(r.text))
		if got := ""; err != nil {
			if got = err.Error(); r.want == "" || !strings.Contains(got, r.want) {
				t.Errorf("%s: got %q, want %q", r.text, got, r.want)
			}
		} else if r.want != "" {
			t.Errorf("%s: nothing is wrong, want %q", r.text, r.want)
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, s := range []string{`"\ud800"`, `"\`, "\xff", `"\ud83d\ude00"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := jsontext.Check(data); err == nil && jsontext.LoneSurrogate(data) >= 0 {
			t.Errorf("%q: half a pair is missed", data)
		}
	})
}
