//go:build unix

package subscription

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe is not opened: that would wait for a writer.
func TestPipe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(file, 0o600); err != nil {
		t.Fatal(err)
	}
	newRig(t, file).fetch("not a plain file")
}
