//go:build !unix

package lifeline

import (
	"os"
	"syscall"
)

// fatal are what Windows makes of a closed console and of Ctrl-C.
var fatal = []os.Signal{os.Interrupt, syscall.SIGTERM}

func ignore() {}

// closed reports nothing: a pipe there does not tell without being written to.
func closed(*os.File) bool { return false }
