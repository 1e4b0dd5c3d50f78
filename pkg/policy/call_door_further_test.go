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
	try(t, "deny shell fish*", []door{
		// What the name of a tool says that it does to files, and code that it evaluates.
		{"deny hardline", "yolo", `{"tool":"mcp__fs__delete_directory","input":{"path":"/home/dev","recursive":true}}`},
		{"deny hardline", "yolo", `{"tool":"remove_directory","input":{"path":"~"}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__fs__removeFiles","input":{"paths":["/tmp/a","/etc"]}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__fs__move_file","input":{"source":"/etc","destination":"/tmp/x"}}`},
		{"deny hardline", "yolo", `{"tool":"execute_code","input":{"language":"Python3","code":"import shutil; shutil.rmtree('/')"}}`},
		{"deny hardline", "yolo", `{"tool":"mcp__ide__executeCode","input":{"code":"require('fs').rmSync('/',{recursive:true})"}}`},
		{"allow yolo", "yolo", `{"tool":"mcp__fs__delete_directory","input":{"path":"/home/dev/app/build"}}`},
		{"allow yolo", "yolo", `{"tool":"mcp__fs__move_file","input":{"source":"/home/dev/app/a","destination":"/home/dev"}}`},
		{"allow yolo", "yolo", `{"tool":"mcp__fs__list_directory","input":{"path":"/"}}`},
		{"allow yolo", "yolo", `{"tool":"mcp__base__delete_node","input":{"path":"/"}}`},
		{"allow yolo", "yolo", `{"tool":"mcp__ide__executeCode","input":{"code":"print('rm -rf /')"}}`},
	})
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

// TestFloorThroughLinks: what a line changes behind a link that lies on the disk is
// what the link leads to; to remove or to replace the link itself changes nothing
// there.
func TestFloorThroughLinks(t *testing.T) {
	w := linkedWorld{"/home/dev/app/all": "/", "/home/dev/app/etc": "/etc", "/home/dev/app/own": "/home/dev/.config/policyctl", "/home/dev/app/src": "/home/dev/app/lib", "/home/dev/app/dev": "/dev"}
	e := engineIn(t, w, "", protecting)
	for _, r := range []struct{ want, dir, command string }{
		{"deny hardline", "", "rm -rf all/*"},
		{"deny hardline", "", "rm -rf all/usr"},
		{"deny hardline", "", "rm -rf etc/*"},
		{"deny hardline", "", "cd all && rm -rf *"},
		{"deny hardline", "", "find all/ -delete"},
		{"deny hardline", "", "chmod -R 777 etc"},
		{"deny hardline", "", "dd if=/dev/zero of=dev/sda"},
		{"deny hardline", "", "echo x > own/policy.yaml"},
		{"deny hardline", "", "mv own/policy.yaml x"},
		{"deny hardline", "", "cd own && rm policy.yaml"},
		{"deny hardline", "", `python3 -c 'open("own/policy.yaml", "w")'`},
		{"deny hardline", "", `python3 -c 'import shutil; shutil.rmtree("all/usr")'`},
		{"deny hardline", "/all", "rm -rf *"},
		{"deny hardline", "/all", "find . -delete"},
		{"deny hardline", "/own", "echo x > policy.yaml"},
		{"allow yolo", "", "rm all"},
		{"allow yolo", "", "rm -rf own etc"},
		{"allow yolo", "", "mv own x"},
		{"allow yolo", "", "cat own/policy.yaml > x"},
		{"allow yolo", "", "ls all"},
		{"allow yolo", "", "rm -rf src/*"},
		{"allow yolo", "", "echo x > src/y"},
		{"allow yolo", "/src", "rm -rf *"},
	} {
		c := call(r.command)
		c.Dir, c.ProjectDir = "/home/dev/app"+r.dir, "/home/dev/app"
		if v := decide(t, e, nil, c); brief(v) != r.want {
			t.Errorf("%s in %s: got %s (%s), want %s", r.command, c.Dir, brief(v), v.Why, r.want)
		}
		if in := engineIn(t, nil, "", protecting); r.dir == "/own" {
			c := tool("write", "file_path=policy.yaml")
			c.Dir, c.ProjectDir = "/home/dev/app/own", "/home/dev/app"
			if v := decide(t, e, nil, c); brief(v) != r.want {
				t.Errorf("a file tool there: got %s, want %s", brief(v), r.want)
			}
			if v := decide(t, in, nil, c); v.Decision != policy.Allow {
				t.Errorf("without a world: %s", brief(v))
			}
		}
	}
}

// TestWritesUnseen: a deny of writes means code on the line, patches and second
// names as it means redirections.
func TestWritesUnseen(t *testing.T) {
	w := linkedWorld{"/home/dev/app/lk": "/home/dev/app/locked"}
	e := engineIn(t, w, "deny write ~/app/locked/** except write ~/app/locked/free", yolo)
	for _, r := range []struct{ want, command string }{
		{"deny permission_deny", `python3 -c 'open("locked/x", "w")'`},
		{"deny permission_deny", `python3 -c 'open("lk/x", "w")'`},
		{"deny permission_deny", `node -e 'require("fs").rmSync("locked/x")'`},
		{"deny permission_deny", `ruby -e 'File.write("locked/x", "")'`},
		{"deny permission_deny", `awk 'BEGIN { print > "locked/x" }'`},
		{"deny permission_deny", "ln locked/x y"},
		{"deny permission_deny", "cp -l lk/x y"},
		{"deny permission_deny", "git apply <<'X'\n--- a/lk/x\n+++ b/lk/x\nX"},
		{"deny permission_deny", "apply_patch '*** Begin Patch\n*** Update File: src/a\n*** Move to: locked/x\n*** End Patch'"},
		{"allow yolo", `python3 -c 'print(open("locked/x").read())'`},
		{"allow yolo", `python3 -c 'open("locked/free", "w")'`},
		{"allow yolo", `python3 -c 'open("src/locked", "w")'`},
		{"allow yolo", "cp locked/x y"},
		{"allow yolo", "ln -s locked/x y"},
		{"allow yolo", "cat locked/x"},
	} {
		c := call(r.command)
		c.Dir, c.ProjectDir = "/home/dev/app", "/home/dev/app"
		if v := decide(t, e, nil, c); brief(v) != r.want {
			t.Errorf("%s: got %s (%s), want %s", r.command, brief(v), v.Why, r.want)
		}
	}
}

// TestLiteralPicks: where the patterns by which a tool chooses files are paths, they
// are those files.
func TestLiteralPicks(t *testing.T) {
	try(t, "deny read /etc/hosts", []door{
		{"ask", "", `{"tool":"read_many_files","dir":"/home/dev/app","input":{"include":["/etc/shadow"]}}`},
		{"ask", "", `{"tool":"read_many_files","dir":"/home/dev/app","input":{"include":["/etc/shad*w"]}}`},
		{"ask", "", `{"tool":"read_many_files","dir":"/home/dev/app","input":{"include":["~/.aws/credentials"]}}`},
		{"ask", "", `{"tool":"read_many_files","dir":"/home/dev/app","input":{"include":["src/*.go","~/.aws/cred*"]}}`},
		{"deny permission_deny", "yolo", `{"tool":"read_many_files","dir":"/home/dev/app","input":{"include":["/etc/hosts"]}}`},
		{"allow mode", "", `{"tool":"read_many_files","dir":"/home/dev/app","input":{"include":["README.md","src/*.go"]}}`},
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
