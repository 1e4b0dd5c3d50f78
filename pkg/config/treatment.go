package config

import (
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A treatments is one of the two maps of a tool policy: of tools, or of groups.
type treatments struct {
	what  subject
	field func(*policy.ToolPolicy) *map[string]policy.Treatment
	firm  func(name string) policy.FirmTreatment
}

var toolTreatments = treatments{
	aTool,
	func(p *policy.ToolPolicy) *map[string]policy.Treatment { return &p.Tools },
	func(name string) policy.FirmTreatment { return policy.FirmTreatment{Tool: name} },
}

var groupTreatments = treatments{
	aGroup,
	func(p *policy.ToolPolicy) *map[string]policy.Treatment { return &p.Groups },
	func(name string) policy.FirmTreatment { return policy.FirmTreatment{Group: name} },
}

// form decodes the map. What the managed layer denies stays denied, under
// whatever other name or group somebody treats the tool.
func (m treatments) form() form[draft] {
	return form[draft]{mapOf(treatmentShape), func(d *decoder, n *yaml.Node, s *draft) {
		for name, p := range d.named(n) {
			var t policy.Treatment
			if !d.word(p.value, "treatment", &t) {
				continue
			}
			d.mention(p.key, m.what, name, "")
			f := m.firm(name)
			f.Treatment, f.Origin = t, d.origin(p.key)
			if s.deniedAlready(f) && d.layer != Managed && t != policy.Denied {
				d.warn(p.value, "", "no effect: the managed policy denies %s", clip.Line(name))
				continue
			}
			if d.layer == Managed && t == policy.Denied {
				s.ToolPolicy.Firm = append(s.ToolPolicy.Firm, f)
			}
			m.set(&s.ToolPolicy, name, f)
		}
	}}
}

// deniedAlready reports whether a layer before denies the tool or group of that
// name for good.
func (s *draft) deniedAlready(f policy.FirmTreatment) bool {
	return slices.ContainsFunc(s.ToolPolicy.Firm, func(old policy.FirmTreatment) bool {
		return old.Origin.Layer == Managed && old.Treatment == policy.Denied && old.Tool == f.Tool && old.Group == f.Group
	})
}

// set treats one tool or group.
func (m treatments) set(p *policy.ToolPolicy, name string, f policy.FirmTreatment) {
	into := m.field(p)
	if *into == nil {
		*into = make(map[string]policy.Treatment)
	}
	if p.Origins == nil {
		p.Origins = make(map[string]policy.Origin)
	}
	(*into)[name], p.Origins[f.Rule()] = f.Treatment, f.Origin
}

// direction keeps the map as it was, and what is stricter beside it: the same
// tool may be treated more strictly still, under another name or by its group.
func (m treatments) direction() direction {
	return direction{says: treatedTighter, restore: func(before, after *draft) bool {
		was, is := &before.ToolPolicy, &after.ToolPolicy
		old, all := *m.field(was), *m.field(is)
		held := false
		for _, name := range slices.Sorted(maps.Keys(all)) {
			f := m.firm(name)
			f.Treatment, f.Origin = all[name], is.Origins[f.Rule()]
			switch {
			case f.Treatment.Stricter(old[name]):
				is.Firm = append(is.Firm, f)
			case f.Treatment != old[name]:
				held = true
			}
		}
		*m.field(is), is.Origins = old, was.Origins
		return held
	}}
}

const treatedTighter = "deny is tighter than supervised, supervised than allow"

var defaultTreatmentForm = form[draft]{treatmentShape, func(d *decoder, n *yaml.Node, s *draft) {
	if d.word(n, "treatment", &s.ToolPolicy.Default) {
		s.ToolPolicy.Origin = d.origin(n)
	}
}}

var lowerDefault = direction{says: treatedTighter, restore: func(before, after *draft) bool {
	was, is := &before.ToolPolicy, &after.ToolPolicy
	if is.Default.Stricter(was.Default) {
		return false
	}
	held := is.Default != was.Default
	is.Default, is.Origin = was.Default, was.Origin
	return held
}}

var treatmentShape = oneOf(func() []string { return namesOf(new(policy.Treatment)) })
