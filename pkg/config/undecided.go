package config

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/pkg/policy"
)

// The keys that say who answers what is undecided, and those that ask about it
// themselves: whoever writes one of these wants to be asked.
const (
	undecidedKey    = "approvals.undecided"
	modeKey         = "approvals.mode"
	confirmKey      = "security.confirm_policy"
	confirmShellKey = "security.require_confirmation_for_shell"
)

// unmanaged reports whether no layer of an organisation stands among files: only then
// agents answer by default.
func unmanaged(files []File) bool {
	return !slices.ContainsFunc(files, func(f File) bool { return f.Layer == Managed || f.Layer == Bundle || f.Bundle != "" })
}

// settleUndecided leaves nothing to agents where a key asks that somebody wrote, or where
// bundles apply and nobody said otherwise.
func (s *draft) settleUndecided() {
	wrote := func(path string) bool {
		return slices.ContainsFunc(s.assignments, func(a Assignment) bool { return a.Path == path })
	}
	asks := wrote(modeKey) || wrote(confirmShellKey) || wrote(confirmKey) && s.Confirm == policy.ConfirmAll
	if asks || len(s.bundles) > 0 && !wrote(undecidedKey) {
		s.Undecided = policy.UndecidedAsk
	}
	if s.Undecided == policy.UndecidedAsk {
		s.UndecidedModes = nil
	}
}

// undecidedModesForm is a list of modes of agents in which nobody is asked.
var undecidedModesForm = form[draft]{listOf(oneOf(policy.UnaskedModes)), func(d *decoder, n *yaml.Node, s *draft) {
	for item := range d.items(n) {
		name, ok := d.str(item)
		switch {
		case !ok:
		case !slices.Contains(policy.UnaskedModes(), name):
			d.unknown(item, "mode of an agent", name, policy.UnaskedModes())
		case !slices.Contains(s.UndecidedModes, name):
			s.UndecidedModes = append(s.UndecidedModes, name)
		}
	}
}}
