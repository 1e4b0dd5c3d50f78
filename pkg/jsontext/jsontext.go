// Package jsontext says whether the text of a JSON value is one that every
// reader understands in the same way: UTF-8, and no half of a surrogate pair,
// which encoding/json turns into U+FFFD, so that two texts become one.
//
// It decodes nothing: whether the text is JSON at all is for a decoder to say.
// It also has the parts of the canonical form (RFC 8785) that writers share.
package jsontext

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Check returns nil, or an error that says what is wrong and at which byte.
func Check(data []byte) error {
	if !utf8.Valid(data) {
		return fmt.Errorf("the JSON is not valid UTF-8, from byte %d on", invalidAt(data))
	}
	if at := LoneSurrogate(data); at >= 0 {
		return fmt.Errorf(`the JSON has half of a surrogate pair, %s, at byte %d: \ud800 to \udfff come in pairs`, data[at:at+6], at)
	}
	return nil
}

func invalidAt(data []byte) int {
	for at := 0; ; {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
}

// LoneSurrogate returns the first byte of a \u escape that is half of a
// surrogate pair without the other half, -1 if there is none. A backslash
// stands only in the strings of JSON.
func LoneSurrogate(data []byte) int {
	for at := 0; ; {
		next := bytes.IndexByte(data[at:], '\\')
		if next < 0 {
			return -1
		}
		at += next
		first := unitAt(data, at)
		switch {
		case !utf16.IsSurrogate(first):
			at = min(at+2, len(data))
		case utf16.DecodeRune(first, unitAt(data, at+6)) == utf8.RuneError:
			return at
		default:
			at += 12
		}
	}
}

// unitAt returns the UTF-16 unit that is spelled \uNNNN at a place, 0 if none
// is.
func unitAt(data []byte, at int) rune {
	if at+6 > len(data) || data[at] != '\\' || data[at+1] != 'u' {
		return 0
	}
	unit, err := strconv.ParseUint(string(data[at+2:at+6]), 16, 16)
	if err != nil {
		return 0
	}
	return rune(unit)
}
