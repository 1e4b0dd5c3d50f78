package policy

import "slices"

// gatherToolPolicy answers by what the tool policy says of the tool.
func (r *replies) gatherToolPolicy() {
	treatment, a := r.treatment()
	a.Certain = true
	switch treatment {
	case Denied:
		a.Decision, a.Why = Deny, "the tool policy denies the tool "+r.tool.Name
	case Supervised:
		a.Decision, a.Why = Ask, "the tool "+r.tool.Name+" is supervised"
		a.Ask = r.e.terms(a.Rule, false)
	case Allowed:
		a.Decision, a.Why = Allow, "the tool policy allows the tool "+r.tool.Name
	default:
		return
	}
	r.add(reply{Answer: a, command: -1, supervised: treatment == Supervised})
}

// treatment returns how the tool of the call is treated, with the rule and its
// origin.
func (r *replies) treatment() (Treatment, Answer) {
	tp := &r.e.settings.ToolPolicy
	t, rule := tp.treat(r.tool)
	if t == Unset && tp.Default != Allowed && !r.guise && !r.named() {
		t, rule = tp.Default, "tool_policy.default"
	}
	a := Answer{Rule: rule, Origin: tp.Origin}
	if at, ok := tp.Origins[rule]; ok {
		a.Origin = at
	}
	for _, f := range tp.Firm {
		if rule := f.Rule(); f.treats(r.tool) && f.Treatment.Stricter(t) {
			t, a = f.Treatment, Answer{Rule: rule, Origin: f.Origin}
		}
	}
	return t, a
}

const (
	toolRule  = "tool_policy.tools."
	groupRule = "tool_policy.groups."
)

// Rule is the id of the treatment in verdicts.
func (f FirmTreatment) Rule() string {
	if f.Tool != "" {
		return toolRule + f.Tool
	}
	return groupRule + f.Group
}

func (f *FirmTreatment) treats(t *Tool) bool {
	if f.Tool != "" {
		return f.Tool == t.Name || f.Tool == t.Of || slices.Contains(t.Aliases, f.Tool)
	}
	return slices.Contains(t.Groups, f.Group)
}

// treat returns the treatment of a tool by its name or its groups; of several
// groups the strictest counts.
func (tp *ToolPolicy) treat(t *Tool) (Treatment, string) {
	if v := tp.Tools[t.Name]; v != Unset {
		return v, toolRule + t.Name
	}
	for _, alias := range t.Aliases {
		if v := tp.Tools[alias]; v != Unset {
			return v, toolRule + alias
		}
	}
	if v := tp.Tools[t.Of]; t.Of != "" && v != Unset {
		return v, toolRule + t.Of
	}
	best, rule := Unset, ""
	for _, g := range t.Groups {
		if v := tp.Groups[g]; v != Unset && (best == Unset || v.Stricter(best)) {
			best, rule = v, groupRule+g
		}
	}
	return best, rule
}

// named reports whether a permission names the tool of the call. One that may
// only tighten does not take a tool from the default.
func (r *replies) named() bool {
	for _, p := range r.permissions() {
		if !p.Origin.Tightens && p.Names(&r.view.Tool) {
			return true
		}
	}
	return false
}
