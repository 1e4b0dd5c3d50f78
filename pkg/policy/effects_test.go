package policy_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// linked is a project with links that lead to secrets, to places whose change
// runs code, and out of the project; and with some that are harmless.
var linked = testWorld{top: project, links: map[string]string{
	project + "/notes.md":   home + "/.ssh/id_ed25519",
	project + "/chain":      home + "/.ssh/id_ed25519",
	project + "/keys":       home + "/.ssh",
	project + "/docs/a.md":  home + "/.aws/credentials",
	project + "/src/hk":     project + "/.git/hooks",
	project + "/src/out":    "/etc",
	project + "/src/new":    home + "/.bashrc",
	project + "/src/agent":  project + "/.claude",
	project + "/scripts/in": "/opt/evil",
	project + "/disk":       "/dev/sda",
	project + "/README":     project + "/docs/README.md",
	project + "/latest":     project + "/build/v2",
	project + "/src/shared": project + "/src/lib",
	project + "/data":       "/srv/data",
	project + "/unknown":    "/lost",
	"/tmp":                  "/private/tmp",
	home + "/way":           project,
}}

// linkedEngine is [engine] in a world.
func linkedEngine(t testing.TB, permissions string, edit func(*policy.Settings)) *policy.Engine {
	t.Helper()
	return engineIn(t, linked, permissions, edit)
}

