package config

import (
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A BundleSource is a bundle of policies that the policy subscribes to.
type BundleSource struct {
	Name string
	// URL is where it lies: http, https or the path of a file.
	URL string
	// Keys are the files of the public keys that may have signed it, by key
	// id. Without keys a signature is not looked at.
	Keys map[string]string
	// Algorithm is by what they sign; "" is what follows from each key.
	Algorithm string
	// Scope is what the signature must be for.
	Scope string
	// TokenFile holds a bearer token for the server.
	TokenFile string
	// MaxAge is how long the policy counts without contact to the server; 0 is
	// without end.
	MaxAge time.Duration
	// MinDelay and MaxDelay bound the time between two requests, LongPoll is
	// how long the server may hold one; 0 is the default of each.
	MinDelay, MaxDelay, LongPoll time.Duration
	// StatusURL and LogURL take status reports and decision logs; "" for none.
	StatusURL, LogURL string
	Origin            policy.Origin
}

// bundleKeys are the keys of one bundle.
var bundleKeys = sync.OnceValue(func() []key[BundleSource] {
	return []key[BundleSource]{
		{"url", "where the bundle lies: an http or https URL, or the path of a file", "",
			urlForm(func(b *BundleSource) *string { return &b.URL }), free},
		{"keys", "files of public keys, by key id; one of them must have signed it", "",
			keyFilesForm, free},
		{"algorithm", "by what the keys sign, where it does not follow from them: HS256 and the like for a shared secret, PS256, RS512", "that of each key",
			algorithmForm, free},
		{"scope", "what the signature must be for", "",
			text(func(b *BundleSource) *string { return &b.Scope }), free},
		{"token_file", "a file with a bearer token for the server", "",
			path(func(b *BundleSource) *string { return &b.TokenFile }), free},
		{"max_age", "how long the bundle counts without contact to its server, such as 24h; then it allows nothing, and what it denies stays denied", "",
			duration(time.Second, func(b *BundleSource) *time.Duration { return &b.MaxAge }), free},
		{"min_delay", "the least time between two requests", "1m0s",
			duration(time.Second, func(b *BundleSource) *time.Duration { return &b.MinDelay }), free},
		{"max_delay", "the most time between two requests", "2m0s",
			duration(time.Second, func(b *BundleSource) *time.Duration { return &b.MaxDelay }), free},
		{"long_poll", "how long the server may hold a request until there is something new", "",
			duration(time.Second, func(b *BundleSource) *time.Duration { return &b.LongPoll }), free},
		{"status_url", "where reports of the status go, in the format of OPA", "",
			webURLForm(func(b *BundleSource) *string { return &b.StatusURL }), free},
		{"decision_log_url", "where decision logs go, in the format of OPA, secrets masked", "",
			webURLForm(func(b *BundleSource) *string { return &b.LogURL }), free},
	}
})

// bundlesForm adds bundles to those of the files before.
var bundlesForm = form[draft]{mapOf(tableShape(bundleKeys, "url")), func(d *decoder, n *yaml.Node, s *draft) {
	for name, p := range d.named(n) {
		b := BundleSource{Name: name, Origin: d.origin(p.key)}
		switch {
		case d.layer == Bundle:
			d.fail(p.key, "a bundle cannot subscribe to other bundles: write them into the policy of the organisation or the person")
			return
		case !plainName(name):
			d.fail(p.key, "the name %s of a bundle holds more than letters, digits, - and _", clip.Quote(name))
			continue
		}
		if i := slices.IndexFunc(s.bundles, func(known BundleSource) bool { return known.Name == name }); i >= 0 {
			d.fail(p.key, "the bundle %s is named already (%s)", clip.Line(name), s.bundles[i].Origin)
			continue
		}
		if whole(d, p.value, bundleKeys(), &b, "url") {
			d.checkBundle(p.key, &b)
		}
		s.bundles = append(s.bundles, b)
	}
}}

// plainName reports whether a name can be that of a file.
func plainName(name string) bool {
	return name != "" && len(name) <= 64 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == ""
}

// settleBundles protects the files on which the trust in bundles rests: no call
// changes them.
func (s *draft) settleBundles() {
	for i := range s.bundles {
		b := &s.bundles[i]
		s.Protect = append(s.Protect, slices.Sorted(maps.Values(b.Keys))...)
		if b.TokenFile != "" {
			s.Protect = append(s.Protect, b.TokenFile)
			s.Own.Private = append(s.Own.Private, b.TokenFile)
		}
	}
}

// checkBundle checks what depends on more than one key.
func (d *decoder) checkBundle(n *yaml.Node, b *BundleSource) {
	for at, address := range map[string]string{"url": b.URL, "status_url": b.StatusURL, "decision_log_url": b.LogURL} {
		if hasPassword(address) {
			d.fail(n, "%s of the bundle %s has a password in it, which stands in logs and reports: put a token into token_file", at, clip.Line(b.Name))
		}
	}
	switch {
	case b.Algorithm != "" && len(b.Keys) == 0:
		d.fail(n, "algorithm is that of the keys: give keys too")
	case b.Scope != "" && len(b.Keys) == 0:
		d.fail(n, "scope is checked with the signature: give keys too")
	case b.TokenFile != "" && (inClear(b.StatusURL) || inClear(b.LogURL)):
		d.fail(n, "the token of token_file could be read on the way to a collector over http://: use https://")
	case b.MaxDelay != 0 && b.MaxDelay < b.MinDelay:
		d.fail(n, "max_delay is shorter than min_delay")
	case len(b.Keys) == 0:
		d.warn(n, "", "the bundle %s has no keys: whoever can change it or the way to it writes the policy", clip.Line(b.Name))
	}
}

// hasPassword reports whether an address names who asks, or a password, before its host.
func hasPassword(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.User != nil && (u.Scheme == "http" || u.Scheme == "https")
}

// inClear reports whether others may read what is sent to an address.
func inClear(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "https" || address == "" {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return !strings.EqualFold(u.Hostname(), "localhost") && (err != nil || !ip.Unmap().IsLoopback())
}

// Algorithms are those by which bundles may be signed, as OPA names them.
var Algorithms = []string{
	"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "HS256", "HS384", "HS512", "EdDSA",
}

var algorithmForm = form[BundleSource]{words(Algorithms...), func(d *decoder, n *yaml.Node, b *BundleSource) {
	switch s, ok := d.str(n); {
	case !ok:
	case !slices.Contains(Algorithms, s):
		d.unknown(n, "algorithm", s, Algorithms)
	default:
		b.Algorithm = s
	}
}}

var keyFilesForm = form[BundleSource]{someMapOf(matching(absolutePath)), func(d *decoder, n *yaml.Node, b *BundleSource) {
	b.Keys = map[string]string{}
	for id, p := range d.named(n) {
		var file string
		path(func(f *string) *string { return f }).decode(d, p.value, &file)
		b.Keys[id] = file
	}
	if n.Kind == yaml.MappingNode && len(n.Content) == 0 {
		d.fail(n, "%s is empty: name the key that signs the bundle, or leave keys out, and then nothing is verified", d.at)
	}
}}

// path is an absolute path of a file, or one below the home directory.
func path[T any](field func(*T) *string) form[T] {
	return form[T]{matching(absolutePath), func(d *decoder, n *yaml.Node, into *T) {
		s, ok := d.str(n)
		switch {
		case !ok:
		case !absolutePath().MatchString(s):
			d.fail(n, "the path %s must begin with / or ~/", clip.Quote(s))
		default:
			*field(into) = s
		}
	}}
}

func urlForm(field func(*BundleSource) *string) form[BundleSource] {
	return address(field, "http://", "https://", "file:///", "/", "~/")
}

func webURLForm(field func(*BundleSource) *string) form[BundleSource] {
	return address(field, "http://", "https://")
}

// address is a text that begins with one of some texts.
func address[T any](field func(*T) *string, begins ...string) form[T] {
	return form[T]{beginning(begins...), func(d *decoder, n *yaml.Node, into *T) {
		s, ok := d.str(n)
		switch {
		case !ok:
		case !slices.ContainsFunc(begins, func(begin string) bool { return strings.HasPrefix(s, begin) }):
			d.fail(n, "%s must begin with one of %s", d.at, strings.Join(begins, ", "))
		default:
			*field(into) = s
		}
	}}
}
