//go:build linux

// Package shells holds the test that lets the shells judge what is read.
//
// Random lines run in bash, dash, zsh, busybox's ash, mksh and ksh93, in a
// throw-away root in which every program is a recorder: it notes its name, its
// arguments, its directory and its files, and does nothing. For a line that is
// proved to only read, or that permissions cover, whatever a shell runs, writes
// or opens must be among what was read; what a policy or the floor denies must
// not run in bash. The package does not judge what programs do with their
// arguments: that is for the test of the kernel.
//
// A built-in of a shell is not recorded, such as echo, or cat in mksh. Debian
// builds busybox so that its ash runs what PATH names and not its own applets;
// TestRecords would show another.
package shells_test

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestRecords shows that each shell's doings are recorded: R stands for the
// project.
func TestRecords(t *testing.T) {
	need(t)
	d := start(t, 0, recorders())
	for _, row := range []struct{ line, want string }{
		{"ls a* 'x y'", `["ls" "a" "a b" "a.go" "x y"] in R`},
		{"cd src && ./p; stat ../missing | wc -c 2>/dev/null", `["./p"] in R/src; ["stat" "../missing"] in R/src; ["wc" "-c"] in R/src`},
		{"ls & ls -l & wait; stat f", `["ls" "-l"] in R; ["ls"] in R; ["stat" "f"] in R`},
		{"(ls; stat f) >out & tac f >>/tmp/new", `["ls"] in R; ["stat" "f"] in R; ["tac" "f"] in R; wrote R/out; wrote /tmp/new`},
		{"kill -9 -1; ls", `["ls"] in R`},
		{"/bin/false || stat \"$(stat x)\"", `["false"] in R; ["stat" "a b\n-x *"] in R; ["stat" "x"] in R`},
		{"kill -0 2; stat $?", `["stat" "0"] in R`},
		{"unknown-program 'a\tb' é", `["unknown-program" "a\tb" "é"] in R`},
		{": >f; : >/bin/ls; : >p", `wrote R/f`},
		{"ls | cut -c1 | rev; rev f", `["cut" "-c1"] in R; ["ls"] in R; ["rev" "f"] in R; ["rev"] in R`},
	} {
		out, err := d.run(row.line, shells)
		must(t, err)
		for i := range out {
			if got := out[i].summary(); got != row.want {
				t.Errorf("%q in %s: %s, want %s", row.line, shells[i].name, got, row.want)
			}
		}
	}
}

// summary returns what happened, sorted.
func (o *outcome) summary() string {
	var list []string
	for i := range o.records {
		list = append(list, o.records[i].String())
	}
	for _, file := range o.changed {
		list = append(list, "wrote "+file)
	}
	slices.Sort(list)
	return strings.ReplaceAll(strings.Join(slices.Compact(list), "; "), project, "R")
}

// TestLimits shows that no line outlives its time, or leaves anything behind.
func TestLimits(t *testing.T) {
	need(t)
	d := start(t, 0, recorders())
	for _, line := range []string{
		"while :; do :; done", "ls() { ls | ls & }; ls", ": >f; : >new; : >src/new; : >/tmp/new; : >~/new", "until ls; do :; done; while :; do ls; done", "trap '' TERM HUP INT; sleep 100 & while :; do :; done",
	} {
		at := time.Now()
		_, err := d.run(line, shells[:1])
		must(t, err)
		if took := time.Since(at); took > 20*time.Second {
			t.Errorf("%q took %v", line, took)
		}
		out, err := d.run("stat * src/* /tmp/* ~/*; cat <f", shells[:1])
		must(t, err)
		want := `["stat" "-o" "-rf" "Makefile" "README.md" "a" "a b" "a.go" "b" "dirlink" "f" "go.mod" "in.txt" "link" "p" "secret.txt" "src" "src/main.go" "src/p" "src/x.go" "/tmp/*" "R"]`
		if got := out[0].summary(); !strings.Contains(got, want) {
			t.Errorf("after %q: %s", line, got)
		}
	}
}

// TestSpeed says how long a line of two commands takes in each shell.
func TestSpeed(t *testing.T) {
	need(t)
	d := start(t, 0, recorders())
	for _, sh := range shells {
		at := time.Now()
		for range 30 {
			_, err := d.run("ls -l a; stat b", []judgeShell{sh})
			must(t, err)
		}
		t.Logf("%s: %v", sh.name, time.Since(at)/30)
	}
}
