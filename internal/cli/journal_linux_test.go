package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/auth"
)

// What a journal keeps holds no secret: programs of the same user read it.
func TestJournaled(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var at syscall.Stat_t
	if err := syscall.Fstat(int(f.Fd()), &at); err != nil {
		t.Fatal(err)
	}
	itself := fmt.Sprintf("%d:%d", at.Dev, at.Ino)
	for variable, want := range map[string]bool{itself: true, "": false, "8:1": false, itself + "0": false, "x": false} {
		if journaled(f, variable) != want || journaled(&bytes.Buffer{}, variable) {
			t.Errorf("JOURNAL_STREAM=%q: not %v", variable, want)
		}
		p := &Process{Stdout: f, Getenv: func(name string) string { return map[string]string{"JOURNAL_STREAM": variable}[name] }}
		s := &serve{Process: p, socket: "/s", path: "/db"}
		if err := f.Truncate(0); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Seek(0, 0); err != nil {
			t.Fatal(err)
		}
		if err := s.announce(&running{url: "http://127.0.0.1:1", submit: "pol_secret", logins: auth.NewLogins(time.Now)}); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(f.Name())
		if err != nil || strings.Contains(string(text), "pol_secret") == want || strings.Contains(string(text), "polo_") == want || !strings.Contains(string(text), "login ") {
			t.Errorf("JOURNAL_STREAM=%q: %s %v", variable, text, err)
		}
	}
}
