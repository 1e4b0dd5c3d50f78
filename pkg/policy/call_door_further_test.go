package policy_test

import (
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

func protecting(s *policy.Settings) {
	s.Yolo, s.Protect = true, []string{home + "/.config/policyctl"}
}

// TestCommandsInside: a tool that nobody declared may hold a command under any name
// that says so, in lists of lists, and in JSON in a text; what stands beside it says
// where and how it runs, in any spelling.
func TestCommandsInside(t *testing.T) {
	try(t, "deny shell fish*", []door{
		{"deny hardline", "yolo", `{"tool":"mcp__x__do","input":{"cmd_string":"rm -rf /"}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__x__do","input":{"commandString":"rm -rf /"}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__x__do","input":{"bash_script":"rm -rf /"}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__x__do","input":{"PowershellCommand":"rm -rf /"}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__x__do","input":{"raw-command":"rm -rf /"}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__x__do","input":{"run":"rm -rf /"}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__x__do","input":{"steps":[{"run":"ls"},{"run":"rm -rf /"}]}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__x__do","input":{"commands":[["ls"],["rm","-rf","/"]]}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__x__do","input":{"commands":["ls",["rm","-rf","/"]]}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__x__do","input":{"request":"[{\"command\":\"rm -rf /\"}]"}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__x__do","input":{"request":"\"{\\\"command\\\":\\\"rm -rf /\\\"}\""}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__x__do","input":{"command":"rm","Args":["-rf","/"]}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__x__do","input":{"command":"rm","params":["-rf","/"]}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__x__do","input":{"command":"rm -rf *","Cwd":"/"}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__x__do","input":{"command":"rm -rf *","working-directory":"/"}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__x__do","input":{"command":"rm -rf *","path":"/"}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__x__do","input":{"command":"rm -rf *","options":{"cwd":"/"}}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__x__do","input":{"command":"rm -rf *","cwd":"file:///"}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__x__do","input":{"command":"rm -rf $X","envVars":{"X":"/"}}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__x__do","input":{"command":"rm -rf $X","Env":["X=/"]}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__x__do","input":{"command":"rm -rf $X","env":[{"name":"X","value":"/"}]}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__x__do","input":{"command":"bash","input":"rm -rf /"}}`},
		// a tool that says that it is a shell
		{"deny hardline", "yolo", `{"tool":"mcp__x__execute_command","input":{"input":"rm -rf /"}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__x__execute_command","input":{"shell":"rm -rf /"}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__tmux__type_in_terminal","input":{"text":"rm -rf /"}}`},
		{"deny hardline", "yolo", `{"tool":"write_powershell","input":{"shellId":"1","input":"rm -rf /\r"}}`},
		// no commands
		{"allow yolo", "yolo", `{"tool":"mcp__x__do","input":{"run_id":"fish","command_name":"fish","script_path":"fish","description":"fish"}}`},
		{"allow yolo", "yolo", `{"tool":"mcp__x__deploy","input":{"shell":"fish"}}`},
		{"allow yolo", "yolo", `{"tool":"mcp__b__run_code","input":{"code":"rm -rf /"}}`},
		{"allow yolo", "yolo", `{"tool":"mcp__x__post","input":{"payload":"{\"text\":\"rm -rf /\"}"}}`},
		{"allow yolo", "yolo", `{"tool":"mcp__x__tag","input":{"labels":["rm","-rf","/"],"config":"[1,2]","note":"\"rm -rf /\""}}`},
		{"allow yolo", "yolo", `{"tool":"mcp__slack__run_command","input":{"command":"/remind me to reboot"}}`},
		{"allow yolo", "yolo", `{"tool":"mcp__x__build","input":{"target":"//x:y","flags":["-c","opt"]}}`},
	})
}

// TestCommandsBeside: a shell by a name whose arguments are not all known may run
// what stands beside the command, or run it elsewhere.
func TestCommandsBeside(t *testing.T) {
	try(t, "allow shell echo *", []door{
		{"ask", "", `{"tool":"run_command","dir":"/home/dev/app","input":{"command":"find","args":[".","-delete"]}}`},
		{"ask", "", `{"tool":"run_command","dir":"/home/dev/app","input":{"command":"echo x","Arguments":"; rm y"}}`},
		{"ask", "", `{"tool":"run_command","dir":"/home/dev/app","input":{"command":"echo x","script":"rm y"}}`},
		{"ask", "", `{"tool":"run_command","dir":"/home/dev/app","input":{"command":"echo x","commands":["rm y"]}}`},
		{"ask", "", `{"tool":"run_command","dir":"/home/dev/app","input":{"command":"echo x","post_command":"rm y"}}`},
		{"ask", "", `{"tool":"run_command","dir":"/home/dev/app","input":{"command":"echo x","then":[{"command":"rm y"}]}}`},
		{"ask", "", `{"tool":"run_command","dir":"/home/dev/app","input":{"command":["echo","x",">","y"],"shell":"bash"}}`},
		{"ask", "", `{"tool":"run_command","dir":"/home/dev/app","input":{"command":"ls","sudo":true}}`},
		{"ask", "", `{"tool":"run_command","dir":"/home/dev/app","input":{"command":"ls","host":"prod.example"}}`},
		{"ask", "", `{"tool":"run_command","dir":"/home/dev/app","input":{"command":"ls","run_as":"root"}}`},
		{"deny hardline", "yolo", `{"tool":"run_command","dir":"/home/dev/app","input":{"command":"rm","args":["-rf","/"]}}`},
		{"deny hardline", "yolo", `{"tool":"run_command","dir":"/home/dev/app","input":{"command":"ls","then":{"command":"rm -rf /"}}}`},
		// what says nothing, and what the tool is known to drop
		{"allow readonly", "", `{"tool":"run_command","dir":"/home/dev/app","input":{"command":"ls","args":[],"user":"","sudo":false,"host":null}}`},
		{"allow readonly", "", `{"tool":"run_command","dir":"/home/dev/app","input":{"command":"ls","timeout":10,"blocking":true,"explanation":"rm -rf /"}}`},
		{"allow readonly", "", `{"tool":"Bash","dir":"/home/dev/app","input":{"command":"ls","args":["x"],"description":"x"}}`},
		{"allow rules", "", `{"tool":"exec","dir":"/home/dev/app","input":{"command":"echo x","yieldMs":1000,"workdir":"sub"}}`},
	})
}

// TestFilesInside: a tool that writes files is given some of them in patches, in
// quotes, as keys and in JSON in a text.
func TestFilesInside(t *testing.T) {
	settingsOf := map[string]func(*policy.Settings){"": nil, "yolo": yolo, "protecting": protecting}
	for _, d := range []door{
		{"deny permission_deny", "yolo", `{"tool":"apply_patch","dir":"/home/dev/app","input":{"patch":"--- \"a/locked/x\"\n+++ \"b/locked/x\"\n"}}`},
		{"deny permission_deny", "yolo", `{"tool":"apply_patch","dir":"/home/dev/app","input":{"patch":"--- \"a/lock\\145d/x\"\n+++ \"b/lock\\145d/x\"\n"}}`},
		{"deny permission_deny", "yolo", `{"tool":"apply_patch","dir":"/home/dev/app","input":{"patch":"diff --git \"a/src/\\303\\244\" \"b/locked/\\303\\244\"\n"}}`},
		{"deny permission_deny", "yolo", `{"tool":"apply_patch","dir":"/home/dev/app","input":{"patch":"diff --git a/src/x \"b/locked/\\303\\244\"\n"}}`},
		{"deny permission_deny", "yolo", `{"tool":"apply_patch","dir":"/home/dev/app","input":{"patch":"Index: locked/x\n"}}`},
		{"deny permission_deny", "yolo", `{"tool":"apply_patch","dir":"/home/dev/app","input":{"patch":"--- a/src/x\n+++ b/src/x\n","diff":"--- a/x\n+++ b/locked/x\n"}}`},
		{"allow rules", "", `{"tool":"apply_patch","dir":"/home/dev/app","input":{"patch":"--- \"a/src/x y\"\n+++ \"b/src/x y\"\n"}}`},
		{"ask", "", `{"tool":"write","dir":"/home/dev/app","input":{"file_path":"~root/.bashrc","content":"x"}}`},
		{"deny hardline", "protecting", `{"tool":"mcp__fs__copy_file","dir":"/home/dev/app","input":{"source":"a","destination":"/home/dev/.config/policyctl/policy.yaml"}}`},
		{"deny hardline", "protecting", `{"tool":"mcp__x__download","dir":"/home/dev/app","input":{"url":"https://a.example","path":"~/.config/policyctl/policy.yaml"}}`},
		{"deny hardline", "protecting", `{"tool":"mcp__x__screenshot","dir":"/home/dev/app","input":{"output":"~/.config/policyctl/policy.yaml"}}`},
		{"deny hardline", "protecting", `{"tool":"mcp__fs__put_files","dir":"/home/dev/app","input":{"files":{"/home/dev/.config/policyctl/policy.yaml":"x"}}}`},
		{"deny hardline", "protecting", `{"tool":"mcp__git__apply","dir":"/home/dev","input":{"patch":"--- a/x\n+++ b/.config/policyctl/policy.yaml\n"}}`},
		{"deny hardline", "protecting", `{"tool":"mcp__gw__call_tool","dir":"/home/dev/app","input":{"name":"write_file","arguments":"{\"path\":\"/home/dev/.config/policyctl/policy.yaml\"}"}}`},
		{"deny permission_deny", "yolo", `{"tool":"mcp__fs__copy_file","dir":"/home/dev/app","input":{"source":"a","destination":".claude/settings.json"}}`},
		{"allow yolo", "yolo", `{"tool":"mcp__fs__read_file","dir":"/home/dev/app","input":{"path":".claude/settings.json"}}`},
		{"allow yolo", "yolo", `{"tool":"mcp__ide__openFile","dir":"/home/dev/app","input":{"filePath":".claude/settings.json"}}`},
		{"allow yolo", "yolo", `{"tool":"mcp__ide__getDiagnostics","dir":"/home/dev/app","input":{"uri":"file:///home/dev/app/.claude/settings.json"}}`},
		{"allow yolo", "yolo", `{"tool":"mcp__x__export","dir":"/home/dev/app","input":{"path":"out/x.png"}}`},
	} {
		c, err := policy.DecodeCall([]byte(d.call))
		if err != nil {
			t.Fatalf("%s: %v", d.call, err)
		}
		c.Home = home
		v := decide(t, engine(t, "deny write ~/app/locked/** | allow write ~/app/src/**", settingsOf[d.under]), nil, c)
		if got := brief(v); got != d.want && v.Decision.String() != d.want {
			t.Errorf("%s %s: got %s (%s: %s), want %s", d.under, d.call, got, v.Rule, v.Why, d.want)
		}
	}
}
