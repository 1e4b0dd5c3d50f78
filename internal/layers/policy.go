package layers

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Policy is the effective policy of some layers. Nothing that it decides
// changes where the policy itself lies.
type Policy struct {
	config.Loaded
	// Sources are the files, lowest layer first.
	Sources []Source
	// Trust is what a person trusts; TrustErr why that could not be read.
	Trust    Trust
	TrustErr error
	// Bundles are what the bundles add to which the files subscribe.
	Bundles []Bundle
	// Err joins what is wrong with the files: then none of them applies, only
	// the floor denies and everything else asks.
	Err error

	place Place
	more  []config.File
	extra extra
}

// Load reads the layers that apply in a directory, with more above them, such
// as what the environment and the command line assign.
func Load(p Place, dir string, more ...config.File) *Policy {
	out := &Policy{place: p, more: more}
	out.Trust, out.TrustErr = p.ReadTrust()
	out.Sources = p.sources(dir, out.Trust)
	out.decode()
	return out
}

// Trusting returns what the policy would be if a person trusted the content
// that a project's file had when it was read.
func (p *Policy) Trusting(path string) *Policy {
	out := &Policy{place: p.place, more: p.more, Trust: p.Trust, TrustErr: p.TrustErr, Sources: slices.Clone(p.Sources)}
	for i := range out.Sources {
		if s := &out.Sources[i]; s.Layer == config.Project && s.Path == path {
			s.Admit, s.Changed = config.Trusted, false
		}
	}
	out.decode()
	return out
}

// decode makes one policy of all files.
func (p *Policy) decode() {
	var files []config.File
	var errs []error
	for _, s := range p.Sources {
		if s.Err != nil {
			errs = append(errs, fmt.Errorf("%s: %w: correct or remove it", s.Path, s.Err))
			continue
		}
		files = append(files, config.File{Layer: s.Layer, Name: s.Path, Data: s.data, Admit: s.Admit})
	}
	files = append(files, p.more...)
	loaded, err := config.Load(policy.Defaults(), files...)
	if subscribed := slices.Concat(p.place.Bundles, loaded.Bundles); err == nil && len(subscribed) > 0 {
		loaded, err = p.bundled(subscribed, files)
	}
	p.Loaded = loaded
	p.add(p.place.extra())
	p.Settings.Protect = append(p.place.Own(), p.place.below(p.Settings.Protect)...)
	if err := errors.Join(append(errs, err)...); err != nil {
		p.Refuse(err)
	}
}

// Refuse makes the policy one that does not apply, for a reason.
func (p *Policy) Refuse(why error) {
	p.Err = errors.Join(p.Err, why)
	p.Bundles = nil
	p.extra.files = ""
	p.Loaded = config.Loaded{Settings: policy.Defaults(), Warnings: p.Warnings}
	p.Settings.Protect = p.place.Own()
}

// Engine returns the engine of the policy. One whose files are wrong denies
// what the floor denies and asks about everything else.
func (p *Policy) Engine(w policy.World) (*policy.Engine, error) {
	o := policy.Options{World: w, Grants: p.place.Grants, Revision: cmp.Or(p.Revision, p.extra.stamp), Broken: p.Err}
	var err error
	if o.Sources, err = p.AllSources(); err == nil {
		for _, b := range p.Bundles {
			o.Bundles = append(o.Bundles, policy.Bundle{Name: b.Name, Revision: b.Revision})
		}
		var e *policy.Engine
		if e, err = policy.New(p.Settings, o); err == nil {
			return e, nil
		}
	}
	p.Refuse(err)
	return policy.New(p.Settings, policy.Options{World: w, Broken: p.Err})
}

// Held returns the assignments that have no effect, or not all of it.
func (p *Policy) Held() []config.Assignment {
	var held []config.Assignment
	for _, a := range p.Assignments {
		if a.Held != "" {
			held = append(held, a)
		}
	}
	return held
}

// Own returns the paths that are protected without any policy.
func (p *Policy) Own() []string { return p.place.Own() }
