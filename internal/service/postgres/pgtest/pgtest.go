// Package pgtest gives tests a PostgreSQL of their own: a cluster in a temporary
// directory, reached by a Unix socket, that ends with the process.
//
//	url := pgtest.URL(t) // of an empty database
//
// The programs of PostgreSQL must be installed; where they are not, tests are
// skipped, and fail where the variable CI is set. The package knows no store.
package pgtest

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A Cluster is a server with its databases. Its methods fail the test on errors.
type Cluster struct {
	bin, dir string
	port     int
	options  []string // of the server
	watch    func()   // ends the server and removes its files
}

// database names databases.
var databases atomic.Int64

// shared is the cluster of the tests that do nothing to it.
var shared = sync.OnceValues(func() (*Cluster, error) { return start(nil) })

// URL returns the URL of a new database, without tables, on a cluster that all
// tests of the process share.
func URL(t testing.TB) string {
	t.Helper()
	need(t)
	c, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return c.URL(t)
}

// Start starts a cluster that a test may stop and kill. It ends with the test.
// Settings are those of the server, such as "ssl=on".
func Start(t testing.TB, settings ...string) *Cluster {
	t.Helper()
	need(t)
	c, err := start(settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.watch)
	return c
}

// need skips a test, or fails it, where the programs are missing.
func need(t testing.TB) {
	t.Helper()
	if _, err := binaries(); err != nil && os.Getenv("CI") != "" {
		t.Fatal(err)
	} else if err != nil {
		t.Skipf("SKIPPED, NOTHING IS TESTED HERE: %v", err)
	}
}

// binaries returns the directory of the newest programs of PostgreSQL.
func binaries() (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // where Debian has them
	if len(found) > 0 {
		slices.SortFunc(found, func(a, b string) int { return version(a) - version(b) })
		return filepath.Dir(found[len(found)-1]), nil
	}
	path, err := exec.LookPath("initdb")
	if err != nil {
		return "", fmt.Errorf("there is no initdb: install postgresql")
	}
	path, err = filepath.EvalSymlinks(path)
	return filepath.Dir(path), err
}

func version(initdb string) int {
	n, _ := strconv.Atoi(strings.Split(initdb, "/")[4])
	return n
}

// start makes a cluster and starts it.
func start(settings []string) (*Cluster, error) {
	c, err := place()
	if err != nil {
		return nil, err
	}
	_, err = c.run("initdb", "--no-sync", "--no-instructions", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale", "C", "-D", c.Data())
	if err == nil {
		err = c.begin(settings)
	}
	if err != nil {
		c.watch()
		return nil, err
	}
	return c, nil
}

// place makes the directory of a cluster, which goes when the process ends,
// however it does.
func place() (*Cluster, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("/tmp", "pg") // a short one: it is that of the socket
	if err != nil {
		return nil, err
	}
	c := &Cluster{bin: bin, dir: dir, port: 5432}
	if os.Getuid() == 0 { // as whom no server runs
		if out, err := exec.Command("chown", "postgres", dir).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("chown: %v: %s", err, out)
		}
	}
	return c, c.guard()
}

// guard starts a shell that waits for the end of the process, and then ends the
// server and removes its files.
func (c *Cluster) guard() error {
	stop := c.command("pg_ctl", "stop", "-m", "immediate", "-D", c.Data())
	sh := exec.Command("sh", "-c", `cat; "$@" >/dev/null 2>&1; rm -rf "$DIR"`, "sh")
	sh.Args = append(sh.Args, stop.Args...)
	sh.Env = append(os.Environ(), "DIR="+c.dir)
	sh.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interrupt of the terminal is not for it
	in, err := sh.StdinPipe()
	if err != nil {
		return err
	}
	if err := sh.Start(); err != nil {
		return err
	}
	c.watch = sync.OnceFunc(func() {
		_ = in.Close()
		_ = sh.Wait()
	})
	return nil
}

