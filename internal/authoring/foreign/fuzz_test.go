package foreign

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// fuzz shows for the settings of one agent that whatever is read loads without an error, that
// no note and no policy shows a secret, and that what is exported of it is read again.
func fuzz(f *testing.F, agent string, files ...string) {
	f.Helper()
	a := Named(agent)
	if data, err := os.ReadFile(filepath.Join("testdata", agent+".txt")); err == nil {
		for _, block := range strings.Split("\n"+string(data), "\n## ")[1:] {
			_, rest, _ := strings.Cut(block, "\n= ")
			name, rest, _ := strings.Cut(rest, "\n")
			text, _, _ := strings.Cut(rest, "\n--\n")
			f.Add(text, name != files[0])
		}
	}
	f.Fuzz(func(t *testing.T, text string, second bool) {
		name := files[0]
		if second {
			name = files[len(files)-1]
		}
		p, _, err := Read(Source{Agent: agent, Path: name, Data: []byte(text), Root: root, Scope: Project})
		if err != nil {
			return
		}
		l, err := config.Load(policy.Defaults(), config.File{Layer: "policy", Name: "imported", Data: p.YAML(), Admit: config.Everything})
		if err != nil {
			t.Fatalf("%q: %v\n%s", text, err, p.YAML())
		}
		out, _ := a.Write(&l.Settings, nil)
		if _, err := again(a, out); err != nil {
			t.Fatalf("%q: %v\n%s\n%s", text, err, p.YAML(), out)
		}
	})
}

func FuzzClaude(f *testing.F)   { fuzz(f, "claude", "settings.json") }
func FuzzCodex(f *testing.F)    { fuzz(f, "codex", "default.rules", "config.toml") }
func FuzzGemini(f *testing.F)   { fuzz(f, "gemini", "rules.toml", "settings.json") }
func FuzzOpenCode(f *testing.F) { fuzz(f, "opencode", "opencode.json") }
func FuzzCursor(f *testing.F)   { fuzz(f, "cursor", "cli.json") }
func FuzzCopilot(f *testing.F)  { fuzz(f, "copilot", "settings.json") }
func FuzzQwen(f *testing.F)     { fuzz(f, "qwen", "settings.json") }

// TestSecrets shows that what stands beside permissions gets into no note and no policy.
func TestSecrets(t *testing.T) {
	const secret = "sk-0123456789"
	for _, row := range []struct{ agent, name, text string }{
		{"codex", "config.toml", "api_key = \"" + secret + "\"\napproval_policy = \"" + secret + "\"\nsandbox_mode = \"" + secret + "\"\n[mcp_servers.x]\nenv = { TOKEN = \"" + secret + "\" }\ndisabled_tools = [\"wipe\"]\n[mcp_servers.x.http_headers]\nAuthorization = \"" + secret + "\"\n"},
		{"codex", "config.toml", "[mcp_servers.x]\ndisabled_tools = [\"wipe\"]\n[mcp_servers.y.env]\nTOKEN = \"" + secret + "\nX = 1\n"},
		{"codex", "default.rules", "TOKEN = \"" + secret + "\"\nprefix_rule(pattern=[\"make\"])\n"},
		{"gemini", "settings.json", `{"security": {"key": "` + secret + `"}, "mcpServers": {"x": {"trust": true, "env": {"T": "` + secret + `"}, "headers": {"A": "` + secret + `"}}}}`},
		{"gemini", "settings.json", `{"tools": {"approvalMode": "` + secret + `"}}`},
		{"gemini", "a.toml", "token = \"" + secret + "\"\n[[rule]]\ntoolName = \"x\"\ndecision = \"deny\"\npriority = 1\n"},
		{"opencode", "opencode.json", `{"provider": {"x": {"options": {"apiKey": "` + secret + `"}}}, "permission": {"bash": "ask"}}`},
		{"cursor", "cli-config.json", `{"authInfo": {"token": "` + secret + `"}, "approvalMode": "` + secret + `", "permissions": {"allow": ["Shell(make)"]}}`},
		{"copilot", "settings.json", `{"token": "` + secret + `", "allowedUrls": ["docs.example.org"]}`},
		{"copilot", "permissions-config.json", `{"locations": {"/home/dev/shop": {"tool_approvals": [{"kind": "` + secret + `"}, {"kind": "write", "token": "` + secret + `"}]}}}`},
		{"copilot", "options", "TOKEN=" + secret + " copilot --token " + secret + " --allow-tool='shell(make)'"},
		{"qwen", "settings.json", `{"env": {"T": "` + secret + `"}, "permissions": {"allow": ["Bash(make)"]}}`},
		{"claude", "settings.json", `{"env": {"T": "` + secret + `"}, "permissions": {"allow": ["Bash(make)"]}}`},
	} {
		p, notes, err := Read(Source{Agent: row.agent, Path: row.name, Data: []byte(row.text), Root: root})
		if err != nil {
			t.Errorf("%s %s: %v", row.agent, row.name, err)
			continue
		}
		if all := string(p.YAML()) + notesOf(notes); strings.Contains(all, secret) {
			t.Errorf("%s %s: the secret is shown:\n%s", row.agent, row.name, all)
		}
	}
}

