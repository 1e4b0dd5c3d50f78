//go:build unix

package plainfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// What is no file, or too long, is an error at once.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(syscall.Mkfifo(at("pipe"), 0o600), os.Symlink("pipe", at("link")), os.Mkdir(at("dir"), 0o700),
		os.WriteFile(at("file"), []byte("12345678"), 0o600), os.Symlink("file", at("good"))); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{
		at("pipe"): plainfile.ErrKind, at("link"): plainfile.ErrKind, at("dir"): plainfile.ErrKind, "/dev/zero": plainfile.ErrKind, at("none"): fs.ErrNotExist, at("file"): nil, at("good"): nil,
	} {
		for what, read := range map[string]func() error{
			"read": func() error { _, err := plainfile.Read(name, 8); return err },
			"open": func() error {
				f, err := plainfile.Open(name)
				if err == nil {
					f.Close()
				}
				return err
			},
		} {
			done := make(chan error, 1)
			go func() { done <- read() }()
			select {
			case err := <-done:
				if !errors.Is(err, want) || err != nil && !strings.Contains(err.Error(), name) {
					t.Errorf("%s %s: %v", what, name, err)
				}
			case <-time.After(5 * time.Second):
				t.Errorf("%s %s: it waits", what, name)
			}
		}
	}
	if _, err := plainfile.Read(at("file"), 7); !errors.Is(err, plainfile.Long(7)) || !strings.Contains(err.Error(), at("file")) {
		t.Errorf("a file that is too long: %v", err)
	}
}

func TestAppend(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	for range 2 {
		f, err := plainfile.Append(file)
		if err != nil {
			t.Fatal(err)
		}
		f.WriteString("x")
		f.Close()
	}
	data, err := plainfile.Read(file, 2)
	info, _ := os.Stat(file)
	if string(data) != "xx" || err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%q %v %v", data, err, info.Mode())
	}
	os.Remove(file)
	if err := syscall.Mkfifo(file, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := plainfile.Append(file); err == nil {
		t.Error("a pipe is appended to")
	}
}
