package install

import (
	"os"
	"path/filepath"
)

// Found returns the agents that a machine has, in the order of the table: those whose
// program look finds, as [os/exec.LookPath] does, and those whose folder of settings is
// in the person's home directory. A program in the project counts for nothing.
func Found(place Place, look func(program string) (string, error)) (out []*Agent) {
	for _, a := range agents() {
		if a.hasFolder(place) || a.hasProgram(place, look) {
			out = append(out, a)
		}
	}
	return out
}

func (a *Agent) hasFolder(place Place) bool {
	dir, err := place.folder(a)
	if err != nil {
		return false
	}
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}

func (a *Agent) hasProgram(place Place, look func(program string) (string, error)) bool {
	path, err := look(a.program)
	return err == nil && filepath.IsAbs(path) && !(place.isProject() && place.holds(path))
}

// NeedsTrust reports whether the agent skips a hook that it has no record of.
func (a *Agent) NeedsTrust() bool { return a.trusts }

// Has reports whether the agent has settings of a scope that can be changed here.
func (a *Agent) Has(s Scope, place Place) bool {
	_, ok := a.location(s, place.system())
	return ok && !(s == Managed && a.dropsManaged)
}

// Write adds a file with a text to the plan, unless it has that text.
func (p *Plan) Write(path, text string) error {
	f, err := openFile(path)
	if err != nil {
		return err
	}
	return p.change(f, text)
}