// TestLinks shows that what counts is where a link leads: for a proof of
// reading, for what a tool reads or writes, and for permissions on paths.
func TestLinks(t *testing.T) {
	auto := func(s *policy.Settings) { s.Mode = policy.Auto }
	approve := func(tool, pattern string) func(*policy.Settings) {
		return func(s *policy.Settings) {
			s.AutoApprove = []policy.AutoApprove{{Tool: tool, Path: regexp.MustCompile(pattern)}}
		}
	}
	rows := []struct {
		want, permissions string
		edit              func(*policy.Settings)
		call              *policy.Call
	}{
		// proofs
		{"ask confirm", "", nil, call("cat notes.md")},
		{"ask confirm", "", nil, call("cat ./notes.md")},
		{"ask confirm", "", nil, call("head -5 README notes.md")},
		{"ask confirm", "", nil, call("cat keys/config_x")},
		{"ask confirm", "", nil, call("cat < notes.md")},
		{"ask confirm", "", nil, call("cat docs/../notes.md")},
		{"ask confirm", "", nil, call("cat keys/../.aws/credentials")},
		{"ask confirm", "", nil, call("cat data/../../home/dev/.netrc")},
		{"ask confirm", "", nil, call("cd keys && cat id_x")},
		{"ask confirm", "", nil, call("for f in README notes.md; do cat $f; done")},
		{"ask confirm", "", nil, call("cat README && cat notes.md")},
		{"ask confirm", "", nil, call("grep -r KEY keys")},
		{"ask confirm", "", nil, call("grep -r KEY keys/")},
		{"ask confirm", "", nil, call("cat unknown")},
		{"ask confirm", "", nil, call("xxd disk | head")},
		{"ask confirm", "", nil, call("grep -f notes.md x")},
		{"ask confirm", "", nil, call("wc --files0-from=notes.md")},
		{"ask confirm", "", nil, call("cat *.md")},
		{"ask confirm", "", nil, call("cat docs/*")},
		{"ask confirm", "", nil, call("cat k*/id*")},
		{"ask confirm", "", nil, call("sed -n 1p notes.md")},
		{"ask confirm", "", nil, call("jq . notes.md")},
		{"ask confirm", "", nil, call("diff README notes.md")},
		{"ask confirm", "", nil, call("cat /home/dev/way/notes.md")},
		{"ask confirm", "", nil, call("cd .. && cat project/notes.md")},
		{"allow readonly", "", nil, call("cat README")},
		{"allow readonly", "", nil, call("cat latest/x src/shared/y")},
		{"allow readonly", "", nil, call("cat data/x")},
		{"allow readonly", "", nil, call("cat src/*.go")},
		{"allow readonly", "", nil, call("cat R*")},
		{"allow readonly", "", nil, call("cat /proc/self/status /proc/cpuinfo")},
		{"allow readonly", "", nil, call("cat main.go | head; ls notes.md; readlink notes.md")},
		{"allow readonly", "", nil, call("cd /home/dev/way && cat main.go")},
		{"allow readonly", "", nil, call("grep -rn x src latest")},
		// tools by risk
		{"ask mode", "", nil, tool("read", "file_path=notes.md")},
		{"ask mode", "", nil, tool("read", "file_path=keys/x")},
		{"ask mode", "", nil, tool("read", "file_path=keys/../.aws/credentials")},
		{"ask mode", "", nil, tool("read", "file_path=unknown")},
		{"ask mode", "", auto, tool("write", "file_path=src/hk/pre-commit")},
		{"ask mode", "", auto, tool("edit", "file_path=src/new")},
		{"deny hardline", "", auto, tool("write", "file_path=disk")},
		{"deny permission_deny", "", auto, tool("write", "file_path=src/agent/settings.json")},
		{"deny permission_deny", "", nil, call("cp x src/agent/settings.json")},
		{"deny permission_deny", "", nil, call("echo x > src/agent/settings.json")},
		{"allow mode", "", nil, tool("read", "file_path=README")},
		{"allow mode", "", auto, tool("write", "file_path=src/shared/x.go")},
		{"ask mode", "", nil, tool("Grep", "pattern=KEY", "path=keys")},
		{"ask mode", "", nil, tool("Grep", "pattern=KEY", "path=notes.md")},
		{"allow mode", "", nil, tool("Grep", "pattern=KEY", "path=latest")},
		// allows
		{"ask mode", "allow write src/*", nil, tool("write", "file_path=src/hk/pre-commit")},
		{"ask mode", "allow write src/*", nil, tool("write", "file_path=src/out/cron.d/x")},
		{"ask mode", "allow write src/*", nil, tool("edit", "file_path=src/new")},
		{"ask mode", "allow read docs/*", nil, tool("read", "file_path=docs/a.md")},
		{"ask mode", "allow read *.md", nil, tool("read", "file_path=notes.md")},
		{"ask mode", "allow write src/*", nil, tool("write", "file_path=src/shared/../../x")},
		{"ask mode", "allow write src/*", nil, tool("write", "file_path=src/out/../x")},
		{"ask confirm", "allow shell echo *|allow write src/*", nil, call("echo x > src/hk/pre-commit")},
		{"ask confirm", "allow shell echo *|allow write src/*", nil, call("cd src && echo x > hk/pre-commit")},
		{"ask confirm", "allow shell echo *|allow write src/*", nil, call("echo x > src/out/../x")},
		{"ask mode", "", approve("write", "^/home/dev/project/src/"), tool("write", "file_path=src/hk/pre-commit")},
		{"ask mode", "", approve("write", "^/tmp/"), tool("write", "file_path=/tmp/../home/dev/x")},
		{"allow rules", "allow write src/*", nil, tool("write", "file_path=src/a.go")},
		{"allow rules", "allow write src/*", nil, tool("write", "file_path=src/shared/a.go")},
		{"allow rules", "allow shell echo *|allow write src/*", nil, call("echo x > src/shared/a.go")},
		{"allow rules", "allow write /tmp/*", nil, tool("write", "file_path=/tmp/x")},
		{"allow allowlist", "", approve("write", "^/tmp/"), tool("write", "file_path=/tmp/x")},
		{"allow allowlist", "", approve("write", "^/home/dev/project/src/"), tool("write", "file_path=src/a.go")},
		{"ask confirm", "allow shell python3 scripts/*", nil, call("python3 scripts/in/x.py")},
		{"ask confirm", "allow shell cp * src/*", nil, call("cp x src/hk/pre-commit")},
		{"ask confirm", "allow shell cat docs/*", nil, call("cat docs/a.md")},
		{"allow rules", "allow shell cp * src/*", nil, call("cp x src/shared/y")},
		// denies, as written and as resolved
		{"deny permission_deny", "deny read ~/.ssh/*", nil, call("cat notes.md")},
		{"deny permission_deny", "deny read ~/.ssh/*", nil, tool("read", "file_path=notes.md")},
		{"deny permission_deny", "deny read ~/.ssh/*", nil, tool("Grep", "pattern=x", "path=keys")},
		{"deny permission_deny", "deny read notes.md", nil, call("cat notes.md")},
		{"deny permission_deny", "deny write .git/hooks/*", nil, tool("write", "file_path=src/hk/pre-commit")},
		{"deny permission_deny", "deny write .git/hooks/*", nil, call("cp x src/hk/pre-commit")},
		{"deny permission_deny", "deny write .git/hooks/*", nil, call("cp pre-commit src/hk/")},
		{"deny permission_deny", "deny write .git/hooks/*", nil, call("cp pre-commit src/hk")},
		{"deny permission_deny", "deny write .git/hooks/*", nil, call("cd src/hk && cp ../../x pre-push")},
		{"deny permission_deny", "deny write .git/hooks/*", nil, call("tee src/hk/pre-commit < x")},
		{"deny permission_deny", "deny write /etc/*", nil, call("echo x > src/out/passwd")},
		{"deny permission_deny", "deny read /etc/*", nil, call("cat /proc/self/root/etc/passwd")},
		{"deny permission_deny", "deny read /etc/*", nil, call("cat /proc/1/root/etc/passwd")},
		{"deny permission_deny", "deny read .env", nil, call("cat /proc/self/cwd/.env")},
		{"deny permission_deny", "deny read /etc/*", nil, tool("read", "file_path=/proc/self/root/etc/passwd")},
		{"ask mode", "deny write .git/hooks/*", nil, tool("write", "file_path=src/shared/pre-commit")},
	}
	for _, r := range rows {
		if v := decide(t, linkedEngine(t, r.permissions, r.edit), nil, r.call); brief(v) != r.want {
			t.Errorf("%s %s %v: got %s (%s: %s), want %s", r.permissions, r.call.Tool, r.call.Input, brief(v), v.Rule, v.Why, r.want)
		}
	}
}

