package policy_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// Of several asks, that of the organisation comes first, and one that may only
// tighten last: neither changes on what terms the others are answered.
func TestAskOrder(t *testing.T) {
	for _, tc := range []struct{ want, layers string }{
		{"managed", "user managed"},
		{"managed", "project user managed"},
		{"user", "project user"},
		{"user", "user project"},
		{"project", "project"},
	} {
		e := engine(t, "", func(s *policy.Settings) {
			for _, layer := range strings.Fields(tc.layers) {
				s.Permissions = append(s.Permissions, policy.Permission{
					Match: "shell make *", Action: policy.Ask, EveryTime: layer != "project",
					Origin: policy.Origin{Layer: layer, Tightens: layer == "project"},
				})
			}
		})
		v := decide(t, e, nil, call("make x"))
		if v.Decision != policy.Ask || v.Origin.Layer != tc.want || v.Ask.EveryTime != (tc.want != "project") {
			t.Errorf("%s: %s of %s, %+v", tc.layers, v.Decision, v.Origin.Layer, v.Ask)
		}
	}
}

// A verdict of the tool policy names the place of the entry that decided.
func TestToolPolicyOrigin(t *testing.T) {
	at := func(line int) policy.Origin { return policy.Origin{Layer: "user", File: "p", Line: line} }
	e := engine(t, "", func(s *policy.Settings) {
		s.ToolPolicy = policy.ToolPolicy{
			Default: policy.Supervised,
			Tools:   map[string]policy.Treatment{"fetch": policy.Allowed, "shell": policy.Supervised},
			Origin:  at(1),
			Origins: map[string]policy.Origin{"tool_policy.tools.fetch": at(2), "tool_policy.tools.shell": at(3)},
			Firm: []policy.FirmTreatment{
				{Group: "execution", Treatment: policy.Allowed, Origin: at(4)},
				{Tool: "Bash", Treatment: policy.Denied, Origin: at(5)},
				{Tool: "WebSearch", Treatment: policy.Denied, Origin: at(6)},
			},
		}
	})
	for tool, want := range map[string]string{
		"fetch":      "allow tool_policy.tools.fetch p:2",
		"shell":      "deny tool_policy.tools.Bash p:5",
		"web_search": "deny tool_policy.tools.WebSearch p:6",
		"write":      "ask tool_policy.default p:1",
	} {
		v := decide(t, e, nil, &policy.Call{Tool: tool, Dir: project, Input: map[string]any{"command": "ls", "url": "u", "query": "q", "file_path": "f", "content": "c"}})
		if got := v.Decision.String() + " " + v.Rule + " " + v.Origin.String(); got != want {
			t.Errorf("%s: %s, want %s", tool, got, want)
		}
	}
}