// command is a program of PostgreSQL, run by a user who may.
func (c *Cluster) command(name string, args ...string) *exec.Cmd {
	args = append([]string{filepath.Join(c.bin, name)}, args...)
	if os.Getuid() == 0 {
		args = append([]string{"setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"}, args...)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = "/"
	return cmd
}

func (c *Cluster) run(name string, args ...string) (string, error) {
	cmd := c.command(name, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out // pg_ctl leaves a server that has them
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", name, err, out.String())
	}
	return out.String(), err
}

// begin starts the server with some settings more.
func (c *Cluster) begin(settings []string) error {
	c.options = append([]string{"listen_addresses=", "unix_socket_directories=" + c.dir, "fsync=off", "shared_buffers=16MB", "max_connections=60", "logging_collector=off"}, settings...)
	return c.up()
}

func (c *Cluster) up() error {
	var o strings.Builder
	for _, s := range c.options {
		fmt.Fprintf(&o, " -c '%s'", s)
	}
	_, err := c.run("pg_ctl", "start", "-w", "-t", "30", "-D", c.Data(), "-l", filepath.Join(c.dir, "log"), "-o", o.String())
	if err != nil {
		log, _ := os.ReadFile(filepath.Join(c.dir, "log"))
		err = fmt.Errorf("%w: %s", err, log)
	}
	return err
}

// Data returns the directory of the data.
func (c *Cluster) Data() string { return filepath.Join(c.dir, "data") }

// URL returns the URL of a new database.
func (c *Cluster) URL(t testing.TB) string {
	t.Helper()
	name := fmt.Sprint("test", databases.Add(1))
	c.SQL(t, "postgres", "CREATE DATABASE "+name)
	return c.To(name, "postgres")
}

// Clone returns the URL of a new database on the shared cluster that is like the one at a
// URL, for the same role. Nobody may be connected to that one.
func Clone(t testing.TB, url string) string {
	t.Helper()
	c, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	rest := strings.TrimPrefix(url, "postgres:///")
	from, query, _ := strings.Cut(rest, "?")
	name := fmt.Sprint("test", databases.Add(1))
	c.SQL(t, "postgres", "CREATE DATABASE "+name+" TEMPLATE "+from)
	return "postgres:///" + name + "?" + query
}

// To returns the URL of a database for a role.
func (c *Cluster) To(database, role string) string {
	return fmt.Sprintf("postgres:///%s?host=%s&port=%d&user=%s", database, c.dir, c.port, role)
}

// SQL runs statements in a database as its superuser, and returns what psql
// prints.
func (c *Cluster) SQL(t testing.TB, database, statements string) string {
	t.Helper()
	return SQL(t, c.To(database, "postgres"), statements)
}

// SQL runs statements of psql at a URL, and returns what psql prints.
func SQL(t testing.TB, url, statements string) string {
	t.Helper()
	out, err := psql(url, statements)
	if err != nil {
		t.Fatalf("psql: %v: %s", err, out)
	}
	return out
}

// Refused fails the test unless the server refuses statements at a URL with a text.
func Refused(t testing.TB, url, statements, text string) {
	t.Helper()
	if out, err := psql(url, statements); err == nil || !strings.Contains(out, text) {
		t.Errorf("%s: %v: %s; want %q", statements, err, out, text)
	}
}

func psql(url, statements string) (string, error) {
	bin, err := binaries()
	if err != nil {
		return "", err
	}
	cmd := exec.Command(filepath.Join(bin, "psql"), "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", url, "-f", "-")
	cmd.Stdin = strings.NewReader(statements)
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// Up starts a server that was stopped or killed.
func (c *Cluster) Up(t testing.TB) {
	t.Helper()
	if err := c.up(); err != nil {
		t.Fatal(err)
	}
}

// Stop stops the server, which ends its connections.
func (c *Cluster) Stop(t testing.TB) {
	t.Helper()
	if _, err := c.run("pg_ctl", "stop", "-w", "-m", "fast", "-D", c.Data()); err != nil {
		t.Fatal(err)
	}
}

// Kill kills the processes of the server at once, as a crash of the machine
// would.
func (c *Cluster) Kill(t testing.TB) {
	t.Helper()
	pid := c.pid(t)
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	for _, p := range append([]string{strconv.Itoa(pid)}, strings.Fields(string(children))...) {
		if n, err := strconv.Atoi(p); err == nil {
			_ = syscall.Kill(n, syscall.SIGKILL)
		}
	}
	for syscall.Kill(pid, 0) == nil {
		time.Sleep(time.Millisecond)
	}
}

func (c *Cluster) pid(t testing.TB) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(c.Data(), "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// Standby starts a replica that follows the server. It takes over with Promote.
func (c *Cluster) Standby(t testing.TB) *Cluster {
	t.Helper()
	s, err := place()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.watch)
	if _, err := s.run("pg_basebackup", "--no-sync", "-c", "fast", "-R", "-X", "stream", "-h", c.dir, "-p", strconv.Itoa(c.port), "-U", "postgres", "-D", s.Data()); err != nil {
		t.Fatal(err)
	}
	if err := s.begin([]string{"hot_standby=on"}); err != nil {
		t.Fatal(err)
	}
	return s
}

// Promote makes a replica a server that is written to.
func (c *Cluster) Promote(t testing.TB) {
	t.Helper()
	if _, err := c.run("pg_ctl", "promote", "-w", "-D", c.Data()); err != nil {
		t.Fatal(err)
	}
}

// Write writes a file in the directory of the data, such as pg_hba.conf, for the server
// alone, and has the server read its settings again.
func (c *Cluster) Write(t testing.TB, name string, data []byte) {
	t.Helper()
	path := filepath.Join(c.Data(), name)
	err := os.WriteFile(path, data, 0o600)
	if err == nil && os.Getuid() == 0 {
		err = exec.Command("chown", "postgres", path).Run()
	}
	if err != nil {
		t.Fatal(err)
	}
	c.SQL(t, "postgres", "SELECT pg_reload_conf()")
}

// Listen has the server listen at 127.0.0.1 too, and returns the port.
func (c *Cluster) Listen(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c.port = l.Addr().(*net.TCPAddr).Port
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	c.Stop(t)
	c.options = append(c.options, "listen_addresses=127.0.0.1", fmt.Sprint("port=", c.port))
	c.Up(t)
	return c.port
}

// Proxy returns the directory of a socket behind which is a cluster, and a function that
// changes which one; nil for none. Connections of before end.
func Proxy(t testing.TB, c *Cluster) (dir string, to func(*Cluster)) {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "pg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	listener, err := net.Listen("unix", filepath.Join(dir, ".s.PGSQL.5432"))
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{target: c, open: make(map[net.Conn]bool)}
	t.Cleanup(func() { _ = listener.Close(); p.to(nil) })
	go p.accept(listener)
	return dir, p.to
}

// A proxy hands bytes on.
type proxy struct {
	mu     sync.Mutex
	target *Cluster
	open   map[net.Conn]bool
}

func (p *proxy) accept(l net.Listener) {
	for {
		in, err := l.Accept()
		if err != nil {
			return
		}
		go p.serve(in)
	}
}

func (p *proxy) serve(in net.Conn) {
	defer in.Close()
	p.mu.Lock()
	target := p.target
	p.mu.Unlock()
	if target == nil {
		return
	}
	var d net.Dialer
	out, err := d.DialContext(context.Background(), "unix", filepath.Join(target.dir, ".s.PGSQL.5432"))
	if err != nil {
		return
	}
	defer out.Close()
	p.mu.Lock()
	p.open[in] = true
	p.mu.Unlock()
	done := make(chan bool, 2)
	go pump(out, in, done)
	go pump(in, out, done)
	<-done
	p.mu.Lock()
	delete(p.open, in)
	p.mu.Unlock()
}

func pump(to, from net.Conn, done chan<- bool) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			if _, failed := to.Write(buffer[:n]); failed != nil {
				break
			}
		}
		if err != nil {
			break
		}
	}
	done <- true
}

func (p *proxy) to(c *Cluster) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target = c
	for in := range p.open {
		_ = in.Close()
	}
}

// Copy restores a dump of one database into another one.
func Copy(t testing.TB, from, to string) {
	t.Helper()
	bin, err := binaries()
	if err != nil {
		t.Fatal(err)
	}
	dump, err := exec.Command(filepath.Join(bin, "pg_dump"), "-d", from).Output()
	if err != nil {
		t.Fatal(err)
	}
	SQL(t, to, string(dump))
}
