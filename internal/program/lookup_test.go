package program_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/program"
)

func TestFind(t *testing.T) {
	for name, want := range map[string]string{"git": "git", "git-2": "git", "git2.39": "git", "git-": "", "7z": "7z", "sqlite3": "sqlite3", "bash-5.2": "bash", "42": "", "": ""} {
		got := ""
		if p := program.Find(name); p != nil {
			for _, n := range []string{"git", "7z", "sqlite3", "bash"} {
				if program.HasWord(p.Names, n) {
					got = n
				}
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestTell(t *testing.T) {
	for line, want := range map[string][2]bool{
		"gcc --version": {true, true}, "python3 -V": {true, true}, "python --help": {true, true}, "ipython --version": {}, "node -v": {true, true}, "tsx -v": {},
		"curl -V": {true, true}, "helm --version": {true, true}, "helm version": {true, false}, "terraform version": {true, false}, "terraform |": {},
		"helm |": {}, "less --version": {true, true}, "less --help": {}, "more --version": {}, "fdisk --help": {true, true}, "parted --help": {}, "rm -rf": {}, "tsc -v": {true, true},
	} {
		name, word, _ := strings.Cut(line, " ")
		tells, pure := program.Find(name).Tell(name, word)
		if got := [2]bool{tells, pure}; got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}
