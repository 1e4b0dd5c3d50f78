package script

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"net/url"
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

func decode32(s string) string {
	b, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.TrimRight(s, "="))
	if err != nil || !utf8.Valid(b) {
		return Unknown
	}
	return string(b)
}

func decodeURL(s string) string {
	s, err := url.PathUnescape(s)
	if err != nil || !utf8.ValidString(s) {
		return Unknown
	}
	return s
}

// packed is pack of Perl and PHP, whose first argument is the format, and of Ruby,
// which packs what stands before it.
func packed(p *reading, of Value, args []Value) Value {
	if of.Items != nil {
		args = append(args[:len(args):len(args)], of.Items...)
	}
	if len(args) < 2 {
		return open
	}
	switch format := args[0].first(); {
	case strings.HasPrefix(format, "H"):
		return mapped(args[1], decode16)
	case strings.HasPrefix(format, "C"), strings.HasPrefix(format, "c"), strings.HasPrefix(format, "U"):
		return characters(p, open, args[1:])
	case strings.HasPrefix(format, "A"), strings.HasPrefix(format, "a"):
		return combined(args[1:], "")
	}
	return open
}

// unpacked is unpack, which has the format before or behind what it reads.
func unpacked(_ *reading, of Value, args []Value) Value {
	for i, a := range args {
		source := of
		if i == 0 && len(args) > 1 {
			source = args[1]
		}
		if strings.HasPrefix(a.first(), "m") || a.first() == "u" {
			return mapped(source, decode64)
		}
	}
	return open
}
