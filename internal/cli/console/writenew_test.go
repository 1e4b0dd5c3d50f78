package console_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/policyctl/policyctl/internal/cli/console"
)

// An export that cannot be finished leaves no half file behind.
func TestWriteNew(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	if err := console.WriteNew("to", name, 0o600, func(w io.Writer) error { _, _ = w.Write([]byte("half")); return io.ErrClosedPipe }); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
	if _, err := os.Stat(name); !os.IsNotExist(err) {
		t.Error(err)
	}
}
