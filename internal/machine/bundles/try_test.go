package bundles

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/machine/subscription"
	"github.com/policyctl/policyctl/pkg/bundle"
)

// answering has a bundle hold Rego beside its policy.
func answering(rules string) func(*bundle.Bundle) {
	return func(b *bundle.Bundle) {
		b.Modules = []bundle.File{{Name: "a.rego", Text: "package policyctl.admission\n\n" + rules + "\n"}}
	}
}

const (
	right = `deny contains {"id": "no-read", "reason": "r"} if input.call.tool == "none"`
	wrong = `deny contains {"id": "no-read"} if input.call.tool == "none"`
)

// TestTried shows that a revision whose Rego answers in the wrong form is
// refused and told, and that the last good one stays.
func TestTried(t *testing.T) {
	r := newRig(t)
	r.publish("/acme", 1, answering(right))
	acme := r.source("acme")
	if b := one(r.client(Fetching), acme); b.Err != nil || b.Revision != "r1" {
		t.Fatal(b.Revision, b.Err)
	}
	r.publish("/acme", 2, answering(wrong))
	for _, mode := range []Mode{Fetching, Offline, Following} {
		b := one(r.client(mode), acme)
		if b.Revision != "r1" || b.Err != nil || len(b.Sources) != 1 {
			t.Errorf("mode %d: revision %s, %v", mode, b.Revision, b.Err)
		}
		const why = `revision "r2": the Rego of the bundle is refused: a.rego:3:1: the document deny: the entry "no-read" has no reason`
		if mode == Fetching && !strings.Contains(b.Trouble, why) {
			t.Errorf("trouble %q", b.Trouble)
		}
	}
	r.publish("/new", 1, answering(wrong))
	r.refused(one(r.client(Fetching), r.source("new")), "a.rego:3:1: the document deny")
}

// TestKeptIsNotTried shows that a bundle that was in force before, such as by
// an older version, goes on denying.
func TestKeptIsNotTried(t *testing.T) {
	r := newRig(t)
	r.publish("/acme", 1, answering(wrong))
	acme := r.source("acme")
	older, err := subscription.New(subscription.Config{
		Name: "acme", URL: acme.URL, Dir: filepath.Join(r.path("state"), "bundles"), Now: r.now,
		Verification: &bundle.Verification{Keys: map[string]bundle.Key{"org": {PEM: public(org)}}},
		Activate:     func(context.Context, *bundle.Bundle) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := older.Fetch(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []Mode{Offline, Once, Fetching} {
		b := one(r.client(mode), acme)
		if b.Err != nil || b.Revision != "r1" || len(b.Sources) != 1 || len(b.Files) != 1 {
			t.Errorf("mode %d: revision %q, %v", mode, b.Revision, b.Err)
		}
	}
}
