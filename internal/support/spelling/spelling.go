// Package spelling finds the name that was probably meant by one that does
// not exist. It knows no names itself, and judges nothing.
package spelling

import (
	"slices"
	"strings"
)

// Nearest returns the name that was probably meant by s: one that is alike, or
// else one of which s is the beginning; "" if there is none.
func Nearest(s string, names []string) string {
	if name := Alike(s, names, len(s)/2); name != "" {
		return name
	}
	s = Fold(s)
	i := slices.IndexFunc(names, func(name string) bool { return strings.HasPrefix(Fold(name), s) })
	if i < 0 || len(s) < 3 {
		return ""
	}
	return names[i]
}

// Alike returns the first of the names that are the fewest edits away from s,
// at most most and at most two. Case, hyphens and underscores do not count.
func Alike(s string, names []string, most int) string {
	s = Fold(s)
	best, least := "", min(2, most)+1
	for _, name := range names {
		other := Fold(name)
		if max(len(s)-len(other), len(other)-len(s)) >= least {
			continue // further than that already
		}
		if n := Distance(s, other); n < least {
			best, least = name, n
		}
	}
	return best
}

var separators = strings.NewReplacer("-", "", "_", "")

// Fold returns a name without what does not count.
func Fold(s string) string { return separators.Replace(strings.ToLower(s)) }

// Distance counts the insertions, deletions, replacements and swaps of
// neighbours that turn a into b, each place being edited once at most.
func Distance(a, b string) int {
	rows := make([][]int, len(a)+1) // rows[i][j] is the distance of a[:i] and b[:j]
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := range len(a) {
		for j := range len(b) {
			n := min(rows[i][j+1]+1, rows[i+1][j]+1, rows[i][j]+1)
			if a[i] == b[j] {
				n = min(n, rows[i][j])
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				n = min(n, rows[i-1][j-1]+1)
			}
			rows[i+1][j+1] = n
		}
	}
	return rows[len(a)][len(b)]
}
