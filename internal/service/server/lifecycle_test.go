package server_test

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth/authtest"
	"github.com/policyctl/policyctl/internal/service/server"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
)

// When the server ends, what waits is answered as it stands, streams end, and
// nothing is left behind.
func TestShutdown(t *testing.T) {
	s := start(t)
	agent, boss := s.Token(t, "agent", "submit"), s.Token(t, "boss", "approve,read")
	id := submit(t, s, agent, push)
	waited := make(chan servertest.Answer, 1)
	go func() { waited <- s.Do(t, agent, "GET", "/v1/requests/"+id+"?wait=60s", "") }()
	events := follow(t, s, boss, "/v1/events")
	time.Sleep(100 * time.Millisecond)
	began := time.Now()
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("it took %s", took)
	}
	if a := <-waited; a.Status != 200 || a.At("state") != "PENDING" {
		t.Errorf("what waited: %d %s", a.Status, a.Text)
	}
	for range events { // until it ends
	}
	if _, err := os.Lstat(s.Socket); !os.IsNotExist(err) {
		t.Errorf("the socket is still there: %v", err)
	}
	if _, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://")); err == nil {
		t.Error("it still listens")
	}
}

// follow reads the lines of a stream of events until it ends.
func follow(t testing.TB, s *servertest.Service, token, path string) <-chan string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, "GET", s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatal(res, err)
	}
	lines := make(chan string, 1000)
	go func() {
		defer close(lines)
		defer res.Body.Close()
		for text := bufio.NewScanner(res.Body); text.Scan(); {
			lines <- text.Text()
		}
	}()
	return lines
}

// nextData returns the data of the next event.
func nextData(t testing.TB, lines <-chan string) string {
	t.Helper()
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				t.Fatal("the stream has ended")
			}
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				return data
			}
		case <-time.After(5 * time.Second):
			t.Fatal("no event comes")
		}
	}
}

// A stream tells of every change once, of one session if it is asked to, and
// goes on where it left off.
func TestEvents(t *testing.T) {
	s := start(t)
	agent, boss := s.Token(t, "agent", "submit"), s.Token(t, "boss", "approve,read")
	all, one := follow(t, s, boss, "/v1/events"), follow(t, s, boss, "/v1/events?session=s2")
	first := submit(t, s, agent, push)
	second := submit(t, s, agent, strings.Replace(push, "s1", "s2", 1))
	s.Do(t, boss, "POST", "/v1/requests/"+first+"/decision", approveOnce)
	for _, want := range []string{first + " PENDING", second + " PENDING", first + " APPROVED"} {
		id, state, _ := strings.Cut(want, " ")
		if data := nextData(t, all); !strings.Contains(data, id) || !strings.Contains(data, state) {
			t.Errorf("%s, want %s", data, want)
		}
	}
	if data := nextData(t, one); !strings.Contains(data, second) {
		t.Errorf("%s, want the request of s2", data)
	}
	later := follow(t, s, boss, "/v1/events?last_event_id=2")
	if data := nextData(t, later); !strings.Contains(data, first) || !strings.Contains(data, "APPROVED") {
		t.Errorf("%s, want what came behind event 2", data)
	}
}

// A stream ends with the token or the login that began it.
func TestEventsEnd(t *testing.T) {
	s := start(t)
	boss := s.Token(t, "boss", "approve,read")
	login, err := s.Backend.Logins.Exchange(authtest.Code(s.Backend.Logins))
	if err != nil {
		t.Fatal(err)
	}
	ends := map[string]<-chan string{"token": follow(t, s, boss, "/v1/events"), "login": follow(t, s, login.Secret, "/v1/events")}
	if revoked, err := s.Data.RevokeToken(t.Context(), boss[4:15], time.Now()); !revoked || err != nil {
		t.Fatal(revoked, err)
	}
	if a := s.Do(t, login.Secret, "POST", "/v1/logout", ""); a.Status != 200 {
		t.Fatal(a.Text)
	}
	for name, lines := range ends {
		late := time.After(10 * time.Second)
		for open := true; open; {
			select {
			case _, open = <-lines:
			case <-late:
				t.Fatalf("%s: the stream goes on", name)
			}
		}
	}
}

