package effective

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/bundles"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// bundleFlags name a bundle for one run.
type bundleFlags struct {
	from, scope string
	keys        []string
	// mode says how current the bundles of the policy must be.
	Mode bundles.Mode
	// prints says that what the Rego of bundles prints is wanted.
	Prints bool
	// client is what loads bundles; nil before the flags are read.
	Client *bundles.Client
}

// Register adds the flags.
func (b *bundleFlags) Register(flags *pflag.FlagSet) {
	flags.StringVar(&b.from, "bundle", "", "a bundle of policies: a `FILE` or a URL; it is not kept on disk")
	flags.StringArrayVar(&b.keys, "bundle-key", nil, "a public key that may have signed the bundle, as `ID=FILE`; may repeat")
	flags.StringVar(&b.scope, "bundle-scope", "", "the `SCOPE` that the signature of the bundle must be for")
}

// source returns the bundle that the flags name, nil where they name none.
func (b *bundleFlags) source(p *console.Process) (*config.BundleSource, error) {
	if b.from == "" {
		if len(b.keys) > 0 || b.scope != "" {
			return nil, console.Usagef("--bundle-key and --bundle-scope are for a bundle: name it with --bundle")
		}
		return nil, nil
	}
	out := &config.BundleSource{URL: b.from, Scope: b.scope, Origin: policy.Origin{Layer: config.Flag, File: "--bundle"}}
	if !strings.Contains(b.from, "://") {
		path, err := p.Absolute(b.from)
		if err != nil {
			return nil, err
		}
		out.URL = path
	}
	out.Name = SubscriptionName(b.from)
	for _, pair := range b.keys {
		id, file, ok := strings.Cut(pair, "=")
		if !ok || id == "" || file == "" {
			return nil, console.Usagef("--bundle-key takes ID=FILE, not %q", pair)
		}
		path, err := p.Absolute(file)
		if err != nil {
			return nil, err
		}
		if out.Keys == nil {
			out.Keys = map[string]string{}
		}
		out.Keys[id] = path
	}
	if out.Scope != "" && len(out.Keys) == 0 {
		return nil, console.Usagef("the scope is checked with the signature: give --bundle-key too")
	}
	return out, nil
}

// SubscriptionName returns the name of a bundle by its file.
func SubscriptionName(from string) string {
	name := from[strings.LastIndexByte(filepath.ToSlash(from), '/')+1:]
	name, _, _ = strings.Cut(name, "?")
	name, _, _ = strings.Cut(name, ".")
	if i := strings.IndexFunc(name, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", r)
	}); i >= 0 || strings.Trim(name, "-_") == "" || len(name) > 64 {
		return "bundle"
	}
	return strings.TrimLeft(name, "-_")
}

// subscribe gives a place the bundles and the engine of the flags.
func (f *Flags) subscribe(p *console.Process, place *layers.Place) error {
	source, err := f.Bundle.source(p)
	if err != nil {
		return err
	}
	if place.Evaluate, err = f.Engine.evaluate(); err != nil {
		return err
	}
	if source != nil && len(source.Keys) == 0 {
		console.Warn(p.Stderr, "warning: ", errors.New("the signature of "+f.Bundle.from+" is not checked: name the key of its signer with --bundle-key ID=FILE"))
	}
	if source != nil {
		place.Bundles = append(slices.Clip(place.Bundles), *source)
	}
	f.Bundle.Client = bundles.New(f.Bundle.Mode, place.State, place.Home)
	if f.Bundle.Prints {
		f.Bundle.Client.KeepPrints()
	}
	place.Bundler = f.Bundle.Client
	return nil
}

// Close ends what loads bundles, and tells what collectors did not get.
func (b *bundleFlags) Close(p *console.Process) {
	if b.Client == nil {
		return
	}
	if err := b.Client.Close(); err != nil {
		console.Warn(p.Stderr, "warning: ", err)
	}
}
