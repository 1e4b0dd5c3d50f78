//go:build !race

package pattern

const RaceEnabled = false
