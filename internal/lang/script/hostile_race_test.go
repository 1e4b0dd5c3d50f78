//go:build race

package script

// hostileSize is how long hostile texts are, in bytes.
const hostileSize = 1 << 17
