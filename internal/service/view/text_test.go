package view_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/view"
)

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"":                                   "",
		"rm -r x\necho ü":                    "rm -r x\necho ü",
		"rm\u200b -r":                        "rm[U+200B] -r",
		"a\u202eb\u202c":                     "a[U+202E]b[U+202C]",
		"curl p\u0430ypal.com":               "curl pа[U+0430]ypal.com",
		"\u0444\u0430\u0439\u043b":           "файл[U+0444 U+0430 U+0439 …]",
		"a\tb\r":                             "a[U+0009]b[U+000D]",
		"\x1b[31m\xff":                       "[U+001B][31m[\\xFF]",
		"文件 a\u00a0b":                        "文件 a[U+00A0]b",
		"ﬁ":                                  "ﬁ[U+FB01]",
		"\u00ff\u0100":                       "\u00ff\u0100[U+0100]",
		"a" + strings.Repeat(" ", 40) + "b":  "a" + strings.Repeat(" ", 40) + "b",
		"a" + strings.Repeat(" ", 800) + "b": "a [800 blanks] b",
	} {
		if got := view.Plain(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