// TestResolvedPaths shows that a pattern holds for where a path leads, seen
// from the project.
func TestResolvedPaths(t *testing.T) {
	rows := []struct{ want, permissions, command string }{
		{"ask confirm", "allow shell python3 scripts/*", "python3 scripts/../evil.py"},
		{"ask confirm", "allow shell python3 scripts/*", "python3 scripts/a/../../evil.py"},
		{"ask confirm", "allow shell python3 scripts/*", "python3 scripts/./../evil.py"},
		{"ask confirm", "allow shell python3 scripts/*", "python3 scripts//../evil.py"},
		{"ask confirm", "allow shell python3 scripts/*", `python3 "scripts/"$X`},
		{"ask confirm", "allow shell python3 scripts/*", "python3 scripts/{../../evil,a}.py"},
		{"ask confirm", "allow shell cp docs/* build/*", "cp docs/a build/../../../etc/passwd"},
		{"ask confirm", "allow shell cp docs/* build/*", "cp docs/../../.ssh/id_rsa build/x"},
		{"ask confirm", "allow shell ./scripts/*", "./scripts/../evil"},
		{"ask confirm", "allow shell rm -rf build/*", "rm -rf build/.."},
		{"ask confirm", "allow shell rm -rf build/*", "rm -rf build/x/../../src"},
		{"ask confirm", "allow shell tool --out=build/*", "tool --out=build/../../../etc/passwd"},
		{"ask confirm", "allow shell dd if=a of=build/*", "dd if=a of=build/../../x"},
		{"ask confirm", "allow shell ~/bin/*", "~/bin/../evil"},
		{"ask confirm", "allow shell timeout 5 python3 scripts/*|allow shell python3 scripts/*", "timeout 5 python3 scripts/../evil.py"},
		{"ask confirm", "allow shell python3 scripts/*", "cd /tmp && python3 scripts/x.py"},
		{"ask confirm", "allow shell python3 scripts/*|allow shell cd *", "cd /tmp && python3 scripts/x.py"},
		{"ask confirm", "allow shell python3 scripts/*", "pushd /tmp; python3 scripts/x.py"},
		{"ask confirm", "allow shell python3 scripts/*", "env -C /tmp python3 scripts/x.py"},
		{"ask confirm", "allow shell python3 scripts/*", "(cd .. && python3 scripts/x.py)"},
		{"ask confirm", "allow shell python3 scripts/*", `cd "$D" && python3 scripts/x.py`},
		{"ask confirm", "allow shell python3 run.py *", "cd /tmp && python3 run.py x"},
		{"ask confirm", "allow shell ./build.sh", "cd /tmp && ./build.sh"},
		{"ask confirm", "allow shell ./build.sh *", "cd sub; ./build.sh x"},
		{"ask confirm", "allow shell rm build/x", "cd /tmp && rm build/x"},
		{"ask confirm", "allow shell git * add docs/*", "git -C /tmp add docs/x"},
		{"ask confirm", "allow shell make * build/*", "make -C /tmp build/x"},
		{"ask confirm", "allow shell tar * -x docs/*|allow shell tar *xf docs/*", "tar -C /tmp -xf docs/../../a.tar"},
		{"ask confirm", "allow shell echo *|allow write out/*", "cd /tmp && echo x > out/y"},
		{"ask confirm", "allow shell echo *|allow write out/*", "echo x > out/../../y"},
		{"ask confirm", "allow shell curl https://go.dev/doc/*", "curl https://go.dev/doc/../admin"},
		{"ask confirm", "allow shell curl https://go.dev/doc/*", "curl https://go.dev/doc/%2e%2e/admin"},
		{"ask confirm", "allow shell curl https://go.dev/*", `curl 'https://go.dev/\@evil.example/'`},
		{"allow rules", "allow shell python3 scripts/*", "python3 scripts/x.py"},
		{"allow rules", "allow shell python3 scripts/*", "python3 scripts/a/../x.py"},
		{"allow rules", "allow shell python3 scripts/*", "python3 scripts/x.py --range a..b"},
		{"allow readonly", "allow shell python3 scripts/*", "cd /home/dev/project && python3 scripts/x.py"},
		{"allow rules", "allow shell python3 scripts/*", "python3 scripts/x.py https://h/../x"},
		{"allow rules", "allow shell python3 scripts/*|allow shell cd *", "cd sub/.. && python3 scripts/x.py"},
		{"allow rules", "allow shell cp docs/* build/*", "cp docs/a build/b"},
		{"allow rules", "allow shell git log *", "git log main..dev -- ../x"},
		{"ask confirm", "allow shell make *", "make -C /tmp all"},
		{"ask confirm", "allow shell make *|allow shell cd *", "cd /tmp && make all"},
		{"allow readonly", "allow shell go test *", "cd sub && go test ./... -run ../x"},
		{"allow rules", "allow shell sed -n *", "sed -n s/../x/p f"},
		{"allow rules", "allow shell ./build.sh *", "./build.sh x"},
		{"allow rules", "allow shell rm -rf build/*", "rm -rf build/a build/b"},
		{"allow rules", "allow shell curl https://go.dev/*", "curl https://go.dev/doc/../x"},
		// denies: as written and as resolved
		{"deny permission_deny", "deny shell python3 evil.py", "python3 scripts/../evil.py"},
		{"deny permission_deny", "deny shell python3 evil.py", "python3 ./evil.py"},
		{"deny permission_deny", "deny shell python3 scripts/evil.py *", "python3 scripts//evil.py a"},
		{"deny permission_deny", "deny shell python3 scripts/evil.py *", "cd scripts && python3 evil.py a"},
		{"deny permission_deny", "deny shell python3 scripts/*", "python3 scripts/../evil.py"},
		{"deny permission_deny", "deny shell rm -rf src *", "rm -rf ./src/"},
		{"deny permission_deny", "deny shell cat /etc/passwd", "cat ../../../etc/passwd"},
		{"deny permission_deny", "deny shell ./deploy.sh *", "./x/../deploy.sh now"},
		{"deny permission_deny", "deny shell ./deploy.sh *", "bash -c './/deploy.sh now'"},
		{"deny permission_deny", "deny read ./secrets/*", "cat secrets/a"},
		{"deny permission_deny", "deny read docs/../secrets/*", "cat secrets/a"},
		{"deny permission_deny", "deny read secrets/*", "cd sub && cat secrets/../../secrets/a"},
		{"deny permission_deny", "deny shell python3 scripts/*", "cd /tmp && python3 scripts/x.py"},
		{"ask confirm", "deny shell python3 evil.py", "python3 scripts/evil.py"},
		{"deny permission_deny", "deny shell rm /home/dev/project/keep", "rm keep"},
		{"deny permission_deny", "deny shell tool --in=/home/dev/project/keep", "tool --in=./keep"},
		{"ask confirm", "deny shell go test /*", "go test ./..."},
		{"allow rules", "allow shell go test * except shell go test * /*", "go test -v ./a ./b"},
	}
	for _, r := range rows {
		if v := decide(t, engine(t, r.permissions, nil), nil, call(r.command)); brief(v) != r.want {
			t.Errorf("%s: %q got %s (%s), want %s", r.permissions, r.command, brief(v), v.Why, r.want)
		}
	}
}

