package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/policyctl/policyctl/internal/agents/guard"
	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/agents/lifeline"
	"github.com/policyctl/policyctl/internal/support/bounded"
)

// handOver becomes the policyctl beside this program; it returns where that
// cannot be started.
func handOver(agent string, wait time.Duration) {
	tool, err := beside()
	if err != nil {
		return
	}
	args := []string{tool, "hook", agent}
	if wait > 0 {
		args = append(args, "--wait", wait.String())
	}
	_ = syscall.Exec(tool, args, untuned(os.Environ()))
}

// tuning are the variables by which whoever starts an agent could have the other
// program take longer than the agent waits.
var tuning = []string{"GOGC", "GOMEMLIMIT", "GOMAXPROCS", "GODEBUG", "GOTRACEBACK"}

// untuned returns an environment without those.
func untuned(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(tuning, name)
	})
}

// beside returns the path of the policyctl in the directory of this program.
func beside() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return "", err
	}
	return filepath.Join(filepath.Dir(self), "policyctl"+filepath.Ext(self)), nil
}

// A relay has the policyctl beside this program answer what asks: what speaks
// to an approval service is not linked here.
type relay struct {
	agent string
	guard *guard.Guard
}

// spare is what the other program gets to start, and to answer in.
const spare = time.Second

// maxAnswer bounds what is read of the other program, in bytes.
const maxAnswer = 1 << 20

var errTooMuch = errors.New("it prints too much")

// refer is the Refer of a [hook.Host].
func (r *relay) refer(ctx context.Context, in hook.Ask) (hook.Outcome, error) {
	if !r.guard.Serviced(in.Event) {
		return hook.Outcome{Verdict: in.Verdict}, nil
	}
	lifeline.Wait(ctx)
	out, err := r.run(ctx, in)
	if ctx.Err() != nil {
		return hook.Outcome{}, ctx.Err()
	}
	if err != nil {
		return hook.Outcome{Verdict: in.Verdict, Note: "nobody was asked through the approval service: " + err.Error()}, nil
	}
	return out, nil
}

// run gives the event to the other program, and returns its answer if it is
// one that agents heed.
func (r *relay) run(ctx context.Context, in hook.Ask) (hook.Outcome, error) {
	tool, err := beside()
	if err != nil {
		return hook.Outcome{}, err
	}
	wait := time.Until(in.Until).Truncate(time.Millisecond) - spare
	if wait < hook.MinWait {
		return hook.Outcome{}, errors.New("there is no time left")
	}
	cmd := exec.CommandContext(ctx, tool, "hook", r.agent, "--decided", "--wait", wait.String())
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // it takes its request back
	cmd.WaitDelay = 3 * time.Second
	stdout, stderr := bounded.Buffer{Max: maxAnswer, Overflow: errTooMuch}, bounded.Buffer{Max: maxAnswer, Overflow: errTooMuch}
	cmd.Env = untuned(os.Environ())
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in.Raw), &stdout, &stderr
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return hook.Outcome{}, err
	}
	code := cmd.ProcessState.ExitCode()
	if why := unfit(code, stdout.Bytes(), stderr.Bytes()); why != "" {
		return hook.Outcome{}, fmt.Errorf("%s %s", tool, why)
	}
	_, _ = os.Stderr.Write(stderr.Bytes())
	return hook.Outcome{Answered: true, Printed: stdout.Bytes(), Code: code}, nil
}

// unfit says why an answer is none that every agent heeds, "" if it is one:
// exit code 0 with one JSON object or nothing, or 2 with a reason.
func unfit(code int, stdout, stderr []byte) string {
	text := bytes.TrimSpace(stdout)
	switch {
	case code == 0 && (len(text) == 0 || text[0] == '{' && json.Valid(text)):
		return ""
	case code == 2 && len(text) == 0 && len(bytes.TrimSpace(stderr)) > 0:
		return ""
	case code == 0 || code == 2:
		return "printed no answer"
	}
	last := string(bytes.TrimSpace(stderr))
	return fmt.Sprintf("failed with exit code %d: %.200s", code, last[strings.LastIndexByte(last, '\n')+1:])
}
