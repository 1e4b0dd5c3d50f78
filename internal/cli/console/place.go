package console

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/policyctl/policyctl/internal/machine/bundles"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/pkg/config"
)

// Policies returns where the policies of the person lie.
func (p *Process) Policies() (layers.Place, error) {
	place, err := p.chosen()
	if place.Bundler == nil && err == nil {
		place.Bundler = bundles.New(bundles.Offline, place.State, place.Home)
	}
	return place, err
}

// PoliciesIn returns where those policies lie, and a directory in which they
// apply as seen from the working directory.
func (p *Process) PoliciesIn(dir string) (layers.Place, string, error) {
	place, err := p.Policies()
	if err != nil {
		return place, "", err
	}
	dir, err = p.Absolute(dir)
	return place, dir, err
}

func (p *Process) chosen() (layers.Place, error) {
	if p.Place != nil {
		return p.Place()
	}
	home := p.Getenv("HOME")
	if !filepath.IsAbs(home) {
		var err error
		if home, err = layers.HomeOf(os.Getuid()); err != nil {
			return layers.Place{}, fmt.Errorf("the home directory is unknown: %w; set HOME", err)
		}
	}
	return layers.Chosen(home, p.Getenv), nil
}

// Elsewhere returns the place of agents' hooks, and whether a person's policy
// lies elsewhere for them.
func (p *Process) Elsewhere(place layers.Place) (hooks layers.Place, differs bool) {
	if p.Guard == nil {
		return place, false
	}
	g, err := p.Guard()
	if err != nil {
		return place, false
	}
	return g.Place, g.Place.Config != place.Config || g.Place.State != place.State
}

// Variables returns what variables assign, and those that assign nothing.
func (p *Process) Variables() (more []config.File, stray []string) {
	if p.Environ == nil {
		return nil, nil
	}
	return layers.FromEnvironment(p.Environ(), config.Everything)
}

// StrayVariables warns of variables that look like ours and assign nothing.
func (p *Process) StrayVariables() {
	if p.Environ == nil {
		return
	}
	_, stray := layers.FromEnvironment(p.Environ(), config.Everything)
	for _, name := range stray {
		fmt.Fprintf(p.Stderr, "policyctl: warning: %s\n", Straying(name))
	}
}

// Straying says why a variable assigns nothing, and what to do.
func Straying(name string) string {
	var names []string
	for _, k := range config.Keys() {
		variable := layers.Variable(k.Path)
		switch {
		case variable == name && !strings.ContainsAny(k.Path, "[*"):
			return fmt.Sprintf("%s assigns nothing: %s has no single value; write it in a policy file", name, k.Path)
		case k.Scalar:
			names = append(names, variable)
		}
	}
	if near := Nearest(name, names); near != "" {
		return fmt.Sprintf("%s is not a policy key: did you mean %s?", name, near)
	}
	return name + " is not a policy key: see policyctl config show"
}
