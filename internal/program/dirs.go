package program

import (
	"slices"
	"strings"
)

// Dirs are the directories in which the programs of a machine lie. A bare name
// means one that lies there, as far as the line does not say otherwise.
func Dirs() []string { return dirs[:] }

// ownedDirs is how many of them only an administrator writes.
const ownedDirs = 7

var dirs = [...]string{
	"/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/run/current-system/sw/bin", "/opt/homebrew/bin",
}

// BareName returns the name of a program that lies in one of [Dirs], or that
// has no path; "" for one elsewhere.
func BareName(path string) string { return nameIn(dirs[:], path) }

// SystemName is BareName for the directories that only an administrator writes.
func SystemName(path string) string { return nameIn(dirs[:ownedDirs], path) }

func nameIn(dirs []string, path string) string {
	at := strings.LastIndexByte(path, '/')
	if at < 0 || slices.Contains(dirs, path[:at]) {
		return path[at+1:]
	}
	return ""
}

// built are the names of directories that a build, a test or a package manager
// makes, and makes again.
const built = "node_modules bower_components dist build target coverage htmlcov .nyc_output .venv venv __pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .eggs " +
	".cache .parcel-cache .turbo .vite .next .nuxt .svelte-kit .angular .output .gradle .dart_tool _build storybook-static DerivedData " +
	"cmake-build-debug cmake-build-release zig-cache zig-out .stack-work dist-newstyle"

// IsBuilt reports whether a directory of a base name is one that a build, a test
// or a package manager makes again, such as node_modules.
func IsBuilt(name string) bool { return HasWord(built, name) || strings.HasSuffix(name, ".egg-info") }
