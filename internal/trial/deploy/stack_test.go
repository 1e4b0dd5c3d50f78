package deploy_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A stack is one that deploy/stack runs.
type stack struct {
	*testing.T
	dir  string
	port int
	env  []string
}

// program builds policyctl.
func program(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "policyctl")
	if out, err := exec.Command("go", "build", "-o", name, "../../../cmd/policyctl").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return name
}

// newStack returns a stack that is not up. Its parts end with the test.
func newStack(t *testing.T, program string, instances int) *stack {
	t.Helper()
	s := &stack{T: t, dir: filepath.Join(t.TempDir(), "stack"), port: freePorts(t, instances+1)}
	s.env = append(os.Environ(), "STACK="+s.dir, "POLICYCTL="+program, fmt.Sprint("INSTANCES=", instances), fmt.Sprint("PORT=", s.port))
	for dir := s.dir; dir != "/"; dir = filepath.Dir(dir) { // PostgreSQL runs as another user
		if info, err := os.Stat(dir); err == nil && info.Mode().Perm()&0o001 == 0 {
			if err := os.Chmod(dir, info.Mode().Perm()|0o011); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Cleanup(func() {
		if t.Failed() {
			s.logs()
		}
		s.run("down")
	})
	return s
}

// freePorts returns the first of some ports in a row that nobody has, below those that the
// system gives to connections.
func freePorts(t *testing.T, n int) int {
	t.Helper()
	for port := 20000 + os.Getpid()%10000; port < 32000; port += n {
		free := 0
		for i := range n {
			l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port+i))
			if err != nil {
				break
			}
			l.Close()
			free++
		}
		if free == n {
			return port
		}
	}
	t.Fatal("there are no free ports")
	return 0
}

// trust has clients of this test trust the certificate of a stack that is up.
func (s *stack) trust() {
	s.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, "secrets", "ca.pem"))
	if err != nil {
		s.Fatal(err)
	}
	before := http.DefaultTransport
	s.Cleanup(func() { http.DefaultTransport = before })
	own := before.(*http.Transport).Clone()
	own.TLSClientConfig = &tls.Config{RootCAs: x509.NewCertPool()}
	own.TLSClientConfig.RootCAs.AppendCertsFromPEM(text)
	http.DefaultTransport = own
}

