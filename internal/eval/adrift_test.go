package eval_test

import (
	"testing"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
)

// TestAdrift shows where the last command of a line may run elsewhere because
// a change of directory failed.
func TestAdrift(t *testing.T) {
	for _, tc := range []struct {
		want bool
		line string
	}{
		{false, "make"},
		{false, "cd a && make"},
		{false, "cd a && cd b && make"},
		{false, "(cd a && ls); make"},
		{false, "cd /w; make"},
		{true, "cd a; make"},
		{true, "cd a\nmake"},
		{true, "cd a; true && make"},
		{true, "cd a; (make)"},
		{true, "{ cd a; ls; } && make"},
		{true, "ls && { cd a; ls; } && make"},
		{true, "cd a & make; cd b; make"},
	} {
		l := eval.Read(tc.line, eval.Env{Dir: "/w", Home: "/home/dev"})
		last := &l.Commands[len(l.Commands)-1]
		if got := last.In(command.Adrift); got != tc.want {
			t.Errorf("%q: %v, want %v", tc.line, got, tc.want)
		}
	}
}

func TestControl(t *testing.T) {
	for _, tc := range []struct {
		want bool
		line string
	}{
		{false, "a && b || c; d | e"},
		{false, "(a); { b; }"},
		{true, "if a; then b; fi"},
		{true, "x; for i in 1; do a; done"},
		{true, "while a; do b; done"},
		{true, "case a in b) c;; esac"},
		{true, "f() { a; }; f"},
		{true, "echo $(if a; then b; fi)"},
		{true, "bash -c 'until a; do b; done'"},
	} {
		if got := eval.Read(tc.line, eval.Env{Dir: "/w"}).Control; got != tc.want {
			t.Errorf("%q: %v, want %v", tc.line, got, tc.want)
		}
	}
}
