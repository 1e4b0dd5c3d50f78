package layers

import (
	"cmp"
	"crypto/sha256"
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
	// Err joins what is wrong with files and bundles: then nothing is allowed,
	// and everything asks that nothing denies. What the others deny and lock
	// holds; of those below one that is wrong only what tightens counts.
	Err error
	// FilesErr is the part of Err that is not about bundles, each of which has
	// its own.
	FilesErr error

	place Place
	more  []config.File
	extra extra
	// standing is what [standing] says of the parts; deep has each policy that
	// is tried made an engine.
	standing map[string]string
	deep     bool
	lacking  error
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

// Lacks notes that a file of the highest layer is missing: nothing is allowed.
func (p *Policy) Lacks(why error) {
	p.lacking = errors.Join(p.lacking, why)
	p.Err = errors.Join(p.Err, why)
	p.Revision = fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%s without %q", p.Revision, why)))
}

// refuse makes the policy one of which nothing applies but the floor.
func (p *Policy) refuse(why error) {
	p.Err = errors.Join(p.Err, why)
	p.Bundles = nil
	p.extra.files = ""
	p.Loaded = config.Loaded{Settings: policy.Defaults(), Warnings: p.Warnings}
	p.Settings.Protect, p.Settings.Own = p.place.Own(), p.place.Self()
}

// Engine returns the engine of the policy. One with an Err allows nothing.
func (p *Policy) Engine(w policy.World) (*policy.Engine, error) {
	e, err := p.engine(w)
	if err == nil {
		return e, nil
	}
	if !p.deep { // some part is wrong that only the engine notices
		p.deep = true
		lacking := p.lacking
		if p.decode(); lacking != nil {
			p.Lacks(lacking)
		}
		return p.Engine(w)
	}
	p.refuse(err)
	return policy.New(p.Settings, policy.Options{World: w, Broken: p.told()})
}

func (p *Policy) engine(w policy.World) (*policy.Engine, error) {
	o, err := p.Options(w)
	if err != nil {
		return nil, err
	}
	return policy.New(p.Settings, o)
}

// Options returns what the engine has beside the settings. The sources are new ones.
func (p *Policy) Options(w policy.World) (policy.Options, error) {
	o := policy.Options{World: w, Grants: p.place.Grants, Count: p.place.Count, Revision: cmp.Or(p.Revision, p.extra.stamp), Broken: p.told()}
	var err error
	if o.Sources, err = p.AllSources(); err != nil {
		return o, err
	}
	for _, b := range p.Bundles {
		if len(b.Files)+len(b.Sources) == 0 {
			continue
		}
		o.Bundles = append(o.Bundles, policy.Bundle{Name: b.Name, Revision: b.Revision, Contact: b.Contact})
	}
	return o, nil
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
