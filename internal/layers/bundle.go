package layers

import (
	"bytes"
	"errors"
	"slices"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Bundle is what a bundle of an organisation adds to a policy.
type Bundle struct {
	Name, Revision string
	// Digest identifies the content.
	Digest string
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
}

// A Bundler loads bundles. It is safe for concurrent use.
type Bundler interface {
	// Bundles returns what each subscription adds, in their order.
	Bundles([]config.BundleSource) []Bundle
	// Stamp is another text as soon as Bundles would return something else.
	Stamp() string
	// Withdrawn says that a bundle that counted does so no more.
	Withdrawn() bool
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

// evaluate returns what makes the source of a set of rules.
func (p *Policy) evaluate() func(*pattern.Set) (policy.Source, error) {
	if p.place.Evaluate != nil {
		return p.place.Evaluate
	}
	return func(s *pattern.Set) (policy.Source, error) { return pattern.NewSource(s), nil }
}

// MentionsBundles says whether a file of the organisation or the person may
// subscribe to bundles.
func (p Place) MentionsBundles() bool {
	return slices.ContainsFunc(append(layer(config.Managed, p.Managed), layer(config.User, p.Config)...), func(s Source) bool {
		return bytes.Contains(s.data, []byte("bundles"))
	})
}
