package settings

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/trust"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// valuesOf returns what is in force of a key.
func valuesOf(l *layers.Policy, k config.Key) []shownValue {
	s := &l.Settings
	switch k.Path {
	case "permissions":
		return permissionValues("", s.Permissions)
	case "agents":
		out := []shownValue{}
		for _, name := range slices.Sorted(maps.Keys(s.Agents)) {
			out = append(out, permissionValues(name+": ", s.Agents[name])...)
		}
		return out
	case "security.tool_policy.tools":
		return treatmentValues(&s.ToolPolicy, s.ToolPolicy.Tools, func(name string) policy.FirmTreatment { return policy.FirmTreatment{Tool: name} })
	case "security.tool_policy.groups":
		return treatmentValues(&s.ToolPolicy, s.ToolPolicy.Groups, func(name string) policy.FirmTreatment { return policy.FirmTreatment{Group: name} })
	case "security.confirm_policy":
		return confirmValue(l, k)
	case "hardline.protect":
		return append(ownValues(l), allOf(l, k)...)
	}
	if k.Scalar {
		return lastOf(l, k)
	}
	return allOf(l, k)
}

// confirmValue returns the policy that two keys set, of which this one wins.
func confirmValue(l *layers.Policy, k config.Key) []shownValue {
	from := lastOf(l, k)
	if older := allOf(l, config.Key{Path: "security.require_confirmation_for_shell"}); from[0].Origin == nil && len(older) > 0 {
		from = older[len(older)-1:]
	}
	return []shownValue{{l.Settings.Confirm.String(), from[0].Origin}}
}

// lastOf returns the value of a key that has one.
func lastOf(l *layers.Policy, k config.Key) []shownValue {
	all := allOf(l, k)
	switch {
	case len(all) > 0:
		return all[len(all)-1:]
	case k.Default == "":
		return all
	}
	return []shownValue{{Value: k.Default}}
}

// allOf returns what all layers assign to a key, the lowest first.
func allOf(l *layers.Policy, k config.Key) []shownValue {
	out := []shownValue{}
	for _, a := range l.Assignments {
		if a.Path == k.Path && a.Held == "" {
			out = append(out, shownValue{textOf(a.Value), console.OrNull(a.Origin.String())})
		}
	}
	return out
}

// textOf returns what a text in quotes of YAML says.
func textOf(value string) string {
	if s, ok := strings.CutPrefix(value, "'"); ok && strings.HasSuffix(s, "'") {
		return strings.ReplaceAll(strings.TrimSuffix(s, "'"), "''", "'")
	}
	if s, err := strconv.Unquote(value); err == nil {
		return s
	}
	return value
}

func heldOf(l *layers.Policy, k config.Key) []heldValue {
	out := []heldValue{}
	for _, a := range l.Held() {
		if a.Path == k.Path {
			out = append(out, heldValue{textOf(a.Value), a.Origin.String(), a.Held})
		}
	}
	return out
}

func permissionValues(prefix string, list []policy.Permission) []shownValue {
	out := []shownValue{}
	for _, p := range list {
		out = append(out, shownValue{prefix + trust.Permission(&p), console.OrNull(p.Origin.String())})
	}
	return out
}

// treatmentValues returns how single tools, or groups, are treated: what the
// layers set, and what they tighten beside it.
func treatmentValues(tp *policy.ToolPolicy, set map[string]policy.Treatment, of func(name string) policy.FirmTreatment) []shownValue {
	out := []shownValue{}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		out = append(out, shownValue{name + ": " + set[name].String(), console.OrNull(tp.Origins[of(name).Rule()].String())})
	}
	for _, f := range tp.Firm {
		name := cmp.Or(f.Tool, f.Group)
		if f.Rule() == of(name).Rule() && f.Treatment.Stricter(set[name]) {
			out = append(out, shownValue{name + ": " + f.Treatment.String(), console.OrNull(f.Origin.String())})
		}
	}
	return out
}

// ownValues are the paths that are protected without any policy.
func ownValues(l *layers.Policy) []shownValue {
	out := []shownValue{}
	for _, path := range l.Own() {
		out = append(out, shownValue{Value: path})
	}
	return out
}
