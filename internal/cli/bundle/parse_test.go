package bundle

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestSignatureUnreadable(t *testing.T) {
	for _, row := range []struct{ want, text string }{
		{"it is not JSON", "nope"},
		{"it holds 0 signatures and must hold one", "{}"},
		{"it holds 2 signatures and must hold one", `{"signatures": ["a", "b"]}`},
		{"the token has not three parts", `{"signatures": ["a.b"]}`},
		{"part 1 of the token", `{"signatures": ["?.e30.AA"]}`},
		{"part 2 of the token", `{"signatures": ["e30.W10.AA"]}`},
	} {
		v := signatureOf(signedWith(t, row.text))
		if v == nil || v.Problem == nil || !strings.Contains(v.String(), row.want) {
			t.Errorf("%s: %v, want %s", row.text, v, row.want)
		}
	}
}

func TestPackageOf(t *testing.T) {
	for _, row := range [][2]string{
		{"a.b", "package a.b\n"}, {"a.b", "# x\n\n  package a.b # y\n"}, {"a", "package a;x := 1"}, {`a["b c"]`, `package a["b c"]`},
		{"", ""}, {"", "packages a"}, {"", "x := 1\npackage a"}, {"", "# package a"},
	} {
		if got := packageOf(row[1]); got != row[0] {
			t.Errorf("%q: %q, want %q", row[1], got, row[0])
		}
	}
}

// signedWith returns an archive of which the file of signatures says a text.
func signedWith(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	gz := gzip.NewWriter(&b)
	w := tar.NewWriter(gz)
	err := w.WriteHeader(&tar.Header{Name: ".signatures.json", Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(text))})
	_, wrong := io.WriteString(w, text)
	if err := errors.Join(err, wrong, w.Close(), gz.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
