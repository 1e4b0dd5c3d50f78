package console

import "golang.org/x/sys/unix"

// The requests that get and set the modes of a terminal.
const (
	getTermios = unix.TIOCGETA
	setTermios = unix.TIOCSETA
)
