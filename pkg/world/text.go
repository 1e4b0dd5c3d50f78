package world

import (
	"bytes"
	"strings"
)

// maxSearched bounds the files in which a word is looked for.
const maxSearched = 1 << 20

// Holds reports whether a word stands in the file at an absolute path, in whatever case.
// It does not know of files that are large, or not plain ASCII: programs may read those
// as other text.
func (w *World) Holds(path, word string) (found, ok bool) {
	id, mode, err := stat(path, true)
	if err != nil || word == "" || !mode.IsRegular() {
		return false, false
	}
	data, err := readFile(path, maxSearched, id)
	if err != nil {
		return false, false
	}
	for _, c := range data {
		if c >= 0x7f || c < ' ' && c != '\n' && c != '\r' && c != '\t' {
			return false, false
		}
	}
	return bytes.Contains(bytes.ToLower(data), []byte(strings.ToLower(word))), true
}