// run runs a command of the stack, which must succeed.
func (s *stack) run(args ...string) string {
	s.Helper()
	cmd := exec.Command("../../../deploy/stack", args...)
	cmd.Env = s.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.Errorf("stack %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// logs shows the ends of the logs of a stack.
func (s *stack) logs() {
	logs, _ := filepath.Glob(filepath.Join(s.dir, "log", "*"))
	for _, name := range logs {
		text, _ := os.ReadFile(name)
		s.Logf("== %s\n%s", filepath.Base(name), text[max(0, len(text)-3000):])
	}
}

// policyctl runs the stack's program on its database, and returns what it prints and its
// exit code.
func (s *stack) policyctl(args ...string) (string, int) {
	s.Helper()
	cmd := exec.Command(filepath.Join(s.dir, "bin", "policyctl"), append(args, "--db", "postgres://policyctl_serve@/policyctl?host="+s.dir+"/postgres/run")...)
	cmd.Env = append(s.env, "PGPASSFILE="+filepath.Join(s.dir, "secrets", "pgpass"), "HOME="+s.dir)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		s.Fatal(err)
	} else if ok {
		return out.String() + errs.String(), exit.ExitCode()
	}
	return out.String() + errs.String(), 0
}

// client returns a client with a new token: of nginx for 0, else of an instance.
func (s *stack) client(instance int, name, scope string) *approval.Client {
	s.Helper()
	text, code := s.policyctl("token", "create", name, "--scope", scope)
	token, _, _ := strings.Cut(text, "\n")
	if code != 0 {
		s.Fatal(text)
	}
	c, err := approval.NewClient("https://localhost:"+strconv.Itoa(s.port+instance), token)
	if err != nil {
		s.Fatal(err)
	}
	return c
}

// submit asks for a command.
func (s *stack) submit(c *approval.Client, command string) *approval.Request {
	s.Helper()
	call := policy.Shell(command, "/srv/app")
	call.Session = "s1"
	r, err := c.Submit(s.Context(), approval.Submission{Key: command, Call: call})
	if err != nil || r.State != approval.Pending {
		s.Fatalf("%+v, %v", r, err)
	}
	return r
}

// An answer is what an executor got that waited.
type answer struct {
	r     *approval.Request
	err   error
	after time.Time
}

func (s *stack) await(c *approval.Client, id string) <-chan answer {
	out := make(chan answer, 1)
	ctx, stop := context.WithTimeout(s.Context(), time.Minute)
	go func() {
		defer stop()
		r, err := c.Await(ctx, id)
		out <- answer{r, err, time.Now()}
	}()
	return out
}

// released fails unless an executor got its approval within a time.
func (s *stack) released(from <-chan answer, since time.Time, within time.Duration) *approval.Request {
	s.Helper()
	a := <-from
	if a.err != nil || a.r.State != approval.Approved {
		s.Fatalf("%+v, %v", a.r, a.err)
	}
	if took := a.after.Sub(since); took > within {
		s.Errorf("the executor was released after %s", took)
	}
	return a.r
}

// verified fails unless the audit log holds.
func (s *stack) verified() {
	s.Helper()
	if text, code := s.policyctl("audit", "verify"); code != 0 {
		s.Errorf("audit verify: exit code %d: %s", code, text)
	}
}

var once = approval.Answer{Word: approval.ApprovedOnce}

// prompt is how long a release may take on a busy machine. It takes some milliseconds.
const prompt = 5 * time.Second

// The stack comes up by one command, and does not lose what waits whatever happens to its
// parts.
func TestStack(t *testing.T) {
	seed.Slow(t)
	if testing.Short() {
		t.Skip("it starts PostgreSQL, nginx and three instances of the service")
	}
	if runtime.GOOS != "linux" {
		t.Skip("deploy/stack is for Linux")
	}
	for _, name := range []string{"postgres", "psql", "nginx", "openssl", "curl", "setpriv"} {
		if _, err := exec.LookPath(name); err != nil && name != "postgres" {
			if os.Getenv("CI") != "" {
				t.Fatal("the gate installs it: ", err)
			}
			t.Skip(err)
		}
	}
	built := program(t)
	s := newStack(t, built, 3)
	s.run("up")
	if t.Failed() {
		return
	}
	s.trust()
	if text := s.run("status"); strings.Count(text, "ready") != 3 || strings.Contains(text, "not ready") {
		t.Errorf("%s", text)
	}
	executor, boss := s.client(1, "agent", "submit"), s.client(2, "ann", "approve,read")

	t.Run("approved on one, released on another, the third is killed", func(t *testing.T) {
		s.T = t
		r := s.submit(executor, "make release")
		waits := s.await(executor, r.ID)
		time.Sleep(200 * time.Millisecond) // it hangs at its instance
		s.kill("serve-3")
		since := time.Now()
		if _, err := boss.Decide(t.Context(), r.ID, once); err != nil {
			t.Fatal(err)
		}
		got := s.released(waits, since, prompt)
		if _, err := executor.Consume(t.Context(), got.Receipt.Text); err != nil {
			t.Error(err)
		}
		if _, err := s.client(2, "agent", "submit").Consume(t.Context(), got.Receipt.Text); err == nil {
			t.Error("the receipt was used twice")
		}
		s.verified()
		s.run("start", "serve-3")
	})

	t.Run("nginx leads around an instance that is gone", func(t *testing.T) {
		s.T = t
		s.kill("serve-1")
		front := s.client(0, "agent", "submit")
		for i := range 9 {
			s.submit(front, fmt.Sprint("make part", i))
		}
		s.run("start", "serve-1")
	})

	t.Run("upgrade", func(t *testing.T) {
		s.T = t
		front, person := s.client(0, "agent", "submit"), s.client(0, "ann", "approve,read")
		r := s.submit(front, "make upgrade")
		waits := s.await(front, r.ID)
		s.run("upgrade", built)
		since := time.Now()
		if _, err := person.Decide(t.Context(), r.ID, once); err != nil {
			t.Fatal(err)
		}
		s.released(waits, since, prompt)
	})

	t.Run("the key is rotated", func(t *testing.T) {
		s.T = t
		before := s.submit(executor, "make before")
		s.run("rotate-key")
		for i, id := range []string{before.ID, s.submit(executor, "make after").ID} {
			r, err := s.client(1+i, "ann", "approve,read").Decide(t.Context(), id, once)
			if err != nil || r.State != approval.Approved {
				t.Fatalf("%+v, %v", r, err)
			}
			got, err := executor.Get(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.client(3, "agent", "submit").Consume(t.Context(), got.Receipt.Text); err != nil {
				t.Error(err)
			}
		}
	})

	t.Run("the bundle of the policy", func(t *testing.T) {
		s.T = t
		rule := "\n  - {match: shell make forbidden, action: deny, why: the organisation says so}\n"
		name := filepath.Join(s.dir, "policy", "organisation.yaml")
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, append(text, rule...), 0o600); err != nil {
			t.Fatal(err)
		}
		s.run("publish")
		for end := time.Now().Add(time.Minute); ; time.Sleep(500 * time.Millisecond) {
			call := policy.Shell("make forbidden", "/srv/app")
			r, err := executor.Submit(t.Context(), approval.Submission{Call: call})
			if err == nil && r.State == approval.Denied && strings.Contains(r.Decision.Reason, "the organisation says so") {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("the bundle does not count: %+v, %v", r, err)
			}
		}
	})

	t.Run("backup and restore", func(t *testing.T) {
		s.T = t
		r := s.submit(executor, "make restored")
		backup := filepath.Join(t.TempDir(), "backup")
		s.run("backup", backup)
		s.run("down")
		again := newStack(t, built, 2)
		again.run("restore", backup)
		again.verified()
		if _, err := again.client(1, "ann", "approve,read").Decide(t.Context(), r.ID, once); err != nil {
			t.Error(err)
		}
		again.verified()
	})
}

// kill ends a part of the stack at once.
func (s *stack) kill(name string) {
	s.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, "run", name+".pid"))
	if err != nil {
		s.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		s.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		s.Fatal(err)
	}
}
