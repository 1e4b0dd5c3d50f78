// Package inforce says which value each key of a policy has and where it comes from,
// for policyctl config and for the pages of the service. It reads no file.
package inforce

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

// A Value is a value; its origin is null if it is built in.
type Value struct {
	Value  string  `json:"value"`
	Origin *string `json:"origin"`
}

// A HeldValue was assigned without effect, or without all of its effect.
type HeldValue struct {
	Value  string `json:"value"`
	Origin string `json:"origin"`
	Why    string `json:"why"`
}

// Keys are the keys of a policy that are assigned as a whole.
func Keys() []config.Key {
	return slices.DeleteFunc(config.Keys(), func(k config.Key) bool { return k.Path == "version" || strings.ContainsAny(k.Path, "[*") })
}

// Trust reports whether a person trusts a file, "" where nobody need to.
func Trust(s *layers.Source) string {
	switch {
	case s.Layer != config.Project:
		return ""
	case s.Trusted():
		return "trusted"
	case s.Changed:
		return "changed since trusted"
	}
	return "not trusted"
}

// Values returns what is in force of a key.
func Values(l *layers.Policy, k config.Key) []Value {
	s := &l.Settings
	switch k.Path {
	case "permissions":
		return permissionValues("", s.Permissions)
	case "agents":
		out := []Value{}
		for _, name := range slices.Sorted(maps.Keys(s.Agents)) {
			out = append(out, permissionValues(name+": ", s.Agents[name])...)
		}
		return out
	case "security.tool_policy.tools":
		return treatmentValues(&s.ToolPolicy, s.ToolPolicy.Tools, func(name string) policy.FirmTreatment { return policy.FirmTreatment{Tool: name} })
	case "security.tool_policy.groups":
		return treatmentValues(&s.ToolPolicy, s.ToolPolicy.Groups, func(name string) policy.FirmTreatment { return policy.FirmTreatment{Group: name} })
	case "approvals.undecided":
		return undecidedValue(l, k)
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
func confirmValue(l *layers.Policy, k config.Key) []Value {
	from := lastOf(l, k)
	if older := allOf(l, config.Key{Path: "security.require_confirmation_for_shell"}); from[0].Origin == nil && len(older) > 0 {
		from = older[len(older)-1:]
	}
	return []Value{{l.Settings.Confirm.String(), from[0].Origin}}
}

// undecidedValue returns who answers what is undecided, which depends on other keys and
// on the layers.
func undecidedValue(l *layers.Policy, k config.Key) []Value {
	v := Value{Value: l.Settings.Undecided.String()}
	if from := lastOf(l, k); from[0].Value == v.Value {
		v.Origin = from[0].Origin
	}
	return []Value{v}
}

// lastOf returns the value of a key that has one.
func lastOf(l *layers.Policy, k config.Key) []Value {
	all := allOf(l, k)
	switch {
	case len(all) > 0:
		return all[len(all)-1:]
	case k.Default == "":
		return all
	}
	return []Value{{Value: k.Default}}
}

// allOf returns what all layers assign to a key, the lowest first.
func allOf(l *layers.Policy, k config.Key) []Value {
	out := []Value{}
	for _, a := range l.Assignments {
		if a.Path == k.Path && a.Held == "" {
			out = append(out, Value{textOf(a.Value), console.OrNull(a.Origin.String())})
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

// Held returns what was assigned to a key without effect.
func Held(l *layers.Policy, k config.Key) []HeldValue {
	out := []HeldValue{}
	for _, a := range l.Held() {
		if a.Path == k.Path {
			out = append(out, HeldValue{textOf(a.Value), a.Origin.String(), a.Held})
		}
	}
	return out
}

func permissionValues(prefix string, list []policy.Permission) []Value {
	out := []Value{}
	for _, p := range list {
		out = append(out, Value{prefix + trust.Permission(&p), console.OrNull(p.Origin.String())})
	}
	return out
}

// treatmentValues returns how single tools, or groups, are treated: what the
// layers set, and what they tighten beside it.
func treatmentValues(tp *policy.ToolPolicy, set map[string]policy.Treatment, of func(name string) policy.FirmTreatment) []Value {
	out := []Value{}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		out = append(out, Value{name + ": " + set[name].String(), console.OrNull(tp.Origins[of(name).Rule()].String())})
	}
	for _, f := range tp.Firm {
		name := cmp.Or(f.Tool, f.Group)
		if f.Rule() == of(name).Rule() && f.Treatment.Stricter(set[name]) {
			out = append(out, Value{name + ": " + f.Treatment.String(), console.OrNull(f.Origin.String())})
		}
	}
	return out
}

// ownValues are the paths that are protected without any policy.
func ownValues(l *layers.Policy) []Value {
	out := []Value{}
	for _, path := range l.Own() {
		out = append(out, Value{Value: path})
	}
	return out
}
