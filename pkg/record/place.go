package record

import (
	"github.com/policyctl/policyctl/internal/lang/shell"
	"strings"
)

// abs returns a path of a call as an absolute one, and whether it is.
func (d *recordMaker) abs(p string) (path string, known bool) {
	c := d.in.Call
	if rest, ok := strings.CutPrefix(p, "~"); ok && (rest == "" || rest[0] == '/') && c.Home != "" {
		p = c.Home + rest
	}
	path = shell.Abs(c.Dir, p)
	if !strings.HasPrefix(path, "/") && IsWindows(path) {
		return path, true
	}
	return path, strings.HasPrefix(path, "/")
}

// IsWindows reports whether a path is absolute on Windows.
func IsWindows(p string) bool {
	return len(p) > 2 && p[1] == ':' && (p[2] == '\\' || p[2] == '/') || strings.HasPrefix(p, `\\`)
}

// below reports whether a path lies below a directory.
func below(path, dir string) bool {
	return dir != "" && strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}
