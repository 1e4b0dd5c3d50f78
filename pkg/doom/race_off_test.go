//go:build !race

package doom

const race = false
