//go:build !race

package cputime

// Slower is how many times slower the race detector may make a function, 1
// without it.
const Slower = 1
