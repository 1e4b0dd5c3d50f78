package config_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A person and an organisation may have a policy observe, and nobody else. An
// organisation's denials hold unless it observes itself, and its locks hold always.
func TestObserve(t *testing.T) {
	const observes = "version: 1\napprovals: {mode: observe}\n"
	file := func(layer, text string) config.File {
		return config.File{Layer: layer, Name: layer, Data: []byte(text), Admit: config.Everything}
	}
	for _, r := range []struct {
		what  string
		files []config.File
		mode  policy.Mode
		hold  bool
		wrong string
	}{
		{"a person", []config.File{file(config.User, observes)}, policy.Observe, true, ""},
		{"an organisation", []config.File{file(config.Managed, observes)}, policy.Observe, false, ""},
		{"both", []config.File{file(config.Managed, observes), file(config.User, observes)}, policy.Observe, false, ""},
		{"a person under an organisation", []config.File{file(config.Managed, "version: 1\n"), file(config.User, observes)}, policy.Observe, true, ""},
		{"a locked mode", []config.File{file(config.Managed, "version: 1\nlocked: [approvals.mode]\n"), file(config.User, observes)}, policy.Manual, false, ""},
		{"a trusted project", []config.File{file(config.Project, observes)}, policy.Manual, false, "set it in your own policy or a managed one"},
		{"a bundle", []config.File{file(config.Bundle, observes)}, policy.Manual, false, "set it in your own policy or a managed one"},
		{"a person who ends it", []config.File{file(config.Managed, observes), file(config.User, "version: 1\napprovals: {mode: manual}\n")}, policy.Manual, false, ""},
	} {
		l, err := config.Load(policy.Defaults(), r.files...)
		if l.Settings.Mode != r.mode || l.Settings.HoldDenials != r.hold {
			t.Errorf("%s: mode %s, denials held %v", r.what, l.Settings.Mode, l.Settings.HoldDenials)
		}
		if (err == nil) != (r.wrong == "") || err != nil && !strings.Contains(err.Error(), r.wrong) {
			t.Errorf("%s: %v", r.what, err)
		}
	}
}
