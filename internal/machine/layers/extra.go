package layers

import (
	"crypto/sha256"
	"fmt"

	"github.com/policyctl/policyctl/pkg/policy"
)

// An extra is what a policy has beside its files.
type extra struct {
	sources []policy.Source
	stamp   string
	// files is the revision of the files and the bundles, "" where these do
	// not apply.
	files string
}

// extra returns what the place adds now.
func (p Place) extra() extra {
	if p.Extra == nil {
		return extra{}
	}
	var x extra
	x.sources, x.stamp = p.Extra()
	return x
}

// add gives a policy that was read its extra sources, and a revision that
// names them.
func (p *Policy) add(x extra) {
	x.files = p.Revision
	p.extra = x
	if p.place.Extra != nil && p.Revision != "" {
		p.Revision = fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%q %s", x.stamp, x.files)))
	}
}

// renewed returns the policy with other extra sources.
func (p *Policy) renewed(x extra) *Policy {
	out := *p
	out.Revision = p.extra.files
	out.add(x)
	return &out
}
