//go:build linux

package shells_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"mvdan.cc/sh/v3/syntax"
)

// bare reads a line as the parser does, without any of our checks. It knows
// simple commands of literal words; ok is false for all others.
func bare(line string) (read []command.Command, ok bool) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return nil, false
	}
	ok = true
	syntax.Walk(file, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.CallExpr:
			c := command.Command{Dir: shell.Set{Values: []string{project}}}
			for _, w := range n.Args {
				ok = ok && w.Lit() != "" && !strings.ContainsAny(w.Lit(), `*?[\{~=`)
				ok = ok && !slices.Contains(languages, w.Lit()) // some run others, or change the directory
				c.Words = append(c.Words, shell.Word{Set: shell.Set{Values: []string{w.Lit()}}})
			}
			for _, r := range n.Assigns {
				ok = ok && r.Array != nil && len(n.Args) == 0
			}
			read = append(read, c)
			return false
		case *syntax.Redirect:
			ok = ok && (n.Op == syntax.Hdoc || n.Op == syntax.DplOut && n.Word.Lit() == "2")
		case *syntax.File, *syntax.Stmt, *syntax.BinaryCmd, *syntax.Comment, nil:
		default:
			ok = ok && isPartOf(n)
		}
		return true
	})
	return read, ok
}

// isPartOf reports whether a node is a part of a redirection.
func isPartOf(n syntax.Node) bool {
	switch n.(type) {
	case *syntax.Word, *syntax.Lit, *syntax.SglQuoted:
		return true
	}
	return false
}

// faults are those of the parser that our reading makes good. A line of each is
// something that the generator draws.
var faults = []struct {
	name string
	is   func(line string) bool
}{
	{"a backslash ends a comment", func(line string) bool {
		_, after, ok := strings.Cut(line, "#")
		return ok && strings.Contains(after, "\\\n") && !strings.Contains(line, "=(") && !strings.Contains(line, "\r")
	}},
	{"# follows an array", func(line string) bool {
		return strings.Contains(line, ")#") && strings.Contains(line, "=(") && !strings.Contains(line, "\r")
	}},
	{"a carriage return", func(line string) bool { return strings.Contains(line, "\r") }},
}

// TestFaults shows that each fault of the parser, put back, is a difference:
// among the lines that the generator draws, the bare parser and bash differ in
// each of the ways, and in no other.
func TestFaults(t *testing.T) {
	need(t)
	c, seen, alike := newCrew(t), make(map[string]string), 0
	for position := 0; len(seen) < len(faults) || alike < 100; position++ {
		if position == 20000 {
			t.Fatalf("among %d lines the bare parser and bash differ only by %q", position, seen)
		}
		line := c.drawn(1, position)
		read, ok := bare(line)
		name := faultOf(line)
		if !ok || name != "" && seen[name] != "" {
			continue
		}
		out, err := c.judges[0].run(line, shells[:1])
		must(t, err)
		switch did := unread(read, &out[0]); {
		case did == "":
			alike++
		case name == "":
			t.Errorf("%q: %s, for no fault that is known", line, did)
		default:
			seen[name] = line
			t.Logf("%s: %q: %s", name, line, did)
		}
	}
}

// faultOf returns the fault that a line has, "" if none.
func faultOf(line string) string {
	for _, fault := range faults {
		if fault.is(line) {
			return fault.name
		}
	}
	return ""
}
