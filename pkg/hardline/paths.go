package hardline

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
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
	"/lib/modules", "/usr/lib/modules", "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/efi", "/usr/local", "/usr/local/bin", "/usr/local/sbin", "/usr/local/lib",
	"/System", "/Library", "/Users", "/Applications", "/private", "/private/etc", "/private/var", "/System/Library",
	"/System/Volumes", "/System/Volumes/Data", "/System/Volumes/Data/Users", "/System/Volumes/Preboot", "/System/Volumes/VM", "/System/Volumes/Recovery", "/System/Volumes/Update",
	"/Volumes", "/Volumes/Macintosh HD", "/Volumes/Macintosh HD - Data", "/Volumes/Macintosh HD/Users", "/Volumes/Macintosh HD/System", "/Volumes/Macintosh HD/Library", "/Volumes/Macintosh HD/Applications",
	"/Windows", "/Windows/System32", "/mnt", "/media", "/cygdrive", "/proc/cygdrive", "/sys/firmware/efi", "/sys/firmware/efi/efivars",
}

// placeOf returns what a cleaned path, which may be a pattern, names.
func placeOf(s *hazard.Scene, path string, glob bool) place {
	homeDir := s.Home
	if caseless(s) {
		path, homeDir = usualCase(path), usualCase(homeDir)
	}
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

// usualCase returns a path in lower case, but for the directories of macOS that
// the table spells otherwise.
func usualCase(path string) string {
	path = strings.ToLower(path)
	for _, d := range systemDirs {
		low := strings.ToLower(d)
		if rest, ok := strings.CutPrefix(path, low); ok && low != d && (rest == "" || rest[0] == '/') {
			path = d + rest
		}
	}
	return path
}

func literalPlace(path, homeDir string) place {
	if path == homeDir || isHome(path) || isHome(strings.TrimSuffix(path, "/Library")) && strings.HasSuffix(path, "/Library") {
		return home // on macOS, what the programs of a user keep
	}
	if at := drivePlace(path); at != elsewhere {
		return at
	}
	for _, d := range systemDirs {
		if d == path || len(d) == len(path) && strings.EqualFold(d, path) && ofMac(d) {
			return system
		}
	}
	return elsewhere
}

// ofMac reports whether a directory is one of macOS alone, where the case of a name
// does not count.
func ofMac(dir string) bool {
	return dir[1] >= 'A' && dir[1] <= 'Z' || strings.HasPrefix(dir, "/private")
}

// drivePlace returns what a path below a mounted Windows drive names: WSL
// mounts drives below /mnt, Cygwin below /cygdrive, Git Bash below the root.
func drivePlace(path string) place {
	rest, ok := strings.CutPrefix(path, "/mnt/")
	if !ok {
		rest, ok = strings.CutPrefix(path, "/cygdrive/")
	}
	if !ok {
		rest, ok = strings.CutPrefix(path, "/proc/cygdrive/")
	}
	if !ok && (path == "/c" || strings.HasPrefix(path, "/c/")) {
		rest, ok = path[1:], true
	}
	if !ok || rest == "" || len(rest) > 1 && rest[1] != '/' {
		return elsewhere
	}
	if len(rest) == 1 {
		return root
	}
	return drivePart(rest[2:])
}

// drivePart returns what a path below the root of a drive names.
func drivePart(path string) place {
	path = strings.ToLower(path)
	switch path {
	case "windows", "windows/system32", "users", "program files", "program files (x86)", "programdata":
		return system
	}
	user, ok := strings.CutPrefix(path, "users/")
	if ok && user != "" && !strings.Contains(user, "/") && user != "public" {
		return home
	}
	return elsewhere
}

// isHome reports whether a path is the home directory of some user.
func isHome(path string) bool {
	for _, parent := range []string{"/home/", "/Users/"} {
		user, ok := strings.CutPrefix(path, parent)
		if !ok && len(path) > len(parent) && ofMac(parent) {
			user, ok = path[len(parent):], strings.EqualFold(path[:len(parent)], parent)
		}
		if ok && user != "" && !strings.Contains(user, "/") {
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

// matchesPath reports whether a pattern matches a path, element by element.
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

// isDrive reports whether a path is the root of a Windows drive.
func isDrive(p string) bool {
	for _, device := range [...]string{`\\?\`, `\\.\`, "//?/", "//./"} {
		p = strings.TrimPrefix(p, device)
	}
	if len(p) < 2 || p[1] != ':' || (p[0]|0x20) < 'a' || (p[0]|0x20) > 'z' {
		return false
	}
	name := strings.ReplaceAll(strings.Trim(p[2:], `\/*.`), `\`, "/")
	return name == "" || drivePart(name) != elsewhere
}

func unescape(s string) string { return strings.ReplaceAll(s, `\`, "") }

// worst returns the worst place among the values that a path may have.
func worst(s *hazard.Scene, c *command.Command, target shell.Set) place {
	found := elsewhere
	for _, v := range target.Values {
		if isDrive(v) && len(v) > len("c:") {
			return root // as Windows and Git Bash read it
		}
	}
	for _, p := range hostPaths(s, c, target) {
		switch at := placeOf(s, p, target.Glob); {
		case at == root:
			return root
		case at != elsewhere && (found == elsewhere || at == system):
			found = at
		}
	}
	return found
}

// hostPaths returns the absolute paths on this machine that a word may name.
func hostPaths(s *hazard.Scene, c *command.Command, target shell.Set) []string {
	paths := s.Line.Follow(shell.Paths(c.Dir, target), c, target)
	if c.Context != program.Container {
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

// reachedPaths returns the absolute paths on this machine that an effect reaches.
func reachedPaths(s *hazard.Scene, c *command.Command, e command.Effect) []string {
	return s.Line.FollowEffect(hostPaths(s, c, e.Target), c, e)
}

// covers reports whether a cleaned path is one of the protected ones or below
// one; with deep set, also whether it is above one.
func covers(s *hazard.Scene, path string, deep bool) bool {
	for _, p := range s.Protect {
		if caseless(s) {
			p, path = strings.ToLower(p), strings.ToLower(path)
		}
		if path == p || strings.HasPrefix(path, strings.TrimSuffix(p, "/")+"/") {
			return true
		}
		if deep && (path == "/" || strings.HasPrefix(p, path+"/")) {
			return true
		}
	}
	return false
}

// caseless reports whether paths that differ in case name the same file, as they
// usually do on macOS and Windows.
func caseless(s *hazard.Scene) bool { return s.OS == "darwin" || s.OS == "windows" }
