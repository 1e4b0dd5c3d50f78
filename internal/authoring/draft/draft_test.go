package draft_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/pkg/policy"
)

// TestYolo shows that only settings of a user turn yolo on, and only if that is wanted.
func TestYolo(t *testing.T) {
	for _, r := range []struct {
		root       string
		yolo, want bool
	}{{"", false, false}, {"", true, true}, {"/w", true, false}, {"/w", false, false}} {
		in := &draft.Input{Agent: &draft.Agent{}, Root: r.root, Yolo: r.yolo}
		in.Bypassed("mode x")
		p := draft.Build(in)
		if written := strings.Contains(string(p.YAML()), "\n  yolo: true"); p.Yolo != r.want || written != r.want {
			t.Errorf("root %q, yolo %v: %v\n%s", r.root, r.yolo, p.Yolo, p.YAML())
		}
	}
}

// TestOrder shows what an entry of a higher rank does to those below it.
func TestOrder(t *testing.T) {
	deny, ask, allow := policy.Deny, policy.Ask, policy.Allow
	for _, r := range []struct {
		name    string
		entries []draft.Entry
		want    string
	}{
		{"an exception", []draft.Entry{{Action: deny, Text: "a", Tool: "Bash", Spec: "git *"}, {Action: allow, Text: "b", Tool: "Bash", Spec: "git log *", Rank: 1}}, "deny shell git * except shell git log *; allow shell git log *"},
		{"one of the same rank is none", []draft.Entry{{Action: deny, Text: "a", Tool: "Bash", Spec: "git *"}, {Action: allow, Text: "b", Tool: "Bash", Spec: "git log *"}}, "deny shell git *; allow shell git log *"},
		{"one of a lower rank is none", []draft.Entry{{Action: deny, Text: "a", Tool: "Bash", Spec: "git *", Rank: 1}, {Action: allow, Text: "b", Tool: "Bash", Spec: "git log *"}}, "deny shell git *; allow shell git log *"},
		{"another program is none", []draft.Entry{{Action: deny, Text: "a", Tool: "Bash", Spec: "git *"}, {Action: allow, Text: "b", Tool: "Bash", Spec: "make *", Rank: 1}}, "deny shell git *; allow shell make *"},
		{"one replaces", []draft.Entry{{Action: deny, Text: "a", Tool: "Bash", Spec: "git *"}, {Action: allow, Text: "b", Tool: "Bash", Rank: 1}}, "allow shell *"},
		{"a rough one replaces nothing stricter", []draft.Entry{{Action: deny, Text: "a", Tool: "Bash", Spec: "git *"}, {Action: ask, Text: "b", Tool: "Bash", Spec: "git *", Rough: true, Rank: 1}}, "deny shell git *; ask shell git *"},
		{"a rough one replaces what is looser", []draft.Entry{{Action: allow, Text: "a", Tool: "Bash", Spec: "git *"}, {Action: ask, Text: "b", Tool: "Bash", Spec: "git *", Rough: true, Rank: 1}}, "ask shell git *"},
	} {
		var got []string
		for _, p := range draft.Build(&draft.Input{Agent: &draft.Agent{}, Entries: r.entries}).Permissions {
			text := p.Action.String() + " " + p.Match
			if len(p.Except) > 0 {
				text += " except " + strings.Join(p.Except, ", ")
			}
			got = append(got, text)
		}
		if strings.Join(got, "; ") != r.want {
			t.Errorf("%s: %s, want %s", r.name, strings.Join(got, "; "), r.want)
		}
	}
}
