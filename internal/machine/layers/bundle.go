package layers

import (
	"bytes"
	"errors"
	"slices"
	"time"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Bundle is what a bundle of an organisation adds to a policy.
type Bundle struct {
	Name, Revision string
	// Digest identifies the content.
	Digest string
	// Contact is when its server was reached last; zero where that is unknown.
	Contact time.Time
	// Files are its policies, which rank above those of the organisation's
	// own files.
	Files []config.File
	// Sources are its other answers, such as Rego.
	Sources []policy.Source
	// Err says why the bundle does not count. Files and Sources are then what
	// it held before it expired or grew too old, which still tightens.
	Err error
	// Trouble is what a person should know while the bundle counts: "" for
	// nothing.
	Trouble string
	// Origin is where the policy subscribes to it.
	Origin policy.Origin
}

// An Unloaded says why a bundle does not count.
type Unloaded struct {
	Bundle string
	// Origin is where the policy subscribes to it.
	Origin policy.Origin
	Err    error
}

// Error returns "FILE:LINE: bundle NAME: why", less what is unknown.
func (u *Unloaded) Error() string {
	place := u.Origin.String()
	if u.Origin.File == "" {
		place = ""
	}
	if place != "" {
		place += ": "
	}
	return place + u.Text()
}

// Text returns the error without its place.
func (u *Unloaded) Text() string { return "bundle " + u.Bundle + ": " + u.Err.Error() }

func (u *Unloaded) Unwrap() error { return u.Err }

// A Bundler loads bundles. It is safe for concurrent use.
type Bundler interface {
	// Bundles returns what each subscription adds, in their order. It takes no
	// revision with which the union has an error; a nil one has none.
	Bundles([]config.BundleSource, Union) []Bundle
	// Stamp is another text as soon as Bundles would return something else.
	Stamp() string
	// Withdrawn says that a bundle that counted does so no more.
	Withdrawn() bool
}

// A Union says why some bundles are no policy beside the files to which bundles
// of a layer yield; nil where they are one. It is safe for concurrent use.
type Union func(layer string, bundles ...Bundle) error

// union returns what tells whether bundles go with the parts that are right.
func (p *Policy) union(parts []*part) Union {
	var managed, all []config.File
	for _, t := range counting(parts) {
		if layer := t.layer(); layer == config.Managed {
			managed = append(managed, t.files...)
		} else if !t.lesser && layer != config.Flag {
			all = append(all, t.files...)
		}
	}
	evaluate := p.evaluate()
	return func(layer string, bundles ...Bundle) error {
		at := &part{}
		for _, b := range bundles {
			at.files, at.sources = append(at.files, b.Files...), append(at.sources, b.Sources...)
		}
		at.files = slices.Concat(managed, at.files)
		if layer != config.Managed {
			at.files = append(at.files, all...)
		}
		_, err := try(evaluate, true, []*part{at})
		return err
	}
}

var errNoBundler = errors.New("the policy subscribes to bundles, and this program cannot load any: install policyctl beside it")

// AllSources returns the rules, what the bundles add and what comes from no
// file as sources of an engine.
func (p *Policy) AllSources() ([]policy.Source, error) {
	out, err := p.SourcesBy(p.evaluate())
	for _, b := range p.Bundles {
		out = append(out, b.Sources...)
	}
	return append(out, p.extra.sources...), err
}

// An evaluation makes the source of a set of rules.
type evaluation = func(*pattern.Set) (policy.Source, error)

// evaluate returns what makes the source of a set of rules.
func (p *Policy) evaluate() evaluation {
	if p.place.Evaluate != nil {
		return p.place.Evaluate
	}
	return func(s *pattern.Set) (policy.Source, error) { return pattern.NewSource(s), nil }
}

// MentionsBundles reports whether a file of the organisation or the person may
// subscribe to bundles.
func (p Place) MentionsBundles() bool {
	files, _ := filesOf(p.Managed) // loading says what is wrong with them
	own, _ := filesOf(p.Config)
	return slices.ContainsFunc(append(files, own...), func(name string) bool {
		if !exists(name) {
			return false
		}
		data, err := readFile(name)
		return err == nil && bytes.Contains(data, []byte("bundles"))
	})
}
