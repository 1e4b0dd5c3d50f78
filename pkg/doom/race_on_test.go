//go:build race

package doom

// race says that the race detector runs, which allocates on its own.
const race = true
