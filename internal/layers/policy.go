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
	// Err joins what is wrong with the files: then nothing is allowed, and
	// everything asks that nothing denies. Where only a project or the
	// environment is wrong, the other files apply; else none of them does, and
	// only the floor denies.
	Err error

	place Place
	more  []config.File
	files []config.File // those that apply
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

// decode makes one policy of all files. Files of the organisation, the person
// or the command line that are wrong refuse it.
func (p *Policy) decode() {
	var files []config.File
	var errs []error
	refused := false
	for _, s := range p.Sources {
		if s.Err != nil {
			errs = append(errs, fmt.Errorf("%s: %w: correct or remove it", s.Path, s.Err))
			refused = refused || !lesser(s.Layer, s.Admit)
			continue
		}
		f := config.File{Layer: s.Layer, Name: s.Path, Data: s.data, Admit: s.Admit}
		if p.place.Forms != nil {
			p.place.Forms.Prepare(&f, s.Path, s.Digest)
		}
		files = append(files, f)
	}
	loaded, why, err := p.sound(append(files, p.more...))
	p.Err = errors.Join(append(errs, why)...)
	p.apply(loaded)
	if refused || err != nil {
		p.Refuse(nil)
	}
}

// Refuse makes the policy one that does not apply at all, for a reason beside
// those that it has.
func (p *Policy) Refuse(why error) {
	p.Err = errors.Join(p.Err, why)
	p.Bundles = nil
	p.extra.files = ""
	p.Loaded = config.Loaded{Settings: policy.Defaults(), Warnings: p.Warnings}
	p.Settings.Protect = p.place.Own()
}

// Engine returns the engine of the policy. One with an Err allows nothing.
func (p *Policy) Engine(w policy.World) (*policy.Engine, error) {
	e, err := p.engine(w)
	if err != nil && p.lessen(err) {
		e, err = p.engine(w)
	}
	if err == nil {
		return e, nil
	}
	p.Refuse(err)
	return policy.New(p.Settings, policy.Options{World: w, Broken: p.told()})
}

func (p *Policy) engine(w policy.World) (*policy.Engine, error) {
	o := policy.Options{World: w, Grants: p.place.Grants, Revision: cmp.Or(p.Revision, p.extra.stamp), Broken: p.told()}
	var err error
	if o.Sources, err = p.AllSources(); err != nil {
		return nil, err
	}
	for _, b := range p.Bundles {
		o.Bundles = append(o.Bundles, policy.Bundle{Name: b.Name, Revision: b.Revision})
	}
	return policy.New(p.Settings, o)
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
