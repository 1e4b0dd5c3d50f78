package serve

import (
	"bufio"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/console/consoletest"
	"github.com/policyctl/policyctl/internal/service/auth"
)

// attendedBy returns a service that announces itself on streams, and its log.
func attendedBy(t *testing.T, in io.Reader, out io.Writer) (s *serve, r *instance, logged func() string) {
	t.Helper()
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	s = &serve{Process: &console.Process{Stdin: in, Stdout: out, Getenv: func(string) string { return "" }}, socket: "/s", path: "/db"}
	r = &instance{url: "http://127.0.0.1:1", submit: "pol_secret", logins: auth.NewLogins(time.Now, nil), log: slog.New(slog.NewTextHandler(log, nil))}
	return s, r, func() string {
		text, _ := os.ReadFile(log.Name())
		return string(text)
	}
}

// What a file, a pipe or a journal keeps holds no credential: programs of the
// same user read it.
func TestNoCredentialInAFile(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "nohup.out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, program := consoletest.Terminal(t)
	for name, in := range map[string]io.Reader{"nothing typed": strings.NewReader(""), "typed into a pipe": strings.NewReader("login\n"), "a terminal to type at": program} {
		s, r, log := attendedBy(t, in, f)
		if err := s.announce(r); err != nil {
			t.Fatal(err)
		}
		s.offerLogins(r)
		time.Sleep(20 * time.Millisecond)
		text, err := os.ReadFile(f.Name())
		if got := string(text) + log(); err != nil || strings.Contains(got, "polo_") || strings.Contains(got, "pol_") || !strings.Contains(got, "policyctl token create") {
			t.Errorf("%s: %s %v", name, got, err)
		}
	}
}

// At a terminal the word alone gives a URL, which is short; the log says so
// without the code.
func TestLoginNeedsItsWord(t *testing.T) {
	person, program := consoletest.Terminal(t)
	s, r, log := attendedBy(t, program, program)
	if err := s.announce(r); err != nil {
		t.Fatal(err)
	}
	s.offerLogins(r)
	io.WriteString(person, "\n\ny\nyes\nlogin now\n login \n")
	var urls, seen []string
	lines := bufio.NewScanner(person)
	for len(urls) == 0 && lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		seen = append(seen, line)
		if _, url, ok := strings.Cut(line, "http://"); ok && strings.Contains(url, "/login#") {
			urls = append(urls, "http://"+url)
		}
	}
	hints := strings.Count(strings.Join(seen, "\n"), "type login for a URL that is good once")
	if len(urls) != 1 || len(urls[0]) > 70 || hints != 6 {
		t.Fatalf("%q, and %d hints: %q", urls, hints, seen)
	}
	_, code, _ := strings.Cut(urls[0], "#")
	for end := time.Now().Add(5 * time.Second); !strings.Contains(log(), "a login URL was shown") && time.Now().Before(end); time.Sleep(time.Millisecond) {
	}
	if strings.Contains(log(), code) || !strings.Contains(log(), "a login URL was shown at the terminal") {
		t.Errorf("the log: %s", log())
	}
	if _, err := r.logins.Exchange(code); err != nil {
		t.Error(err)
	}
}
