package shell

import (
	"path"
	"strings"
)

// Clean returns the shortest path that names the same place, as [path.Clean]
// does.
func Clean(p string) string {
	if isTidy(p) {
		return p
	}
	return path.Clean(p)
}

// isTidy reports whether a path is absolute and no element of it is empty or
// begins with a dot, as most are: it is clean then.
func isTidy(p string) bool {
	if p == "" || p[0] != '/' || p[len(p)-1] == '/' {
		return p == "/"
	}
	for i := 1; i < len(p); i++ {
		if p[i-1] == '/' && (p[i] == '/' || p[i] == '.') {
			return false
		}
	}
	return true
}

// IsNull reports whether a path is that of the device that keeps nothing.
func IsNull(p string) bool { return Clean(p) == "/dev/null" }

// KeepsNothing reports whether the set is one file of which nothing stays when it
// is written: /dev/null, the terminal, or an output of the command itself.
func (s Set) KeepsNothing() bool {
	v, ok := s.Literal()
	if !ok {
		return false
	}
	switch v = Clean(v); v {
	case "/dev/stdout", "/dev/stderr", "/dev/tty":
		return true
	}
	return IsNull(v)
}

// IsInput reports whether a path is that of the standard input.
func IsInput(p string) bool {
	switch Clean(p) {
	case "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0":
		return true
	}
	return false
}

// Abs returns the path p as seen from dir, cleaned, and without the links that
// a process has below /proc. It stays relative where dir is "".
func Abs(dir, p string) string {
	if rest, ok := strings.CutPrefix(p, "/dev/fd/.."); ok {
		p = Clean("/proc/self/fd/.." + rest)
	}
	if strings.HasPrefix(p, "/") && strings.Contains(p, "proc/") {
		p = throughProcess(dir, p)
	}
	if strings.HasPrefix(p, "/") || dir == "" {
		return Clean(p)
	}
	if onDrive(p) {
		return Clean(strings.ReplaceAll(p, `\\`, "/"))
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
	if len(s.Values) == 0 && strings.HasPrefix(s.Partial, processes) {
		if p := Abs("", s.Partial); !strings.Contains(p, UnknownText) {
			return []string{p} // whichever process it is
		}
	}
	out := make([]string, 0, len(s.Values))
	for _, v := range s.Values {
		if len(dir.Values) == 0 {
			out = append(out, Abs("", v))
			continue
		}
		for _, d := range dir.Values {
			out = append(out, Abs(d, v))
		}
	}
	return out
}

func isClean(p string) bool { return isTidy(p) && !strings.HasPrefix(p, processes) }

// Base returns the last element of a path.
func Base(p string) string {
	p = strings.TrimRight(p, "/")
	return p[strings.LastIndexByte(p, '/')+1:]
}

// processes is where each process has links to its root and its directory.
const processes = "/proc/"

// throughProcess returns a path without those links (proc(5)): every process
// that the line can name has the same root, the first one works in it, and
// the line's own work in dir.
func throughProcess(dir, p string) string {
	for strings.Contains(p, "//") || strings.Contains(p, "/./") {
		p = strings.ReplaceAll(strings.ReplaceAll(p, "/./", "/"), "//", "/")
	}
	rest, ok := strings.CutPrefix(p, processes)
	process, rest, _ := strings.Cut(rest, "/")
	if thread, ok := strings.CutPrefix(rest, "task/"); ok {
		_, rest, _ = strings.Cut(thread, "/")
	}
	link, rest, _ := strings.Cut(rest, "/")
	own := process == "self" || process == "thread-self"
	switch {
	case !ok || !own && strings.Trim(process, "0123456789*?[]-!^") != "" && process != UnknownText:
	case link == "root", link == "cwd" && process == "1":
		return throughProcess(dir, "/"+rest)
	case link == "cwd" && own && dir != "":
		return dir + "/" + rest
	}
	return p
}

// onDrive reports whether a path begins at the root of a Windows drive.
func onDrive(p string) bool {
	return len(p) > 2 && p[1] == ':' && (p[2] == '/' || p[2] == '\\') && (p[0]|0x20 >= 'a' && p[0]|0x20 <= 'z')
}

// IsAbs reports whether a path is absolute on Unix or on Windows.
func IsAbs(p string) bool {
	return strings.HasPrefix(p, "/") || len(p) > 2 && p[1] == ':' && (p[2] == '\\' || p[2] == '/') || strings.HasPrefix(p, `\\`)
}
