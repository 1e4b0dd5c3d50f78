package hardline

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/shell"
)

// A kind of place that a path names.
type place uint8

const (
	elsewhere place = iota
	root
	system
	home
)

// systemDirs are directories without which a machine does not work (FHS 3.0,
// and the macOS and Windows counterparts). The last elements may be deeper.
var systemDirs = []string{
	"/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/proc", "/root", "/run",
	"/sbin", "/srv", "/sys", "/usr", "/var", "/boot/efi", "/etc/ssh", "/etc/pam.d", "/var/lib", "/var/run",
	"/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/share", "/usr/include",
	"/usr/local", "/usr/local/bin", "/usr/local/sbin", "/usr/local/lib",
	"/System", "/Library", "/Users", "/Applications", "/private", "/private/etc", "/private/var", "/System/Library",
	"/System/Volumes", "/System/Volumes/Data", "/System/Volumes/Data/Users", "/Volumes", "/Volumes/Macintosh HD", "/Volumes/Macintosh HD - Data",
	"/Windows", "/Windows/System32", "/sys/firmware/efi", "/sys/firmware/efi/efivars",
}

// placeOf returns what a cleaned path, which may be a pattern, names.
func placeOf(path string, glob bool, homeDir string) place {
	if isDrive(path) {
		return root
	}
	if !strings.HasPrefix(path, "/") {
		return elsewhere
	}
	if glob {
		path = withoutAll(path)
	}
	if path == "/" {
		return root
	}
	if !glob || !strings.ContainsAny(path, "*?[") {
		return literalPlace(unescape(path), homeDir)
	}
	return patternPlace(path, homeDir)
}

func literalPlace(path, homeDir string) place {
	if path == homeDir || isHome(path) || isHome(strings.TrimSuffix(path, "/Library")) && strings.HasSuffix(path, "/Library") {
		return home // on macOS, what the programs of a user keep
	}
	if at := drivePlace(path); at != elsewhere {
		return at
	}
	for _, d := range systemDirs {
		if d == path || len(d) == len(path) && strings.EqualFold(d, path) && d[1] >= 'A' && d[1] <= 'Z' {
			return system
		}
	}
	return elsewhere
}

// drivePlace returns what a path below a mounted Windows drive names: WSL
// mounts drives below /mnt, Cygwin below /cygdrive, Git Bash below the root.
func drivePlace(path string) place {
	rest, ok := strings.CutPrefix(path, "/mnt/")
	if !ok {
		rest, ok = strings.CutPrefix(path, "/cygdrive/")
	}
	if !ok {
		if path == "/c" || strings.HasPrefix(path, "/c/") {
			rest, ok = path[1:], true
		}
	}
	if !ok || rest == "" || len(rest) > 1 && rest[1] != '/' {
		return elsewhere
	}
	if len(rest) == 1 {
		return root
	}
	switch strings.ToLower(rest[2:]) {
	case "windows", "windows/system32", "users", "program files":
		return system
	}
	return elsewhere
}

// isHome says whether a path is the home directory of some user.
func isHome(path string) bool {
	for _, parent := range []string{"/home/", "/Users/"} {
		if user, ok := strings.CutPrefix(path, parent); ok && user != "" && !strings.Contains(user, "/") {
			return user != "Shared" && user != "linuxbrew"
		}
	}
	return path == "/root"
}

func patternPlace(pattern, homeDir string) place {
	if matchesPath(pattern, homeDir) {
		return home
	}
	for _, d := range systemDirs {
		if matchesPath(pattern, d) {
			return system
		}
	}
	return elsewhere
}

// matchesPath says whether a pattern matches a path, element by element.
func matchesPath(pattern, path string) bool {
	for {
		p, restP, moreP := strings.Cut(pattern, "/")
		n, restN, moreN := strings.Cut(path, "/")
		if !shell.Matches(p, n) {
			return false
		}
		if moreP != moreN {
			return false
		}
		if !moreP {
			return true
		}
		pattern, path = restP, restN
	}
}

// withoutAll cuts trailing elements that match everything in a directory:
// what happens to all of it happens to the directory.
func withoutAll(path string) string {
	for {
		i := strings.LastIndexByte(path, '/')
		if i < 0 || !matchesAll(path[i+1:]) {
			return path
		}
		path = path[:i]
		if path == "" {
			return "/"
		}
	}
}

func matchesAll(elem string) bool {
	switch elem {
	case ".*", ".??*", ".[!.]*", ".[^.]*", "..?*", ".[a-zA-Z]*", "[!.]*", "[^.]*", "*.*", "[a-zA-Z]*", "[a-z]*", "[[:alpha:]]*", "[[:alnum:]]*", "[[:lower:]]*":
		return true
	}
	return strings.Contains(elem, "*") && strings.Trim(elem, "*?") == ""
}

// isDrive says whether a path is the root of a Windows drive.
func isDrive(p string) bool {
	if len(p) < 2 || p[1] != ':' || (p[0]|0x20) < 'a' || (p[0]|0x20) > 'z' {
		return false
	}
	name := strings.ToLower(strings.Trim(p[2:], `\/*.`))
	if user, ok := strings.CutPrefix(strings.ReplaceAll(name, "/", `\`), `users\`); ok && !strings.Contains(user, `\`) {
		return true
	}
	switch name {
	case "", "windows", `windows\system32`, "windows/system32", "users", "program files", "programdata":
		return true
	}
	return false
}

func unescape(s string) string { return strings.ReplaceAll(s, `\`, "") }

// worst returns the worst place among the values that a path may have.
func worst(s *hazard.Scene, c *shell.Command, target shell.Set) place {
	found := elsewhere
	for _, v := range target.Values {
		if isDrive(v) && len(v) > len("c:") {
			return root // as Windows and Git Bash read it
		}
	}
	for _, p := range hostPaths(s, c, target) {
		switch at := placeOf(p, target.Glob, s.Home); {
		case at == root:
			return root
		case at != elsewhere && (found == elsewhere || at == system):
			found = at
		}
	}
	return found
}

// hostPaths returns the absolute paths on this machine that a word may name.
func hostPaths(s *hazard.Scene, c *shell.Command, target shell.Set) []string {
	paths := s.Line.Follow(shell.Paths(c.Dir, target), c, target)
	if c.Context != shell.Container {
		return paths
	}
	var out []string
	for _, p := range paths {
		if p, ok := onHost(s, c, p); ok {
			out = append(out, p)
		}
	}
	return out
}

// covers says whether a cleaned path is one of the protected ones or below
// one; with deep set, also whether it is above one.
func covers(path string, protect []string, deep bool) bool {
	for _, p := range protect {
		if path == p || strings.HasPrefix(path, strings.TrimSuffix(p, "/")+"/") {
			return true
		}
		if deep && (path == "/" || strings.HasPrefix(p, path+"/")) {
			return true
		}
	}
	return false
}