// TestProjectDirectory shows that relative patterns hold in the project's
// directory, also where a call is made from another one.
func TestProjectDirectory(t *testing.T) {
	rows := []struct {
		want, permissions, dir string
		call                   *policy.Call
	}{
		{"ask mode", "allow write src/*", project + "/sub", tool("write", "file_path=src/x")},
		{"allow rules", "allow write src/*", project + "/sub", tool("write", "file_path=../src/x")},
		{"ask mode", "allow write src/*", "/tmp", tool("write", "file_path=src/x")},
		{"allow rules", "allow write src/*", "/tmp", tool("write", "file_path="+project+"/src/x")},
		{"ask confirm", "allow shell python3 scripts/*", "/tmp", call("python3 scripts/x.py")},
		{"ask confirm", "allow shell python3 scripts/x.py", "/tmp", call("python3 scripts/x.py")},
		{"ask confirm", "allow shell echo *|allow write src/*", "/tmp", call("echo x > src/y")},
		{"allow rules", "allow shell python3 scripts/*", project, call("python3 scripts/x.py")},
		{"allow rules", "allow shell npm test *", project + "/sub", call("npm test")},
		// denies hold in both
		{"deny permission_deny", "deny write src/*", project + "/sub", tool("write", "file_path=src/x")},
		{"deny permission_deny", "deny write src/*", project + "/sub", tool("write", "file_path=../src/x")},
		{"deny permission_deny", "deny read src/*", project + "/sub", call("cat ../src/x")},
	}
	for _, r := range rows {
		c := *r.call
		c.Dir, c.ProjectDir = r.dir, project
		if v := decide(t, engine(t, r.permissions, nil), nil, &c); brief(v) != r.want {
			t.Errorf("%s %s %v in %s: got %s (%s), want %s", r.permissions, c.Tool, c.Input, r.dir, brief(v), v.Why, r.want)
		}
	}
}

