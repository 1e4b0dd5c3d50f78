// Package release tells which version of policyctl a program is.
package release

import (
	"runtime"
	"runtime/debug"
)

// Version is what a release build sets: git describe --tags --always, with
// -ldflags "-X github.com/policyctl/policyctl/internal/support/release.Version=…".
var Version string

// A Build is what the program knows of itself.
type Build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// Read returns what the running program knows of itself. The version of one that is
// built from a checkout is (devel), or that of its module.
func Read() Build {
	b := Build{Version: Version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				b.Commit = s.Value
			}
		}
		if b.Version == "" {
			b.Version = info.Main.Version
		}
	}
	if b.Version == "" {
		b.Version = "(devel)"
	}
	return b
}

// Of returns the version on one line, with that of Go and the platform.
func Of() string {
	b := Read()
	return b.Version + " (" + b.Go + ", " + b.Platform + ")"
}
