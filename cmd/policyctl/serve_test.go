package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/trial/seed"
)

// An office is a person's home with an approval service.
type office struct {
	*testing.T
	home, state string
	serve       *exec.Cmd
	stderr      *lines
	// url, login and submit are what serve printed.
	url, login, submit string
	// person is the end of the terminal at which a person sits.
	person *os.File
	// env are more variables of the commands.
	env []string
}

func newOffice(t *testing.T) *office {
	t.Helper()
	seed.Slow(t)
	home, err := os.MkdirTemp("", "office") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	o := &office{T: t, home: home, state: filepath.Join(home, ".local/state/policyctl/approval")}
	t.Cleanup(func() {
		o.end(syscall.SIGKILL)
		os.RemoveAll(home)
	})
	return o
}

func (o *office) command(args ...string) *exec.Cmd {
	o.Helper()
	self, err := os.Executable()
	if err != nil {
		o.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	o.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, self)
	cmd.Args = append([]string{"policyctl"}, args...)
	cmd.Env = append([]string{"HOME=" + o.home, "PATH=" + os.Getenv("PATH")}, o.env...)
	cmd.Dir = o.home
	return cmd
}

// says waits until the log of the service holds a text, which comes through a
// pipe after what the terminal shows.
func (o *office) says(text string) bool {
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if strings.Contains(o.stderr.String(), text) {
			return true
		}
	}
	return false
}

// open starts the service and reads what it prints.
func (o *office) open(args ...string) {
	o.Helper()
	o.start(args...)
	o.reads()
}

// start starts the service, and waits for nothing.
func (o *office) start(args ...string) {
	o.Helper()
	if len(args) == 0 {
		args = []string{"--listen", "127.0.0.1:0"}
	}
	o.serve, o.stderr = o.command(append([]string{"serve"}, args...)...), &lines{}
	o.serve.Stderr = o.stderr
	person, program := terminal(o.T)
	o.serve.Stdin, o.serve.Stdout = program, program
	if err := o.serve.Start(); err != nil {
		o.Fatal(err)
	}
	program.Close()
	o.person = person
}

// reads reads what the service prints once it serves.
func (o *office) reads() {
	o.Helper()
	person := o.person
	for in := bufio.NewScanner(person); in.Scan(); {
		name, value, _ := strings.Cut(strings.TrimSpace(in.Text()), " ")
		value = strings.TrimSpace(value)
		switch variable, rest, _ := strings.Cut(name, "="); {
		case variable == "listening":
			o.url = value
		case variable == "CLAUZ3_APPROVAL_SERVICE":
			o.submit = rest
		case variable == "database" && o.url != "":
			io.WriteString(person, "login\n")
		case variable == "login" && strings.Contains(value, "/login#"), variable == "database":
			o.login = value
			go io.Copy(io.Discard, person)
			return
		}
	}
	o.Fatalf("serve ended: %s", o.stderr)
}

// end ends the service by a signal.
func (o *office) end(s syscall.Signal) error {
	if o.serve == nil {
		return nil
	}
	_ = o.serve.Process.Signal(s)
	err := o.serve.Wait()
	o.serve = nil
	return err
}

// run returns what a command prints on the standard output, and its exit code.
func (o *office) run(stdin string, args ...string) (out, stderr string, code int) {
	o.Helper()
	cmd := o.command(args...)
	var stdout, said bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &stdout, &said
	if err := cmd.Run(); err != nil {
		code = cmd.ProcessState.ExitCode()
	}
	return stdout.String(), said.String(), code
}

// must returns what a command prints that succeeds.
func (o *office) must(args ...string) string {
	o.Helper()
	out, stderr, code := o.run("", args...)
	if code != 0 {
		o.Fatalf("policyctl %s: exit code %d\n%s%s", strings.Join(args, " "), code, out, stderr)
	}
	return out
}

