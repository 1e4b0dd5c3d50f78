package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/policyctl/policyctl/internal/support/bounded"
)

// A Runner runs a command line of the settings as the agent would, with the
// variables that the agent adds to the environment. The error says that it
// could not be run to its end.
type Runner func(ctx context.Context, line string, environ []string, stdin []byte) (Ran, error)

// Ran is what came of a command line: what it printed, and its exit code.
type Ran struct {
	Stdout, Stderr []byte
	Code           int
}

// maxAnswer bounds how much of an answer is read.
const maxAnswer = 1 << 20

// Shell is the [Runner] that gives the command line to sh.
func Shell(ctx context.Context, line string, environ []string, stdin []byte) (Ran, error) {
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", line)
	out, told := &bounded.Buffer{Max: maxAnswer, Overflow: errTooLong}, &bounded.Buffer{Max: maxAnswer}
	cmd.Env = append(os.Environ(), environ...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), out, told
	cmd.WaitDelay = time.Second // for what the command leaves behind
	err := cmd.Run()
	exit, failed := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		return Ran{}, fmt.Errorf("it gave no answer within %s", probeTimeout)
	case out.Full():
		return Ran{}, errTooLong
	case failed:
		return Ran{out.Bytes(), told.Bytes(), exit.ExitCode()}, nil
	}
	return Ran{out.Bytes(), told.Bytes(), 0}, err
}

var errTooLong = fmt.Errorf("it prints more than %d MiB", maxAnswer>>20)
