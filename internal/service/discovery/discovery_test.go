package discovery

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	const a, b, f = "http://127.0.0.1:1/a", "https://b.example", `{"url":"http://localhost:3"}`
	for _, row := range []struct {
		url, from    string
		first, older string
		file         string
		trust        bool
	}{
		{a, Variable, a, b, f, true},
		{a, Variable, a, "", "", false},
		{b, OlderVariable, "", b, f, true},
		{"http://localhost:3", "file", "", "", f, true},
		{"http://localhost:3", "file", "", "", `{"version":1,"url":"http://localhost:3/"}`, true},
		{"", "", "", "", f, false},
		{"", "", "", "", "", true},
	} {
		dir := project(t, row.file)
		got, err := Find(environment(row.first, row.older), dir, row.trust)
		if row.from == "file" {
			row.from = filepath.Join(dir, ".clauz3", "approval-service.json")
		}
		if got.URL != row.url || got.From != row.from || (row.url == "") != errors.Is(err, ErrNone) {
			t.Errorf("%+v: got %+v, %v", row, got, err)
		}
	}
}

// TestIgnored checks that a person learns why the file did not count.
func TestIgnored(t *testing.T) {
	dir := project(t, `{"url":"http://127.0.0.1:666"}`)
	_, err := Find(environment("", ""), dir, false)
	want := "no approval service configured; " + filepath.Join(dir, ".clauz3", "approval-service.json") +
		" is ignored, because an agent can write it; set CLAUZ3_APPROVAL_SERVICE to the URL that the service printed, or trust the directory"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	_, err = Find(environment("", ""), t.TempDir(), false)
	if want := "no approval service configured; set CLAUZ3_APPROVAL_SERVICE to the URL that the service printed"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestBadVariable checks that what is wrong is never passed over for the next
// place, where somebody else may have written.
func TestBadVariable(t *testing.T) {
	dir := project(t, `{"url":"http://127.0.0.1:666"}`)
	for _, env := range []func(string) string{environment("ftp://x", "http://127.0.0.1:2"), environment("", " http://127.0.0.1:2")} {
		if got, err := Find(env, dir, true); err == nil || errors.Is(err, ErrNone) {
			t.Errorf("got %+v, %v", got, err)
		}
	}
}

func TestFileErrors(t *testing.T) {
	for _, row := range []struct{ want, file string }{
		{"url: missing", `{}`},
		{"url: missing", `{"URL":"http://127.0.0.1"}`},
		{"url: missing", `{"url":""}`},
		{"url: missing", `{"url":null}`},
		{"url: missing", `{"url":["http://127.0.0.1"]}`},
		{"url: this key appears twice", `{"url":"http://127.0.0.1","url":"http://127.0.0.1:2"}`},
		{"object", `"http://127.0.0.1"`},
		{"the JSON ends too early", `{"url":`},
		{"use https", `{"url":"http://example.com"}`},
		{"at most 65536 bytes", strings.Repeat(" ", maxFile+1)},
	} {
		dir := project(t, row.file)
		got, err := Find(environment("", ""), dir, true)
		if err == nil || !strings.Contains(err.Error(), row.want) || !strings.Contains(err.Error(), "approval-service.json: ") {
			t.Errorf("%.60s: got %+v, %v, want %q", row.file, got, err, row.want)
		}
	}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, File), 0o700); err != nil {
		t.Fatal(err)
	}
	if got, err := Find(environment("", ""), dir, true); err == nil {
		t.Errorf("a directory: got %+v", got)
	}
}

func TestAddresses(t *testing.T) {
	for _, row := range []struct{ want, address string }{
		{"http://127.0.0.1:8765/s/pol_x", "http://127.0.0.1:8765/s/pol_x"},
		{"http://127.0.0.1:8765", "http://127.0.0.1:8765//"},
		{"http://[::1]:8765", "http://[::1]:8765/"},
		{"http://LOCALHOST", "http://LOCALHOST"},
		{"https://approvals.example.com/x", "https://approvals.example.com/x"},
		{"use https", "http://approvals.example.com"},
		{"use https", "http://0.0.0.0:8765"},
		{"use https", "http://2130706433"},
		{"use https", "http://127.0.0.1.example.com"},
		{"use https", "http://localhost.example.com"},
		{"use https", "http://192.168.0.1"},
		{"user name", "http://127.0.0.1:8765@evil.example"},
		{"user name", "https://me:secret@approvals.example.com"},
		{"no URL", `http://127.0.0.1\@evil.example`},
		{"no URL", "http://127.0.0.1\n"},
		{"no URL", "http://[::1"},
		{"fragment", "https://approvals.example.com/#x"},
		{"fragment", "https://approvals.example.com/#"},
		{"query", "https://approvals.example.com/?token=secret"},
		{"query", "https://approvals.example.com/?"},
		{"not a port", "https://approvals.example.com:0"},
		{"not a port", "https://approvals.example.com:70000"},
		{"has no host", "http://"},
		{"has no host", "https:approvals.example.com"},
		{"has no host", "http:///requests"},
		{"neither http", "file:///etc/passwd"},
		{"neither http", "unix:/run/policyctl.sock"},
		{"neither http", "127.0.0.1/s"},
		{"neither http", "//127.0.0.1"},
	} {
		got, err := check(row.address)
		if err != nil {
			got = err.Error()
		}
		if (err == nil) != strings.Contains(row.want, "://") || !strings.Contains(got, row.want) || err == nil && got != row.want {
			t.Errorf("%q: got %q, %v, want %q", row.address, got, err, row.want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: the error shows the secret: %v", row.address, err)
		}
	}
}

func environment(first, older string) func(string) string {
	return func(name string) string { return map[string]string{Variable: first, OlderVariable: older}[name] }
}

// project returns a directory with the file, "" for none.
func project(t *testing.T, file string) string {
	t.Helper()
	dir := t.TempDir()
	if file == "" {
		return dir
	}
	if err := os.Mkdir(filepath.Join(dir, ".clauz3"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, File), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}