// TestCreatedFiles shows that a permission on a path means the file that a
// program creates there.
func TestCreatedFiles(t *testing.T) {
	const hooks = "deny write .git/hooks/*"
	rows := []struct{ want, permissions, command string }{
		{"deny permission_deny", hooks, "cp pre-commit .git/hooks/"},
		{"deny permission_deny", hooks, "cp pre-commit .git/hooks"},
		{"deny permission_deny", hooks, "cp -t .git/hooks pre-commit"},
		{"deny permission_deny", hooks, "cp --target-directory=.git/hooks a/pre-commit"},
		{"deny permission_deny", hooks, "cd .git/hooks && cp ~/pre-commit ."},
		{"deny permission_deny", hooks, "mv pre-commit post-merge .git/hooks"},
		{"deny permission_deny", hooks, "install -m755 pre-commit .git/hooks"},
		{"deny permission_deny", hooks, "ln -s ~/x/pre-commit .git/hooks/"},
		{"deny permission_deny", hooks, "cd .git/hooks && ln -s ~/x/pre-commit"},
		{"deny permission_deny", hooks, "rsync pre-commit .git/hooks/"},
		{"deny permission_deny", hooks, "rsync -a hk/ .git/hooks/"},
		{"deny permission_deny", hooks, "scp h:pre-commit .git/hooks/"},
		{"deny permission_deny", hooks, "docker cp c:/pre-commit .git/hooks"},
		{"deny permission_deny", hooks, "unzip -d .git/hooks a.zip"},
		{"deny permission_deny", hooks, "unzip a.zip -d .git/hooks/"},
		{"deny permission_deny", hooks, "tar -C .git/hooks -xf a.tar"},
		{"deny permission_deny", hooks, "cd .git/hooks; tar xf ~/a.tar"},
		{"deny permission_deny", hooks, "wget -P .git/hooks https://h/pre-commit"},
		{"deny permission_deny", hooks, "wget -O .git/hooks/pre-commit https://h/x"},
		{"deny permission_deny", hooks, "curl --output-dir .git/hooks -O https://h/pre-commit"},
		{"deny permission_deny", hooks, "curl --output-dir .git/hooks -o pre-commit https://h/x"},
		{"deny permission_deny", hooks, "cd .git/hooks && curl -O https://h/pre-commit"},
		{"deny permission_deny", hooks, "split -n 1 x .git/hooks/p"},
		{"deny permission_deny", hooks, "csplit -f .git/hooks/p x 5"},
		{"deny permission_deny", hooks, "mktemp -p .git/hooks"},
		{"deny permission_deny", hooks, "mktemp .git/hooks/XXXXXX"},
		{"deny permission_deny", hooks, "7z x a.7z -o.git/hooks"},
		{"deny permission_deny", hooks, "cpio -D .git/hooks -i < a.cpio"},
		{"deny permission_deny", hooks, "patch .git/hooks/pre-commit x.patch"},
		{"deny permission_deny", hooks, "patch -d .git/hooks -i x.patch"},
		{"ask rules", hooks, "patch -p1 < x.patch"},
		{"ask rules", hooks, "tar xf a.tar"},
		{"ask rules", hooks, "unzip a.zip"},
		{"deny permission_deny", "deny write src/x.go", "git checkout -- src/x.go"},
		{"deny permission_deny", "deny write src/x.go", "git checkout HEAD~1 -- src/x.go"},
		{"deny permission_deny", "deny write src/x.go", "git restore src/x.go"},
		{"deny permission_deny", "deny write src/x.go", "git restore -s HEAD~1 src/x.go"},
		{"deny permission_deny", "deny write src/*", "git -C src restore x.go"},
		{"deny permission_deny", "deny write src/*", "git restore src/"},
		{"ask rules", "deny write src/x.go", "git apply x.patch"},
		{"ask rules", "deny write src/x.go", "git stash pop"},
		{"ask rules", "deny write src/x.go", "git restore ."},
		{"deny permission_deny", "deny write out.gz", "gzip out"},
		{"deny permission_deny", "deny write out", "gunzip out.gz"},
		{"deny permission_deny", "deny write vendor/lib/*", "git clone https://h/x vendor/lib/x"},
		{"deny permission_deny", "deny write lib", "git clone https://h/lib.git"},
		{"deny permission_deny", "deny write f.bak", "sed -i.bak s/a/b/ f"},
		{"deny permission_deny", "deny write *.pem", "touch a.pem"},
		{"deny permission_deny", "deny write *.pem", "truncate -s 0 a.pem"},
		{"deny permission_deny", "deny write *.pem", "sort -o a.pem x"},
		{"deny permission_deny", "deny write *.pem", "dd if=x of=a.pem"},
		// harmless look-alikes
		{"ask confirm", hooks, "cp pre-commit hooks/"},
		{"ask confirm", hooks, "cp .git/hooks/pre-commit /tmp"},
		{"ask confirm", hooks, "git stash pop"},
		{"ask confirm", hooks, "git apply x.patch"},
		{"ask confirm", hooks, "git checkout -- src/x.go"},
		{"ask confirm", hooks, "tar -C build -xf a.tar"},
		{"ask confirm", hooks, "unzip -d build a.zip"},
		{"allow readonly", hooks, "unzip -l a.zip"},
		{"ask confirm", hooks, "wget -P build https://h/pre-commit"},
		{"ask confirm", hooks, "git restore --staged ."},
		{"ask confirm", "deny write src/x.go", "git restore --staged src/x.go"},
		{"ask confirm", "deny write src/x.go", "git checkout main"},
		{"ask confirm", "deny write src/x.go", "git apply --check x.patch"},
		{"ask confirm", "deny write src/x.go", "patch --dry-run -p1 < x.patch"},
		{"ask confirm", "deny write src/x.go", "gzip src/x.go.old"},
		{"ask confirm", "deny write a/b", "cp b c"},
	}
	for _, r := range rows {
		if v := decide(t, engine(t, r.permissions, nil), nil, call(r.command)); brief(v) != r.want {
			t.Errorf("%s: %q got %s (%s: %s), want %s", r.permissions, r.command, brief(v), v.Rule, v.Why, r.want)
		}
	}
}

