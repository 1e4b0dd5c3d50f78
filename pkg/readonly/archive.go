package readonly

import (
	"slices"
	"strings"
)

// toOutput wants an option with which a compressor writes to its output, or
// only looks and is not told to expand, as the last one would win.
func toOutput(v *attempt) bool {
	expands := strings.HasPrefix(v.c.Name, "un") || strings.Contains(v.c.Name, "unz") || v.has("d", "decompress", "uncompress")
	if v.has("c", "stdout", "to-stdout") || !expands && v.has("l", "list", "t", "test") {
		return true
	}
	v.failf(v.c.Span, "%s without -c replaces the file", v.c.Called())
	return v.instead("add -c")
}

// zipLook wants a mode in which unzip only lists, tests or prints.
func zipLook(v *attempt) bool {
	if v.has("l", "p", "c", "t", "v", "Z", "z") {
		return true
	}
	v.fail(v.c.Span, "unzip without -l or -p extracts files")
	return v.instead("add -l")
}

// tarLook allows tar to list, and to extract to its output. A file whose name
// has a colon is on another host.
func tarLook(v *attempt) bool {
	if !v.has("t", "list") && !(v.has("x", "extract", "get") && v.has("O", "to-stdout")) {
		v.fail(v.c.Span, "tar only reads when it lists an archive, or extracts to standard output")
		return v.instead("use tar -tf FILE")
	}
	if v.has("t", "list") && v.has("x", "extract", "get") {
		return v.fail(v.c.Span, "tar has options both to list and to extract")
	}
	if !v.has("f", "file") {
		return v.fail(v.c.Span, "tar without -f reads from a device")
	}
	for i := 1; i < len(v.c.Words); i++ {
		w := &v.c.Words[i]
		if e, found := v.secret(w.Set); found {
			return v.failf(w.Span, "the path is sensitive: it %s", e.Why)
		}
		if t, ok := w.Literal(); ok && !strings.Contains(t, ":") || !ok && strings.Contains(w.Prefix, "/") {
			continue
		}
		return v.fail(w.Span, "tar reads a name with a colon as a file on another host")
	}
	return true
}

// noResponseFile refuses words for which a program reads further arguments
// from a file, of which it tells in its messages.
func (v *attempt) noResponseFile() bool {
	for i := 1; i < len(v.c.Words); i++ {
		if w := &v.c.Words[i]; mayBegin(w, "@") {
			return v.failf(w.Span, "%s takes options from the file after @", v.c.Called())
		}
	}
	return true
}

// plainFiles wants files alone: tac copies what it cannot seek in to a
// temporary file.
func plainFiles(v *attempt) bool {
	if len(v.args) == 0 {
		v.failf(v.c.Span, "%s copies its input to a temporary file", v.c.Called())
		return v.instead("name the file")
	}
	return noDash(v)
}

// noDash refuses the operand -, and what names a pipe.
func noDash(v *attempt) bool {
	for _, i := range v.args {
		w := &v.c.Words[i]
		piped := w.Has("-") || mayBegin(w, "/dev/") || slices.ContainsFunc(w.Values, isDevice) || strings.HasPrefix(v.source(w.Span), "<(")
		for _, t := range w.Values {
			piped = piped || strings.Contains(t, "/fd/")
		}
		if piped {
			return v.failf(w.Span, "%s copies its input to a temporary file", v.c.Called())
		}
	}
	return true
}

// x509Input refuses inputs that are addresses of a store, for which openssl
// may load an engine.
func x509Input(v *attempt) bool {
	for i := 1; i < len(v.c.Words); i++ {
		w := &v.c.Words[i]
		if e, found := v.secret(w.Set); found {
			return v.failf(w.Span, "the path is sensitive: it %s", e.Why)
		}
		if t, ok := w.Literal(); ok && !strings.Contains(t, ":") || strings.HasPrefix(w.Prefix, "/") || strings.HasPrefix(w.Prefix, "./") {
			continue
		}
		return v.fail(w.Span, "the input may not be a file")
	}
	return true
}
