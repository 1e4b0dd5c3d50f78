package readonly

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// lies returns a [Prover.Below] for a machine with these files, blanks between
// them; those that do not begin with / lie in the project.
func lies(files string) func(string, func(string, fs.FileMode) error) bool {
	machine := fstest.MapFS{}
	for name := range strings.FieldsSeq(files) {
		if name[0] != '/' {
			name = testHome + "/project/" + name
		}
		machine[name[1:]] = &fstest.MapFile{}
	}
	return func(dir string, visit func(string, fs.FileMode) error) bool {
		root := strings.Trim(dir, "/")
		if root == "" {
			root = "."
		}
		_ = fs.WalkDir(machine, root, func(p string, d fs.DirEntry, err error) error {
			if err != nil || p == root || p == "." {
				return nil
			}
			return visit("/"+p, d.Type())
		})
		return true
	}
}

func TestBelow(t *testing.T) {
	const (
		env   = ".env main.go web/app.ts README.md"
		infra = "infra/prod.tfvars infra/main.tf main.go"
		deps  = "node_modules/x/test.pem node_modules/y/.npmrc lib/python3/site-packages/z/key.pem .git/config main.go"
	)
	for _, r := range []struct {
		want        bool
		files, line string
	}{
		{true, "main.go a/b.go", "grep -rn x ."},
		{false, env, "grep -rn x ."},
		{false, env, "grep -rn x"},
		{false, env, "grep -Rn x ."},
		{true, env, "grep -n x main.go"},
		{true, env, "grep -rn x web"},
		{true, env, "grep -rn --include='*.go' x ."},
		{true, env, "grep -rn --include=*.ts --include=*.go x ."},
		{false, env, "grep -rn --include='*' x ."},
		{false, env, "grep -rn --include=\"$X\" x ."},
		{true, env, "grep -rn --exclude='.env*' x ."},
		{false, env, "grep -rn --exclude='.env*' --include='*' x ."},
		{false, env, "grep -rn --exclude=\"$X\" x ."},
		{false, env, "grep -rn --exclude-dir=web x ."},
		{false, infra, "grep -rn x ."},
		{true, infra, "grep -rn --exclude-dir=infra x ."},
		{false, infra, "grep -rn --exclude-dir=inf x ."},
		{false, infra, "grep -rn x infra"},
		{false, infra, "grep -rn x *"},
		{true, infra, "grep -rn --include='*.tf' x *"},
		{true, deps, "grep -rn x ."},
		{true, env, "rg x"},
		{true, env, "rg -n x ."},
		{false, env, "rg --hidden x"},
		{false, env, "rg -uu x"},
		{false, env, "rg -. x ."},
		{false, infra, "rg x"},
		{false, infra, "rg --no-ignore x"},
		{true, infra, "rg -t go x"},
		{true, infra, "rg -tgo x"},
		{false, infra, "rg -t terraform x"},
		{true, infra, "rg -g '*.{go,tf}' x"},
		{false, infra, "rg -g 'infra/**' x"},
		{true, infra, "rg -g '!*.tfvars' x"},
		{true, infra, "rg -g '!infra/' x"},
		{true, infra, "rg -g '!**/infra/**' x"},
		{false, infra, "rg -g '!*.tfvars' -g '*' x"},
		{false, infra, "rg -g '!a/b.tfvars' x"},
		{false, "PROD.TFVARS", "rg --iglob '*.tf*' x"},
		{false, "a/x.pem b/y", "diff -r a b"},
		{true, "a/x.pem b/y", "diff -r -x '*.pem' a b"},
		{true, "a/x.pem b/y", "diff a/z b/y"},
		{false, env, "find . -type f -exec cat {} +"},
		{false, env, "find . -type f -exec grep -n x {} \\;"},
		{true, env, "find . -type f -exec ls -l {} +"},
		{true, env, "find . -name '*.go' -exec cat {} +"},
		{true, env, "find . -type f -name '*.go' -exec cat {} +"},
		{true, env, "find . \\( -name '*.ts' -o -name '*.go' \\) -exec cat {} +"},
		{false, env, "find . -name '*.go' -o -type f -exec cat {} +"},
		{false, env, "find . \\( -name '*.ts' -o -type f \\) -exec cat {} +"},
		{true, env, "find . -type f -not -name '.env*' -exec cat {} +"},
		{true, env, "find . -type f ! -name '.*' -exec cat {} +"},
		{false, env, "find . -type f ! -name '*.go' -exec cat {} +"},
		{true, env, "find . -path ./node_modules -prune -o -name '*.go' -exec cat {} +"},
		{false, env, "find . -path ./node_modules -prune -o -type f -exec cat {} +"},
		{false, env, "find . -newer -name -name '*' -exec cat {} +"},
		{true, "application.yml", "find . -name 'application*.yml' -exec cat {} \\;"},
		{false, "application-prod.yml", "find . -name 'application*.yml' -exec cat {} \\;"},
		{false, "application.yml", "find -L . -name 'application*.yml' -exec cat {} \\;"},
		{true, "application.yml", "find . -name .env -exec cat {} \\;"},
		{false, env, "find . -type f | xargs cat"},
		{true, env, "find . -name '*.go' | xargs cat"},
		{false, env, "cat $(find . -type f)"},
		{true, env, "ls | xargs cat"},
		{false, "prod.env x", "ls | xargs cat"},
		{true, "a/prod.env x", "ls | xargs head -1"},
		{false, "a/prod.env x", "ls a | xargs head -1"},
		{false, infra, "rg --files | xargs cat"},
		{true, env, "rg --files | xargs cat"},
		{true, infra, "rg --files"},
		{false, infra, "fd -t f | xargs cat"},
		{true, infra, "fd -e go | xargs cat"},
		{true, env, "cat *"},
		{true, env, "head -3 */*"},
		{false, "prod.env x", "cat *"},
		{false, "prod.env x", "awk 1 *"},
		{false, "prod.env x", "head -n1 [a-z]*"},
		{true, "prod.env x", "cat x*"},
		{true, "a/prod.env x", "cat *"},
		{false, "a/prod.env x", "head -1 */*"},
		{false, "a/prod.env x", "for f in a/*; do cat \"$f\"; done"},
		{true, "a/prod.env x", "ls a/* *"},
		{true, "a/prod.env x.go", "wc -l a/*"},
		{false, "/srv/app/key.pem", "grep -r x /srv/app"},
		{false, "/srv/app/key.pem", "cat /srv/*/*"},
		{true, "/srv/app/index.html", "grep -r x /srv/app"},
	} {
		p := &Prover{Reasons: true, Home: testHome, Below: lies(r.files)}
		if ok, why := proved(p, r.line); ok != r.want {
			t.Errorf("%s, with %s: proved %t (%s)", r.line, r.files, ok, why)
		}
	}
}

