package config

import (
	dialect "github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Sources returns the rules as sources of an engine: one for each layer, and
// another for what of a layer is not trusted. So no rule answers a deny of
// another layer, and none that is not trusted comes before one that is.
func (l Loaded) Sources() []policy.Source {
	var out []policy.Source
	for _, layer := range l.Rules {
		var sets [2][]*dialect.Rule
		for _, r := range layer.Rules {
			i := 0
			if r.Origin.Untrusted {
				i = 1
			}
			sets[i] = append(sets[i], r)
		}
		for _, rules := range sets {
			if s := dialect.NewSet(rules); len(s.Ordered()) > 0 {
				out = append(out, dialect.NewSource(s))
			}
		}
	}
	return out
}
