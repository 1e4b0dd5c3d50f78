package config

import (
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Sources returns the rules as sources of an engine: one for each layer, for
// each file of a project, and another for what of a layer is not trusted. So no
// rule answers a deny of another layer, and none that is not trusted comes
// before one that is.
func (l Loaded) Sources() []policy.Source {
	out, _ := l.SourcesBy(func(s *pattern.Set) (policy.Source, error) { return pattern.NewSource(s), nil })
	return out
}

// SourcesBy returns the rules as sources that a function makes of each set. The
// error is that of the function, which is not asked about rules of files that
// were prepared.
func (l Loaded) SourcesBy(source func(*pattern.Set) (policy.Source, error)) ([]policy.Source, error) {
	var out []policy.Source
	for _, layer := range l.Rules {
		groups := apart(layer.Rules)
		if len(layer.Forms) > 0 { // which are of files that count in full
			var beside []*pattern.Rule
			if len(groups) > 0 && !groups[0][0].Origin.Untrusted {
				beside, groups = groups[0], groups[1:]
			}
			out = append(out, pattern.NewFormSource(layer.Forms, beside))
		}
		for _, rules := range groups {
			s := pattern.NewSet(rules)
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

// apart returns the rules of a layer by who wrote them: each file of a project
// speaks for itself, since one further in undoes nothing of one further out.
// What is trusted comes first.
func apart(rules []*pattern.Rule) (out [][]*pattern.Rule) {
	type author struct {
		untrusted bool
		file      string
	}
	of := func(r *pattern.Rule) author {
		if r.Origin.Layer == Project {
			return author{r.Origin.Untrusted, r.Origin.File}
		}
		return author{untrusted: r.Origin.Untrusted}
	}
	place := make(map[author]int)
	for _, untrusted := range []bool{false, true} {
		for _, r := range rules {
			if r.Origin.Untrusted != untrusted {
				continue
			}
			i, ok := place[of(r)]
			if !ok {
				i = len(out)
				place[of(r)], out = i, append(out, nil)
			}
			out[i] = append(out[i], r)
		}
	}
	return out
}
