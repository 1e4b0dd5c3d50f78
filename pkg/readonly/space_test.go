package readonly

import (
	"github.com/policyctl/policyctl/internal/eval"
	"path"
	"strings"
	"testing"
)

// TestReads shows what a command reads: whatever it names, and for programs
// that look around the directory too. Only what lies below the project may be
// read.
func TestReads(t *testing.T) {
	const project = "/home/dev/project"
	below := func(p string) (string, bool) {
		p = path.Clean(p)
		return "outside: " + p, p == project || strings.HasPrefix(p, project+"/")
	}
	rows := []struct {
		want bool
		dir  string
		line string
	}{
		{true, project, "ls"},
		{true, project, "ls -la sub && cat sub/f | head -5"},
		{true, project, "cat /home/dev/project/f < sub/g"},
		{true, project, "cd sub && ls && grep -r x . | head"},
		{true, project, "rg x; find . -name f; tree; du -sh sub"},
		{true, project, "git status; git -C sub log"},
		{true, project, "test -f x && [ -d sub ] && [[ -e f ]]"},
		{true, project, "echo /etc/passwd; printf %s /etc"},
		{true, project, "cat f 2>/dev/null </dev/null"},
		{true, project, "for i in a b; do cat $i; done"},
		{true, project, "diff a b; diff /dev/null f"},
		{true, project, "node --version"},
		{true, "/srv/x", "cat /home/dev/project/f | wc -l"},
		{true, "/srv/x", "ls /home/dev/project"},
		{true, "/srv/x", "find /home/dev/project -name f"},
		{true, "/srv/x", "grep -rn x /home/dev/project | sort | uniq -c"},
		{true, "/srv/x", "echo hello; true; pwd; date"},
		{true, "/srv/x", "git --version; node --version"},

		{false, project, "cat /etc/hosts"},
		{false, project, "cat f ../other"},
		{false, project, "cat < /etc/hosts"},
		{false, project, "ls .."},
		{false, project, "cd .. && ls"},
		{false, project, "cd .. && cat project/f"},
		{false, project, "cd ../x; cat f"},
		{false, project, "ls / && ls"},
		{false, project, "find / -name x"},
		{false, project, "grep -r x /srv"},
		{false, project, "stat /etc/hosts"},
		{false, project, "grep -f /srv/list f"},
		{false, project, "grep --file=/srv/list f"},
		{false, project, "find . -newer /etc/hosts"},
		{false, project, "date -r /etc/hosts"},
		{false, project, "rg -f /srv/list x"},
		{false, project, "git log --follow -- ../x"},
		{false, project, "tree ../x"},
		{false, project, "tar -tf ../x.tar"},
		{false, project, "unzip -l ../x.zip"},
		{false, project, "md5sum -c ../sums"},
		{false, project, "tail -n 5 -- ../x"},
		{false, project, "sed -n 1p ../x"},
		{false, project, "awk '{print $1}' ../x"},
		{false, project, "test -f /etc/hosts"},
		{false, project, "[[ -f /etc/hosts ]]"},
		{false, project, "echo /etc/*"},
		{false, project, "for f in /etc/*; do echo; done"},
		{false, project, "cat *"},
		{false, project, "cat \"$f\""},
		{false, project, "cat $(ls)"},
		{false, project, "ls | xargs cat"},
		{false, project, "find . -exec cat {} +"},
		{false, project, "grep -R x ."},
		{false, project, "find -L . -name x"},
		{false, project, "diff -r a b"},
		{false, project, "git -C .. log"},
		{false, project, "git diff --stat /etc/hosts f"},
		{false, project, "git -C /etc status"},
		{false, project, "cd sub; git -C ../.. status"},
		{false, project, "cd -P sub && ls"},
		{false, project, "mine /etc/hosts"},
		{false, "/srv/x", "ls"},
		{false, "/srv/x", "mine"},
		{false, "/srv/x", "rg x"},
		{false, "/srv/x", "grep -r x"},
		{false, "/srv/x", "git log"},
		{false, "/srv/x", "git log main"},
		{false, "/srv/x", "mine /home/dev/project/f"},
		{false, "/srv/x", "cd /home/dev/project && cat hosts"}, // if cd fails, it is another
		{false, "", "ls"},
		{true, project, "mine f"},
	}
	for _, r := range rows {
		p := &Prover{Home: testHome, Extra: [][]string{{"mine"}},
			Git:     func(string) ([]string, bool) { return nil, true },
			GitDirs: func(dir string) ([]string, bool) { return []string{dir + "/.git"}, true },
		}
		l := eval.Read(r.line, eval.Env{Dir: r.dir, Home: testHome})
		for i := range l.Commands {
			if proof := p.Prove(l, i); !proof.Proved {
				t.Errorf("%q: not proved without a limit: %s", r.line, proof.Why)
			}
		}
		p.Reads = below
		got := true
		for i := range l.Commands {
			proof := p.Prove(l, i)
			got = got && proof.Proved
			if !proof.Proved && (!proof.Outside || proof.Why == "") {
				t.Errorf("%q: %+v", r.line, proof)
			}
		}
		if got != r.want {
			t.Errorf("%q in %q: proved %v, want %v", r.line, r.dir, got, r.want)
		}
	}
}

// TestReadsRepository shows that the repository must lie where reading is
// allowed, not only the directory.
func TestReadsRepository(t *testing.T) {
	for _, dirs := range []func(string) ([]string, bool){
		nil,
		func(string) ([]string, bool) { return nil, false },
		func(string) ([]string, bool) { return []string{"/home/dev"}, true },
	} {
		p := &Prover{Home: testHome, GitDirs: dirs,
			Git:   func(string) ([]string, bool) { return nil, true },
			Reads: func(p string) (string, bool) { return "outside", p != "/home/dev" },
		}
		if ok, why := proved(p, "git status"); ok {
			t.Errorf("git status is proved: %s", why)
		}
	}
}

// TestOutside shows that only what nothing else speaks against is outside.
func TestOutside(t *testing.T) {
	p := &Prover{Home: testHome, Reads: func(string) (string, bool) { return "outside", false }}
	for line, want := range map[string]bool{"ls": true, "ls --unknown": false, "cat .env": false, "timeout 5 cat f": true, "cat f > g": false} {
		l := eval.Read(line, eval.Env{Dir: "/w", Home: testHome})
		if proof := p.Prove(l, len(l.Commands)-1); proof.Proved || proof.Outside != want {
			t.Errorf("%q: %+v, want outside %v", line, proof, want)
		}
	}
}

// What shows decisions is proved in the project alone, wherever links lead.
func TestShowsProject(t *testing.T) {
	for _, r := range []struct {
		line string
		want bool
	}{
		{"policyctl why", true}, {"cd web && policyctl why", true}, {"cd other && policyctl why", false}, {"cd other && policyctl log --here", false},
		{"cd gone && policyctl why", false}, {"cd web/../.. && policyctl why", false}, {"policyctl log --here", true},
	} {
		p := &Prover{Reasons: true, Home: testHome, Base: "/home/dev/project", Real: func(path string) (string, bool) {
			switch path {
			case "/home/dev/project/other":
				return "/home/dev/other", true
			case "/home/dev/project/gone":
				return "", false
			}
			return path, true
		}}
		if ok, why := proved(p, r.line); ok != r.want {
			t.Errorf("%s: proved %v: %s", r.line, ok, why)
		}
		p.Base = ""
		if ok, _ := proved(p, r.line); ok {
			t.Errorf("%s: proved where the project is unknown", r.line)
		}
	}
}
