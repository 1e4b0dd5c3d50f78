package layers

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
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
	// Err says why the bundle does not count; then no policy does.
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

// bundled makes one policy of files and of the bundles to which they subscribe.
func (p *Policy) bundled(subscribed []config.BundleSource, files []config.File) (config.Loaded, error) {
	if p.place.Bundler == nil {
		return config.Loaded{}, errNoBundler
	}
	p.Bundles = p.place.Bundler.Bundles(subscribed)
	var errs []error
	var of []config.File
	h := sha256.New()
	for _, b := range p.Bundles {
		if b.Err != nil {
			errs = append(errs, fmt.Errorf("bundle %s: %w", b.Name, b.Err))
		}
		of = append(of, b.Files...)
		fmt.Fprintf(h, "%q %q %s\n", b.Name, b.Revision, b.Digest)
	}
	at := slices.IndexFunc(files, func(f config.File) bool { return f.Layer != config.Managed })
	if at < 0 {
		at = len(files)
	}
	loaded, err := config.Load(policy.Defaults(), slices.Insert(slices.Clone(files), at, of...)...)
	if err = errors.Join(append(errs, err)...); err != nil {
		return config.Loaded{Warnings: loaded.Warnings}, err
	}
	h.Write([]byte(loaded.Revision))
	loaded.Revision = hex.EncodeToString(h.Sum(nil))
	return loaded, nil
}

// AllSources returns the rules, what the bundles add and what comes from no
// file as sources of an engine.
func (p *Policy) AllSources() ([]policy.Source, error) {
	source := p.place.Evaluate
	if source == nil {
		source = func(s *pattern.Set) (policy.Source, error) { return pattern.NewSource(s), nil }
	}
	out, err := p.SourcesBy(source)
	for _, b := range p.Bundles {
		out = append(out, b.Sources...)
	}
	return append(out, p.extra.sources...), err
}

// MentionsBundles says whether a file of the organisation or the person may
// subscribe to bundles.
func (p Place) MentionsBundles() bool {
	files, _ := filesOf(p.Managed) // loading says what is wrong with them
	own, _ := filesOf(p.Config)
	return slices.ContainsFunc(append(files, own...), func(name string) bool {
		data, err := readFile(name)
		return err == nil && bytes.Contains(data, []byte("bundles"))
	})
}
