package program_test

import (
	"testing"

	"github.com/policyctl/policyctl/pkg/program"
)

func TestFindVersioned(t *testing.T) {
	for name, want := range map[string]string{"git": "git", "git-2": "git", "git2.39": "git", "git-": "", "7z": "7z", "sqlite3": "sqlite3", "bash-5.2": "bash", "42": "", "": ""} {
		got := ""
		if p := program.FindVersioned(name); p != nil {
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
