//go:build !linux

package main

import (
	"os"
	"testing"
)

// terminal skips a test that needs a terminal: only Linux makes one here.
func terminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	t.Skip("no terminal is made on this system")
	return nil, nil
}
