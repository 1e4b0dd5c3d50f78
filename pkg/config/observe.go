package config

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/pkg/policy"
)

// modeForm is a mode. Only a person and an organisation let every call run.
var modeForm = form[draft]{oneOf(func() []string { return namesOf(new(policy.Mode)) }), func(d *decoder, n *yaml.Node, s *draft) {
	var mode policy.Mode
	switch {
	case !d.word(n, "mode", &mode):
	case mode == policy.Observe && d.layer != User && d.layer != Managed:
		d.fail(n, "observe lets every call run that the floor does not stop: set it in your own policy or a managed one")
	default:
		s.Mode = mode
	}
}}

// settleObserving holds the denials of an organisation, unless it observes itself.
func (s *draft) settleObserving() {
	at := slices.IndexFunc(s.assignments, func(a Assignment) bool {
		return a.Path == modeKey && a.Origin.Layer == Managed && a.Value == policy.Observe.String()
	})
	s.HoldDenials = s.Mode == policy.Observe && at < 0
}
