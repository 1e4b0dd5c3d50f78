package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/bundle"
)

// A site is a bundle server, nginx, with the home directory of somebody whose
// policy subscribes to what it serves.
type site struct {
	*testing.T
	dir, address string
	key          bundle.SigningKey
	server       *exec.Cmd
	published    time.Time
}

func newSite(t *testing.T) *site {
	t.Helper()
	seed.Slow(t)
	if _, err := exec.LookPath("nginx"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("the gate installs nginx: ", err)
		}
		t.Skip("nginx is not installed")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &site{T: t, dir: t.TempDir(), address: listener.Addr().String(), published: time.Now().Add(-time.Hour)}
	listener.Close() // nginx takes it
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	s.key = bundle.SigningKey{ID: "org", PEM: encoded("PRIVATE KEY", private)}
	s.write("pub.pem", encoded("PUBLIC KEY", public))
	s.write("home/.config/policyctl/policy.yaml", fmt.Sprintf(
		"version: 1\nbundles:\n  acme:\n    url: http://%s/acme.tar.gz\n    keys: {org: %s}\n    min_delay: 1s\n    max_delay: 1s\n", s.address, s.path("pub.pem")))
	user := ""
	if os.Getuid() == 0 { // its workers would be somebody who may not read the files
		user = "user root; "
	}
	s.write("nginx.conf", user+fmt.Sprintf(`daemon off; pid %[1]s/nginx.pid; error_log stderr;
events {}
http {
  access_log off; root %[1]s/www; client_body_temp_path %[1]s/t1; proxy_temp_path %[1]s/t2; fastcgi_temp_path %[1]s/t3; uwsgi_temp_path %[1]s/t4; scgi_temp_path %[1]s/t5;
  server { listen %[2]s; }
}
`, s.dir, s.address))
	s.start()
	t.Cleanup(s.stop)
	return s
}

func encoded(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

func (s *site) path(name string) string { return filepath.Join(s.dir, name) }

// write writes a file at once, as a publisher should.
func (s *site) write(name, text string) {
	s.Helper()
	path := s.path(name)
	for _, err := range []error{
		os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path+".new", []byte(text), 0o644), os.Rename(path+".new", path),
	} {
		if err != nil {
			s.Fatal(err)
		}
	}
}

