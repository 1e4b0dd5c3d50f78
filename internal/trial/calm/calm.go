// Package calm is the surroundings in which tests judge many lines: a project
// that is one clean repository without links. It touches no file.
package calm

import (
	"io/fs"
	"path"
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/workspace"
)

// Home is the home directory, and Project where every line runs.
const (
	Home    = "/home/dev"
	Project = Home + "/project"
)

// Call returns the call that runs a line in the project.
func Call(line string) *policy.Call {
	c := policy.Shell(line, Project)
	c.Home, c.ProjectDir, c.SessionDir = Home, Project, "/tmp/agent"
	return c
}

// A World has one clean repository and no links.
type World struct{}

// GitPrograms finds none in the configuration of git.
func (World) GitPrograms(string) ([]string, bool) { return nil, true }

// GitHooks finds none.
func (World) GitHooks(string) ([]string, bool) { return nil, true }

// GitDirs returns those of the project.
func (World) GitDirs(dir string) ([]string, bool) {
	if dir != Project && !strings.HasPrefix(dir, Project+"/") {
		return nil, true
	}
	return []string{Project, Project + "/.git"}, true
}

// RealPath returns the path, as there are no links.
func (World) RealPath(p string) (string, bool) { return path.Clean(p), true }

// Below finds nothing.
func (World) Below(string, func(string, fs.FileMode) error) (whole bool) { return true }

// Links finds none.
func (World) Links(string) ([]string, bool) { return nil, true }

// File finds directories where a name has no dot, and nothing in what builds make.
func (World) File(p string) (workspace.File, bool) {
	switch {
	case strings.Contains(p, "/build") || strings.Contains(p, "/dist"):
		return workspace.File{Kind: workspace.Absent}, true
	case strings.Contains(strings.TrimPrefix(path.Base(p), "."), "."):
		return workspace.File{Kind: workspace.Regular}, true
	}
	return workspace.File{Kind: workspace.Directory}, true
}

// Kept says that the repository holds every file of the project that is there.
func (w World) Kept(p string) (held, unmodified bool) {
	f, _ := w.File(p)
	held = f.Kind != workspace.Absent && strings.HasPrefix(p, Project+"/")
	return held, held
}
