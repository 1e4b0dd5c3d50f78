package program

import "strings"

// Dirs are the directories in which the programs of a machine lie. A bare name
// means one that lies there, as far as the line does not say otherwise.
func Dirs() []string { return dirs[:] }

// ownedDirs is how many of them only an administrator writes.
const ownedDirs = 7

var dirs = [...]string{
	"/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/run/current-system/sw/bin", "/opt/homebrew/bin",
}

// BareName returns the name of a program that lies in one of [Dirs], or that
// has no path; "" for one elsewhere. With owned set the person who runs it may
// not write that directory.
func BareName(path string, owned bool) string {
	at := strings.LastIndexByte(path, '/')
	if at < 0 {
		return path
	}
	for i, d := range dirs {
		if path[:at] == d && (i < ownedDirs || !owned) {
			return path[at+1:]
		}
	}
	return ""
}
