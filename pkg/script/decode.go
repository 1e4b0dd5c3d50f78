package script

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

func decoding(decode func(string) string) fold {
	return func(_ *reading, of Value, args []Value) Value { return mapped(subject(of, args), decode) }
}

// decodeAs is decode and from, of which an argument may say how.
func decodeAs(_ *reading, of Value, args []Value) Value {
	source := subject(of, args)
	for _, a := range args {
		switch {
		case has(a, "base64") || has(a, "base64url"):
			return mapped(source, decode64)
		case has(a, "hex"):
			return mapped(source, decode16)
		case has(a, "rot13") || has(a, "rot_13"):
			return mapped(source, decode13)
		}
	}
	return source
}

func decode64(s string) string {
	s = strings.TrimRight(strings.NewReplacer("-", "+", "_", "/", "\n", "").Replace(s), "=")
	b, err := base64.RawStdEncoding.DecodeString(s)
	if err != nil || !utf8.Valid(b) {
		return Unknown
	}
	return string(b)
}

func decode16(s string) string {
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil || !utf8.Valid(b) {
		return Unknown
	}
	return string(b)
}

func decode13(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case r >= 'A' && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		}
		return r
	}, s)
}
