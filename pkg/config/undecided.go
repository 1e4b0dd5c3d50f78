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
	switch asking := s.asking(wrote); {
	case asking != "":
		if s.left != nil && s.Undecided == policy.UndecidedAgent {
			s.left.by.warn(s.left.at, "", "no effect: %s is set, and whoever sets it wants to be asked", asking)
		}
		s.Undecided = policy.UndecidedAsk
	case len(s.bundles) > 0 && !wrote(undecidedKey):
		s.Undecided = policy.UndecidedAsk
	}
	if s.Undecided == policy.UndecidedAsk {
		s.UndecidedModes = nil
	}
}

// asking returns the key by which somebody asks about what nothing allows, "" if none
// does.
func (s *draft) asking(wrote func(path string) bool) string {
	switch {
	case wrote(modeKey) && s.Mode != policy.Observe: // which asks nobody
		return modeKey
	case wrote(confirmShellKey):
		return confirmShellKey
	case wrote(confirmKey) && s.Confirm == policy.ConfirmAll:
		return confirmKey
	}
	return ""
}

// undecidedForm says who answers what is undecided.
var undecidedForm = form[draft]{oneOf(func() []string { return namesOf(new(policy.Undecided)) }), func(d *decoder, n *yaml.Node, s *draft) {
	if d.word(n, "answer to what is undecided", &s.Undecided) && s.Undecided == policy.UndecidedAgent {
		s.left = &written{d, n}
	}
}}

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
