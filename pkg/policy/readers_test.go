package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/program"
)

// Spellings of a denied file, of which the first is literal.
var deniedFile = []string{"private/x", "./private/x", "src/../private/x", project + "/private/x", "'private'/x", "private/*", "priv*/x", "{private,src}/x"}

// TestDeniedToEveryReader puts a denied file into each place of each row of the table of
// programs that opens one: no permission for the program lets it be read, and under yolo
// it is denied.
func TestDeniedToEveryReader(t *testing.T) {
	e, under := engine(t, "deny read *private/*|allow shell *", nil), engine(t, "deny read *private/*|allow shell *", yolo)
	seen := 0
	for _, p := range program.All() {
		for _, opens := range openings(strings.Fields(p.Names)[0], p) {
			for i, file := range deniedFile {
				line := strings.ReplaceAll(opens, "FILE", file)
				if v := decide(t, e, nil, call(line)); v.Decision == policy.Allow {
					t.Errorf("%s: %s", line, brief(v))
				}
				if v := decide(t, under, nil, call(line)); i < 5 && v.Decision != policy.Deny {
					t.Errorf("under yolo, %s: %s", line, brief(v))
				}
				seen++
			}
		}
	}
	if seen < 12_000 {
		t.Errorf("%d lines", seen)
	}
}

// openings returns lines in which a program, or one of its sub-commands, opens FILE.
func openings(words string, p *program.Program) (lines []string) {
	if p.Opaque || p.Context != program.Local {
		return nil
	}
	for _, sub := range p.Subs {
		for name := range strings.FieldsSeq(sub.Names) {
			if p.Sub(name) == sub {
				lines = append(lines, openings(words+" "+name, sub)...)
				break
			}
		}
	}
	for _, verb := range p.Verbs {
		name, _, _ := strings.Cut(verb.Names, ",")
		lines = append(lines, openings(words+" "+name, verb)...)
	}
	g := p.Grammar()
	for i := range g.Options {
		lines = append(lines, openedByOption(words, p, &g.Options[i])...)
	}
	if p.Style == program.Pairs {
		return lines
	}
	if option := strings.Fields(p.Shows + " .")[0]; len(option) > 1 {
		words += " --" + option
	} else if option != "." && option != "*" {
		words += " -" + option
	}
	for i, o := range g.Operands {
		if !opensFile(o.Role) {
			continue
		}
		line := words
		for k, other := range g.Operands {
			switch {
			case k == i:
				line += " " + asRole(o.Role)
			case k < i || !other.Repeat:
				line += " " + stand(other.Role)
			}
		}
		lines = append(lines, line)
		if p.Style != program.Words && p.Style != program.Plain && o.Repeat && i == len(g.Operands)-1 {
			lines = append(lines, line+" -- "+asRole(o.Role))
		}
	}
	return lines
}

func openedByOption(words string, p *program.Program, o *program.Option) (lines []string) {
	role := o.Role
	if o.Two {
		if opensFile(o.Second) {
			lines = append(lines, fmt.Sprintf("%s --%s a FILE", words, o.Names[0]))
		}
	}
	if o.Takes == program.Nothing || !opensFile(role) {
		return lines
	}
	arg := asRole(role)
	for _, name := range o.Names {
		switch {
		case p.Style == program.Words || p.Equals && len(name) == 1:
			lines = append(lines, fmt.Sprintf("%s -%s %s", words, name, arg))
		case len(name) > 1:
			lines = append(lines, fmt.Sprintf("%s --%s=%s", words, name, arg))
			if o.Takes == program.Argument {
				lines = append(lines, fmt.Sprintf("%s --%s %s", words, name, arg))
			}
		case name != "#" && name != "+":
			if lines = append(lines, fmt.Sprintf("%s -%s%s", words, name, arg)); o.Takes == program.Argument {
				lines = append(lines, fmt.Sprintf("%s -%s %s", words, name, arg))
			}
		}
	}
	return lines
}

func opensFile(r program.Role) bool {
	switch r {
	case program.RoleRead, program.RoleSend, program.RoleObject, program.RoleRange, program.RoleExec:
		return true
	}
	return false
}

// asRole returns FILE as it stands in an argument of a role.
func asRole(r program.Role) string {
	if r == program.RoleRange {
		return "1,2:FILE"
	}
	return "FILE"
}

// stand returns an argument of a role that is about nothing.
func stand(r program.Role) string {
	switch r {
	case program.RoleWrite:
		return "build/out"
	case program.RoleHost:
		return "h.example"
	case program.RolePayload, program.RoleJoined, program.RoleText, program.RoleRest, program.RoleDashed:
		return "true"
	}
	return "1"
}
