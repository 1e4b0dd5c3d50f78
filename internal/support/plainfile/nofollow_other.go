//go:build !unix

package plainfile

// noFollow is nothing where only administrators make links.
const noFollow = 0
