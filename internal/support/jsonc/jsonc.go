// Package jsonc takes comments and trailing commas out of JSON, as the settings of many
// agents have them. It is safe with any text: hujson, which does the work, knows no bound
// of depth and ends the process where the stack does.
package jsonc

import "github.com/tailscale/hujson"

// deepest is how deep JSON with comments may nest.
const deepest = 1000

// Plain returns JSON without comments and trailing commas, all else in its place. What
// cannot be read, or nests deeper than 1,000 brackets, is returned as it is, with a line
// feed behind it: whoever reads JSON says it better.
func Plain(data []byte) []byte {
	lines := append(data[:len(data):len(data)], '\n') // a comment ends with its line
	if Depth(data) > deepest {
		return lines
	}
	plain, err := hujson.Standardize(lines)
	if err != nil {
		return lines
	}
	return plain
}

// Depth returns how deep the brackets of a text nest at most, whatever stands between them.
func Depth(data []byte) int {
	depth, most := 0, 0
	for _, c := range data {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		most = max(most, depth)
	}
	return most
}