// TestSearchArguments shows that what chooses the files of a search is a path.
func TestSearchArguments(t *testing.T) {
	rows := []struct {
		want, permissions string
		call              *policy.Call
	}{
		{"ask mode", "", tool("Grep", "pattern=.", "glob=.env*")},
		{"ask mode", "", tool("Grep", "pattern=.", "glob=.env")},
		{"ask mode", "", tool("Grep", "pattern=.", "glob=**/.env*")},
		{"ask mode", "", tool("Grep", "pattern=.", "glob=*.{pem,key}")},
		{"ask mode", "", tool("Grep", "pattern=.", "glob=.e*")},
		{"ask mode", "", tool("Grep", "pattern=.", "path=/home/dev", "glob=.ssh/*")},
		{"ask mode", "", tool("Grep", "pattern=.", "glob=id_rsa")},
		{"ask mode", "", tool("Grep", "pattern=.", "path=.env")},
		{"ask mode", "", tool("Grep", "pattern=.", "path=./.env.local")},
		{"ask mode", "", tool("search_file_content", "pattern=.", "include=.env*")},
		{"ask mode", "", tool("grep_search", "query=.", "includePattern=**/.env")},
		{"ask mode", "", tool("search_files", "regex=.", "path=.", "file_pattern=.env*")},
		{"deny permission_deny", "deny read .env*", tool("Grep", "pattern=.", "glob=.env*")},
		{"deny permission_deny", "deny read *.sqlite", tool("Grep", "pattern=.", "glob=*.sqlite")},
		{"deny permission_deny", "deny read private/*", tool("Grep", "pattern=.", "glob=private/*.txt")},
		{"deny permission_deny", "deny read private/*", tool("Grep", "pattern=.", "path=private", "glob=*.txt")},
		{"deny permission_deny", "deny read private/*", tool("Grep", "pattern=.", "path=src/../private")},
		{"deny permission_deny", "deny read *.sqlite", tool("Grep", "pattern=.", "glob=*.{txt,sqlite}")},
		{"deny permission_deny", "deny read secret.txt", tool("Grep", "pattern=.", "glob=**/secret.txt")},
		{"ask rules", "deny read secret.txt", tool("Grep", "pattern=.", "glob=sec*")},
		{"allow mode", "", tool("Grep", "pattern=KEY", "glob=*.go")},
		{"allow mode", "", tool("Grep", "pattern=KEY", "glob=**/*.{ts,tsx}")},
		{"allow mode", "", tool("Grep", "pattern=KEY", "glob=!.env*")},
		{"allow mode", "", tool("Grep", "pattern=.env", "path=src")},
		{"allow mode", "", tool("Grep", "pattern=KEY", "glob=.github/**")},
		{"allow mode", "", tool("Glob", "pattern=**/.env*")},
		{"allow mode", "", tool("Glob", "pattern=*.pem", "path=src")},
		{"allow mode", "deny read .env*", tool("Glob", "pattern=.env*")},
		{"allow mode", "deny read .env*", tool("Grep", "pattern=x", "glob=*.go")},
		{"allow mode", "deny read .env*", tool("Grep", "pattern=x", "glob=*")},
		{"allow mode", "deny read private/*", tool("Grep", "pattern=x", "glob=src/*")},
	}
	for _, r := range rows {
		if v := decide(t, engine(t, r.permissions, nil), nil, r.call); brief(v) != r.want {
			t.Errorf("%s %s %v: got %s (%s), want %s", r.permissions, r.call.Tool, r.call.Input, brief(v), v.Why, r.want)
		}
	}
}

