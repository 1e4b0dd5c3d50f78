package draft

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
)

// marking begins the line by which an imported file that nobody has edited is known.
const marking = "# It is replaced by the next import as long as nobody edits it: sha256 "

// Marked returns a policy file with a line behind the first that says of which content it
// is the mark.
func Marked(file []byte) []byte {
	first, rest, _ := bytes.Cut(file, []byte("\n"))
	return bytes.Join([][]byte{first, []byte(marking + sum(first, rest)), rest}, []byte("\n"))
}

// Unedited reports whether a file is one of [Marked], and the same as it was then.
func Unedited(file []byte) bool {
	first, rest, _ := bytes.Cut(file, []byte("\n"))
	mark, rest, _ := bytes.Cut(rest, []byte("\n"))
	return string(mark) == marking+sum(first, rest)
}

// sum returns the SHA-256 of a first line and of the rest behind it.
func sum(first, rest []byte) string {
	h := sha256.New()
	h.Write(first)
	h.Write([]byte{'\n'})
	h.Write(rest)
	return hex.EncodeToString(h.Sum(nil))
}
