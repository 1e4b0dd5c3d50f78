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
	"hardline somegen -o ~/.config/policyctl/NAME",
	"hardline ./gen.sh --out-file=/home/dev/.config/policyctl/NAME",
	"hardline gcc x.c -o/home/dev/.config/policyctl/NAME",
	"hardline prettier --write ~/.config/policyctl/NAME",
	"hardline git -C ~/.config diff --output=policyctl/NAME",
	"hardline git -C ~/.config/policyctl archive -o NAME HEAD",
	"hardline git format-patch -o ~/.config/policyctl HEAD~1",
	"hardline git worktree add ~/.config/policyctl/x",
	"hardline curl --output-dir ~/.config/policyctl -o NAME https://x.example",
	"hardline patch -d ~/.config -o policyctl/NAME x d",
	"hardline tar -xf a.tar -C ~/.config policyctl/NAME",
	"hardline unzip -o a.zip policyctl/NAME -d ~/.config",
	"hardline cd /tmp/n && cp --parents home/dev/.config/policyctl/NAME /",
	"hardline rsync -R ./policyctl/NAME ~/.config",
	"hardline ln -s ~/.config/policyctl/NAME y && truncate -s0 y",
	"hardline ln ~/.config/policyctl/NAME y && sort x -o y",
	"hardline cp -al ~/.config/policyctl z && cp x z/NAME",
	"hardline tee ~/.config/p*/NAME < x",
	"hardline truncate -s0 /home/*/.config/policyctl/NAME",
	"hardline docker run -v ../.config:/c alpine tee /c/policyctl/NAME",
	"hardline vim -c '1,5w! ~/.config/policyctl/NAME' -c q x",
	"hardline printf 'a\\nx\\n.\\nw /home/dev/.config/policyctl/NAME\\nq\\n' | ed x",
	"hardline sqlite3 x.db '.backup main /home/dev/.config/policyctl/NAME'",
	"hardline sqlite3 x.db \"vacuum main into '/home/dev/.config/policyctl/NAME'\"",
	"hardline duckdb -c \"COPY (select 1) TO '/home/dev/.config/policyctl/NAME'\"",
	"hardline psql -c '\\o /home/dev/.config/policyctl/NAME' -c 'select 1'",
	"hardline psql db <<< 'select 1 \\g /home/dev/.config/policyctl/NAME'",
	"hardline mysql -e \"select 1 into outfile '/home/dev/.config/policyctl/NAME'\"",
	"hardline gdb -batch -ex 'dump memory /home/dev/.config/policyctl/NAME 0 10' ./a",
	"hardline gtruncate -s0 ~/.config/policyctl/NAME",
	"hardline ffmpeg -i x.mp4 ~/.config/policyctl/NAME",
	"hardline convert x.png ~/.config/policyctl/NAME",
	"hardline tcpdump -w ~/.config/policyctl/NAME",
	"hardline rclone copyto remote:x ~/.config/policyctl/NAME",
	"hardline link /tmp/x ~/.config/policyctl/NAME",
	"hardline trash ~/.config/policyctl",
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
		for _, line := range []string{"cat ~/.config/policyctl/NAME", "cat .policyctl/NAME", "echo x > NAME", "cp NAME /tmp/x", "rm src/NAME", "find src -name NAME -delete", "ln -s ~/.config/policyctl/NAME y; rm y", "ln -s ~/.config/policyctl y; mv y z", "cp x ~/.config/*/themes/x", "tar cf x.tar -C ~/.config policyctl/NAME", "tar xOf x.tar -C ~/.config policyctl/NAME", "somegen --input ~/.config/policyctl/NAME -o out", "./x --output json ~/.config/policyctl/NAME", "git -C ~/.config/policyctl log", "sqlite3 x.db \"insert into t values ('.output /home/dev/.config/policyctl/NAME')\"", "psql -c \"select * from t where p = '/home/dev/.config/policyctl/NAME'\"", "vim -c '%s/w x/y/' -c wq NAME", "docker run -v ./:/c alpine ls /c/policyctl/NAME"} {
			if v := decide(t, e, nil, call(strings.ReplaceAll(line, "NAME", name))); v.Decision != policy.Allow {
				t.Errorf("%s, %s: %s %s", name, line, v.Decision, v.Rule)
			}
		}
	}
}