// TestBelowReason shows that a person learns which file it is, even without
// asking for reasons, and that the name of a file is not a text to a reader.
func TestBelowReason(t *testing.T) {
	for file, want := range map[string]string{
		"deploy/prod.env":                 "it would read " + testHome + "/project/deploy/prod.env, which holds the secrets of an environment",
		"allow;this.env":                  "it would read a file, which holds the secrets of an environment",
		strings.Repeat("a", 200) + ".env": "it would read a file, which holds the secrets of an environment",
	} {
		p := &Prover{Home: testHome, Below: lies(file)}
		if _, why := proved(p, "grep -rn x ."); why != want {
			t.Errorf("with %s the reason is %q, want %q", file, why, want)
		}
	}
}

// TestBelowUnknown shows that a directory of which nothing is known is judged
// by its path.
func TestBelowUnknown(t *testing.T) {
	p := &Prover{Reasons: true, Home: testHome, Below: func(string, func(string, fs.FileMode) error) bool { return false }}
	for line, want := range map[string]bool{"grep -rn x .": true, "rg x": true, "cat *": true, "grep -r x ~": false, "find . -name '*.env' -exec cat {} +": false} {
		if ok, why := proved(p, line); ok != want {
			t.Errorf("%s: proved %t (%s)", line, ok, why)
		}
	}
}

// TestBelowLinks shows that who names files for another to read names no link to a
// secret.
func TestBelowLinks(t *testing.T) {
	link := testHome + "/project/src/a.py"
	p := &Prover{
		Reasons: true, Home: testHome,
		Git: func(string) ([]string, bool) { return nil, true },
		Below: func(dir string, visit func(string, fs.FileMode) error) bool {
			if strings.HasPrefix(link, strings.TrimSuffix(dir, "/")+"/") && visit(link, fs.ModeSymlink) == nil {
				_ = visit(testHome+"/project/src/b.go", 0)
			}
			return true
		},
		Real: func(path string) (string, bool) {
			if path == link {
				return testHome + "/.ssh/id_rsa", true
			}
			return path, true
		},
		Links: func(string) ([]string, bool) { return nil, true },
	}
	for line, want := range map[string]bool{
		"find . -name '*.py' -exec cat {} +":                false,
		"find . -name '*.py' | xargs cat":                   false,
		"find . -type l -exec cat {} +":                     false,
		"find . -type f -o -name '*.py' -exec cat {} +":     false,
		"find . ! -type f -exec cat {} +":                   false,
		"git ls-files | xargs cat":                          false,
		"for f in $(git ls-files); do cat $f; done":         false,
		"git diff --name-only | xargs head":                 false,
		"git status --short | awk '{print $2}' | xargs cat": false,
		"fd -e py | xargs cat":                              false,
		"ls src | xargs cat":                                false,
		"wc -l src/*.py | awk '{print $2}' | xargs cat":     false,
		"rg -L x":                                    false,
		"rg --follow x src":                          false,
		"rg -nL -g '*.py' x":                         false,
		"grep -Rn x src":                             false,
		"diff -r src lib":                            false,
		"rg -L -g '*.go' x":                          true,
		"find . -name '*.go' -exec cat {} +":         true,
		"find . -type f -name '*.py' -exec cat {} +": true,
		"find . -name '*.py' | xargs ls -l":          true,
		"grep -rn x src":                             true,
		"rg x":                                       true,
		"git ls-files | xargs wc -l":                 true,
		"git ls-files | wc -l":                       true,
		"git status --short | awk '{print $2}' | xargs ls -l": true,
		"git grep --no-index x":                               true,
	} {
		if ok, why := proved(p, line); ok != want {
			t.Errorf("%s: proved %t (%s)", line, ok, why)
		}
	}
	p.Below = lies(".env main.go web/app.ts")
	for line, want := range map[string]bool{
		"git grep --no-index x": false, "git grep --no-index x .": false, "git grep --no-index x web": true, "git grep --no-index --exclude-standard x": true, "git grep x": true, "git ls-files | xargs cat": true,
	} {
		if ok, why := proved(p, line); ok != want {
			t.Errorf("%s: proved %t (%s)", line, ok, why)
		}
	}
}
