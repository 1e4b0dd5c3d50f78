//go:build !unix

package plainfile

// noFollow is nothing where only administrators make links.
const noFollow = 0

// refused is the error of a link of that name, which opening it would follow.
func refused(name string) error { return NoLink(name) }
