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
	"/Volumes", "/Windows", "/Windows/System32",
}

// placeOf returns what a cleaned path, which may be a pattern, names.
func placeOf(path string, glob bool, homeDir string) place {
	if isDrive(path) {
		return root
	}
	if !strings.HasPrefix(path, "/") {
		return elsewhere
	}
	for _, link := range [2]string{"/proc/self/root", "/proc/1/root"} { // each is the root itself (proc(5))
		if rest, ok := strings.CutPrefix(path, link); ok && (rest == "" || rest[0] == '/') {
			path = "/" + strings.TrimPrefix(rest, "/")
		}
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
	if path == homeDir || isHome(path) {
		return home
	}
	if len(path) == len("/mnt/c") && strings.HasPrefix(path, "/mnt/") {
		return root // a Windows drive under WSL
	}
	for _, d := range systemDirs {
		if d == path || len(d) == len(path) && strings.EqualFold(d, path) && d[1] >= 'A' && d[1] <= 'Z' {
			return system
		}
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
	if parent := strings.Count(pattern, "/"); parent == 2 && (strings.HasPrefix(pattern, "/home/") || strings.HasPrefix(pattern, "/Users/")) {
		return elsewhere
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
	case ".*", ".??*", ".[!.]*", ".[^.]*", "..?*", ".[a-zA-Z]*", "[!.]*", "[^.]*", "*.*", "[a-zA-Z]*", "[a-z]*":
		return true
	}
	return strings.Contains(elem, "*") && strings.Trim(elem, "*?") == ""
}

// isDrive says whether a path is the root of a Windows drive.
func isDrive(p string) bool {
	if len(p) < 2 || p[1] != ':' || (p[0]|0x20) < 'a' || (p[0]|0x20) > 'z' {
		return false
	}
	rest := strings.Trim(p[2:], `\/*.`)
	return rest == "" || strings.EqualFold(rest, "windows") || strings.EqualFold(rest, "users")
}

func unescape(s string) string { return strings.ReplaceAll(s, `\`, "") }

// worst returns the worst place among the values that a path may have.
func worst(s *hazard.Scene, c *shell.Command, target shell.Set) place {
	found := elsewhere
	for _, p := range shell.Paths(c.Dir, target) {
		if c.Context == shell.Container {
			var ok bool
			if p, ok = onHost(s, c, p); !ok {
				continue
			}
		}
		switch at := placeOf(p, target.Glob, s.Home); {
		case at == root:
			return root
		case at != elsewhere && (found == elsewhere || at == system):
			found = at
		}
	}
	return found
}

// A mount gives a container a directory of the host.
type mount struct{ host, inside string }

// mounts returns the directories of the host that a container wrapper mounts.
func mounts(c *shell.Command) []mount {
	var out []mount
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if !o.HasArg {
			continue
		}
		for _, v := range o.Arg.Values {
			switch {
			case o.Is("v") || o.Is("volume"):
				host, rest, ok := strings.Cut(v, ":")
				inside, _, _ := strings.Cut(rest, ":")
				if ok && strings.HasPrefix(host, "/") && !strings.HasSuffix(rest, ":ro") {
					out = append(out, mount{shell.Clean(host), shell.Clean(inside)})
				}
			case o.Is("mount"):
				if m, ok := longMount(v); ok {
					out = append(out, m)
				}
			}
		}
	}
	return out
}

func longMount(v string) (mount, bool) {
	var m mount
	for part := range strings.SplitSeq(v, ",") {
		key, value, _ := strings.Cut(part, "=")
		switch key {
		case "source", "src":
			m.host = value
		case "target", "dst", "destination":
			m.inside = value
		case "readonly", "ro":
			return mount{}, false
		}
	}
	return m, strings.HasPrefix(m.host, "/") && m.inside != ""
}

// onHost returns the path on the host of a path in a container.
func onHost(s *hazard.Scene, c *shell.Command, path string) (string, bool) {
	for p := c.Parent; p >= 0; p = s.Line.Commands[p].Parent {
		w := &s.Line.Commands[p]
		if w.Name == "chroot" {
			if len(w.Args.Operands) == 0 {
				return "", false
			}
			dir, ok := w.Words[w.Args.Operands[0].At].Literal()
			return shell.Clean(dir + "/" + path), ok
		}
		for _, m := range mounts(w) {
			if rest, ok := strings.CutPrefix(path, m.inside); ok && (rest == "" || rest[0] == '/' || m.inside == "/") {
				return shell.Clean(m.host + "/" + rest), true
			}
		}
	}
	return "", false
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

// sysrq is where writing a letter acts on the kernel at once.
const sysrq = "/proc/sysrq-trigger"

// devices are prefixes of the names of raw devices below /dev.
var devices = []string{
	"sd", "hd", "vd", "xvd", "nvme", "mmcblk", "md", "dm-", "mapper/", "loop", "nbd", "disk/", "disk", "rdisk",
	"mem", "kmem", "port", "zd", "sr", "ram", "pmem", "mtd", "vg", "ubi", "bcache", "drbd", "rbd", "ada", "da", "nvd", "nda", "vtbd", "wd",
}

// isDevice says whether a path is a raw disk or the memory.
func isDevice(path string) bool {
	name, ok := strings.CutPrefix(path, "/dev/")
	if !ok {
		return strings.HasPrefix(strings.ToLower(path), `\\.\physicaldrive`)
	}
	for _, d := range devices {
		if rest, ok := strings.CutPrefix(name, d); ok && isUnit(d, rest) {
			return true
		}
	}
	return false
}

// isUnit says whether rest may follow the name of a device: /dev/sda1, but
// not /dev/sd-notes.
func isUnit(device, rest string) bool {
	switch device {
	case "mapper/", "disk/", "vg", "dm-":
		return rest != "" && rest != "control"
	case "mem", "kmem", "port":
		return rest == ""
	case "sd", "hd", "vd", "xvd":
		return rest != "" && rest[0] >= 'a' && rest[0] <= 'z' && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
	}
	return rest != "" && rest[0] >= '0' && rest[0] <= '9'
}

// samples are devices that a pattern may match.
var samples = []string{"/dev/sda", "/dev/sda1", "/dev/sdb", "/dev/hda", "/dev/vda", "/dev/xvda", "/dev/nvme0n1", "/dev/nvme0n1p1", "/dev/mmcblk0", "/dev/md0", "/dev/dm-0", "/dev/disk0", "/dev/mem"}

// mayBeDevice says whether one of the values of a path is a raw device.
func mayBeDevice(c *shell.Command, target shell.Set) bool {
	for _, p := range shell.Paths(c.Dir, target) {
		if !target.Glob {
			if isDevice(p) {
				return true
			}
			continue
		}
		for _, sample := range samples {
			if matchesPath(p, sample) {
				return true
			}
		}
	}
	if target.Open && strings.HasPrefix(target.Prefix, "/dev/") {
		return isDevice(target.Prefix) || isDevice(target.Prefix+"a") || isDevice(target.Prefix+"0")
	}
	return false
}
