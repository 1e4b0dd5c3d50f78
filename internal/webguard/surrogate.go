package webguard

import (
	"bytes"
	"strconv"
)

// loneSurrogate says whether a part of sound JSON has a \u escape of half a
// surrogate pair without the other half behind it or before it.
func loneSurrogate(part []byte) bool {
	for {
		i := bytes.IndexByte(part, '\\')
		if i < 0 || i+2 > len(part) {
			return false
		}
		unit := escaped(part[i:])
		part = part[i+2:]
		switch {
		case unit < 0xD800 || unit > 0xDFFF:
		case unit > 0xDBFF: // the second half first
			return true
		default:
			second := escaped(part[4:])
			if second < 0xDC00 || second > 0xDFFF {
				return true
			}
			part = part[4+6:]
		}
	}
}

// escaped returns the code unit of a \u escape that a text begins with, or -1.
func escaped(text []byte) int64 {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return -1
	}
	unit, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return int64(unit)
}
