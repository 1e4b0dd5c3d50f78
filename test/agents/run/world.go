//go:build linux

package main

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/policyctl/policyctl/test/agents/standin"
)

// The paths in the namespace that root owns.
const (
	programs = "/opt/policyctl"
	client   = "/opt/client"
	runtime  = "/opt/node"
	built    = "/opt/built"
	records  = "/opt/records"
	own      = "/opt/run"
	uid      = 1700
)

// address is where the stand-in listens.
const address = "127.0.0.1:9999"

// A world is the machine that an agent sees.
type world struct {
	agent agent
	model *standin.Server
	notes []string
}

func (w *world) note(format string, args ...any) {
	w.notes = append(w.notes, fmt.Sprintf(format, args...))
}

// newWorld lays out the namespace: programs that root owns below /opt, and
// nothing else of the machine's homes and temporary files.
func newWorld(a agent) (*world, error) {
	w := &world{agent: a, model: &standin.Server{}}
	steps := []func() error{
		func() error { return syscall.Mount("", "/", "", syscall.MS_PRIVATE|syscall.MS_REC, "") },
		func() error { return tmpfs("/opt", "755") },
		func() error { return bind(os.Getenv("CLIENT"), client) },
		func() error { return bind(filepath.Join(os.Getenv("NODE"), "node_modules", node), runtime) },
		func() error { return bind(os.Getenv("WORK"), built) },
		func() error { return bindRecords(os.Getenv("RECORD")) },
		copyPrograms,
		func() error { return copyFile(built+"/run", own) },
		func() error { return tmpfs("/home", "755") },
		func() error { return tmpfs("/tmp", "1777") },
		addUser,
		func() error { return exec.Command("ip", "link", "set", "lo", "up").Run() },
		w.listen,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return w, nil
}

func tmpfs(path, mode string) error {
	return syscall.Mount("tmpfs", path, "tmpfs", 0, "mode="+mode)
}

func bind(from, to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	return syscall.Mount(from, to, "", syscall.MS_BIND, "")
}

// bindRecords shows the directory of records, if there is to be one.
func bindRecords(dir string) error {
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return bind(dir, records)
}

// copyPrograms puts policyctl where no agent can write. Beside it, in real, is
// what a script in the place of the hook may start.
func copyPrograms() error {
	for _, dir := range []string{programs, programs + "/real"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		for _, name := range []string{"policyctl", "policyctl-hook"} {
			if err := copyFile(filepath.Join(built, name), filepath.Join(dir, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

func copyFile(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o755)
}

// addUser gives the user without rights a name, which some clients look up.
func addUser() error {
	b, err := os.ReadFile("/etc/passwd")
	if err != nil {
		return err
	}
	line := fmt.Sprintf("dev:x:%d:%d::%s:/bin/bash\n", uid, uid, home)
	if err := os.WriteFile("/home/passwd", append(b, line...), 0o644); err != nil {
		return err
	}
	return syscall.Mount("/home/passwd", "/etc/passwd", "", syscall.MS_BIND, "")
}

func (w *world) listen() error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	go func() { _ = http.Serve(l, w.model) }() // until the namespace ends
	return nil
}

// fresh makes a new home directory with a project, the agent's settings and the
// policy, and installs the hook.
func (w *world) fresh(s scenario) error {
	for _, dir := range []string{home, "/tmp"} {
		if err := empty(dir); err != nil {
			return err
		}
	}
	if err := copyPrograms(); err != nil {
		return err
	}
	files := map[string]string{
		project + "/Makefile":                   makefile,
		project + "/notes.txt":                  "Some notes.\n",
		home + "/.config/policyctl/policy.yaml": policy,
	}
	for name, text := range w.agent.files {
		files[filepath.Join(home, name)] = text
	}
	for path, text := range files {
		if err := write(path, text); err != nil {
			return err
		}
	}
	return w.installHook(s)
}

func (w *world) installHook(s scenario) error {
	if err := w.user("git", "init", "-q").Run(); err != nil {
		return fmt.Errorf("git init: %w", err)
	}
	if login := w.agent.login; login != nil {
		if out, err := w.user("/usr/bin/env", login...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", strings.Join(login, " "), err, out)
		}
	}
	words := append([]string{"install", cmp.Or(w.agent.as, w.agent.name)}, w.agent.install...)
	if out, err := w.user(programs+"/policyctl", append(words, s.setup...)...).CombinedOutput(); err != nil {
		return fmt.Errorf("policyctl %s: %w\n%s", strings.Join(words, " "), err, out)
	}
	if os.Getenv("RECORD") != "" && s.before == nil {
		return w.listenIn()
	}
	if s.before != nil {
		return s.before(w)
	}
	return nil
}

// empty removes what a directory holds.
func empty(dir string) error {
	all, err := os.ReadDir(dir)
	for _, e := range all {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	if os.IsNotExist(err) {
		return nil
	}
	return err
}

// write makes a file of the user, with its directories.
func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return err
	}
	for p := path; p != filepath.Dir(home) && p != "/"; p = filepath.Dir(p) {
		if err := os.Chown(p, uid, uid); err != nil {
			return err
		}
	}
	return nil
}

// user returns a command of the user without rights, in the project.
func (w *world) user(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = project
	cmd.Env = append([]string{"HOME=" + home, "USER=dev", "SHELL=/bin/bash", "TERM=xterm", "LANG=C.UTF-8",
		"PATH=" + client + "/node_modules/.bin:" + runtime + "/bin:" + os.Getenv("PATH")}, w.agent.env...)
	if path := runtime + "/bin/" + name; name == "node" {
		cmd.Path = path
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}, Setpgid: true}
	return cmd
}

// replaceHook puts lines of a shell in the place of the hook, or nothing.
func (w *world) replaceHook(lines string) error {
	path := programs + "/policyctl-hook"
	if err := os.Remove(path); err != nil || lines == "" {
		return err
	}
	return os.WriteFile(path, []byte("#!/bin/sh\n"+lines+"\n"), 0o755)
}

// breakPolicy leaves a policy that nobody can read.
func (w *world) breakPolicy() error {
	return write(home+"/.config/policyctl/policy.yaml", "version: 1\npermissions: [\n")
}

// log returns policyctl's record of the trial.
func (w *world) log() string {
	out, _ := w.user(programs+"/policyctl", "log", "--json", "--last", "200").Output()
	return string(out) // nothing on record is a finding of its own
}
