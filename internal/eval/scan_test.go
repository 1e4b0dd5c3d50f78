package eval

import (
	"os"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// TestParserFaults shows the faults of the parser that the scanner makes up
// for. Each is a minimal case: what bash, dash, zsh, ash, mksh and ksh93 run,
// and what the parser says. A case that fails has been mended upstream, and
// what makes up for it can go.
func TestParserFaults(t *testing.T) {
	for _, c := range []struct {
		line     string
		commands int // as the parser has them
		problem  string
		reads    string
	}{
		// A backslash at the end of a comment continues nothing: POSIX 2.3, rule
		// 9, drops a comment up to its newline. The shells run ls, then pwd.
		{"ls # x\\\npwd", 1, "", "ls; pwd"},
		{"# x\\\npwd", 1, "", "pwd"},
		// A # directly behind the parenthesis of an array goes on with the word:
		// bash then runs pwd.
		{"x=(a)# ; pwd", 1, "ambiguous", ""},
		// A carriage return is a character like any other: bash writes the file
		// "2\r", and runs a program "pwd\r".
		{"ls 1>&2\r\npwd", 2, "control-character", ""},
		{"ls \\\r\npwd", 1, "control-character", ""},
		// <&- is an operator, and what follows a word of its own: bash runs ls -R.
		{"ls <&-R", 1, "ambiguous", ""},
		// In the pattern of an expansion bash runs a process substitution.
		{"ls ${PWD#<(pwd)}", 1, "ambiguous", ""},
		// & ends a command, also behind let: bash runs pwd.
		{"let a&pwd", 1, "ambiguous", ""},
		// Only a name can be assigned to: bash runs "x]PATH=1[=2".
		{"x]PATH=1[=2; pwd", 2, "ambiguous", ""},
		// Without extglob, which bash -c lacks, !( negates a subshell.
		{"!(pwd)", 1, "ambiguous", ""},
	} {
		file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(c.line), "")
		if err != nil || len(file.Stmts) != c.commands {
			t.Errorf("%q: the parser has %v, %v; is it mended?", c.line, file, err)
		}
		l := Read(c.line, testEnv)
		code := ""
		if l.Problem != nil {
			code = l.Problem.Code
		}
		if code != c.problem {
			t.Errorf("%q: problem %q, want %q", c.line, code, c.problem)
		}
		if got := render(l); c.problem == "" && got != c.reads {
			t.Errorf("%q reads %s, want %s", c.line, got, c.reads)
		}
	}
}

// TestAgreement shows that at most one line in a thousand of those that people
// and agents type is not read because of the scanner.
func TestAgreement(t *testing.T) {
	n, ambiguous := 0, 0
	for _, file := range []string{"agent-lines.txt", "history.txt"} {
		text, err := os.ReadFile("../../testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for src := range strings.Lines(string(text)) {
			if src = strings.TrimSuffix(src, "\n"); src == "" || src[0] == '#' {
				continue
			}
			fields := strings.SplitN(src, " · ", 4)
			n++
			if p := Read(unescapeCase(fields[len(fields)-1]), testEnv).Problem; p != nil && p.Code == "ambiguous" {
				ambiguous++
				t.Logf("%q", src)
			}
		}
	}
	if ambiguous*1000 > n {
		t.Errorf("%d of %d lines", ambiguous, n)
	}
}
