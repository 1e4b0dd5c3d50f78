package config

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// Who answers what is undecided, by what stands in which layer: "layer text; layer text".
// A project's layer is trusted where a ! follows.
func TestUndecided(t *testing.T) {
	for _, tc := range []struct{ want, layers string }{
		{"agent", ""},
		{"agent", "user approvals: {auto_allow_workspace: true}"},
		{"ask", "user approvals: {undecided: ask}"},
		{"agent", "user approvals: {undecided: agent}"},
		{"agent headless yolo", "user approvals: {undecided: agent, undecided_modes: [headless, yolo, headless]}"},
		{"agent headless", "user approvals: {undecided_modes: [headless]}"},
		{"ask", "user approvals: {undecided: ask, undecided_modes: [headless]}"},

		// An organisation's layer stands.
		{"ask", "managed permissions: []"},
		{"ask", "bundle permissions: []"},
		{"ask", "managed permissions: []; user permissions: []"},
		{"agent", "managed approvals: {undecided: agent}"},
		{"agent", "managed permissions: []; user approvals: {undecided: agent}"},
		{"ask", "managed locked: [approvals.undecided]; user approvals: {undecided: agent}"},
		{"ask", "managed {locked: [approvals], approvals: {undecided: ask}}; user approvals: {undecided: agent, undecided_modes: [yolo]}"},
		{"agent", "managed {locked: [approvals.undecided_modes], approvals: {undecided: agent}}; user approvals: {undecided_modes: [yolo]}"},
		{"ask", "managed {locked: [approvals.undecided], approvals: {undecided: agent}}; user approvals: {undecided: ask}"},
		{"ask", "user bundles: {acme: {url: /b}}"},
		{"agent", "user {bundles: {acme: {url: /b}}, approvals: {undecided: agent}}"},

		// It tightens one way.
		{"ask", "project approvals: {undecided: ask}"},
		{"ask", "user approvals: {undecided: ask}; project approvals: {undecided: agent}"},
		{"agent", "user approvals: {undecided: ask}; project! approvals: {undecided: agent}"},
		{"agent", "project approvals: {undecided_modes: [yolo]}"},
		{"agent", "project! approvals: {undecided_modes: [yolo, headless]}"},
		{"ask", "user approvals: {undecided: agent}; environment approvals: {undecided: ask}"},
		{"ask", "user approvals: {undecided: ask}; environment approvals: {undecided: agent}"},

		// Somebody wrote that they want to be asked.
		{"ask", "user approvals: {mode: manual}"},
		{"ask", "user approvals: {mode: auto, undecided: agent}"},
		{"ask", "user approvals: {undecided: agent, mode: manual, undecided_modes: [yolo]}"},
		{"ask", "user security: {confirm_policy: confirm_all}"},
		{"agent", "user security: {confirm_policy: dangerous_only}"},
		{"ask", "user security: {confirm_policy: dangerous_only}; project security: {confirm_policy: confirm_all}"},
		{"ask", "user security: {require_confirmation_for_shell: true}"},
		{"ask", "user security: {require_confirmation_for_shell: false}"},
		{"ask", "project approvals: {mode: manual}"},
	} {
		var files []File
		for part := range strings.SplitSeq(tc.layers, "; ") {
			layer, text, ok := strings.Cut(part, " ")
			if !ok {
				continue
			}
			if text[0] != '{' {
				text = "{" + text + "}"
			}
			f := File{Layer: strings.TrimSuffix(layer, "!"), Name: layer, Data: []byte(strings.Replace(text, "{", "{version: 1, ", 1)), Admit: Everything}
			switch layer {
			case Project, Environment:
				f.Admit = Tightening
			case Project + "!":
				f.Admit = Trusted
			}
			files = append(files, f)
		}
		l, err := Load(policy.Defaults(), files...)
		got := strings.Join(append([]string{l.Settings.Undecided.String()}, l.Settings.UndecidedModes...), " ")
		if err != nil || got != tc.want {
			t.Errorf("%s: %s (%v), want %s", tc.layers, got, err, tc.want)
		}
	}
	if got := problems("version: 1\napprovals: {undecided: agents, undecided_modes: [bypass, yolo]}\n"); !strings.Contains(got, "did you mean agent?") || !strings.Contains(got, "bypass") {
		t.Error(got)
	}
	l, err := Load(policy.Defaults(), File{Layer: User, Name: "f", Data: []byte("version: 1\napprovals:\n  undecided: agent\n  mode: auto\n"), Admit: Everything})
	if got := l.Warnings.Error(); err != nil || got != "f:3:14: no effect: approvals.mode is set, and whoever sets it wants to be asked" {
		t.Error(got, err)
	}
}
