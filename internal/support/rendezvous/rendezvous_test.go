package rendezvous

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func sample() Info {
	return Info{
		Socket: "/s/approval.sock", URL: "http://127.0.0.1:8765", Keys: json.RawMessage(`{"keys":[]}`),
		PID: 7, Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
	}
}

func TestWriteAndRead(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	if _, found, err := Read(state); found || err != nil || Exists(state) {
		t.Fatalf("nothing was written: %v, %v", found, err)
	}
	if err := Write(state, sample()); err != nil {
		t.Fatal(err)
	}
	got, found, err := Read(state)
	if err != nil || !found || !Exists(state) {
		t.Fatalf("%v, %v", found, err)
	}
	if got.Address() != "unix:/s/approval.sock" || got.PID != 7 || !got.Started.Equal(sample().Started) || got.Version != 1 {
		t.Errorf("%+v", got)
	}
	for path, want := range map[string]os.FileMode{File(state): 0o600, Dir(state): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(Dir(state), "*")); len(left) != 1 {
		t.Errorf("left behind: %q", left)
	}
}

func TestRemove(t *testing.T) {
	state := t.TempDir()
	if err := Remove(state, 7); err != nil {
		t.Errorf("nothing to remove: %v", err)
	}
	if err := Write(state, sample()); err != nil {
		t.Fatal(err)
	}
	if err := Remove(state, 8); err != nil || !Exists(state) {
		t.Errorf("that of another process: %v, %v", err, Exists(state))
	}
	if err := Remove(state, 7); err != nil || Exists(state) {
		t.Errorf("its own: %v, %v", err, Exists(state))
	}
}

func TestAddress(t *testing.T) {
	i := sample()
	i.Socket = ""
	if got := i.Address(); got != "http://127.0.0.1:8765" {
		t.Error(got)
	}
}

func TestBadFiles(t *testing.T) {
	good, err := json.Marshal(struct {
		Info
		Version int `json:"version"`
	}{sample(), 1})
	if err != nil {
		t.Fatal(err)
	}
	edit := func(old, new string) string { return strings.Replace(string(good), old, new, 1) }
	for _, tc := range []struct{ want, text string }{
		{"", string(good)},
		{"it is no JSON of policyctl", ""},
		{"it is no JSON of policyctl", "{"},
		{"version 2: only version 1 is known", edit(`"version":1`, `"version":2`)},
		{"version 0: only version 1 is known", edit(`"version":1`, `"v":1`)},
		{`the socket "s.sock" is not an absolute path`, edit("/s/approval.sock", "s.sock")},
		{`the URL "ftp://x" is neither http nor https`, edit("http://127.0.0.1:8765", "ftp://x")},
		{"it names neither a socket nor a URL", edit(`"socket":"/s/approval.sock","url":"http://127.0.0.1:8765",`, "")},
		{"it has no keys", edit(`"keys":{"keys":[]},`, "")},
		{"it has no keys", edit(`"keys":{"keys":[]}`, `"keys":null`)},
		{"it is larger than 64 KiB", string(good) + strings.Repeat(" ", maxSize)},
	} {
		state := t.TempDir()
		if err := os.Mkdir(Dir(state), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(File(state), []byte(tc.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, found, err := Read(state)
		switch {
		case tc.want == "" && (err != nil || !found):
			t.Errorf("%s: %v", tc.text, err)
		case tc.want != "" && (found || err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), File(state))):
			t.Errorf("%.80s: %v, want %q", tc.text, err, tc.want)
		}
	}
}

// What others may write tells nothing about keys.
func TestWritableByOthers(t *testing.T) {
	for _, name := range []func(string) string{File, Dir} {
		state := t.TempDir()
		if err := Write(state, sample()); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(name(state), 0o777); err != nil {
			t.Fatal(err)
		}
		if _, found, err := Read(state); found || err == nil || !strings.Contains(err.Error(), "others may write") {
			t.Errorf("%s: %v, %v", name(state), found, err)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	state := t.TempDir()
	if err := Write(state, Info{Socket: "/s", PID: 1}); err == nil || Exists(state) {
		t.Errorf("without keys: %v", err)
	}
}
