package config

import (
	dialect "github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Sources returns the rules as sources of an engine: one for each layer, and
// another for what of a layer is not trusted. So no rule answers a deny of
// another layer, and none that is not trusted comes before one that is.
func (l Loaded) Sources() []policy.Source {
	out, _ := l.SourcesBy(func(s *dialect.Set) (policy.Source, error) { return dialect.NewSource(s), nil })
	return out
}

// SourcesBy returns the rules as sources that a function makes of each set. The
// error is that of the function.
func (l Loaded) SourcesBy(source func(*dialect.Set) (policy.Source, error)) ([]policy.Source, error) {
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
			s := dialect.NewSet(rules)
			if len(s.Ordered()) == 0 {
				continue
			}
			made, err := source(s)
			if err != nil {
				return nil, err
			}
			out = append(out, made)
		}
	}
	return out, nil
}
