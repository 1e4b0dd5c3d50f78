package policies_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// calls are calls of tools with the verdict of the pack developer: what stands beside
// the argument that a tool declares may name another file, replace the whole of one,
// or send something.
const calls = `
ask read_many_files {"include":[".env"]}
ask read_many_files {"paths":["**/*"],"include":[".env"]}
ask read_many_files {"paths":[".e*"]}
ask read_file {"files":[{"path":".env"}]}
ask read_file {"args":{"file":[{"path":".env"}]}}
ask read_file {"file":".env"}
ask read_file {"uri":"file:///home/dev/.ssh/id_rsa"}
ask view {"path":"README.md","file":".env"}
ask grep {"pattern":".","file":".env"}
ask grep {"pattern":".","root":"/home/dev/.ssh"}
ask Write {"file_path":"README.md","filename":"../x","content":"a"}
ask Write {"file_path":"n.md","root":"/etc","content":"a"}
ask Write {"file_path":"n.md","base_path":"/etc","content":"a"}
ask Write {"file_path":"file:///home/dev/x","content":"a"}
ask Write {"file_path":"..\\x","content":"a"}
ask MultiEdit {"file_path":"README.md","edits":[{"target":"../x"}]}
ask multi_replace_string_in_file {"replacements":[{"filePath":"README.md"},{"file_path":"../x"}]}
ask str_replace_based_edit_tool {"command":"create","path":"main.go","file_text":"x"}
ask edit_file {"path":"main.go","content":"x"}
ask Edit {"file_path":"main.go","old_string":"","new_string":"b"}
ask apply_patch {"input":"*** Begin Patch\n*** Add File: main.go\n+x\n*** End Patch"}
ask apply_patch {"input":"--- /dev/null\n+++ b/main.go\n@@ -0,0 +1 @@\n+b"}
ask apply_patch {"input":"--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/package.json b/package.json\n@@ -1 +1 @@\n-a\n+b"}
ask apply_patch {"input":"diff --git a/a b.md b/../a b.md\n@@ -1 +1 @@\n-a\n+b"}
ask apply_patch {"operations":[{"type":"delete_file","path":"main.go"}],"input":"*** Begin Patch\n*** Update File: README.md\n*** End Patch"}
ask patch {"path":"../x","patch":"*** Begin Patch\n*** Update File: README.md\n*** End Patch"}
ask file_system {"op":"write","path":"README.md","destination":"../x"}
ask file_system {"op":"read","path":"README.md","source":".env"}
ask file_system {"op":"read","Operation":"delete","path":"README.md"}
ask PowerShell {"command":"echo \"\\\"; rm x; echo \\\"\""}
ask powershell {"command":"ls"}
ask WebFetch {"url":"https://api.github.com/x","json":{"a":1}}
ask WebFetch {"url":"https://api.github.com/x","options":{"method":"DELETE"}}
ask WebFetch {"url":"https://api.github.com/x","http_method":"DELETE"}
ask WebFetch {"url":"https://api.github.com/x","save_to":"../x"}
ask WebFetch {"url":"https://api.github.com/x","proxy":"http://example.com"}
ask http_request {"url":"https://api.github.com/x","method":["DELETE"]}
allow read_file {"file":"README.md"}
allow read_many_files {"paths":["src/*.py"],"include":["*.ts"]}
allow grep {"pattern":".","file":"README.md","glob":"*.md"}
allow Write {"file_path":"src/n.py","content":"path: ../x"}
allow Write {"file_path":"README.md","content":"../x"}
allow Edit {"file_path":"main.go","old_string":"a","new_string":"../b"}
allow Edit {"file_path":"README.md","old_string":"a","new_string":"see *** Delete File: x"}
allow edit_file {"target_file":"main.go","code_edit":"x","instructions":"from a to b"}
allow NotebookEdit {"notebook_path":"src/a.ipynb","new_source":"open('../x')"}
allow str_replace_based_edit_tool {"command":"create","path":"src/n.py","file_text":"b"}
allow str_replace_based_edit_tool {"command":"str_replace","path":"main.go","old_str":"a","new_str":"b"}
allow apply_patch {"input":"*** Begin Patch\n*** Add File: src/n.py\n+x\n*** Update File: main.go\n@@\n-a\n+b\n*** End Patch"}
allow apply_patch {"input":"diff --git a/main.go b/main.go\n--- a/main.go\n+++ b/main.go\n@@ -1 +1 @@\n-a\n+b"}
allow file_system {"op":"read","path":"README.md"}
allow WebFetch {"url":"https://api.github.com/x","prompt":"what does it say?"}
allow http_request {"url":"https://api.github.com/x","method":"GET","timeout":30}
`

// TestCalls decides the calls under the pack developer.
func TestCalls(t *testing.T) {
	e := developer(t)
	for line := range strings.Lines(strings.TrimSpace(calls)) {
		want, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		tool, arguments, _ := strings.Cut(rest, " ")
		c := &policy.Call{Tool: tool, Dir: workdayProject, Home: workdayHome, ProjectDir: workdayProject, SessionDir: workdaySession}
		if err := json.Unmarshal([]byte(arguments), &c.Input); err != nil {
			t.Fatal(line, err)
		}
		if v, err := e.Decide(context.Background(), nil, c); err != nil && want == "allow" || v.Decision.String() != want && !(err != nil && want == "ask") {
			t.Errorf("%s by %s (%s, %v): %s", v.Decision, v.Rule, v.Why, err, line)
		}
	}
}