// TestHosts shows that a host is the same however it is spelt.
func TestHosts(t *testing.T) {
	approve := func(s *policy.Settings) {
		s.AutoApprove = []policy.AutoApprove{{Tool: "fetch", URL: regexp.MustCompile(`^https://go\.dev/`)}}
	}
	fetch := func(url string) *policy.Call { return tool("fetch", "url="+url) }
	const evil, local, good = "deny fetch https://evil.example/*", "deny fetch http://127.0.0.1*", "allow fetch https://go.dev/*"
	rows := []struct {
		want, permissions string
		edit              func(*policy.Settings)
		call              *policy.Call
	}{
		{"deny permission_deny", evil, nil, fetch("https://EVIL.example/x")},
		{"deny permission_deny", evil, nil, fetch("HTTPS://evil.example/x")},
		{"deny permission_deny", evil, nil, fetch("https://evil.example./x")},
		{"deny permission_deny", evil, nil, fetch("https://evil.example:443/x")},
		{"deny permission_deny", evil, nil, fetch("https://u:p@evil.example/x")},
		{"deny permission_deny", evil, nil, fetch("https://good.example@evil.example/x")},
		{"deny permission_deny", evil, nil, fetch(`https://evil.example\@good.example/x`)},
		{"deny permission_deny", evil, nil, fetch(`https:\\evil.example\x`)},
		{"deny permission_deny", evil, nil, fetch("https://%65vil.example/x")},
		{"deny permission_deny", evil, nil, fetch("https://ev\til.example/x")},
		{"deny permission_deny", evil, nil, fetch("https://ev\nil.example/x")},
		{"deny permission_deny", evil, nil, fetch(" https://evil.example/x")},
		{"deny permission_deny", evil, nil, fetch("https://evil.example")},
		{"deny permission_deny", evil, nil, fetch("https:///evil.example/x")},
		{"deny permission_deny", evil, nil, fetch("https:evil.example/x")},
		{"deny permission_deny", evil, nil, fetch("https://evil。example/x")},
		{"deny permission_deny", evil, nil, fetch("https://ｅｖｉｌ.example/x")},
		{"deny permission_deny", evil, nil, fetch("https://ev\u00adil.example/x")},
		{"deny permission_deny", "deny fetch https://bücher.example/*", nil, fetch("https://xn--bcher-kva.example/x")},
		{"deny permission_deny", "deny fetch https://xn--bcher-kva.example/*", nil, fetch("https://BÜCHER.example/x")},
		{"deny permission_deny", "deny fetch https://h.example/admin*", nil, fetch("https://h.example/x/../admin")},
		{"deny permission_deny", "deny fetch https://h.example/admin*", nil, fetch("https://h.example/x/%2e%2E/admin")},
		{"deny permission_deny", "deny fetch https://h.example/admin*", nil, fetch("https://h.example/%61dmin")},
		{"deny permission_deny", "deny fetch https://h.example/admin*", nil, fetch("https://h.example//admin")},
		{"deny permission_deny", local, nil, fetch("http://2130706433/")},
		{"deny permission_deny", local, nil, fetch("http://0x7f000001/")},
		{"deny permission_deny", local, nil, fetch("http://0177.0.0.1/")},
		{"deny permission_deny", local, nil, fetch("http://127.1/")},
		{"deny permission_deny", local, nil, fetch("http://0x7f.1/")},
		{"deny permission_deny", local, nil, fetch("http://[::ffff:127.0.0.1]/")},
		{"deny permission_deny", local, nil, fetch("http://[::ffff:7f00:1]/")},
		{"deny permission_deny", "deny fetch http://169.254.169.254/*", nil, fetch("http://0xA9FEA9FE/latest")},
		{"deny permission_deny", "deny fetch http://[::1]/*", nil, fetch("http://[0:0:0:0:0:0:0:1]/x")},
		{"deny permission_deny", "deny fetch *evil.example*", nil, fetch("https://EVIL.EXAMPLE/")},
		{"deny permission_deny", "deny fetch HTTPS://Evil.Example/*", nil, fetch("https://evil.example/x")},
		{"deny permission_deny", "deny shell curl https://evil.example/*", nil, call("curl https://EVIL.example/x")},
		{"deny permission_deny", "deny shell curl https://evil.example/*", nil, call("curl https://u@evil.example:443/x")},
		{"deny permission_deny", "deny shell curl *evil.example*", nil, call("curl EVIL.example")},
		{"deny permission_deny", "deny shell curl http://127.0.0.1*", nil, call("curl http://2130706433/x")},
		{"ask mode", good, nil, fetch("https://go.dev@evil.example/x")},
		{"ask mode", good, nil, fetch(`https://go.dev\@evil.example/x`)},
		{"ask mode", good, nil, fetch(`https://evil.example\@go.dev/x`)},
		{"ask mode", good, nil, fetch("https://go.dev\t/x")},
		{"ask mode", good, nil, fetch("https://go.de%76/x")},
		{"ask mode", good, nil, fetch("https://go.dev:8443/x")},
		{"ask mode", "allow fetch https://go.dev/doc/*", nil, fetch("https://go.dev/doc/../x")},
		{"ask mode", "allow fetch https://go.dev/doc/*", nil, fetch("https://go.dev/doc/%2e%2e/x")},
		{"ask mode", "allow fetch https://go.dev/doc/*", nil, fetch("https://go.dev/doc/..%2fx")},
		{"ask mode", "allow fetch https://go.dev/doc/*", nil, fetch(`https://go.dev/doc/..\x`)},
		{"ask mode", "allow fetch https://*.dev/*", nil, fetch("https://evil.example/.dev/x")},
		{"ask mode", "", approve, fetch("https://go.dev/../\t@evil.example/")},
		{"ask mode", "", approve, fetch("https://go.dev/\\@evil.example/")},
		{"allow rules", good, nil, fetch("https://go.dev/doc")},
		{"allow rules", good, nil, fetch("https://GO.dev/doc")},
		{"allow rules", good, nil, fetch("https://go.dev:443/doc")},
		{"allow rules", good, nil, fetch("https://go.dev")},
		{"allow rules", good, nil, fetch("https://go.dev/a?b=https://x/../y&c=%2e#d")},
		{"allow rules", "allow fetch https://go.dev", nil, fetch("https://go.dev/")},
		{"allow rules", "allow fetch https://go.dev/doc/*", nil, fetch("https://go.dev/doc/a%20b/./c")},
		{"allow allowlist", "", approve, fetch("https://go.dev/doc")},
		{"ask mode", evil, nil, fetch("https://notevil.example/x")},
		{"ask mode", evil, nil, fetch("https://good.example/?u=https://evil.example/")},
	}
	for _, r := range rows {
		if v := decide(t, engine(t, r.permissions, r.edit), nil, r.call); brief(v) != r.want {
			t.Errorf("%s %v: got %s (%s), want %s", r.permissions, r.call.Input, brief(v), v.Why, r.want)
		}
	}
}

