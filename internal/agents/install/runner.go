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
// variables that the agent adds to the environment, and returns what it
// printed and its exit code. The error says that it could not be run to its
// end.
type Runner func(ctx context.Context, line string, environ []string, stdin []byte) (stdout []byte, code int, err error)

// maxAnswer bounds how much of an answer is read.
const maxAnswer = 1 << 20

// Shell is the [Runner] that gives the command line to sh.
func Shell(ctx context.Context, line string, environ []string, stdin []byte) (stdout []byte, code int, err error) {
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", line)
	out := &bounded.Buffer{Max: maxAnswer, Overflow: errTooLong}
	cmd.Env = append(os.Environ(), environ...)
	cmd.Stdin, cmd.Stdout = bytes.NewReader(stdin), out
	cmd.WaitDelay = time.Second // for what the command leaves behind
	err = cmd.Run()
	exit, failed := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		return nil, 0, fmt.Errorf("it gave no answer within %s", probeTimeout)
	case out.Full():
		return nil, 0, errTooLong
	case failed:
		return out.Bytes(), exit.ExitCode(), nil
	}
	return out.Bytes(), 0, err
}

var errTooLong = fmt.Errorf("it prints more than %d MiB", maxAnswer>>20)