// TestFound shows which settings a machine has, and to whom they belong.
func TestFound(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	for _, name := range []string{
		home + "/.claude/settings.json", home + "/.codex/rules/a.rules", home + "/.codex/rules/b.rules", home + "/.codex/rules/README", home + "/.codex/config.toml",
		project + "/.cursor/cli.json", project + "/opencode.json", project + "/.gemini/policies/x.toml", home + "/.gemini/policies/dir.toml/x",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("{}"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, s := range Found(home, project) {
		path := strings.NewReplacer(home, "HOME", project, "PROJECT").Replace(s.Path)
		got = append(got, s.Agent+" "+string(s.Scope)+" "+path+" "+strings.Replace(s.Root, project, "PROJECT", 1))
	}
	want := `claude user HOME/.claude/settings.json 
codex user HOME/.codex/rules/a.rules 
codex user HOME/.codex/rules/b.rules 
codex user HOME/.codex/config.toml 
gemini project PROJECT/.gemini/policies/x.toml PROJECT
opencode project PROJECT/opencode.json PROJECT
cursor project PROJECT/.cursor/cli.json PROJECT`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if n := len(Found(home, home)); n != 4 {
		t.Errorf("%d settings where the home is the project", n)
	}
	if n := len(FoundOf("codex", home, project)); n != 3 {
		t.Errorf("%d settings of Codex", n)
	}
}

// TestBypass shows that a mode that asks nobody becomes yolo only if the person asks for it,
// and only from settings of their own.
func TestBypass(t *testing.T) {
	for _, row := range []struct{ agent, name, text string }{
		{"claude", "settings.json", `{"permissions": {"defaultMode": "bypassPermissions"}}`},
		{"codex", "config.toml", "approval_policy = \"never\"\nsandbox_mode = \"danger-full-access\"\n"},
		{"gemini", "settings.json", `{"tools": {"approvalMode": "yolo"}}`},
		{"cursor", "cli-config.json", `{"approvalMode": "unrestricted"}`},
		{"copilot", "options", "copilot --allow-all-tools"},
		{"qwen", "settings.json", `{"tools": {"approvalMode": "yolo"}}`},
	} {
		for _, c := range []struct {
			root   string
			bypass bool
			want   bool
		}{{"", false, false}, {"", true, true}, {root, true, false}} {
			p, _, err := Read(Source{Agent: row.agent, Path: row.name, Data: []byte(row.text), Root: c.root, Bypass: c.bypass})
			if err != nil {
				t.Fatal(row.agent, err)
			}
			if got := settings(t, p.YAML()).Yolo; got != c.want {
				t.Errorf("%s, root %q, bypass %v: yolo is %v\n%s", row.agent, c.root, c.bypass, got, p.YAML())
			}
		}
	}
}

// TestSeveral shows that files of one agent are read together, and that those of two are not.
func TestSeveral(t *testing.T) {
	low := Source{Agent: "gemini", Path: "a.toml", Data: []byte("[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = \"make\"\ndecision = \"deny\"\npriority = 10\n")}
	high := Source{Agent: "gemini", Path: "b.toml", Data: []byte("[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = \"make test\"\ndecision = \"allow\"\npriority = 20\n")}
	p, _, err := Read(low, high)
	if err != nil {
		t.Fatal(err)
	}
	e := engine(t, p.YAML())
	for call, want := range map[string]string{"Bash make test": "allow", "Bash make x": "deny"} {
		if got := answer(t, e, call); got != want {
			t.Errorf("%s: %s, want %s\n%s", call, got, want, p.YAML())
		}
	}
	if _, _, err := Read(low, Source{Agent: "codex", Path: "x.rules", Data: []byte("prefix_rule(pattern=[\"a\"])")}); err == nil {
		t.Error("two agents were read together")
	}
	if _, _, err := Read(low, Source{Agent: "gemini", Path: "gone.toml"}, Source{Agent: "gemini", Path: "away.toml"}); err == nil || !strings.Contains(err.Error(), "gone.toml") || !strings.Contains(err.Error(), "away.toml") {
		t.Errorf("the error is %v", err)
	}
}
