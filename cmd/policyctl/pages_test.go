package main_test

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A shown is a block of a page: the commands that it shows run in a directory with files,
// and print what it says.
type shown struct {
	page  string
	block string            // the command with which the block begins
	files map[string]string // below the home directory; "yaml" stands for the last such block before
	dir   string            // in which the commands run
	input string
}

var shownBlocks = []shown{
	{"docs/approvals.md", "policyctl eval 'pc x && pa x'", map[string]string{".config/policyctl/policy.yaml": "yaml"}, "", ""},
	{"docs/configuration.md", "policyctl eval 'make test'", map[string]string{"app/.policyctl/policy.yaml": "version: 1\n\npermissions: {shell make *: allow}\n"}, "app", ""},
	{"docs/rego.md", "policyctl bundle build policies/examples/admission -o acme.tar.gz", map[string]string{"policies/examples/admission": "../../policies/examples/admission"}, "", ""},
	{"docs/rules.md", "policyctl test rules.yaml rules_test.yaml", map[string]string{"rules.yaml": "yaml-2", "rules_test.yaml": "yaml"}, "", ""},
	{"docs/workspace.md", "policyctl learn ~/.claude/projects", map[string]string{".claude/projects/p/s.jsonl": npmDay}, "", ""},
}

// npmDay is a session of Claude Code in which three calls ran, one was denied and one
// failed.
var npmDay = func() string {
	var b strings.Builder
	for i, c := range []struct{ command, result string }{
		{"npm run lint", `"content":"ok"`}, {"npm run build", `"content":"ok"`}, {"npm run types", `"content":"ok"`},
		{"npm run format", `"is_error":true,"content":"exit 1"`},
		{"npm publish", `"is_error":true,"content":"The user doesn't want to proceed with this tool use. The tool use was rejected"`},
	} {
		id := string(rune('a' + i))
		b.WriteString(`{"type":"assistant","sessionId":"s","cwd":"/src/app","message":{"content":[{"type":"tool_use","id":"` + id + `","name":"Bash","input":{"command":"` + c.command + `"}}]}}` + "\n")
		b.WriteString(`{"type":"user","sessionId":"s","cwd":"/src/app","message":{"content":[{"type":"tool_result","tool_use_id":"` + id + `",` + c.result + `}]}}` + "\n")
	}
	return b.String()
}()

// What a page shows as the output of a command is what the command prints.
func TestShownOutputs(t *testing.T) {
	for _, s := range shownBlocks {
		t.Run(filepath.Base(s.page), func(t *testing.T) { s.run(t) })
	}
}

var (
	yamlBlock    = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```")
	consoleBlock = regexp.MustCompile("(?ms)^```console\n(.*?)^```")
	volatile     = regexp.MustCompile(`[0-9]{6,}|[0-9a-f]{8,}|[0-9]+ bytes`)
)

func (s *shown) run(t *testing.T) {
	data, err := os.ReadFile("../../" + s.page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	block := ""
	for _, m := range consoleBlock.FindAllStringSubmatchIndex(text, -1) {
		if strings.HasPrefix(text[m[2]:], "$ "+s.block+"\n") {
			block, text = text[m[2]:m[3]], text[:m[0]]
			break
		}
	}
	if block == "" {
		t.Fatalf("the page has no block that begins with %s", s.block)
	}
	home := t.TempDir()
	s.prepare(t, home, yamlBlock.FindAllStringSubmatch(text, -1))
	for _, step := range strings.Split("\n"+block, "\n$ ")[1:] {
		command, want, _ := strings.Cut(step, "\n")
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = filepath.Join(home, s.dir)
		cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME=", "XDG_STATE_HOME=")
		cmd.Stdin = strings.NewReader(s.input)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		_ = cmd.Run() // a decision is an exit code too
		got := strings.ReplaceAll(out.String(), home+"/app", "/src/app")
		if missing := lacking(got, want); missing != "" {
			t.Errorf("$ %s\nprints\n%s\nwhich lacks, in this order, the line\n%s", command, got, missing)
		}
	}
}

// prepare writes the files. A block of YAML is the last one before the commands, or with
// a number behind it an earlier one.
func (s *shown) prepare(t *testing.T, home string, blocks [][]string) {
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		text, path := s.files[name], filepath.Join(home, name)
		switch {
		case text == "yaml":
			text = blocks[len(blocks)-1][1]
		case text == "yaml-2":
			text = blocks[len(blocks)-2][1]
		case strings.HasPrefix(text, "../"):
			if err := os.CopyFS(path, os.DirFS(text)); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// lacking returns the first line that a page shows and a command does not print in its
// place; "" if there is none. Lines with … stand for any number of others.
func lacking(got, want string) string {
	plain := func(s string) string { return strings.Join(strings.Fields(volatile.ReplaceAllString(s, "N")), " ") }
	lines := strings.Split(got, "\n")
	for line := range strings.Lines(want) {
		if line = plain(line); line == "" || line == "…" {
			continue
		}
		i := slices.IndexFunc(lines, func(s string) bool { return plain(s) == line })
		if i < 0 {
			return line
		}
		lines = lines[i+1:]
	}
	return ""
}
