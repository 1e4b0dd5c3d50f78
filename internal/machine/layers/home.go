package layers

import (
	"path/filepath"
	"strings"
)

// below returns paths with the home directory in place of a leading ~.
func (p Place) below(paths []string) []string {
	out := make([]string, len(paths))
	for i, path := range paths {
		out[i] = path
		if rest, ok := strings.CutPrefix(path, "~"); ok && p.Home != "" && (rest == "" || rest[0] == '/') {
			out[i] = filepath.Join(p.Home, rest)
		}
	}
	return out
}