// TestNamedPrograms shows that a line which names what a word runs is judged by
// what that is.
func TestNamedPrograms(t *testing.T) {
	const push = "deny shell git push *"
	rows := []struct{ want, permissions, command string }{
		{"deny permission_deny", "deny shell ./p *", "hash -p ./p ls; ls -la"},
		{"deny permission_deny", "deny shell curl *", "hash -p /usr/bin/curl ls; ls -la"},
		{"ask confirm", "", "hash -p ./p ls; ls"},
		{"ask confirm", "", "hash -p ./p -- cat && cat x"},
		{"ask confirm", "allow shell ls *|allow shell hash *", "hash -p ./p ls; ls"},
		{"deny hardline", "", "hash -p /bin/rm ls; ls -rf /"},
		{"deny permission_deny", push, "git -c alias.x=push x origin"},
		{"deny permission_deny", push, "git -c alias.x='push origin' x"},
		{"deny permission_deny", push, "git -c 'alias.x=!git push' x"},
		{"deny permission_deny", push, "git -c alias.X=push x"},
		{"deny permission_deny", push, "git config alias.x push && git x"},
		{"deny permission_deny", push, "git config --global alias.x '!git push'; git x"},
		{"deny permission_deny", push, "git config set alias.x push; git x origin"},
		{"deny permission_deny", push, "A=push git --config-env=alias.x=A x"},
		{"deny permission_deny", push, "A='!git push' git --config-env alias.x=A x"},
		{"deny permission_deny", push, "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0=push git x"},
		{"deny permission_deny", push, "export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!git push'; git x"},
		{"deny permission_deny", push, `GIT_CONFIG_PARAMETERS="'alias.x=push'" git x`},
		{"deny hardline", "", "git -c alias.x='!rm -rf /' x"},
		{"deny hardline", "", "git config alias.x '!rm -rf /'; git x"},
		{"deny hardline", "", "A='!rm -rf /' git --config-env=alias.x=A x"},
		{"deny hardline", "", `GIT_CONFIG_PARAMETERS="'alias.x=!rm -rf /'" git x`},
		{"deny hardline", "", "A='rm -rf /' git --config-env=core.pager=A log"},
		{"ask confirm", "", "git -c alias.log='!./p' log"},
		{"ask confirm", "", "GIT_CONFIG_GLOBAL=./c git log"},
		{"ask confirm", "", "git --config-env=core.pager=X log"},
		{"ask confirm", push, "git -c alias.x=status x"},
		{"ask confirm", push, "git config alias.x push"},
		{"allow readonly", push, "git log --oneline -3"},
		{"allow rules", "allow shell git x *", "git x a; git x b"},
	}
	for _, r := range rows {
		if v := decide(t, engine(t, r.permissions, nil), nil, call(r.command)); brief(v) != r.want {
			t.Errorf("%s: %q got %s (%s), want %s", r.permissions, r.command, brief(v), v.Why, r.want)
		}
	}
}

// TestPathCase shows that denies compare paths without case where the system
// does, and allows nowhere.
func TestPathCase(t *testing.T) {
	rows := []struct{ want, permissions, os, command string }{
		{"deny permission_deny", "deny read Secrets/*", "darwin", "cat secrets/A"},
		{"deny permission_deny", "deny read secrets/*", "windows", "cat SECRETS/a"},
		{"deny permission_deny", "deny read secrets/*", "darwin", "cat < Secrets/a"},
		{"deny permission_deny", "deny write .Git/Hooks/*", "darwin", "cp pre-commit .git/hooks"},
		{"ask rules", "deny read private/*", "darwin", "cat PRIV*/x"},
		{"allow readonly", "deny read secrets/*", "linux", "cat SECRETS/a"},
		{"ask confirm", "allow shell make *|allow write Out/*", "darwin", "make > out/x"},
		{"allow rules", "allow shell make *|allow write Out/*", "darwin", "make > Out/x"},
	}
	for _, r := range rows {
		c := call(r.command)
		c.OS = r.os
		if v := decide(t, engine(t, r.permissions, nil), nil, c); brief(v) != r.want {
			t.Errorf("%s on %s: %q got %s (%s), want %s", r.permissions, r.os, r.command, brief(v), v.Why, r.want)
		}
	}
	c := tool("read", "file_path=.Env.Production")
	c.OS = "darwin"
	if v := decide(t, engine(t, "deny read .env.*", nil), nil, c); brief(v) != "deny permission_deny" || strings.Contains(v.Why, "case") {
		t.Errorf("a tool: got %s", brief(v))
	}
}

// TestDeclaredReaders shows that what an operator declares to read is meant from
// the project.
func TestDeclaredReaders(t *testing.T) {
	e := engine(t, "", func(s *policy.Settings) {
		s.ReadonlyCommands = []policy.Entry{{Text: "python3 scripts/list.py"}, {Text: "./show"}, {Text: "mytool list"}}
	})
	for command, want := range map[string]string{
		"python3 scripts/list.py -a": "allow readonly", "./show x": "allow readonly", "cd sub && mytool list": "allow readonly",
		"cd /home/dev/project && ./show":     "allow readonly",
		"cd /tmp && python3 scripts/list.py": "ask confirm", "cd /tmp; ./show": "ask confirm", "(cd sub && ./show)": "ask confirm",
	} {
		if v := decide(t, e, nil, call(command)); brief(v) != want {
			t.Errorf("%q: got %s (%s), want %s", command, brief(v), v.Why, want)
		}
	}
}