// post sends JSON over the socket, as an executor of the same user does.
func (o *office) post(path, body string) (status int, answer map[string]any) {
	o.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", filepath.Join(o.state, "approval.sock"))
	}}}
	res, err := client.Post("http://policyctl"+path, "application/json", strings.NewReader(body))
	if err != nil {
		o.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		o.Fatal(err)
	}
	return res.StatusCode, answer
}

// ask submits a command and returns the id of its request.
func (o *office) ask(command string) string {
	o.Helper()
	call, err := json.Marshal(map[string]any{"call": map[string]any{
		"tool": "shell", "input": map[string]string{"command": command}, "dir": "/srv/app", "session": "s1", "agent": "claude",
	}})
	if err != nil {
		o.Fatal(err)
	}
	status, r := o.post("/v1/requests", string(call))
	if decided := r["state"] != "PENDING"; status != http.StatusCreated && !decided || status != http.StatusOK && decided {
		o.Fatalf("%d %v", status, r)
	}
	return r["id"].(string)
}

// The way of the README, with a service that is killed between the approval
// and the call: nothing is lost, nothing runs twice, and the log holds.
func TestAskHuman(t *testing.T) {
	o := newOffice(t)
	o.open()
	id := o.ask("make deploy")
	shown := o.must("requests", "show", id)
	for _, want := range []string{"  | make deploy\n", "decides    make deploy\n", "stage      confirm\n", "directory  /srv/app\n", "  once      this call          stores nothing\n", "  here      here for 8 h       stores make in /srv/app\n", "left; then it is denied\n"} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in\n%s", want, shown)
		}
	}
	if out := o.must("__complete", "requests", "approve", ""); !strings.HasPrefix(out, id+"\tshell: make deploy\n") {
		t.Error(out)
	}
	out, stderr, code := o.run(o.login+"\n", "requests", "approve", id, "--login")
	if want := "approved (this call)  shell: make deploy  in /srv/app  by login:1  nothing saved\n"; out != want || stderr != "" || code != 0 {
		t.Errorf("%q, want %q: %d %s", out, want, code, stderr)
	}
	o.end(syscall.SIGKILL)
	if _, stderr, code := o.run("", "requests", "list"); code != 1 || !strings.Contains(stderr, "see whether policyctl serve runs") {
		t.Errorf("%d %s", code, stderr)
	}
	submit := o.submit
	o.open()
	if tail := submit[strings.Index(submit, "/s/"):]; !strings.HasSuffix(o.submit, tail) {
		t.Errorf("the token of clients changed with a restart: %s", o.submit)
	}

	_, r := o.post("/v1/receipts/verify", "{}")
	if r["code"] == nil {
		t.Errorf("%v", r)
	}
	receipt := o.receipt(id)
	body := `{"receipt":"` + receipt + `"}`
	if status, r := o.post("/v1/receipts/consume", body); status != http.StatusOK || r["state"] != "APPROVED" {
		t.Errorf("%d %v", status, r)
	}
	if status, r := o.post("/v1/receipts/consume", body); status != http.StatusConflict || r["code"] != "receipt-consumed" {
		t.Errorf("a second use: %d %v", status, r)
	}
	if status, r := o.post("/v1/requests/"+id+"/result", `{"outcome":"EXECUTED","exit_code":0}`); status != http.StatusOK || r["state"] != "EXECUTED" {
		t.Errorf("%d %v", status, r)
	}
	if out := o.must("audit", "verify"); !strings.HasPrefix(out, "verified  yes\n") {
		t.Error(out)
	}
	kinds := regexp.MustCompile(`(?m)^\d+ +\S+ \S+ +(\S+) `).FindAllStringSubmatch(o.must("audit", "list"), -1)
	var got []string
	for _, k := range kinds {
		got = append(got, k[1])
	}
	if want := "key token request login decision receipt login consumption refusal execution"; strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", got, want)
	}
	if text := o.stderr.String(); strings.Contains(text, "pol_") || strings.Contains(text, "polo_") {
		t.Errorf("the log holds a secret: %s", text)
	}
}

