package readonly

import "testing"

// TestGitProbe shows that verbs that run what a repository names are proved
// only where it names nothing, wherever the command may run.
func TestGitProbe(t *testing.T) {
	const sub = "/home/dev/project/sub"
	answers := func(list ...string) func(string) ([]string, bool) {
		return func(dir string) ([]string, bool) { return list, dir == sub }
	}
	clean := answers()
	rows := []struct {
		want bool
		git  func(string) ([]string, bool)
		line string
	}{
		{true, clean, "git -C sub status"},
		{true, clean, "cd sub && git diff --stat"},
		{true, clean, "git -C sub log -p"},
		{true, clean, "cd sub && git status -s && git log -3 && git branch"},
		{true, clean, "git version"},
		{true, clean, "git -C " + sub + " status"},
		{false, clean, "git status"},
		{false, clean, "git log"}, // where an answer is to be had, it counts for all verbs
		{true, nil, "git log"},
		{false, nil, "git status"},
		{false, clean, "cd $X && git status"},
		{false, clean, "git -C $X status"},
		{false, clean, "git -C \"sub$X\" log"},
		{false, clean, "git -C sub/../sub status"}, // sub may be a link
		{false, clean, "cd -P sub && git status"},
		{false, clean, "if true; then cd sub; else cd other; fi; git status"},
		{false, clean, "cd sub <f; git status"}, // without f there is no cd
		{false, clean, "{ cd sub; } <f; git status"},
		{false, clean, "cd sub 2>&7; git status"},
		{true, clean, "cd sub 2>/dev/null >&2; git status"},
		{false, clean, "cd sub || true; git status"},
		{false, clean, "find . -execdir git status \\;"},
		{true, clean, "echo sub | xargs -I{} git -C {} status"},
		{false, clean, "ls | xargs -I{} git -C {} status"},
		{false, clean, "git -C sub -C other status"},
		{false, clean, "git --git-dir=sub/.git status"},
		{false, clean, "git --work-tree=sub status"},
		{false, clean, "GIT_DIR=sub/.git git -C sub status"},
		{false, clean, "export HOME=sub; git -C sub status"},
		{false, clean, "git -C sub -c core.pager=./p status"},
		{false, answers("core.fsmonitor"), "git -C sub status"},
		{false, answers("filter.*.clean"), "git -C sub blame f"},
		{true, answers("core.fsmonitor", "diff.external", "filter.*.clean"), "git -C sub log --oneline"},
		{true, answers("hooks/post-index-change"), "git -C sub rev-parse HEAD"},
		{false, answers("core.fsmonitor", "core.pager"), "git -C sub log --oneline"},
		{false, answers("pager.*"), "git -C sub branch"},
		{false, answers("gpg.program"), "git -C sub log"},
		{false, answers("./p"), "git -C sub log"},
		{false, clean, "git -C sub diff --ext-diff"},
		{false, clean, "git -C sub rev-parse --show-superproject-working-tree"}, // it runs git in another repository

		{true, clean, "git -C sub stash show -p"},
		{true, clean, "git -C sub stash show --stat stash@{1}"},
		{false, clean, "git -C sub stash show -- --output=f"},
		{false, nil, "git stash list -- --output=f"},
		{true, nil, "git stash list -3"},
		{false, answers("filter.*.clean"), "git -C sub stash show -p"},
		{true, clean, "git -C sub -c core.quotepath=off diff --stat"},
		{true, clean, "git -C sub -c color.ui=never -c core.pager=cat log -3"},
		{false, clean, "git -C sub -c core.pager=./p log -3"},
		{false, answers("core.fsmonitor"), "git -C sub -c core.fsmonitor=false status"},
		{true, clean, "git -C sub diff-tree --no-commit-id --name-only -r HEAD"},
		{false, nil, "git diff-tree -r HEAD"},
		{false, clean, "git -C sub diff-tree -p HEAD -- .env"},
		{true, clean, "git -C sub log -L 1,5:main.go"},
		{false, clean, "git -C sub log -L 1,5:.env"},
		{false, nil, "git log -L 1,5:main.go"},
		{true, clean, "git -C sub diff --no-index a.go b.go"},
		{true, clean, "git -C sub diff -- '*.json'"},
		{false, clean, "git -C sub diff -- '.en*'"},
		{false, clean, "git -C sub log -p -- '*.pem'"},
		{true, nil, "git config user.name"},
		{true, nil, "git config get user.name"},
		{false, nil, "git config edit"},
		{false, nil, "git config user.name x"},
		{false, nil, "git config --get http.extraHeader"},
		{false, nil, "git log --format=%+G%h"},
		{true, nil, "git log --format=%h%%"},
		{false, nil, "git for-each-ref --sort=-signature:grade"},
		{true, nil, "git for-each-ref --sort=-committerdate 'refs/heads/signature*'"},

		// What names the index may run core.fsmonitor.
		{true, clean, "git -C sub cat-file -p :f"},
		{false, answers("core.fsmonitor"), "git -C sub cat-file -p :f"},
		{false, answers("core.fsmonitor"), "git -C sub rev-parse HEAD :0:f"},
		{false, answers("core.fsmonitor"), "git -C sub log HEAD..:f"},
		{false, answers("core.fsmonitor"), "git -C sub rev-list ^:f HEAD"},
		{false, answers("core.fsmonitor"), "git -C sub branch --contains=:f"},
		{false, answers("core.fsmonitor"), "git -C sub tag --points-at :f"},
		{false, answers("core.fsmonitor"), "git -C sub branch --contains \"$X\""},
		{false, nil, "git rev-parse :f"},
		{true, nil, "git rev-parse HEAD:f"},
		{true, nil, "git log --oneline -- \"$f\" :f"},
		{false, nil, "git rev-parse --verify \"$X\""},
		{true, nil, "git log --format=%h:%s --since=10:00"},

		// Operands that show a secret, inside of a repository and out of it.
		{false, clean, "git -C sub diff /dev/null /home/dev/.ssh/id_rsa"},
		{false, clean, "git -C sub diff --cached -- .env"},
		{false, clean, "git -C sub show HEAD:.env"},
		{false, clean, "git -C sub show HEAD:conf/.env"},
		{false, clean, "git -C sub show HEAD:.netrc"},
		{false, clean, "git -C sub cat-file -p HEAD:.env"},
		{false, clean, "git -C sub blame .env"},
		{false, clean, "git -C sub log -p -- .env"},
		{false, clean, "git -C sub grep KEY -- .env"},
		{false, clean, "git -C sub grep --no-index . /home/dev/.ssh/id_rsa"},
		{true, clean, "git -C sub grep -n .env"},
		{true, clean, "git -C sub log --oneline -- .env"},
		{true, clean, "git -C sub check-ignore -v .env"},
		{true, clean, "git -C sub ls-files .env"},
		{true, clean, "git -C sub show HEAD~2:main.go"},
		{true, clean, "git -C sub diff main...side -- pkg/x.go"},
	}
	for _, r := range rows {
		if ok, why := proved(&Prover{Reasons: true, Home: testHome, Git: r.git}, r.line); ok != r.want {
			t.Errorf("%q: proved %v (%s), want %v", r.line, ok, why, r.want)
		}
	}
}
