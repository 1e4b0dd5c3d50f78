package install

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// A Scope says for whom settings apply.
type Scope string

// The scopes. Managed settings belong to the organisation, and only root may
// change them.
const (
	Managed Scope = "managed"
	User    Scope = "user"
	Project Scope = "project"
	// Local are the settings of one person in one project.
	Local Scope = "local"
)

// Scopes returns all scopes, the usual one first.
func Scopes() []Scope { return []Scope{User, Project, Local, Managed} }

// A Place is where settings are looked for.
type Place struct {
	Home string // the home directory of the user
	Dir  string // the project
	// Root stands before the paths of managed settings; "" is the system's.
	Root   string
	Getenv func(string) string
	// OS is the operating system as Go calls it; "" is the one at hand.
	OS string
	// IsRoot says that managed settings may be changed.
	IsRoot bool
}

// system returns the operating system.
func (p Place) system() string { return cmp.Or(p.OS, runtime.GOOS) }

// Supported returns an error on a system where hooks cannot be installed.
func (p Place) Supported() error {
	if p.system() == "windows" {
		return errors.New("policyctl installs no hooks on Windows, where it cannot tell who may exchange a program: run the agent in WSL and install there")
	}
	return nil
}

// A location is a settings file of an agent.
type location struct {
	scope Scope
	base  base
	path  string
	form  form
	os    string // where it counts; "" is everywhere
	pins  string // see [Agent.pinKey]
	// examined says that Install leaves it alone: there is a better one, or
	// the agent can be started without it.
	examined bool
}

// A form is how hooks are written in a file.
type form int

const (
	settingsJSON form = iota
	// configTOML is the configuration of Codex, requirements what it requires
	// of all users.
	configTOML
	requirements
	// hooksTOML is a configuration with a table for each hook, [[hooks]].
	hooksTOML
	// ownText is a file that is a program of ours: a plugin or a script.
	ownText
)

// A base is the directory in which a location stands.
type base int

const (
	inHome base = iota // the agent's folder
	inProject
	inRoot
)

// path returns the absolute path of a location.
func (p Place) path(a *Agent, l location) (string, error) {
	dir := p.Dir
	switch l.base {
	case inRoot:
		return filepath.Join("/", p.Root, l.path), nil
	case inHome:
		var err error
		if dir, err = p.folder(a); err != nil {
			return "", err
		}
	}
	if !filepath.IsAbs(dir) {
		return "", fmt.Errorf("the project directory %q is not absolute: change into it and try again", dir)
	}
	return filepath.Join(dir, l.path), nil
}

// folder returns the folder of the user's settings.
func (p Place) folder(a *Agent) (string, error) {
	if a.homeVariable != "" {
		if dir := p.Getenv(a.homeVariable); dir != "" {
			if !filepath.IsAbs(dir) {
				return "", fmt.Errorf("%s=%q is not absolute: write the path in full", a.homeVariable, dir)
			}
			return filepath.Clean(dir), nil
		}
	}
	if !filepath.IsAbs(p.Home) {
		return "", fmt.Errorf("the home directory %q is not absolute: set HOME", p.Home)
	}
	return filepath.Join(p.Home, a.home), nil
}

// holds reports whether a path is inside the project.
func (p Place) holds(path string) bool {
	return inside(path, p.Dir) || inside(resolved(path), resolved(p.Dir))
}

// isProject reports whether the directory is a project, and not the home directory
// or one above it.
func (p Place) isProject() bool { return !inside(resolved(p.Home), resolved(p.Dir)) }

func inside(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}

// resolved returns a path without links, as far as it exists.
func resolved(path string) string {
	if out, err := filepath.EvalSymlinks(path); err == nil {
		return out
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(resolved(parent), filepath.Base(path))
}
