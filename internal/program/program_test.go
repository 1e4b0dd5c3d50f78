package program

import (
	"slices"
	"strings"
	"testing"
)

// TestOnce shows that each option of a row is typed once: among those with which
// the program only reads, or among the others.
func TestOnce(t *testing.T) {
	var check func(path string, list []*Program)
	check = func(path string, list []*Program) {
		for _, p := range list {
			name := path + strings.Fields(p.Names)[0]
			if p.Reads != nil {
				var reads []string
				for f := range strings.FieldsSeq(p.Reads.Options) {
					reads = append(reads, compileOption(f).Names...)
				}
				for f := range strings.FieldsSeq(p.Options) {
					for _, n := range compileOption(f).Names {
						if slices.Contains(reads, n) {
							t.Errorf("%s: %s stands in both lists", name, n)
						}
					}
				}
			}
			check(name+" ", p.Subs)
		}
	}
	check("", programs)
}

// TestNames shows that no name stands in two rows: the first would be lost.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for name := range strings.FieldsSeq(Names(func(*Program) bool { return true })) {
		if seen[name] {
			t.Errorf("%s stands in two rows", name)
		}
		seen[name] = true
	}
}

func TestListed(t *testing.T) {
	for name, want := range map[string]string{
		"grm": "rm", "gtruncate": "truncate", "gdd": "dd", "gtimeout": "timeout", "genv": "env", "gnurm": "rm", "uu-rm": "rm", "uu_rm": "rm", "urm": "rm", "gseq": "seq", "gdate": "date",
		"gls": "ls", "gfind": "find", "gsort": "sort", "gzip": "gzip", "git": "git", "gps": "gps", "gw": "gw", "gcc": "gcc", "g": "g", "": "", "rm": "rm", "uname": "uname", "ups": "ups",
		"python3": "python3", "python3.12": "python3", "python3.13t": "python3", "python-3.12": "python", "perl5.36-x86_64-linux-gnu": "perl", "luajit-2.1.0-beta3": "luajit", "gcc-13": "gcc",
		"php8.3-cli": "php", "php-cgi8.3": "php", "go1.22rc1": "go", "psql-16": "psql", "bash-5.2": "bash", "ksh93": "ksh93", "gsed4.8": "gsed", "gfind4.9": "find", "7z": "7z", "7zz": "7zz", "sqlite3": "sqlite3",
		"w3": "w3", "r2": "r2", "dc3dd": "dc3dd", "42": "42", "md5": "md5", "k9s": "k9s", "mkfs.lustre": "mkfs", "mkfs.ext4": "mkfs.ext4",
		"RM": "rm", "Rm.EXE": "rm", "git.cmd": "git", "format.com": "format", "foo.exe": "foo", ".exe": ".exe", "python3.12.exe": "python3",
		"vim.tiny": "vim", "emacs-nox": "emacs", "busybox-x86_64": "busybox", "yq_linux_amd64": "yq", "sh.distrib": "sh", "docker.lima": "docker", "podman-remote": "podman", "tiny": "tiny", "-static": "-static",
		"x86_64-linux-gnu-gdb": "gdb", "arm-none-eabi-gcc-13": "gcc", "git-remote-http": "git-remote-http", "mingw32-make": "make",
	} {
		if got := Listed(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// TestResolve shows that a program has one name, and by which names it may be allowed.
func TestResolve(t *testing.T) {
	for name, want := range map[string]struct {
		known string
		means bool
	}{
		"python": {"python", true}, "python3": {"python", true}, "python3.12": {"python", true}, "python3.13t": {"python", false}, "PYTHON3": {"python", false}, "nodejs": {"node", true}, "node20": {"node", true},
		"gmake": {"make", true}, "make-4.4": {"make", false}, "batcat": {"bat", true}, "gfind": {"find", false}, "find.exe": {"find", false}, "gsed": {"sed", true}, "gsed4": {"sed", true}, "unheard-of": {"unheard-of", true},
		"gnohup": {"nohup", true}, "gtimeout": {"timeout", true}, "gchroot": {"chroot", false}, "gexec": {"exec", false},
		"podman": {"podman", true}, "mvnw": {"mvn", true}, "gcc-13": {"gcc", false}, "": {"", false},
	} {
		if got := Resolve(name); got != want.known {
			t.Errorf("%q is %q, want %q", name, got, want.known)
		}
		if got := Means(name, want.known); got != want.means {
			t.Errorf("%q means %q: %v", name, want.known, got)
		}
		if Means(name, want.known+"x") || Means(name, "ls") {
			t.Errorf("%q means another program", name)
		}
	}
}

// TestSameNames shows that names are written as [Listed] looks for them, and that further names of a
// program are among those of its row, and not the first.
func TestSameNames(t *testing.T) {
	for _, p := range programs {
		first, rest, _ := strings.Cut(p.Names, " ")
		for name := range strings.FieldsSeq(p.Names) {
			if lower(name) != name || WithoutSuffix(name) != name {
				t.Errorf("%s is not the name that Listed looks for", name)
			}
		}
		for name := range strings.FieldsSeq(p.Same) {
			if !HasWord(rest, name) || Resolve(name) != first {
				t.Errorf("%s is no further name of %s", name, first)
			}
		}
	}
}
