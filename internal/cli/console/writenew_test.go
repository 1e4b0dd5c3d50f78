package console

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// An export that cannot be finished leaves no half file behind.
func TestWriteNew(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	if err := WriteNew("to", name, 0o600, func(w io.Writer) error { _, _ = w.Write([]byte("half")); return io.ErrClosedPipe }); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
	if _, err := os.Stat(name); !os.IsNotExist(err) {
		t.Error(err)
	}
}
