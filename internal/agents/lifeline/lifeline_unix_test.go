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
