package layers

import (
	"errors"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/config"
)

// fixed gives the same bundle to every subscription.
type fixed struct {
	Bundle
	stamp     string
	withdrawn bool
}

func (f *fixed) Bundles(list []config.BundleSource, _ Union) []Bundle {
	out := make([]Bundle, len(list))
	for i := range list {
		out[i] = f.Bundle
		out[i].Name = list[i].Name
	}
	return out
}

func (f *fixed) Stamp() string   { return f.stamp }
func (f *fixed) Withdrawn() bool { return f.withdrawn }

const subscribes = "bundles: {acme: {url: /srv/acme.tar.gz, keys: {org: /etc/org.pem}}}\n"

func policyOf(text string) []config.File {
	return []config.File{{Layer: config.Bundle, Name: "bundle acme: a.yaml", Data: []byte("version: 1\n" + text), Admit: config.Everything}}
}

func TestBundles(t *testing.T) {
	for _, tc := range []struct {
		want, what, user string
		bundler          Bundler
	}{
		{"deny", "a bundle denies what the person allows", subscribes + allowMake, &fixed{Bundle: Bundle{Files: policyOf(denyMake)}}},
		{"allow", "a bundle allows", subscribes, &fixed{Bundle: Bundle{Files: policyOf(allowMake)}}},
		{"ask", "a bundle that does not count", subscribes + allowMake, &fixed{Bundle: Bundle{Err: errors.New("too old")}}},
		{"ask", "a bundle that is no policy", subscribes + allowMake, &fixed{Bundle: Bundle{Files: policyOf("zzz: 1\n")}}},
		{"ask", "a bundle that names bundles", subscribes + allowMake, &fixed{Bundle: Bundle{Files: policyOf(subscribes)}}},
		{"ask", "a program without a bundler", subscribes + allowMake, nil},
		{"allow", "no subscription", allowMake, &fixed{Bundle: Bundle{Err: errors.New("not asked for")}}},
	} {
		tr := newTree(t)
		tr.policy(userFile, tc.user)
		tr.Bundler = tc.bundler
		e, err := tr.load().Engine(nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := tr.decide(e, "make x"); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.what, got, tc.want)
		}
	}
}

// A project subscribes to nothing.
func TestBundlesOfProject(t *testing.T) {
	tr := newTree(t)
	tr.trust(tr.policy(innerFile, subscribes))
	tr.Bundler = &fixed{Bundle: Bundle{Files: policyOf(allowMake)}}
	l := tr.load()
	if held := l.Held(); len(l.Loaded.Bundles) != 0 || len(held) != 1 || held[0].Path != "bundles" {
		t.Errorf("%v, held %v, %v", l.Loaded.Bundles, held, l.Err)
	}
}

// The revision of a policy is that of its bundles too.
func TestBundleRevision(t *testing.T) {
	tr := newTree(t)
	tr.policy(userFile, subscribes)
	b := &fixed{Bundle: Bundle{Files: policyOf(allowMake), Revision: "1", Digest: "a"}}
	tr.Bundler = b
	first := tr.load().Revision
	b.Digest = "b"
	if second := tr.load().Revision; first == "" || second == first {
		t.Errorf("%q, then %q", first, second)
	}
}

// A bundle takes effect while calls are decided. One that is withdrawn does so
// even where another file is wrong.
func TestLiveBundle(t *testing.T) {
	tr := newTree(t)
	tr.policy(userFile, subscribes)
	b := &fixed{Bundle: Bundle{Files: policyOf(allowMake), Digest: "a"}, stamp: "a"}
	tr.Bundler = b
	l, _ := tr.follow()
	for _, step := range []struct {
		want string
		do   func()
	}{
		{"allow", func() {}},
		{"deny", func() { b.Files, b.Digest, b.stamp = policyOf(denyMake), "b", "b" }},
		{"allow", func() { b.Files, b.Digest, b.stamp = policyOf(allowMake), "c", "c" }},
		{"allow", func() { tr.policy(innerFile, "zzz: 1\n") }},
		{"ask", func() { b.Err, b.stamp, b.withdrawn = errors.New("too old"), "d", true }},
	} {
		step.do()
		if got := tr.decide(l.Engine(), "make x"); got != step.want {
			t.Errorf("%s, want %s", got, step.want)
		}
	}
}

func TestMentionsBundles(t *testing.T) {
	for text, want := range map[string]bool{allowMake: false, subscribes: true, "# no bundles\n": true} {
		tr := newTree(t)
		tr.policy(userFile, text)
		if got := tr.MentionsBundles(); got != want {
			t.Errorf("%s: %t", strings.TrimSpace(text), got)
		}
	}
}
