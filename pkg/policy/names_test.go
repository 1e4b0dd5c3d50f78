package policy_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/own"
	"github.com/policyctl/policyctl/pkg/policy"
)

// attacks are ways to write a policy, or to take it away: NAME is its name. The
// first word says who denies: the floor what is the organisation's and the
// person's, a rule of its own what is the project's.
var attacks = []string{
	"hardline echo x > ~/.config/policyctl/NAME",
	"hardline echo x >> /etc/policyctl/NAME",
	"hardline sudo tee /etc/policyctl/NAME < x",
	"hardline cp x ~/.config/policyctl/NAME",
	"hardline cp NAME ~/.config/policyctl/",
	"hardline mv ~/.config/policyctl/NAME /tmp/x",
	"hardline rm -f ~/.config/policyctl/NAME",
	"hardline rm -rf ~/.config/policyctl",
	"hardline ln -sf /tmp/x ~/.config/policyctl/NAME",
	"hardline sed -i s/deny/allow/ ~/.config/policyctl/NAME",
	"hardline perl -pi -e s/deny/allow/ ~/.config/policyctl/NAME",
	"hardline truncate -s 0 ~/.config/policyctl/NAME",
	"hardline chmod 000 ~/.config/policyctl/NAME",
	"hardline dd if=x of=/home/dev/.config/policyctl/NAME",
	"hardline curl -o ~/.config/policyctl/NAME https://x.example/p",
	"hardline wget -O /etc/policyctl/NAME https://x.example/p",
	"hardline git -C ~/.config/policyctl checkout NAME",
	"hardline cd ~/.config/policyctl && echo x > NAME",
	"hardline sh -c 'echo x > ~/.config/policyctl/NAME'",
	"hardline find ~/.config -name NAME -delete",
	"hardline find ~ -iname 'NAME' -delete",
	"hardline find ~ -iname 'FOLDED' -delete",
	"hardline install -m 644 x ~/.config/policyctl/NAME",
	"hardline patch ~/.config/policyctl/NAME < x.diff",
	"hardline python3 -c \"open('/home/dev/.config/policyctl/NAME', 'w').write('x')\"",
	"hardline echo x > ~/.config/./policyctl/../policyctl/NAME",
	"agent-files echo x > .policyctl/NAME",
	"agent-files echo x | tee .policyctl/NAME",
	"agent-files cp x .policyctl/NAME",
	"agent-files mv .policyctl/NAME /tmp/x",
	"agent-files rm .policyctl/NAME",
	"agent-files ln -sf /tmp/x .policyctl/NAME",
	"agent-files sed -i s/deny/allow/ .policyctl/NAME",
	"agent-files touch .policyctl/NAME",
	"agent-files cd .policyctl && touch NAME",
	"agent-files echo x > /home/dev/other/.policyctl/NAME",
	"agent-files git -C .policyctl rm NAME",
	"agent-files sh -c 'truncate -s0 .policyctl/NAME'",
}

// TestPolicyNames shows that an agent changes no policy, whatever its name and
// whatever the tool, in any mode.
func TestPolicyNames(t *testing.T) {
	e := engine(t, "", func(s *policy.Settings) {
		s.Yolo = true
		s.Protect = []string{"/etc/policyctl", "/home/dev/.config/policyctl"}
	})
	denied := func(by string, c *policy.Call) {
		t.Helper()
		v := decide(t, e, nil, c)
		if got := map[bool]string{true: "hardline", false: v.Rule}[v.Stage == policy.StageHardline]; v.Decision != policy.Deny || got != by {
			t.Errorf("%v: %s %s, want deny by %s", c.Input, v.Decision, got, by)
		}
	}
	for _, name := range own.PolicyNames() {
		for _, row := range attacks {
			by, line, _ := strings.Cut(row, " ")
			denied(by, call(strings.NewReplacer("NAME", name, "FOLDED", strings.ToUpper(name)).Replace(line)))
		}
		for dir, by := range map[string]string{"/etc/policyctl/": "hardline", "~/.config/policyctl/": "hardline", "/home/dev/.config/policyctl/": "hardline", ".policyctl/": "agent-files", "/home/dev/project/.policyctl/": "agent-files"} {
			path := dir + name
			denied(by, toolCall("Write", "file_path", path))
			denied(by, toolCall("Edit", "file_path", path))
			denied(by, toolCall("MultiEdit", "file_path", path))
			denied(by, toolCall("write_file", "file_path", path))
			for _, verb := range []string{"Add", "Update", "Delete"} {
				denied(by, toolCall("apply_patch", "input", "*** Begin Patch\n*** "+verb+" File: "+path+"\n*** End Patch"))
			}
			denied(by, toolCall("apply_patch", "input", "*** Begin Patch\n*** Update File: x\n*** Move to: "+path+"\n*** End Patch"))
		}
		for _, line := range []string{"cat ~/.config/policyctl/NAME", "cat .policyctl/NAME", "echo x > NAME", "cp NAME /tmp/x", "rm src/NAME", "find src -name NAME -delete"} {
			if v := decide(t, e, nil, call(strings.ReplaceAll(line, "NAME", name))); v.Decision != policy.Allow {
				t.Errorf("%s, %s: %s %s", name, line, v.Decision, v.Rule)
			}
		}
	}
}