// An answer is held back until a decision, and not longer.
func TestWait(t *testing.T) {
	s := start(t)
	agent, boss := s.Token(t, "agent", "submit"), s.Token(t, "boss", "approve")
	began := time.Now()
	a := s.Do(t, agent, "POST", "/v1/requests?wait=100ms", `{"call":`+push+`}`)
	if took := time.Since(began); a.Status != 201 || a.At("state") != "PENDING" || took < 100*time.Millisecond || took > 30*time.Second {
		t.Errorf("%d after %s: %s", a.Status, took, a.Text)
	}
	id := a.At("id").(string)
	waited := make(chan servertest.Answer, 1)
	go func() { waited <- s.Do(t, agent, "GET", "/v1/requests/"+id+"?wait=60s", "") }()
	time.Sleep(50 * time.Millisecond)
	s.Do(t, boss, "POST", "/v1/requests/"+id+"/decision", `{"decision":"rejected","reason":"no"}`)
	if a := <-waited; a.At("state") != "DENIED" || a.At("decision.reason") != "no" {
		t.Errorf("%d %s", a.Status, a.Text)
	}
	go func() {
		waited <- s.Do(t, agent, "POST", "/v1/requests?wait=60s", `{"key":"k","timeout":"1s","call":`+push+`}`)
	}()
	if a := <-waited; a.Status != 200 || a.At("state") != "TIMED_OUT" {
		t.Errorf("nobody decides: %d %s", a.Status, a.Text)
	}
}

func TestSocketFile(t *testing.T) {
	s := start(t)
	for path, want := range map[string]os.FileMode{s.Socket: 0o600, s.Socket + ".lock": 0o600} {
		if info, err := os.Lstat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v, want %o", path, info.Mode(), err, want)
		}
	}
	again := func(path string) error {
		srv, err := server.New(server.Config{Backend: s.Backend, Hub: s.Hub, Socket: path})
		if err == nil {
			srv.Close()
		}
		return err
	}
	dir := filepath.Dir(s.Socket)
	stale := filepath.Join(dir, "stale")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: stale, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	if err := again(stale); err == nil || !strings.Contains(err.Error(), "something answers there") {
		t.Errorf("where another program answers: %v", err)
	}
	l.SetUnlinkOnClose(false)
	_ = l.Close()
	if err := again(stale); err != nil {
		t.Errorf("a stale socket: %v", err)
	}
	open, file := filepath.Join(dir, "open"), filepath.Join(dir, "file")
	if err := os.Mkdir(open, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{
		s.Socket:                 "another service has it",
		filepath.Join(open, "s"): "others can reach the directory",
		file:                     "not a socket",
		"relative/s":             "absolute",
		"@abstract":              "absolute",
		filepath.Join(dir, strings.Repeat("s", 99)): "at most",
		filepath.Join(file, "s"):                    "",
	} {
		if err := again(path); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %s", path, err, says)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "precious" {
		t.Errorf("the file is %q, %v", text, err)
	}
	if err := again(filepath.Join(dir, "new", "deep", "s")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(filepath.Join(dir, "new", "deep")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the new directory: %v %v", info, err)
	}
}

func TestListen(t *testing.T) {
	s := start(t)
	taken := strings.TrimPrefix(s.URL, "http://")
	for _, row := range []struct {
		says    string
		exposed bool
		listen  []string
	}{
		{"neither an address nor a socket", false, nil},
		{"other machines reach it", false, []string{"0.0.0.0:0"}},
		{"other machines reach it", false, []string{"[::]:0"}},
		{"other machines reach it", false, []string{"127.0.0.1:0", "192.0.2.1:0"}},
		{"other machines reach it", false, []string{"[::ffff:192.0.2.1]:0"}},
		{"an address and a port", false, []string{"localhost:0"}},
		{"an address and a port", false, []string{":8765"}},
		{"an address and a port", false, []string{"127.0.0.1"}},
		{"choose another port", false, []string{taken}},
		{"", false, []string{"127.0.0.1:0"}},
		{"", false, server.Loopback(0)},
		{"", true, []string{"0.0.0.0:0"}},
	} {
		srv, err := server.New(server.Config{Backend: s.Backend, Hub: s.Hub, Listen: row.listen, Exposed: row.exposed})
		if err == nil {
			srv.Close()
		}
		if (err == nil) != (row.says == "") || err != nil && !strings.Contains(err.Error(), row.says) {
			t.Errorf("%v: %v, want %q", row.listen, err, row.says)
		}
	}
}