func (s *site) start() {
	s.Helper()
	s.server = exec.Command("nginx", "-p", s.dir, "-c", s.path("nginx.conf"))
	if err := s.server.Start(); err != nil {
		s.Fatal(err)
	}
	for range 100 {
		if c, err := net.Dial("tcp", s.address); err == nil {
			c.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.Fatal("nginx does not listen")
}

func (s *site) stop() {
	if s.server != nil {
		_ = s.server.Process.Signal(os.Interrupt) // it may be gone
		_ = s.server.Wait()
		s.server = nil
	}
}

// signed returns a bundle in which the rule of its revision decides about make,
// with further modules.
func (s *site) signed(revision string, sequence uint64, decision string, modules ...bundle.File) string {
	s.Helper()
	return s.build(&bundle.Bundle{
		Revision: revision, Sequence: sequence, Built: time.Now(), Roots: []string{"policyctl"}, Modules: modules,
		Policies: []bundle.File{{Name: "rules.yaml", Text: "version: 1\nrules:\n  - {id: rule-" + revision + ", when: {shell.program: make}, decision: " + decision + "}\n"}},
		Tests:    []bundle.File{{Name: "rules_test.yaml", Text: "cases:\n  - {name: make, call: {command: make}, decision: " + decision + "}\n"}},
	})
}

func (s *site) build(b *bundle.Bundle) string {
	s.Helper()
	archive, err := bundle.Write(b)
	if err == nil {
		archive, err = bundle.Sign(archive, s.key)
	}
	if err != nil {
		s.Fatal(err)
	}
	return string(archive)
}

// publish replaces the bundle. nginx tells bundles apart by their size and the
// second of their change.
func (s *site) publish(archive string) {
	s.Helper()
	s.published = s.published.Add(2 * time.Second)
	name := s.path("www/acme.tar.gz")
	s.write("www/next", archive)
	if err := os.Chtimes(s.path("www/next"), s.published, s.published); err != nil {
		s.Fatal(err)
	}
	if err := os.Rename(s.path("www/next"), name); err != nil {
		s.Fatal(err)
	}
}

// An asker is a process of policyctl eval --jsonl.
type asker struct {
	*site
	in     io.WriteCloser
	out    *bufio.Scanner
	cmd    *exec.Cmd
	stderr *lines
}

// lines collects what a process prints while it runs.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (s *site) ask() *asker {
	s.Helper()
	self, err := os.Executable()
	if err != nil {
		s.Fatal(err)
	}
	a := &asker{site: s, cmd: exec.Command(self), stderr: &lines{}}
	a.cmd.Args = []string{"policyctl", "eval", "--jsonl"}
	a.cmd.Env = []string{"HOME=" + s.path("home"), "PATH=" + os.Getenv("PATH")}
	a.cmd.Stderr = a.stderr
	if a.in, err = a.cmd.StdinPipe(); err != nil {
		s.Fatal(err)
	}
	out, err := a.cmd.StdoutPipe()
	if err != nil {
		s.Fatal(err)
	}
	a.out = bufio.NewScanner(out)
	if err := a.cmd.Start(); err != nil {
		s.Fatal(err)
	}
	return a
}

// answer is the verdict on a call of make: its revision and decision. It fails
// where the verdict is a mix of two bundles, or none.
func (a *asker) answer() (revision, decision string) {
	a.Helper()
	if _, err := io.WriteString(a.in, `{"id":"1","command":"make","dir":"/w"}`+"\n"); err != nil {
		a.Fatalf("%v: %s", err, a.stderr)
	}
	if !a.out.Scan() {
		a.Fatalf("no answer: %s", a.stderr)
	}
	var v struct {
		Decision, Rule, Source string
		Bundles                map[string]string
	}
	if err := json.Unmarshal(a.out.Bytes(), &v); err != nil {
		a.Fatalf("%s: %v", a.out.Text(), err)
	}
	if revision = v.Bundles["acme"]; v.Rule != "acme/rule-"+revision || v.Source != "bundle acme: rules.yaml:3" {
		a.Fatalf("%s\n%s", a.out.Text(), a.stderr)
	}
	return revision, v.Decision
}

// until asks until a revision answers; every answer on the way must be whole.
func (a *asker) until(revision, decision string) {
	a.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	for ctx.Err() == nil {
		got, how := a.answer()
		if got == revision {
			if how != decision {
				a.Errorf("revision %s says %s, want %s", got, how, decision)
			}
			return
		}
	}
	a.Fatalf("revision %s did not take effect: %s", revision, a.stderr)
}

// stays asks for some time, in which the revision must stay.
func (a *asker) stays(revision, decision string) {
	a.Helper()
	for end := time.Now().Add(2500 * time.Millisecond); time.Now().Before(end); {
		if got, how := a.answer(); got != revision || how != decision {
			a.Fatalf("revision %s says %s, want %s of %s", got, how, decision, revision)
		}
	}
}

func (a *asker) end() {
	a.Helper()
	a.in.Close()
	if err := a.cmd.Wait(); err != nil {
		a.Errorf("%v: %s", err, a.stderr)
	}
}

// A signed bundle is served by nginx, replaced while calls are decided, refused
// where it is not right, and outlives its server.
func TestBundleServer(t *testing.T) {
	s := newSite(t)
	first := s.signed("r1", 1, "allow")
	s.publish(first)
	a := s.ask()
	a.until("r1", "allow")
	s.publish(s.signed("r2", 2, "deny"))
	a.until("r2", "deny")

	tampered := []byte(s.signed("r3", 3, "allow"))
	tampered[len(tampered)/2] ^= 1
	for what, archive := range map[string]string{
		"a tampered bundle": string(tampered),
		"an older bundle":   first,
		"Rego that asks the network": s.signed("r4", 4, "allow", bundle.File{Name: "policyctl/admission/a.rego", Text: `package policyctl.admission

deny contains {"id": "x", "reason": "y"} if http.send({"method": "GET", "url": "http://127.0.0.1"}).status_code == 200
`}),
		"no bundle": strings.Repeat("not a bundle", 9),
		"a rule that its test refutes": s.build(&bundle.Bundle{
			Revision: "r4", Sequence: 4, Roots: []string{"policyctl"},
			Policies: []bundle.File{{Name: "rules.yaml", Text: "version: 1\npermissions: {\"shell make\": allow}\n"}},
			Tests:    []bundle.File{{Name: "rules_test.yaml", Text: "cases:\n  - {name: make, call: {command: make}, decision: deny}\n"}},
		}),
	} {
		s.publish(archive)
		a.stays("r2", "deny")
		if out := s.run("status"); !strings.Contains(out, "revision r2") || !strings.Contains(out, "the last attempt failed") {
			t.Errorf("%s: %s", what, out)
		}
	}
	s.stop()
	a.stays("r2", "deny")
	a.end()

	b := s.ask() // from disk
	b.until("r2", "deny")
	s.publish(s.signed("r5", 5, "allow"))
	s.start()
	b.until("r5", "allow")
	b.end()
}

// run returns what a command of policyctl prints.
func (s *site) run(args ...string) string {
	s.Helper()
	self, err := os.Executable()
	if err != nil {
		s.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Args = append([]string{"policyctl"}, args...)
	cmd.Env = []string{"HOME=" + s.path("home"), "PATH=" + os.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		s.Fatal(err)
	}
	return string(out)
}
