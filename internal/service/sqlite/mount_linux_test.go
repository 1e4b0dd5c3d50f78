package sqlite_test

import (
	"os"
	"syscall"
	"testing"
)

// mountSmall mounts a file system of a size at a new directory, which needs
// root.
func mountSmall(t *testing.T, dir, size string) {
	t.Helper()
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "mode=700,size="+size); err != nil {
		t.Skipf("a small file system: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
}
