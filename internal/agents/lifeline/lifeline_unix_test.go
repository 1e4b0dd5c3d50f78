//go:build unix

package lifeline

import (
	"context"
	"syscall"
	"testing"
	"time"
)

// A limit of the size of files ends no hook: what it cannot write is an error.
func TestFileSize(t *testing.T) {
	ctx, stop := Watch(context.Background(), nil)
	defer stop()
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGXFSZ); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ctx.Done():
		t.Error(context.Cause(ctx))
	case <-time.After(200 * time.Millisecond):
	}
}

// What ends a process ends the wait at once; what would not end it does so when
// the hook has waited, and what would halt it never halts it.
func TestSignals(t *testing.T) {
	send := func(s syscall.Signal) {
		if err := syscall.Kill(syscall.Getpid(), s); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		signal syscall.Signal
		after  time.Duration
		ends   bool
	}{
		{syscall.SIGTERM, 0, true}, {syscall.SIGHUP, 0, true}, {syscall.SIGTSTP, 0, false},
		{syscall.SIGUSR1, 10 * soon, true}, {syscall.SIGQUIT, 10 * soon, true}, {syscall.SIGTSTP, 10 * soon, true},
	} {
		ctx, stop := Watch(context.Background(), nil)
		time.Sleep(tc.after)
		send(tc.signal)
		wait := 10 * soon
		if tc.ends { // on a slow machine it takes a while
			wait = 30 * time.Second
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
		if (ctx.Err() != nil) != tc.ends {
			t.Errorf("%s after %v: %v", tc.signal, tc.after, context.Cause(ctx))
		}
		stop()
	}
}