// receipt returns the receipt of a request, which only its submitter is shown.
func (o *office) receipt(id string) string {
	o.Helper()
	var r struct{ Receipt struct{ Receipt string } }
	if err := json.Unmarshal([]byte(o.must("requests", "show", id, "--json")), &r); err != nil {
		o.Fatal(err)
	}
	if strings.Count(r.Receipt.Receipt, ".") != 2 {
		o.Fatalf("no receipt: %+v", r)
	}
	return r.Receipt.Receipt
}

// Who may only submit or look decides nothing, whatever it sends.
func TestServeRights(t *testing.T) {
	o := newOffice(t)
	o.open()
	id := o.ask("make deploy")
	if status, r := o.post("/v1/requests/"+id+"/decision", `{"decision":"approved_once"}`); status != http.StatusForbidden {
		t.Errorf("the socket decides: %d %v", status, r)
	}
	reader := o.secret("viewer", "read,submit")
	submitter := o.submit[strings.LastIndex(o.submit, "/")+1:]
	for name, token := range map[string]string{"read and submit": reader, "of the URL": submitter, "none": "pol_x"} {
		if _, stderr, code := o.run("", "requests", "approve", id, "--token-file", o.file(token)); code != 1 {
			t.Errorf("%s: %d %s", name, code, stderr)
		}
	}
	if _, stderr, code := o.run(o.url+"/login#polo_wrong", "requests", "approve", id, "--login"); code != 1 || !strings.Contains(stderr, "the code is not accepted") {
		t.Errorf("%d %s", code, stderr)
	}
	ada := o.file(o.secret("ada", "approve"))
	if out := o.must("requests", "deny", id, "--reason", "frozen", "--token-file", ada); out != "denied  shell: make deploy  in /srv/app  by token:ada  reason: frozen\n" {
		t.Error(out)
	}
	if out, stderr, code := o.run("", "requests", "approve", id, "--token-file", ada); code != 1 || out != "" ||
		!strings.Contains(stderr, "nothing was changed, the request is over: denied  shell: make deploy  in /srv/app  by token:ada  reason: frozen") {
		t.Errorf("%d %s%s", code, out, stderr)
	}
	if _, stderr, code := o.run("", "requests", "approve", "req_none", "--token-file", ada); code != 1 || !strings.Contains(stderr, "there is no such request") {
		t.Errorf("%d %s", code, stderr)
	}
}

// secret makes a token.
func (o *office) secret(name, scopes string) string {
	o.Helper()
	return strings.TrimSpace(o.must("token", "create", name, "--scope", scopes))
}

// file writes a file of its own.
func (o *office) file(text string) string {
	o.Helper()
	f, err := os.CreateTemp(o.home, "file")
	if err != nil {
		o.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text + "\n"); err != nil {
		o.Fatal(err)
	}
	return f.Name()
}

