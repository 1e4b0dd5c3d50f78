package cli

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/policyctl/policyctl/internal/bundles"
	"github.com/policyctl/policyctl/internal/layers"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// bundleFlags name a bundle for one run.
type bundleFlags struct {
	from, scope string
	keys        []string
	// mode says how current the bundles of the policy must be.
	mode bundles.Mode
	// prints says that what the Rego of bundles prints is wanted.
	prints bool
	// client is what loads bundles; nil before the flags are read.
	client *bundles.Client
}

func (b *bundleFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&b.from, "bundle", "", "a bundle of policies: a `FILE` or a URL; it is not kept on disk")
	flags.StringArrayVar(&b.keys, "bundle-key", nil, "a public key that may have signed the bundle, as `ID=FILE`; may repeat")
	flags.StringVar(&b.scope, "bundle-scope", "", "the `SCOPE` that the signature of the bundle must be for")
}

// source returns the bundle that the flags name, nil where they name none.
func (b *bundleFlags) source(p *Process) (*config.BundleSource, error) {
	if b.from == "" {
		if len(b.keys) > 0 || b.scope != "" {
			return nil, usagef("--bundle-key and --bundle-scope are for a bundle: name it with --bundle")
		}
		return nil, nil
	}
	out := &config.BundleSource{URL: b.from, Scope: b.scope, Origin: policy.Origin{Layer: config.Flag, File: "--bundle"}}
	if !strings.Contains(b.from, "://") {
		path, err := p.absolute(b.from)
		if err != nil {
			return nil, err
		}
		out.URL = path
	}
	out.Name = subscriptionName(b.from)
	for _, pair := range b.keys {
		id, file, ok := strings.Cut(pair, "=")
		if !ok || id == "" || file == "" {
			return nil, usagef("--bundle-key takes ID=FILE, not %q", pair)
		}
		path, err := p.absolute(file)
		if err != nil {
			return nil, err
		}
		if out.Keys == nil {
			out.Keys = map[string]string{}
		}
		out.Keys[id] = path
	}
	if out.Scope != "" && len(out.Keys) == 0 {
		return nil, usagef("the scope is checked with the signature: give --bundle-key too")
	}
	return out, nil
}

// subscriptionName returns the name of a bundle by its file.
func subscriptionName(from string) string {
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
func (f *policyFlags) subscribe(p *Process, place *layers.Place) error {
	source, err := f.bundle.source(p)
	if err != nil {
		return err
	}
	if place.Evaluate, err = f.engine.evaluate(); err != nil {
		return err
	}
	if source != nil && len(source.Keys) == 0 {
		warn(p.Stderr, "warning: ", errors.New("the signature of "+f.bundle.from+" is not checked: name the key of its signer with --bundle-key ID=FILE"))
	}
	if source != nil {
		place.Bundles = append(slices.Clip(place.Bundles), *source)
	}
	f.bundle.client = bundles.New(f.bundle.mode, place.State, place.Home)
	if f.bundle.prints {
		f.bundle.client.KeepPrints()
	}
	place.Bundler = f.bundle.client
	return nil
}

// close ends what loads bundles, and tells what collectors did not get.
func (b *bundleFlags) close(p *Process) {
	if b.client == nil {
		return
	}
	if err := b.client.Close(); err != nil {
		warn(p.Stderr, "warning: ", err)
	}
}
