package policies_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/world"
)

// pathsOf returns arguments that an option of a row takes where its kind is that of a path:
// one that leads out of the project, and one of the project.
func pathsOf(kind string) (out, in string, is bool) {
	switch kind {
	case "in":
		return "out", "src", true
	case "out", "fill":
		return "out", "build/law", true
	case "pairs":
		return "html:out", "html:build/law", true
	}
	return "", "", false
}

// TestLinks shows of every row of what a project runs, and of every option and operand that
// is a path, that a link out of the project in its place is not allowed, with a slash or
// without, while most of those of the project are.
func TestLinks(t *testing.T) {
	home := quietProject(t, true)
	e := developerIn(t, world.New(nil))
	allows := func(line string) bool {
		call := policy.Shell(line, home+"/app")
		call.Home, call.ProjectDir = home, home+"/app"
		v, err := e.Decide(t.Context(), nil, call)
		if err != nil {
			t.Fatal(err)
		}
		return v.Decision == policy.Allow
	}
	tried, inside := 0, 0
	for _, row := range program.Works() {
		name, _, _ := strings.Cut(row.Names, " ")
		if name == "ld" {
			continue // a compiler starts it
		}
		verb, _, _ := strings.Cut(row.Verbs, ",")
		start := strings.TrimSpace(name + " " + verb)
		check := func(line, counterpart string) {
			tried++
			if allows(line) {
				t.Errorf("it leads out of the project and is allowed: %s", line)
			}
			if counterpart != "" && allows(counterpart) {
				inside++
			}
		}
		check(start+" out", "")
		check(start+" links/out/x", "")
		check(start+" -- out", "")
		if p := program.Lookup(name); p != nil {
			for _, o := range p.Grammar().Options {
				if o.Role == program.RoleData || len(o.Names) == 0 || len(o.Names[0]) == 1 {
					continue
				}
				check(start+" --"+o.Names[0]+"=out", "")
				check(start+" --"+o.Names[0]+" out", "")
			}
		}
		for field := range strings.FieldsSeq(row.Options) {
			end := strings.IndexAny(field[1:], "=?") + 1
			if end == 0 {
				continue
			}
			out, in, is := pathsOf(field[end+1:])
			if !is {
				continue
			}
			for option := range strings.SplitSeq(field[:end], ",") {
				dashes := "--"
				if len(option) == 1 || row.Single {
					dashes = "-"
				}
				if option = strings.TrimPrefix(option, "-"); strings.HasPrefix(option, "D") {
					dashes = "-"
				}
				for _, path := range []string{out, strings.ReplaceAll(out, "out", "links/out"), strings.ReplaceAll(out, "out", "./out"), strings.ReplaceAll(out, "out", "out/x")} {
					check(start+" "+dashes+option+"="+path, start+" "+dashes+option+"="+in)
					if field[end] == '=' {
						check(start+" "+dashes+option+" "+path, start+" "+dashes+option+" "+in)
					}
				}
			}
		}
	}
	t.Logf("%d lines, and %d of those that stay in the project are allowed", tried, inside)
	if tried < 1500 || 2*inside < tried {
		t.Errorf("%d lines, and %d of those that stay in the project are allowed", tried, inside)
	}
}
