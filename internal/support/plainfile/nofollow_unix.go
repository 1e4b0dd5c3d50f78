//go:build unix

package plainfile

import "syscall"

// noFollow has a link in the last place of a path be an error.
const noFollow = syscall.O_NOFOLLOW

// refused is no error: opening a link is one.
func refused(string) error { return nil }
