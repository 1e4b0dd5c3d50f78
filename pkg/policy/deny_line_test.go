package policy_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/world"
)

// dotenvProject makes a project with .env in its root, and another one that a link
// leads to.
func dotenvProject(t *testing.T) string {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{".env", "web/app/.env", "src/a.go", "docs/a.md", "cfg/k.yaml", "node_modules/x/.env", "locked/x.go", "locked/sub/y", ".git/config"} {
		at := filepath.Join(root, file)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte("KEY=1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("web/app", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	return root
}

// TestReadsBelow: who may not read a file may not read it with all that lies beside
// it, by what find hands on, in an editor or in code either.
func TestReadsBelow(t *testing.T) {
	judgedAs(t, "reads", dotenvProject(t), "deny read **/.env")
}

// TestChangesBelow: who may not change a file may not change it with all that lies
// beside it, or as one of those that find hands on.
func TestChangesBelow(t *testing.T) {
	judgedAs(t, "writes", dotenvProject(t), "deny write locked/*")
}

// TestRequests: who may not fetch a URL may not ask for it on a line or in code either.
func TestRequests(t *testing.T) {
	judgedAs(t, "requests", dotenvProject(t), "deny fetch https://evil.example/* | deny fetch http://evil.example/*")
}

// judgedAs holds the lines of denied.txt and allowed.txt in a directory of test data to
// what their names say, under yolo in a directory.
func judgedAs(t *testing.T, data, dir, permissions string) {
	t.Helper()
	e := engineIn(t, world.New(nil), permissions, yolo)
	for file, want := range map[string]policy.Decision{"denied": policy.Deny, "allowed": policy.Allow} {
		text, err := os.ReadFile("../../testdata/" + data + "/" + file + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			c := policy.Shell(strings.TrimSuffix(line, "\n"), dir)
			c.Home = home
			expect(t, e, c, want)
		}
	}
}

// expect decides a call and compares the decision.
func expect(t *testing.T, e *policy.Engine, c *policy.Call, want policy.Decision) {
	t.Helper()
	if v := decide(t, e, nil, c); v.Decision != want {
		t.Errorf("%v: %s by %s %s (%s), want %s", c.Input, v.Decision, v.Stage, v.Rule, v.Why, want)
	}
}

// TestBelowElsewhere: what lies below a link is also what lies below where it leads, and
// a link that is found is what it leads to.
func TestBelowElsewhere(t *testing.T) {
	root := dotenvProject(t)
	if err := os.Symlink("../web/app/.env", filepath.Join(root, "docs", "key")); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		denied, line string
		want         policy.Decision
	}{
		{"deny read web/app/.env", "grep -r KEY link/", policy.Deny},
		{"deny read web/app/.env", "tar c link/", policy.Deny},
		{"deny read web/app/.env", "cd src && grep -r KEY ../link/", policy.Deny},
		{"deny read web/app/.env", "find docs | xargs cat", policy.Deny},
		{"deny read web/app/.env", "find docs -type f | xargs cat", policy.Allow},
		{"deny read web/app/.env", "grep -r KEY docs cfg src", policy.Allow},
		{"deny read web/app/.env", "cat src/*", policy.Allow},
		{"deny read node_modules/x/.env", "cat **/.env", policy.Deny},
		{"deny read node_modules/x/.env", "cat */.env", policy.Allow},
		{"deny read .git/config", "grep -r KEY .", policy.Deny},
		{"deny read .git/config", "rg KEY", policy.Allow},
		{"deny write .git/*", "rm -rf ./", policy.Deny},
		{"deny write .git/*", "python3 -c 'import shutil; shutil.rmtree(\".\")'", policy.Deny},
		{"deny write */x.go", "cp -r docs .", policy.Allow},
		{"deny write */x.go", "rm -rf .", policy.Deny},
		{"deny read **/.env | deny write locked/*", "rm -rf *", policy.Deny},
		{"deny read **/.env | deny write locked/*", "grep -r KEY .", policy.Deny},
		{"deny read **/.env | deny write locked/*", "rm -rf docs src", policy.Allow},
		{"deny read **/.env | deny write locked/*", "grep -r KEY locked", policy.Allow},
	} {
		c := policy.Shell(row.line, root)
		c.Home, c.ProjectDir = home, root
		t.Run(row.denied+": "+row.line, func(t *testing.T) { expect(t, engineIn(t, world.New(nil), row.denied, yolo), c, row.want) })
	}
}

// TestReadsWhich: who is denied a whole directory is told because of which file.
func TestReadsWhich(t *testing.T) {
	root := dotenvProject(t)
	c := policy.Shell("grep -rn KEY web", root)
	c.Home = home
	v := decide(t, engineIn(t, world.New(nil), "deny read **/.env", nil), nil, c)
	if want := `the permission "read **/.env" says deny: it would read web/app/.env`; v.Why != want || v.Span == nil || !strings.Contains(v.Message(), "Add --exclude=.env to leave it out.") {
		t.Errorf("got %q (%s), want %q", v.Why, v.Message(), want)
	}
}

// TestRequestsUnsure: what a client of HTTP is given is a request, and what a program
// is given that no table knows may be one.
func TestRequestsUnsure(t *testing.T) {
	e := engineIn(t, world.New(nil), "deny fetch https://evil.example/* | allow shell frob *", nil)
	for line, want := range map[string]policy.Decision{"http GET evil.example/x": policy.Deny, "frob https://evil.example/x": policy.Ask, "frob https://ok.example/x": policy.Allow} {
		expect(t, e, call(line), want)
	}
}

// TestToolsBelow: the tools that take a directory away, read what a pattern names, or
// fetch what a text names are held to the same denies.
func TestToolsBelow(t *testing.T) {
	root := dotenvProject(t)
	e := engineIn(t, world.New(nil), "deny read **/.env | deny write locked/* | deny fetch https://evil.example/*", func(s *policy.Settings) {
		yolo(s)
		s.Tools = []policy.Tool{{Name: "wipe", Kind: policy.KindWrite, Subject: []string{"path"}}}
	})
	for in, want := range map[string]policy.Decision{
		`{"tool":"delete_file","input":{"target_file":"locked"}}`:                                        policy.Deny,
		`{"tool":"move_file","input":{"source":"locked","destination":"x"}}`:                             policy.Deny,
		`{"tool":"mcp__filesystem__move_file","input":{"source":"locked","destination":"x"}}`:            policy.Deny,
		`{"tool":"wipe","input":{"path":"."}}`:                                                           policy.Deny,
		`{"tool":"wipe","input":{"path":"src"}}`:                                                         policy.Allow,
		`{"tool":"mcp__filesystem__delete_directory","input":{"path":"."}}`:                              policy.Deny,
		`{"tool":"mcp__filesystem__delete_directory","input":{"path":"src"}}`:                            policy.Allow,
		`{"tool":"mcp__git__git_commit","input":{"repo_path":"."}}`:                                      policy.Allow,
		`{"tool":"Write","input":{"file_path":"src/b.go","content":"x"}}`:                                policy.Allow,
		`{"tool":"read_many_files","input":{"include":["**/.e*"]}}`:                                      policy.Deny,
		`{"tool":"read_many_files","input":{"include":["**/*.go"]}}`:                                     policy.Allow,
		`{"tool":"Grep","input":{"pattern":"KEY","glob":".e*"}}`:                                         policy.Deny,
		`{"tool":"Grep","input":{"pattern":"KEY"}}`:                                                      policy.Deny,
		`{"tool":"Grep","input":{"pattern":"KEY","glob":"!.env"}}`:                                       policy.Allow,
		`{"tool":"Grep","input":{"pattern":"KEY","path":"src"}}`:                                         policy.Allow,
		`{"tool":"Grep","input":{"pattern":"TODO"}}`:                                                     policy.Allow,
		`{"tool":"Grep","input":{"pattern":"TODO","-A":2}}`:                                              policy.Deny,
		`{"tool":"web_fetch","input":{"prompt":"Sum up <https://evil.example/x>, please."}}`:             policy.Deny,
		`{"tool":"web_fetch","input":{"prompt":"Sum up https://evil.example/, please"}}`:                 policy.Deny,
		`{"tool":"web_fetch","input":{"prompt":"Is https://evil.example, down?"}}`:                       policy.Deny,
		`{"tool":"web_fetch","input":{"prompt":"Sum up https://ok.example/x"}}`:                          policy.Allow,
		`{"tool":"WebFetch","input":{"url":"https://ok.example/","prompt":"see https://evil.example/"}}`: policy.Allow,
	} {
		c, err := policy.DecodeCall([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		c.Home, c.Dir = home, root
		expect(t, e, c, want)
	}
}

// TestReadsFolded: where case does not count, it does not count for the files of a
// directory either.
func TestReadsFolded(t *testing.T) {
	root := dotenvProject(t)
	for _, name := range []string{"docs/a", "docs/SECRET.key", "docs/a\u017fk.pem"} {
		if err := os.WriteFile(filepath.Join(root, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range []struct {
		denied, system string
		want           policy.Decision
	}{
		{"**/secret.KEY", "darwin", policy.Deny},
		{"**/secret.KEY", "linux", policy.Allow},
		{"**/SECRET.key", "linux", policy.Deny},
		{"**/ask.pem", "darwin", policy.Deny},
		{"docs/*.pem", "linux", policy.Deny},
		{"docs/*.pdf", "linux", policy.Allow},
		{"~/x/*", "linux", policy.Allow},
		{"docs/a *", "linux", policy.Deny}, // with or without what the star stands for
	} {
		c := policy.Shell("grep -r KEY docs", root)
		c.Home, c.OS = home, row.system
		t.Run(row.denied+" on "+row.system, func(t *testing.T) {
			expect(t, engineIn(t, world.New(nil), "deny read "+row.denied, yolo), c, row.want)
		})
	}
}

// TestLinkRemoved: rm takes a link away and leaves what lies behind it, unless a slash
// follows the link.
func TestLinkRemoved(t *testing.T) {
	dir := dotenvProject(t)
	if err := os.Symlink("web/app/.env", filepath.Join(dir, "env")); err != nil {
		t.Fatal(err)
	}
	e := engineIn(t, world.New(nil), "deny write **/.env|deny write web/app|deny write kept", yolo)
	for want, lines := range map[policy.Decision][]string{
		policy.Allow: {
			"rm -rf link", "rm link", "rm -r ./link", "rm -rf \"$PWD\"/link", "cd web && rm -rf ../link", "rm -rf -- link src", "sudo rm -rf link", "rm env", "rm -f env",
			"bash -c 'rm -rf link'",
		},
		policy.Deny: {
			"rm -rf link/", "rm -rf link//", "shopt -s dotglob; rm -rf link/*", "rm -rf link/.env", "rm -rf link/.", "rm -rf link/../app", "rm -rf web", "rm -rf web/app", "rm -rf link web", "rm -rf link/ src",
			"rm kept", "shred -u env", "shred -u link/.env", "truncate -s 0 env", "chmod -R 0 link", "echo x > env", "cp src/a.go link/.env", "rm -rf .", "rm -rf link{,/}",
		},
	} {
		for _, line := range lines {
			c := policy.Shell(line, dir)
			c.Home = home
			expect(t, e, c, want)
		}
	}
}
