// Package activation makes a bundle part of a policy: it reads the policies in
// it, compiles its Rego for a machine that has no network, no environment and no
// clock, and runs its tests. What passes is a [Policy], which an engine takes
// as files and sources; what does not is refused whole.
//
// The package verifies no signature and fetches nothing: see [bundle.Read] and
// package subscription.
package activation

import (
	"context"
	"errors"
	"fmt"

	"github.com/policyctl/policyctl/pkg/bundle"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/rego"
)

// A Policy is what a bundle adds to a policy. It is immutable.
type Policy struct {
	// Name is that of the subscription, Revision that of the bundle.
	Name, Revision string
	Sequence       uint64
	// Digest is the SHA-256 of the archive in hexadecimal.
	Digest string
	// Files are the policies, of the layer [config.Bundle].
	Files []config.File
	// Sources answer calls beside the rules of the files.
	Sources []policy.Source

	admission *rego.Admission // nil for none
}

// ErrEmpty says that a bundle holds nothing that decides.
var ErrEmpty = errors.New("the bundle contains no policy: neither policy files nor the package " + rego.AdmissionPackage)

// Load checks a bundle and prepares what it adds. name is that of the
// subscription; verdicts and messages name it. The error joins what is wrong,
// and then nothing of the bundle counts.
func Load(ctx context.Context, name string, b *bundle.Bundle) (*Policy, error) {
	p := &Policy{Name: name, Revision: b.Revision, Sequence: b.Sequence, Digest: b.Digest}
	for _, f := range b.Policies {
		p.Files = append(p.Files, config.File{Layer: config.Bundle, Name: p.place(f.Name), Data: []byte(f.Text), Admit: config.Everything, Bundle: name})
	}
	if err := p.compile(b); err != nil {
		return nil, err
	}
	if len(p.Files)+len(p.Sources) == 0 {
		return nil, ErrEmpty
	}
	if err := p.test(ctx, b.Tests); err != nil {
		return nil, err
	}
	return p, nil
}

// place is how verdicts and messages name a file of the bundle.
func (p *Policy) place(file string) string { return "bundle " + p.Name + ": " + file }

// compile compiles the modules but those of compiled rules, whose policies the
// bundle holds too.
func (p *Policy) compile(b *bundle.Bundle) error {
	modules := written(b)
	if len(p.Files) == 0 && len(modules) < len(b.Modules) {
		return errors.New("the bundle holds compiled rules without the policies that they come from: build it with policyctl bundle build")
	}
	if !rego.HasAdmission(modules) {
		if len(modules) > 0 {
			return fmt.Errorf("the bundle holds Rego, and no document deny, ask or allow of the package %s", rego.AdmissionPackage)
		}
		return nil
	}
	admission, err := rego.NewAdmission(modules, b.Data, rego.Options{Origin: policy.Origin{Layer: config.Bundle, File: "bundle " + p.Name}})
	if err != nil {
		return fmt.Errorf("the Rego of the bundle is refused: %w", err)
	}
	p.admission = admission
	p.Sources = append(p.Sources, admission)
	return nil
}

// Try judges one call of each kind by the Rego of the bundle, and looks at what
// its rules write. The error joins what would deny calls as an error. It is for
// a bundle that is new: what was in force before goes on denying what it denies,
// whatever else it does.
func (p *Policy) Try(ctx context.Context) error {
	if p.admission == nil {
		return nil
	}
	loaded, err := config.Load(policy.Defaults(), p.Files...)
	if err != nil {
		return err
	}
	if err := TryAdmission(ctx, p.admission, loaded.Settings); err != nil {
		return fmt.Errorf("the Rego of the bundle is refused: %w", err)
	}
	return nil
}

// TryAdmission tries an admission on calls of all tools that settings know.
func TryAdmission(ctx context.Context, a *rego.Admission, s policy.Settings) error {
	samples, err := a.Samples(s)
	if err != nil {
		return err
	}
	return a.Try(ctx, samples)
}

// Engine returns an engine of the bundle with further policy files, lowest
// layer first, which must not be of the layer [config.Managed]. Of the options
// it sets Sources, to which it adds, Bundles, and an empty Revision.
func (p *Policy) Engine(base policy.Settings, o policy.Options, more ...config.File) (*policy.Engine, error) {
	loaded, err := config.Load(base, append(append([]config.File{}, p.Files...), more...)...)
	if err != nil {
		return nil, err
	}
	o.Sources = append(append(append([]policy.Source{}, o.Sources...), loaded.Sources()...), p.Sources...)
	o.Bundles = append(append([]policy.Bundle{}, o.Bundles...), policy.Bundle{Name: p.Name, Revision: p.Revision})
	if o.Revision == "" {
		o.Revision = loaded.Revision
		if p.Digest != "" {
			o.Revision = p.Digest
		}
	}
	return policy.New(loaded.Settings, o)
}