// A second service is refused, and an end leaves nothing behind.
func TestServeAlone(t *testing.T) {
	o := newOffice(t)
	o.open()
	_, stderr, code := o.run("", "serve", "--listen", "127.0.0.1:0", "--socket", "none")
	if want := "directory " + o.state + ": another policyctl serve is using it: stop that one"; code != 1 || !strings.Contains(stderr, want) {
		t.Errorf("%d %s", code, stderr)
	}
	other := newOffice(t)
	_, stderr, code = other.run("", "serve", "--listen", "127.0.0.1:0", "--db", filepath.Join(o.state, "approval.db"))
	if !strings.Contains(stderr, "approval.db: another policyctl serve is using it") || code != 1 {
		t.Errorf("%d %s", code, stderr)
	}
	_, stderr, code = other.run("", "serve", "--listen", "127.0.0.1:0", "--socket", filepath.Join(o.state, "approval.sock"))
	if !strings.Contains(stderr, "approval.sock: another service has it") || code != 1 {
		t.Errorf("%d %s", code, stderr)
	}
	_, stderr, code = other.run("", "serve", "--listen", strings.TrimPrefix(o.url, "http://"))
	if !strings.Contains(stderr, "end what listens there, or choose another port") || code != 1 {
		t.Errorf("%d %s", code, stderr)
	}
	for _, name := range []string{"service.json", "approval.sock", "approval.db", "approval.db.key", "submit-token"} {
		if info, err := os.Stat(filepath.Join(o.state, name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
	if err := o.end(syscall.SIGTERM); err != nil {
		t.Errorf("serve: %v", err)
	}
	for _, name := range []string{"service.json", "approval.sock"} {
		if _, err := os.Lstat(filepath.Join(o.state, name)); !os.IsNotExist(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	old := o.must("audit", "checkpoint")
	o.open("--listen", "127.0.0.1:0", "--rotate-key")
	if o.must("audit", "checkpoint") == old {
		t.Error("the key is the same")
	}
	if out := o.must("audit", "verify", "--checkpoint", o.file(old)); !strings.Contains(out, "\ncheckpoint  holds: record ") {
		t.Error(out)
	}
}

// A watch is a process of policyctl requests watch.
type watch struct {
	*office
	in  io.WriteCloser
	out *lines
	cmd *exec.Cmd
}

func (o *office) watch(args ...string) *watch {
	o.Helper()
	w := &watch{office: o, out: &lines{}, cmd: o.command(append([]string{"requests", "watch"}, args...)...)}
	w.cmd.Stdout, w.cmd.Stderr = w.out, w.out
	var err error
	if w.in, err = w.cmd.StdinPipe(); err == nil {
		err = w.cmd.Start()
	}
	if err != nil {
		o.Fatal(err)
	}
	return w
}

// sees waits until a text stands in the output, behind what was seen before.
func (w *watch) sees(text string) {
	w.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if strings.Contains(w.out.String(), text) {
			return
		}
	}
	w.Fatalf("no %q in\n%s", text, w.out)
}

func (w *watch) types(line string) {
	w.Helper()
	if _, err := io.WriteString(w.in, line+"\n"); err != nil {
		w.Fatalf("%v\n%s", err, w.out)
	}
}

// ends closes the input, at which the watch must end by itself.
func (w *watch) ends() {
	w.Helper()
	w.in.Close()
	if err := w.cmd.Wait(); err != nil {
		w.Errorf("%v\n%s", err, w.out)
	}
}

// What "always here" stores is what was shown, the hooks and the service heed
// it, and nothing else.
func TestAlwaysHere(t *testing.T) {
	o := newOffice(t)
	o.open()
	id := o.ask("make a && git commit -m b")
	out := o.must("requests", "approve", id, "--scope", "here", "--token-file", o.file(o.secret("ann", "approve")))
	for _, entry := range []string{"make in /srv/app", "git commit in /srv/app"} {
		if !strings.Contains(out, entry) || !strings.Contains(o.must("approvals", "list"), entry) {
			t.Errorf("no %q in %s", entry, out)
		}
	}
	for command, want := range map[string]string{"make a && git commit -m b": "APPROVED", "make c": "APPROVED", "npm test": "PENDING", "cd .. && make a": "PENDING"} {
		id := o.ask(command)
		if shown := o.must("requests", "show", id); !strings.Contains(shown, "state      "+want) {
			t.Errorf("%s: %s", command, shown)
		}
	}
}

// Each choice says what it would have allowed of the last calls, in its directory and
// by its verb.
func TestGains(t *testing.T) {
	o := newOffice(t)
	o.open()
	for _, command := range []string{"make a", "make b", "npm test", "cd /srv/other && make c", "ls"} {
		o.ask(command)
	}
	id := o.ask("make a -j4")
	shown := o.previews(id, " of the last 6 calls")
	for scope, want := range map[string]string{"here": "would have allowed 3 of the last 6 calls, such as shell: make ", "anywhere": "would have allowed 4 of the last 6 calls, such as shell: "} {
		if _, after, _ := strings.Cut(shown, "\n  "+scope); !regexp.MustCompile(`^[^\n]*\n +` + want).MatchString(after) {
			t.Errorf("%s: %s", scope, shown)
		}
	}
}

// previews returns a request as soon as its previews say something: calls are stored for them
// a little later.
func (o *office) previews(id, says string) (shown string) {
	for range 200 {
		if shown = o.must("requests", "show", id); strings.Contains(shown, says) {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	return shown
}

// One request after the other is shown and decided; what others decide is
// withdrawn; the service may be killed meanwhile.
func TestWatch(t *testing.T) {
	o := newOffice(t)
	o.open()
	ada := o.file(o.secret("ada", "approve"))
	first, second, third := o.ask("make first"), o.ask("make second"), o.ask("make third")
	o.previews(first, "of the last 3 calls")
	w := o.watch("--token-file", ada)
	w.sees(first + "  a once, s chat, today, here, anywhere, d deny, c comment, j next, ? help: ")
	w.types("w") // is not offered
	w.sees("\"w\" is not a choice here; ? shows them all\n")
	w.types("?")
	w.sees("  a  once     approve: this call; stores nothing\n")
	w.sees("  here        approve: here for 8 h; stores make in /srv/app; would have allowed 3 of the last 3 calls, such as shell: make ")
	w.types("c")
	w.types("run it at night")
	w.types("a")
	w.sees(first + "  approved (this call)  shell: make first  in /srv/app  by token:ada  nothing saved  reason: run it at night\n")
	w.sees("  | make second\n")
	w.types("deny") // needs no reason
	w.sees(second + "  denied  shell: make second  in /srv/app  by token:ada\n")

	w.sees(third + "  a once, ")
	o.must("requests", "approve", third, "--token-file", o.file(o.secret("bob", "approve")))
	w.sees(third + "  approved (this call)  shell: make third  in /srv/app  by token:bob  nothing saved\nthe question is withdrawn; press Enter to go on\n")
	fourth := o.ask("make fourth")
	w.types("a") // for the third: the fourth must not be approved by it
	w.sees(fourth + "  a once, ")
	o.end(syscall.SIGKILL)
	w.sees("the service does not answer; trying again\n")
	o.open()
	w.sees("the service answers again\n")
	if shown := o.must("requests", "show", fourth); !strings.Contains(shown, "state      PENDING, ") {
		t.Error(shown)
	}
	w.types("j")
	w.sees("nothing else waits\n")
	fifth := o.ask("make fifth")
	w.sees("waiting next  " + fifth)
	w.types("j")
	w.sees("  | make fifth\n")
	o.post("/v1/requests/"+fifth+"/cancel", "{}")
	w.sees(fifth + "  cancelled  shell: make fifth  in /srv/app\nthe question is withdrawn")
	w.ends()

	looks := o.watch()
	looks.sees("policyctl: uid:")
	looks.sees("may look but not decide")
	looks.sees("  | make fourth\n")
	sixth := o.ask("make sixth")
	looks.sees("  | make sixth\n")
	o.must("requests", "deny", sixth, "--reason", "no", "--token-file", ada)
	looks.sees(sixth + "  denied  shell: make sixth  in /srv/app  by token:ada  reason: no\n")
	if strings.Contains(looks.out.String(), "a once") {
		t.Error("who may only look is asked")
	}
	_ = looks.cmd.Process.Signal(syscall.SIGTERM)
	if err := looks.cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, looks.out)
	}
}

// Who is asked is told of a few others, and that there are more: a flood must
// not push what the question is about out of sight.
func TestWatchFlood(t *testing.T) {
	o := newOffice(t)
	o.open()
	first := o.ask("make first")
	w := o.watch("--token-file", o.file(o.secret("ada", "approve")))
	w.sees(first + "  a once, ")
	for range 9 {
		o.ask("make other")
	}
	w.sees("more are waiting; each is shown in its turn\n")
	w.types("j")
	w.sees("  | make other\n")
	// Those that a busy machine announces late are told beside the next question.
	before, _, _ := strings.Cut(w.out.String(), "  | make other\n")
	if n := strings.Count(before, "waiting next  "); n != 5 {
		t.Errorf("%d requests were announced:\n%s", n, w.out)
	}
	w.ends()
}

// An approval that was not used is taken back, and one answer denies all of a
// session; the log tells of both, and holds.
func TestTakeBack(t *testing.T) {
	o := newOffice(t)
	o.open()
	ada := o.file(o.secret("ada", "approve"))
	id := o.ask("make first")
	if _, stderr, code := o.run("", "requests", "revoke", id, "--token-file", ada); code != 1 || !strings.Contains(stderr, "nothing was changed, there is no approval to take back: pending  shell: make first") {
		t.Errorf("%d %s", code, stderr)
	}
	o.must("requests", "approve", id, "--scope", "here", "--for", "always", "--token-file", ada)
	if list := o.must("requests", "list", "--all"); !regexp.MustCompile(`(?m)^ID +STATE +LEFT +RISK +BY .*\n` + id + ` +APPROVED +- +(high|medium|low) `).MatchString(list) {
		t.Error(list)
	}
	if _, stderr, code := o.run("", "requests", "deny", id, "--token-file", ada); code != 1 || !strings.HasSuffix(stderr, "; policyctl requests revoke takes the approval back\n") {
		t.Errorf("%d %s", code, stderr)
	}
	receipt := o.receipt(id)
	if out := o.must("requests", "revoke", id, "--reason", "the wrong branch", "--token-file", ada); out != "revoked  shell: make first  in /srv/app  by token:ada  reason: the wrong branch  what it saved stays: make in /srv/app\n" {
		t.Error(out)
	}
	if status, r := o.post("/v1/receipts/consume", `{"receipt":"`+receipt+`"}`); status != http.StatusConflict || r["code"] != "receipt-revoked" {
		t.Errorf("%d %v", status, r)
	}
	used := o.ask("npm test")
	o.must("requests", "approve", used, "--token-file", ada)
	o.post("/v1/receipts/consume", `{"receipt":"`+o.receipt(used)+`"}`)
	if _, stderr, code := o.run("", "requests", "revoke", used, "--token-file", ada); code != 1 || !strings.Contains(stderr, "the approval has already been used") {
		t.Errorf("%d %s", code, stderr)
	}

	waits := o.ask("npm run one")
	if out := o.must("requests", "deny", "--session", "s1", "--reason", "it runs wild", "--token-file", ada); out != "denied  session s1  1 that were pending, and all that come  by token:ada  policyctl requests revoke --session ends it\n" {
		t.Error(out)
	}
	for _, id := range []string{waits, o.ask("npm run two")} {
		if shown := o.must("requests", "show", id); !strings.Contains(shown, "state      DENIED\n") || !strings.Contains(shown, "by token:ada: all requests of this session are denied: it runs wild\n") {
			t.Error(shown)
		}
	}
	if _, stderr, _ := o.run("", "requests", "list"); stderr != "policyctl: all of session \"s1\" is denied by token:ada: policyctl requests revoke --session ends it\n" {
		t.Error(stderr)
	}
	o.must("requests", "revoke", "--session", "s1", "--token-file", ada)
	if _, stderr, code := o.run("", "requests", "revoke", "--session", "s1", "--token-file", ada); code != 1 || !strings.Contains(stderr, "the session s1 is not denied: nothing was changed") {
		t.Errorf("%d %s", code, stderr)
	}
	third := o.ask("npm run three")
	if out := o.must("requests", "deny", third, "--token-file", ada); out != "denied  shell: npm run three  in /srv/app  by token:ada\n" {
		t.Error(out)
	}
	if out := o.must("audit", "verify"); !strings.HasPrefix(out, "verified  yes\n") {
		t.Error(out)
	}
}

// A login is over when the service ends, and a watch with it says so.
func TestWatchLogin(t *testing.T) {
	o := newOffice(t)
	o.open()
	first, second := o.ask("make first"), o.ask("make second")
	w := o.watch("--login")
	w.types(o.login + "\na") // what stands behind the URL is an answer
	w.sees("watching as login:1\n")
	w.sees(first + "  approved (this call)  shell: make first  in /srv/app  by login:1  nothing saved\n")
	w.sees(second + "  a once, ")
	if strings.Contains(w.out.String(), "polo_") {
		t.Errorf("the URL is shown: %s", w.out)
	}
	if _, stderr, code := o.run("", "requests", "list", "--login-file", o.file(o.login)); code != 1 || !strings.Contains(stderr, "the code is not accepted") {
		t.Errorf("the URL was good twice: %d %s", code, stderr)
	}
	o.end(syscall.SIGTERM)
	w.sees("the service does not answer; trying again\n")
	o.open()
	w.sees("policyctl: the events cannot be followed: approval service: the credentials are not accepted")
	if err := w.cmd.Wait(); err == nil || w.cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("%v\n%s", err, w.out)
	}
}

// With a certificate the addresses speak TLS and nothing else.
func TestServeTLS(t *testing.T) {
	o := newOffice(t)
	cert, key := selfSigned(t)
	o.open("--listen", "127.0.0.1:0", "--host", "policy.test", "--tls-cert", o.file(cert), "--tls-key", o.file(key))
	port := o.url[strings.LastIndex(o.url, ":"):]
	if o.url != "https://policy.test"+port {
		t.Fatal(o.url)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM([]byte(cert))
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: "policy.test"}}}
	get := func(url, host string) int {
		r, err := http.NewRequest(http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		res, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res.StatusCode
	}
	if got := get("https://127.0.0.1"+port+"/health", "policy.test"+port); got != http.StatusOK {
		t.Error(got)
	}
	if got := get("https://127.0.0.1"+port+"/health", "evil.test"); got != http.StatusMisdirectedRequest {
		t.Error(got)
	}
	if got := get("http://127.0.0.1"+port+"/health", "policy.test"+port); got != http.StatusBadRequest {
		t.Errorf("plain HTTP: %d", got)
	}

	// One connection has room for more streams than a browser opens connections.
	var dials atomic.Int32
	dialer := net.Dialer{}
	many := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: "policy.test"}, ForceAttemptHTTP2: true,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			dials.Add(1)
			return dialer.DialContext(ctx, network, "127.0.0.1"+port)
		},
	}}
	reader := o.secret("reader", "read")
	events := func() *bufio.Reader {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, o.url+"/v1/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+reader)
		res, err := many.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { res.Body.Close() })
		if res.StatusCode != http.StatusOK || res.ProtoMajor != 2 {
			t.Fatal(res.Status, res.Proto)
		}
		return bufio.NewReader(res.Body)
	}
	var streams []*bufio.Reader
	for range 12 {
		streams = append(streams, events())
	}
	id := o.ask("make all")
	for i, stream := range streams {
		for line := ""; !strings.Contains(line, id); {
			var err error
			if line, err = stream.ReadString('\n'); err != nil {
				t.Fatalf("stream %d: %v", i, err)
			}
		}
	}
	if n := dials.Load(); n != 1 {
		t.Errorf("%d connections", n)
	}
	if err := o.end(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}

// selfSigned returns a certificate for policy.test, and its key.
func selfSigned(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"policy.test"}, NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return encoded("CERTIFICATE", der), encoded("PRIVATE KEY", raw)
}

// One login serves several approvals, and one that fails keeps no other back.
func TestOneLogin(t *testing.T) {
	o := newOffice(t)
	o.open()
	first, second, third := o.ask("make one"), o.ask("make two"), o.ask("make three")
	out, stderr, code := o.run(o.login+"\n", "requests", "approve", first, "req_none", second, "--login")
	if strings.Count(out, "approved (this call)") != 2 || !strings.Contains(out, "make one") || !strings.Contains(out, "make two") || code != 1 || stderr == "" {
		t.Errorf("exit code %d: %s%s", code, out, stderr)
	}
	if _, _, code := o.run(o.login+"\n", "requests", "approve", third, "--login"); code == 0 {
		t.Error("the login URL was good twice")
	}
}
