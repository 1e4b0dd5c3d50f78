package shell

import (
	"path"
	"strings"
)

// Clean returns the shortest path that names the same place, as [path.Clean]
// does.
func Clean(p string) string { return path.Clean(p) }

// Abs returns the path p as seen from dir, cleaned. It stays relative where dir is
// "".
func Abs(dir, p string) string {
	if strings.HasPrefix(p, "/") || dir == "" {
		return Clean(p)
	}
	return Clean(dir + "/" + p)
}

// Paths returns every path that s may name for a command in dir, absolute
// where the directory is known. Patterns stay patterns. It allocates only
// where a path is not clean and absolute already.
func Paths(dir, s Set) []string {
	if len(s.Values) == 1 && isClean(s.Values[0]) {
		return s.Values
	}
	out := make([]string, 0, len(s.Values))
	for _, v := range s.Values {
		if strings.HasPrefix(v, "/") || len(dir.Values) == 0 {
			out = append(out, Clean(v))
			continue
		}
		for _, d := range dir.Values {
			out = append(out, Abs(d, v))
		}
	}
	return out
}

func isClean(p string) bool {
	return p != "" && p[0] == '/' && !strings.Contains(p, "//") && !strings.Contains(p, "/.") &&
		(p == "/" || p[len(p)-1] != '/')
}

// Base returns the last element of a path.
func Base(p string) string {
	p = strings.TrimRight(p, "/")
	return p[strings.LastIndexByte(p, '/')+1:]
}
