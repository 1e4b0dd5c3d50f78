package bundles

import (
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/bundle"
	"github.com/policyctl/policyctl/pkg/config"
)

// A bundle that is signed with a shared secret is subscribed to by naming the
// algorithm.
func TestAlgorithm(t *testing.T) {
	r := newRig(t)
	const secret = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	r.write("secret", secret)
	archive, err := bundle.Write(&bundle.Bundle{
		Revision: "r1", Sequence: 1, Roots: []string{"policyctl"},
		Policies: []bundle.File{{Name: "a.yaml", Text: "version: 1\npermissions: {\"shell x *\": deny}\n"}},
	})
	if err == nil {
		archive, err = bundle.Sign(archive, bundle.SigningKey{ID: "org", Algorithm: "HS256", PEM: secret})
	}
	if err != nil {
		t.Fatal(err)
	}
	r.serve("/acme", archive)
	s := r.source("acme", func(s *config.BundleSource) {
		s.Keys = map[string]string{"org": r.path("secret")}
		s.Algorithm = "HS256"
	})
	if b := one(r.client(Once), s); b.Err != nil || b.Revision != "r1" {
		t.Errorf("%s, %v", b.Revision, b.Err)
	}
	s.Algorithm = "HS512"
	if b := one(r.client(Once), s); b.Err == nil || !strings.Contains(b.Err.Error(), "HS256") {
		t.Errorf("another algorithm: %v", b.Err)
	}
}

// The algorithms that a policy may name are those that signatures have.
func TestAlgorithms(t *testing.T) {
	v := bundle.Verification{Keys: map[string]bundle.Key{"org": {Algorithm: "none", PEM: public(org)}}}
	_, known, _ := strings.Cut(v.Check().Error(), "known are ")
	if got := strings.Split(known, ", "); !slices.Equal(got, slices.Sorted(slices.Values(config.Algorithms))) {
		t.Errorf("%q", got)
	}
}
