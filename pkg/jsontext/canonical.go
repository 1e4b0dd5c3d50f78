package jsontext

import (
	"cmp"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// CompareNames orders names of members by their UTF-16 units (RFC 8785, section
// 3.2.3), which is the order of bytes but for what lies beside surrogates.
func CompareNames(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			continue
		}
		if a[i] < utf8.RuneSelf || b[i] < utf8.RuneSelf {
			return cmp.Compare(a[i], b[i])
		}
		return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
	}
	return cmp.Compare(len(a), len(b))
}

// AppendString appends a string of UTF-8 as canonical JSON (RFC 8785, section
// 3.2.2.2).
func AppendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0
	for i := range len(s) {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		b, from = append(b, s[from:i]...), i+1
		if short := shortEscapes[c]; short != 0 {
			b = append(b, '\\', short)
		} else {
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(b, s[from:]...), '"')
}

// shortEscapes are the letters of escapes that have one.
var shortEscapes = [128]byte{'\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r', '"': '"', '\\': '\\'}
