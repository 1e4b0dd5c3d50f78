package shell

import "strings"

// Clean returns an absolute or relative slash-separated path without doubled
// slashes, "." and resolvable "..", as in path.Clean, but keeps a trailing
// backslash-escaped or pattern element as it is.
func Clean(p string) string {
	if p == "" {
		return "."
	}
	rooted := p[0] == '/'
	var out []string
	for rest := p; rest != ""; {
		var elem string
		elem, rest, _ = strings.Cut(rest, "/")
		switch elem {
		case "", ".":
		case "..":
			if n := len(out); n > 0 && out[n-1] != ".." {
				out = out[:n-1]
			} else if !rooted {
				out = append(out, "..")
			}
		default:
			out = append(out, elem)
		}
	}
	clean := strings.Join(out, "/")
	if rooted {
		return "/" + clean
	}
	if clean == "" {
		return "."
	}
	return clean
}

// Abs returns path as seen from dir, cleaned. It stays relative where dir is
// "".
func Abs(dir, path string) string {
	if strings.HasPrefix(path, "/") || dir == "" {
		return Clean(path)
	}
	return Clean(dir + "/" + path)
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
