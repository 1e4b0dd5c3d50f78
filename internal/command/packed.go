package command

import (
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"io"
	"strings"
)

// packed returns what gzip, bzip2 and their like make of text on the standard
// input. More than maxOutput is cut off.
func packed(c *Command, text string) (string, bool) {
	var from io.Reader = strings.NewReader(text)
	switch {
	case len(c.Args.Operands) > 0 || c.Args.Has("l", "list", "t", "test"):
		return "", false
	case c.How("turns") == "bunzip2":
		from = bzip2.NewReader(from)
	case c.How("turns") == "gunzip", c.Args.Has("d", "decompress", "uncompress"):
		unpacked, err := gzip.NewReader(from)
		if err != nil {
			return "", false
		}
		from = unpacked
	default:
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		_, err := w.Write([]byte(text))
		if w.Close() != nil || err != nil {
			return "", false
		}
		return out.String(), true
	}
	out, err := io.ReadAll(io.LimitReader(from, MaxOutput))
	return string(out), err == nil || len(out) > 0 // as much as there is comes out
}
