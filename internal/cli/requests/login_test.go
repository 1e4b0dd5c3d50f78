package requests

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The first line is taken, and nothing behind it.
func TestFirstLine(t *testing.T) {
	for _, c := range []struct{ in, line, rest, err string }{
		{"url\no\n\n", "url", "o\n\n", ""},
		{"url", "url", "", ""},
		{"\no\n", "", "o\n", ""},
		{"", "", "", "it is empty"},
		{strings.Repeat("x", 9000), "", strings.Repeat("x", 9000-maxLogin-1), "its first line is longer than 4096 bytes"},
	} {
		in := strings.NewReader(c.in)
		line, err := firstLine(in)
		rest, _ := io.ReadAll(in)
		if line != c.line || string(rest) != c.rest || (err != nil || c.err != "") && (err == nil || err.Error() != c.err) {
			t.Errorf("%.20q: %q %d %v", c.in, line, len(rest), err)
		}
	}
}

// A file that others may read is not read.
func TestOwnFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "url")
	if err := os.WriteFile(name, []byte("u\nv\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for mode, good := range map[os.FileMode]bool{0o600: true, 0o400: true, 0o700: false, 0o640: false, 0o604: false, 0o620: false, 0o644: false} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
		text, err := ownFile(name)
		if good != (err == nil) || good && text != "u" {
			t.Errorf("%04o: %q %v", mode, text, err)
		}
	}
}

func TestIsLogin(t *testing.T) {
	for text, want := range map[string]bool{
		"http://127.0.0.1:8765/login#polo_x": true, "polo_x": true, "--login=http://h/login#x": true, "http://h/login": true, "~/login": false,
		"req_7XK2": false, "": false, "ada.token": false, "http://127.0.0.1:8765": false, "polonaise": false,
	} {
		if isLogin(text) != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
}
