package arch_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/trial/seed"
)

// root is that of the repository.
const root = "../../../"

// TestToChange shows that what the tables "To change …" and "Where things are" name is
// there.
func TestToChange(t *testing.T) {
	data, err := os.ReadFile(root + "ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(data), "\n## To change …\n")
	if !ok || !strings.Contains(table, "\n## Where things are\n") {
		t.Fatal("ARCHITECTURE.md has no such tables")
	}
	code := regexp.MustCompile("`([^`]+)`")
	dir := ""
	for row := range strings.Lines(table) {
		for _, m := range code.FindAllStringSubmatch(row, -1) {
			if name := m[1]; !isThere("", name, &dir) && !isThere(dir, name, &dir) && isFile.MatchString(name) {
				t.Errorf("%s is not there: %s", name, strings.TrimSpace(row))
			}
		}
	}
}

// isFile matches what is named as a file, and not as a word of Go or a path of a
// URL.
var isFile = regexp.MustCompile(`^[\w*][\w*/-]*(/|\.(go|sql|rego|json|yaml|txt)$)`)

// isThere reports whether a pattern below a directory names a file, and notes
// the directory of what it names.
func isThere(below, pattern string, dir *string) bool {
	found, err := filepath.Glob(filepath.Join(root, below, pattern))
	if err != nil || len(found) == 0 || strings.HasPrefix(pattern, "/") {
		return false
	}
	*dir = filepath.Join(below, pattern)
	if info, err := os.Stat(found[0]); err == nil && !info.IsDir() {
		*dir = filepath.Dir(*dir)
	}
	return true
}

// A row is one that is added to a table, and what policyctl then says.
type row struct {
	what, file string
	before     string // the row is put before this text
	row        string
	args       []string
	stdin      string
	policy     string // the file policy.yaml
	test       string // or the package that tries the row or its examples
	want       string
}

var rows = []row{
	{
		what: "a catastrophe", file: "pkg/hardline/rules.go", before: "\t\t{\n\t\t\tID: \"root-delete\"",
		row:  `{ID: "zz-wipe", Class: "shell", Programs: "zzwipe", Match: deletesPlace(root), Why: "wipes", Instead: "Leave it.", Hit: []string{"zzwipe /", "zzwipe -- /", "cd / && zzwipe ."}, Miss: []string{"zzwipe build", "zzwipe ./x", "echo zzwipe /"}},`,
		test: "./pkg/hardline", want: "ok",
	},
	{
		what: "a dangerous pattern", file: "pkg/dangerous/selfcopy.go", before: "{\n\t\tID: \"self-copy\"",
		row:  `{ID: "zz-risk", Class: "protection", Programs: "zzrisk", Match: match(named("zzrisk")), Why: "is a risk", Instead: "Leave it.", Hit: []string{"zzrisk"}, Miss: []string{"ls"}}, `,
		args: []string{"eval", "zzrisk"}, want: "zz-risk",
	},
	{
		what: "a program that only reads", file: "internal/program/table_text.go", before: "\t{Names: \"cat\"",
		row:  `{Names: "zzcat", Operands: "read*", Reads: &Reading{Free: true, Options: "n,number"}},`,
		args: []string{"eval", "zzcat -n f | zzcat --number && zzcat < f"}, want: "readonly",
	},
	{
		what: "a secret that such a program reads", file: "pkg/sensitive/secrets.go", before: "\t{\n\t\tID: \"env-file\"",
		row:  `{ID: "zz-secret", Role: Secret, Why: "holds a zz secret", Patterns: []string{"*.zzsecret"}, Hit: []string{"a.zzsecret"}, Miss: []string{"zzsecret"}},`,
		args: []string{"eval", "zzcat a.zzsecret"}, want: "ask",
	},
	{
		what: "a wrapper", file: "internal/program/table_rights.go", before: "\t{Names: \"sudo ",
		row:  `{Names: "zzwipe", Operands: "delete*"}, {Names: "zzdo", Style: Stop, Operands: "payload", raising: raising{Rights: Raised, Starts: "s"}, Options: "s u="},`,
		args: []string{"eval", "echo 'rm -rf /' | zzdo -u root -s"}, want: "root-delete",
	},
	{
		what: "a kind of secret", file: "internal/support/redact/kinds.go", before: "\t{\"age-key\"",
		row:  `{"zz-key", "key of zz", []string{"zzk_{w36}"}, []string{"zzk_", "zzk_short", "zzk"}, []token{{"zzk_", alnum, 30, 0, nil}}},`,
		test: "./internal/support/redact", want: "ok",
	},
	{
		what: "a route", file: "internal/service/api/route.go", before: "\t\t{Method: get, Path: \"/login\"",
		row:  `{Method: get, Path: "/v1/zz", Scopes: read, Summary: "Say who asks", Handle: a.whoami},`,
		test: "./internal/service/api", want: "the service says ...ra. GET /v1/zz", // and the test does not know of it yet
	},
	{
		what: "an operator of rules", file: "pkg/pattern/operator_table.go", before: "}\n\n// orders reports",
		row: `{
			name: "zzsame", parse: (*compiler).shortText,
			text:   func(o *operator, text string) bool { return text == o.text },
			plan:   func(o *operator, path string) plan { return equalPlan(path, o.text) },
			traits: func(o *operator, t *Traits) { t.Language = ` + "`\\A` + escaped(o.text) + `\\z`" + ` },
		},`,
		policy: sameRules, args: []string{"check", "policy.yaml"}, want: "rule zzlater: never decides: zzfirst (deny) comes first",
	},
	{
		what: "an operator of rules in Rego", file: "pkg/rego/operator.go", before: "\t\"equals\": {",
		row: `"zzsame": {
			function: "is", arguments: func(t *pattern.Test) []any { return []any{t.Text} },
			direct: func(e *emitter, path record.Path, t *pattern.Test) []term { return e.equals(path, t.Text) },
			guards: func(path record.Path, t *pattern.Test) []guard { return values(path, equal, t.Text) },
		},`,
		policy: sameRules, args: []string{"eval", "--policy", "policy.yaml", "--engine", "both", "zzcat f"}, want: "zzfirst",
	},
	{
		what: "a call of a scripting language", file: "internal/lang/script/facts.go", before: "\t{act: Evaluates, names: \"load\"",
		row:  `{act: Deletes, names: "zztree"},`,
		args: []string{"eval", "python3 -c \"import x; x.zztree('/')\""}, want: "makes an interpreter delete",
	},
	{
		what: "a tool", file: "pkg/policy/tools.go", before: "\t\t{\n\t\t\tName: \"write\"",
		row:  `{Name: "zztool", Kind: KindRead, Risk: Low, Groups: []string{"files"}, Aliases: []string{"ZZTool"}, Subject: []string{"path"}},`,
		args: []string{"eval", "--tool", "ZZTool", "--input", `{"path": "/etc/shadow"}`}, want: "the path is sensitive",
	},
	{
		what: "an agent's hook", file: "internal/agents/hook/agents.go", before: "\t{\n\t\tName: \"qwen\"",
		row:  `{Name: "zz", Title: "ZZ", events: eventTable{call: "PreToolUse", quiet: common}, tools: claudeTools, modes: []mode{{names: "*", asks: true, call: "allow allow - ask deny", dialog: "allow allow - - deny"}}},`,
		args: []string{"hook", "zz"}, stdin: `{"session_id": "s", "cwd": "/", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm -rf /"}}`, want: `"deny"`,
	},
}

// stranger is the one row that somebody adds who is told that "zzstore purge" deletes what
// is below a remote path, and purged is what each part of policyctl then knows of it.
var (
	stranger = row{
		what: "a verb that deletes elsewhere, to the dangerous patterns", file: "internal/program/table_copy.go", before: "\t{Names: \"aws awslocal\"",
		row: `{Names: "zzstore", Kinds: "deletes-cloud?@purge", asking: asking{Client: Host, Away: true}, listing: listing{Recursive: true}, NoGrant: "purge",
			Options: "n,dry-run", Subs: []*Program{{Names: "purge", Operands: "delete*"}}},`,
		args: []string{"eval", "zzstore purge r:b/x"}, want: "it deletes or stops resources in the cloud",
	}
	purged = []row{
		{what: "to the patterns, where a runner starts it", args: []string{"explain", "npx zzstore purge r:b"}, want: "rule       cloud-delete"},
		{what: "to the patterns, where it rehearses", args: []string{"eval", "zzstore purge -n r:b"}, want: "no rule allows it"},
		{what: "to the floor", args: []string{"eval", "zzstore purge ~"}, want: "deletes a home directory"},
		{what: "to workspace", policy: workspaceAllowed, args: []string{"explain", "--policy", "policy.yaml", "--project-dir", os.TempDir(), "zzstore purge r:b"}, want: "cannot show that it stays inside the project"},
		{what: "to an allow with a star", policy: purgeAllowed, args: []string{"eval", "--policy", "policy.yaml", "zzstore purge build/../../x"}, want: "decision   ask"},
		{what: "to an allow, with another option", policy: purgeAllowed, args: []string{"eval", "--policy", "policy.yaml", "zzstore purge build/x --config=y"}, want: "decision   ask"},
		{what: "to an allow that covers it", policy: purgeAllowed, args: []string{"eval", "--policy", "policy.yaml", "zzstore purge build/x"}, want: "decision   allow"},
		{what: "to a deny", policy: purgeDenied, args: []string{"eval", "--policy", "policy.yaml", "npx zzstore -n purge r:b"}, want: "says deny"},
		{what: "to grants", args: []string{"approvals", "trust-verb", "zzstore purge"}, want: `"zzstore purge" cannot be approved`},
		{what: "to grants, without a verb", args: []string{"approvals", "trust-verb", "zzstore"}, want: "name one, such as zzstore purge"},
		{what: "to explain", args: []string{"explain", "zzstore purge r:b"}, want: "program      zzstore purge"},
		{what: "to why-not", args: []string{"why-not", "zzstore purge r:b/x"}, want: `"shell zzstore purge r:b/x": allow`},
		{what: "to the desk, which shows a verdict's patterns", args: []string{"eval", "--json", "zzstore purge r:b"}, want: `"rule": "cloud-delete"`},
		{what: "to the documents", args: []string{"dangerous", "cloud-delete"}, want: " zzstore "},
	}
)

const (
	purgeAllowed     = "version: 1\npermissions:\n  \"shell zzstore purge build/*\": allow\n"
	workspaceAllowed = "version: 1\napprovals: {auto_allow_workspace: true}\n"
	purgeDenied      = "version: 1\npermissions:\n  \"shell zzstore purge *\": deny\n"
)

const sameRules = `version: 1
rules:
  - {id: zzfirst, when: {shell.program: {zzsame: zzcat}}, decision: deny, reason: no}
  - {id: zzlater, when: {shell.program: zzcat, shell.dir: /x}, decision: deny, reason: no}
`

// fast has the compiler not optimise what is compiled for this test alone.
const fast = "-gcflags=github.com/policyctl/policyctl/...=-N -l"

// TestRowAlone shows that a row is all that a likely change needs: it builds
// policyctl with one more row in each table, and nothing else.
func TestRowAlone(t *testing.T) {
	seed.Slow(t)
	dir := t.TempDir()
	replace := map[string]string{}
	rows := append(rows, stranger)
	for _, r := range rows {
		file, err := filepath.Abs("../../../" + r.file)
		if err != nil {
			t.Fatal(err)
		}
		from := file
		if to := replace[file]; to != "" {
			from = to
		}
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		before, after, ok := strings.Cut(string(data), r.before)
		if !ok {
			t.Fatalf("%s: no %q in %s", r.what, r.before, r.file)
		}
		replace[file] = filepath.Join(dir, strings.ReplaceAll(r.file, "/", "_"))
		if err := os.WriteFile(replace[file], []byte(before+r.row+"\n"+r.before+after), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "policyctl")
	if out, err := exec.Command("go", "build", fast, "-overlay="+file, "-o", program, root+"cmd/policyctl").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, r := range append(rows, purged...) {
		cmd := exec.Command(program, r.args...)
		if r.test != "" {
			cmd = exec.Command("go", "test", fast, "-vet=off", "-overlay="+file, "-run=Kind|TestExamples|TestScopes", r.test)
		}
		cmd.Dir, cmd.Stdin = root, strings.NewReader(r.stdin)
		if r.test == "" {
			cmd.Dir = t.TempDir()
			if err := os.WriteFile(filepath.Join(cmd.Dir, "policy.yaml"), []byte(r.policy), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd.Env = append(os.Environ(), "HOME="+cmd.Dir, "XDG_CONFIG_HOME=", "XDG_STATE_HOME=")
		}
		out, _ := cmd.CombinedOutput()
		if !strings.Contains(string(out), r.want) {
			t.Errorf("%s: %v says\n%s\nwant %s", r.what, r.args, out, r.want)
		}
	}
}
