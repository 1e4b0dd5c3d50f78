package webguard

import "strings"

// maxID is the length of the longest id.
const maxID = 128

// ValidID reports whether a text may be the id of something: 1 to 128 letters of
// ASCII, digits and . _ : -, which begin with a letter or a digit and have no
// two dots in a row. Such an id is safe in the path of a URL and in a log.
func ValidID(id string) bool {
	if id == "" || len(id) > maxID || strings.Contains(id, "..") {
		return false
	}
	for i := range len(id) {
		switch c := id[i]; {
		case c >= '0' && c <= '9', c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z':
		case i > 0 && (c == '.' || c == '_' || c == ':' || c == '-'):
		default:
			return false
		}
	}
	return true
}
