//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/policyctl/policyctl/test/agents/standin"
)

// patience is how long a client may take, unless the flag says otherwise.
var patience = 100 * time.Second

// prompt is what the person says.
const prompt = "Hello."

// tryInside tries an agent in its namespace and prints its cells as JSON.
func tryInside(name, only string) error {
	a, ok := lookup(name)
	if !ok {
		return fmt.Errorf("there is no row for %q", name)
	}
	w, err := newWorld(a)
	if err != nil {
		return err
	}
	cells := map[string]string{}
	wanted := slices.DeleteFunc(scenarios(), func(s scenario) bool {
		return only != "" && !slices.Contains(strings.Split(only, ","), s.name)
	})
	if err := w.together(wanted, cells); err != nil {
		return err
	}
	for _, s := range wanted {
		if cells[s.name] != "" {
			continue
		}
		if cells[s.name], err = w.alone(s); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		w.report(s, cells[s.name])
	}
	return json.NewEncoder(os.Stdout).Encode(cells)
}

// report writes an unexpected cell to standard error, with what is known of it.
func (w *world) report(s scenario, cell string) {
	if cell != w.agent.expects(s) {
		fmt.Fprintf(os.Stderr, "%s, %s: %s\n  %s\n", w.agent.name, s.name, cell, strings.Join(w.notes, "\n  "))
	}
	w.notes = nil
}

// plain reports whether a scenario needs nothing but its calls.
func (s scenario) plain() bool {
	return s.before == nil && s.during == nil && !s.alone && s.starts == nil && s.setup == nil
}

// together tries the plain scenarios in one session, which is quicker. What the
// session did not come to is left for later.
func (w *world) together(all []scenario, cells map[string]string) error {
	var script standin.Script
	var some []scenario
	for _, s := range all {
		if part := w.agent.script(s); s.plain() && len(part.Main) > 0 {
			script.Main, script.Child = append(script.Main, part.Main...), append(script.Child, part.Child...)
			some = append(some, s)
		}
	}
	if len(some) < 2 {
		return nil
	}
	script.Main = append(script.Main, w.looks()...)
	t, err := w.play(scenario{}, script, nil)
	if err != nil {
		return err
	}
	for _, s := range some {
		if cell := s.judge(t); cell == w.agent.expects(s) {
			cells[s.name] = cell
		}
	}
	w.notes = nil
	return w.keepEvents()
}

// looks are calls that no cell tells of, for what is recorded.
func (w *world) looks() []standin.Call {
	var out []standin.Call
	if w.agent.read.tool != "" {
		out = append(out, w.agent.read.call("read", project+"/notes.txt"))
	}
	if w.agent.fetch.tool != "" {
		out = append(out, w.agent.fetch.call("fetch", "http://"+address+standin.Page))
	}
	return out
}

// alone tries one scenario, in each way to start the agent.
func (w *world) alone(s scenario) (string, error) {
	script := w.agent.script(s)
	if len(script.Main) == 0 {
		return untried, nil
	}
	starts := [][]string{nil}
	if s.starts != nil {
		starts = s.starts(w.agent)
	}
	cell := untried
	for i, words := range starts {
		t, err := w.play(s, script, words)
		if err != nil {
			return "", err
		}
		this := s.judge(t)
		w.note("%s: %s", strings.Join(words, " "), this)
		if i > 0 && this != cell {
			return mixed, nil
		}
		cell = this
	}
	return cell, nil
}

// play runs the agent once.
func (w *world) play(s scenario, script standin.Script, words []string) (*trial, error) {
	if err := w.fresh(s); err != nil {
		return nil, err
	}
	w.model.Play(script)
	if s.during != nil {
		stop, err := s.during(w)
		if err != nil {
			return nil, err
		}
		defer stop()
	}
	if s.alone {
		words = append(slices.Clone(w.agent.bypass), words...)
	}
	return &trial{world: w, over: w.start(words)}, nil
}

// start runs the client to its end and reports whether it came to one.
func (w *world) start(words []string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var env []string
	for len(words) > 0 && strings.Contains(words[0], "=") && !strings.HasPrefix(words[0], "-") {
		env, words = append(env, words[0]), words[1:]
	}
	line := slices.Concat(w.agent.start, words, w.agent.says)
	cmd := w.user("/usr/bin/env", slices.Concat(env, line)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		w.note("%v", err)
		return false
	}
	stop := context.AfterFunc(ctx, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	_ = cmd.Wait() // what the agent thinks of its run is no finding
	w.note("%s ended with %v: %s", w.agent.name, cmd.ProcessState, tail(out.String()))
	return stop()
}

// tail returns the end of what a client has printed.
func tail(s string) string {
	const most = 600
	s = strings.TrimSpace(s)
	if len(s) > most {
		s = "…" + s[len(s)-most:]
	}
	return strings.ReplaceAll(s, "\n", "\n    ")
}

// approve runs the service and approves whatever is asked there.
func (w *world) approve() (func(), error) {
	serve := w.user(programs+"/policyctl", "serve")
	var out bytes.Buffer
	serve.Stdout, serve.Stderr = &out, &out
	if err := serve.Start(); err != nil {
		return nil, err
	}
	token, err := w.token()
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out.String())
	}
	done := make(chan struct{})
	go w.decide(token, done)
	return func() {
		close(done)
		_ = serve.Process.Signal(syscall.SIGTERM)
		_ = serve.Wait()
	}, nil
}

// token waits for the service and makes a token that may approve.
func (w *world) token() (string, error) {
	var err error
	for range 50 {
		time.Sleep(100 * time.Millisecond)
		if w.user(programs+"/policyctl", "serve", "health").Run() != nil {
			continue
		}
		var out []byte
		out, err = w.user(programs+"/policyctl", "token", "create", "ada", "--scope", "approve,read").Output()
		if err == nil {
			return strings.TrimSpace(string(out)), nil
		}
	}
	return "", fmt.Errorf("the service does not start: %w", err)
}

func (w *world) decide(token string, done chan struct{}) {
	for {
		select {
		case <-done:
			return
		case <-time.After(200 * time.Millisecond):
		}
		cmd := w.user(programs+"/policyctl", "requests", "list", "--json")
		cmd.Env = append(cmd.Env, "POLICYCTL_TOKEN="+token)
		out, _ := cmd.Output() // there may be none yet
		for _, id := range ids(out) {
			cmd := w.user(programs+"/policyctl", "requests", "approve", id)
			cmd.Env = append(cmd.Env, "POLICYCTL_TOKEN="+token)
			if out, err := cmd.CombinedOutput(); err != nil {
				w.note("requests approve: %v: %s", err, out)
			}
		}
	}
}

// ids returns the identifiers of requests in what the list prints.
func ids(list []byte) []string {
	var out []string
	for _, word := range strings.FieldsFunc(string(list), func(r rune) bool { return r == '"' || r == ' ' || r == '\n' }) {
		if strings.HasPrefix(word, "req_") && !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return out
}

// serveTools is the server of tools that agents start.
func serveTools() error {
	return standin.ServeMCP(os.Stdin, os.Stdout, []string{"price", "refund"}, func(tool string) {
		_ = exec.Command("touch", project+"/"+tool).Run()
	})
}
