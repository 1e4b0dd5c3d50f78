//go:build linux

package shells_test

import (
	"strings"
	"testing"
)

// TestUnread shows what counts as read. The record is a program with its
// arguments, written with | between them.
func TestUnread(t *testing.T) {
	for _, row := range []struct {
		read bool
		line string
		ran  string
		in   string
	}{
		{true, "ls -l", "ls|-l", project},
		{false, "ls -l", "ls", project},
		{false, "ls -l", "ls|-l|x", project},
		{false, "ls -l", "cat|-l", project},
		{true, "cat f; ls 'a b'", "ls|a b", project},
		{true, "cat *.go x", "cat|a.go|b.go|x", project},
		{false, "cat *.go x", "cat|a.txt|x", project},
		{true, "cat $X f", "cat|f", project},
		{true, "cat $X f", "cat|a|b|f", project},
		{false, "cat \"$X\" f", "cat|a|b|f", project},
		{true, "cd src && ls", "ls", project + "/src"},
		{false, "cd src && ls", "ls", project},
		{true, "cd src; ls", "ls", project}, // there may be no src
		{true, "cd dirlink && ls", "ls", project + "/src"},
		{true, "/bin/ls", "/bin/ls", project},
		{false, "./ls", "ls", project},
		{true, "sh -c 'ls'", "sh|-c|ls", project},
		{false, "# ls", "ls", project},
		{true, "[[ a ]]", "[[|a|]]", project},
		{false, "[[ a > b ]]", "[[|a|]]", project},
		{true, "time ls -l", "time|ls|-l", project},
		{false, "time; ls -l", "time", project},
		{false, "let 1", "let|1", project},
	} {
		words := strings.Split(row.ran, "|")
		o := &outcome{records: []record{{file: words[0], dir: row.in, words: words}}}
		read := reading(row.line, "")
		if did := unread(read.Commands, o); (did == "") != row.read {
			t.Errorf("%q and %q in %s: %q, want read=%v", row.line, words, row.in, did, row.read)
		}
	}
}

// TestUnreadFiles shows the same of files: what is written, and what is opened.
func TestUnreadFiles(t *testing.T) {
	for _, row := range []struct {
		read          bool
		line          string
		wrote, opened string
	}{
		{true, "ls >out", "out", ""},
		{false, "ls 2>&1", "out", ""},
		{false, "ls >out", "other", ""},
		{true, "cd src && ls >out", "src/out", ""},
		{false, "cd src && ls >out", "out", ""},
		{false, "cp f out", "out", ""}, // a recorder writes nothing
		{true, "read x <f", "", "f"},
		{true, ". ./f", "", "f"},
		{false, "ls", "", "f"},
	} {
		var o outcome
		if row.wrote != "" {
			o.changed = []string{project + "/" + row.wrote}
		}
		if row.opened != "" {
			o.opened = []string{project + "/" + row.opened}
		}
		read := reading(row.line, "")
		if did := unread(read.Commands, &o); (did == "") != row.read {
			t.Errorf("%q: %q, want read=%v", row.line, did, row.read)
		}
	}
}

// TestLaws shows that what a shell does against a decision is a difference.
func TestLaws(t *testing.T) {
	j := &judge{bench: newBench(t)}
	ran := func(words ...string) *outcome {
		return &outcome{records: []record{{file: "/bin/" + words[0], dir: project, words: words}}}
	}
	for _, row := range []struct {
		law, line string
		o         *outcome
	}{
		{"denied", "ls", ran("curl", "x")},
		{"", "curl x", ran("curl", "x")},
		{"denied", "ls", &outcome{changed: []string{project + "/secret2"}}},
		{"", "ls > secret2", &outcome{changed: []string{project + "/secret2"}}},
		{"floor", "ls", ran("rm", "-rf", "/")},
		{"floor", "make", ran("shutdown", "now")}, // it is asked about, but yolo allows it
		{"", "rm -rf /", ran("rm", "-rf", "/")},
		{"", "ls", ran("rm", "-rf", "/tmp/x")},
	} {
		g := &judgement{}
		j.denied(g, row.line, row.o)
		j.floor(g, row.line, row.o)
		if law := lawOf(g); law != row.law {
			t.Errorf("%q: a difference by the law %q, want %q", row.line, law, row.law)
		}
	}
	read := reading("ls >out", "")
	if o := (&outcome{changed: []string{project + "/out"}}); broken("proved", read, o) == "" || broken("covered", read, o) != "" {
		t.Error("a file that a permission allows to write is written by what is covered, and by nothing that is proved")
	}
}

func lawOf(g *judgement) string {
	if len(g.Differences) == 0 {
		return ""
	}
	return g.Differences[0].Law
}
