package layers

import (
	"errors"
	"fmt"
	"slices"

	"github.com/policyctl/policyctl/pkg/config"
)

// told returns what is wrong as a model may read it: one problem, and of a file
// that a repository or what starts an agent may have written its place alone. A
// link in a repository can lead to any file, whose words a problem would quote.
func (p *Policy) told() error {
	all := leaves(p.Err)
	if len(all) == 0 {
		return nil
	}
	told := all[0]
	switch e := told.(type) {
	case *config.Problem:
		if p.lesserFile(e.File) {
			told = fmt.Errorf("%s is wrong, and policyctl check says how", e.Place())
		}
	case *unfit:
		told = errors.New("a policy of a project or a variable is wrong, and policyctl check says how")
	}
	if more := len(all) - 1; more > 0 {
		return fmt.Errorf("%w (and %d more)", told, more)
	}
	return told
}

// An unfit is what is wrong with lesser files that only the engine notices.
type unfit struct{ error }

// lesserFile reports whether nobody but a lesser layer has a file of that name.
func (p *Policy) lesserFile(name string) bool {
	return !slices.ContainsFunc(p.Sources, func(s Source) bool { return s.Path == name && !lesser(s.Layer, s.Admit) }) &&
		!slices.ContainsFunc(p.more, func(f config.File) bool { return f.Name == name && !lesser(f.Layer, f.Admit) })
}

// leaves returns the errors of which an error is made.
func leaves(err error) (out []error) {
	switch e := err.(type) {
	case nil:
		return nil
	case config.Problems:
		for i := range e {
			out = append(out, &e[i])
		}
		return out
	case interface{ Unwrap() []error }:
		for _, part := range e.Unwrap() {
			out = append(out, leaves(part)...)
		}
		return out
	}
	return []error{err}
}
