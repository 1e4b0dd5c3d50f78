// Package extent shows what a permission means by calls: some that it covers, or hits, and
// some beside them that it leaves. The calls are made from its words and from the rows of
// their program, and judged by the engine that decides.
package extent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/policy"
)

// An Extent is what a permission means.
type Extent struct {
	// Covers are calls that the permission allows, asks about or denies; Leaves are
	// like them, and it says nothing of them.
	Covers, Leaves []string
}

// shown is how many calls of either kind there are at most.
const shown = 3

// dir is where the calls run; nothing of it is looked at.
const dir = "/home/dev/project"

// Of returns the extent of a permission for the shell. One for other tools, and one without
// a program, has none.
func Of(p policy.Permission) (Extent, error) {
	var out Extent
	subject, ok := strings.CutPrefix(p.Match, "shell ")
	words := strings.Fields(subject)
	if !ok || len(words) == 0 || strings.ContainsAny(words[0], "*?") {
		return out, nil
	}
	s := policy.Defaults()
	s.AutoAllowReadonly = false
	s.Permissions = []policy.Permission{p}
	if p.Action != policy.Allow {
		s.Permissions = append(s.Permissions, policy.Permission{Match: "shell *", Action: policy.Allow})
	}
	e, err := policy.New(s, policy.Options{})
	if err != nil {
		return out, fmt.Errorf("%s: %w", p.Match, err)
	}
	for _, line := range candidates(words, p.Action == policy.Allow) {
		call := policy.Shell(line, dir)
		call.Home, call.ProjectDir = "/home/dev", dir
		v, err := e.Decide(context.Background(), nil, call)
		switch {
		case err != nil:
			return out, fmt.Errorf("%s: %w", p.Match, err)
		case v.Rule == p.Match && v.Decision == p.Action:
			out.Covers = add(out.Covers, line)
		default:
			out.Leaves = add(out.Leaves, line)
		}
	}
	return out, nil
}

func add(list []string, line string) []string {
	if len(list) >= shown || slices.Contains(list, line) {
		return list
	}
	return append(list, line)
}

// candidates returns calls that a pattern may mean, those that tell most first.
func candidates(words []string, allows bool) []string {
	if !allows {
		base := filled(words, "x")
		out := append([]string{base}, spelt(words)...)
		return append(out, without(words), longer(words), "sudo "+base, base+" x", words[0]+" --help")
	}
	base := filled(words, "")
	out := []string{base, filled(words, "x"), base + " x"}
	out = append(out, doors(words, base)...)
	return append(out, "cd ../other && "+base, base+" ../other", "docker exec app "+base, words[0]+" --help")
}

// filled returns a pattern with a text for its stars; a star alone at the end may be left
// out.
func filled(words []string, star string) string {
	var out []string
	for i, w := range words {
		text := star
		if strings.Contains(w, "/") {
			text = "a" // a path with nothing behind the slash is another one
		}
		if w = strings.ReplaceAll(w, "*", text); w == "" && i < len(words)-1 {
			w = "x"
		}
		if w != "" {
			out = append(out, strings.ReplaceAll(w, "?", "x"))
		}
	}
	return strings.Join(out, " ")
}

// row returns the row of the program, or of the sub-command, that a pattern names, and how
// many of its words name it.
func row(words []string) (p *program.Program, named int) {
	p = program.Lookup(words[0])
	named = 1
	for p != nil && named < len(words) {
		sub := p.Sub(strings.TrimRight(words[named], "*"))
		if sub == nil {
			break
		}
		p, named = sub, named+1
	}
	return p, named
}

// doors returns calls with options that run, load or lead elsewhere, one of each kind.
func doors(words []string, base string) (out []string) {
	var runs, leads, loads string
	for at := 1; at <= len(words); at++ {
		p, named := row(words[:at])
		if p == nil || named < at {
			break
		}
		for _, o := range p.Grammar().Options {
			name := program.Typed(o.Names[len(o.Names)-1])
			switch role := o.Role; {
			case o.Takes != program.Argument:
			case role == program.RoleExec, role == program.RoleText, role == program.RoleCode:
				runs = cmp.Or(runs, name+"=./p")
			case role == program.RoleDir:
				leads = cmp.Or(leads, name+" ../other")
			}
		}
		for word := range strings.FieldsSeq(p.Loads) {
			if strings.HasPrefix(word, "-") {
				loads = cmp.Or(loads, word+" x")
			}
		}
	}
	for _, option := range []string{runs, loads, leads} {
		if option != "" {
			out = append(out, base+" "+option)
		}
	}
	return out[:min(len(out), shown-1)]
}

// spelt returns calls with the options of a pattern in other ways.
func spelt(words []string) (out []string) {
	p, named := row(words)
	options, rest := parted(words, named)
	head := strings.ReplaceAll(strings.Join(words[:named], " "), "*", "")
	tail := filled(append([]string{head}, rest...), "x")[len(head):]
	if len(options) == 0 {
		return nil
	}
	takes := func(option string) bool {
		o := p.Grammar().Find(strings.TrimLeft(option, "-"), !strings.HasPrefix(option, "--"))
		return o != nil && o.Takes == program.Argument
	}
	if p == nil || !slices.ContainsFunc(options, takes) {
		out = append(out, head+tail+" "+strings.Join(options, " "))
	}
	if p == nil {
		return out
	}
	for i, option := range options {
		for _, other := range others(p, option) {
			list := slices.Clone(options)
			list[i] = other
			out = append(out, head+" "+strings.Join(list, " ")+tail)
		}
	}
	return out
}

// parted parts the words behind the program into options, by which bundles are parted
// too, and others.
func parted(words []string, named int) (options, rest []string) {
	p, _ := row(words)
	for _, w := range words[named:] {
		if w == "*" {
			rest = append(rest, w)
			continue
		}
		w = strings.TrimSuffix(w, "*")
		bundle := len(w) > 2 && w[0] == '-' && w[1] != '-' && p != nil && p.Grammar().Find(w[1:], true) == nil
		switch {
		case bundle:
			for _, c := range w[1:] {
				options = append(options, "-"+string(c))
			}
		case len(w) > 1 && w[0] == '-':
			options = append(options, w)
		case w != "":
			rest = append(rest, w)
		}
	}
	return options, rest
}

// others returns the further names of an option.
func others(p *program.Program, option string) (out []string) {
	name := strings.TrimLeft(option, "-")
	for _, o := range p.Grammar().Options {
		if !slices.Contains(o.Names, name) {
			continue
		}
		for _, n := range o.Names {
			if n != name && n != "+" {
				out = append(out, program.Typed(n))
			}
		}
	}
	return out
}

// without returns a call without the options of a pattern.
func without(words []string) string {
	_, named := row(words)
	_, rest := parted(words, named)
	return filled(append(slices.Clone(words[:named]), rest...), "x")
}

// longer returns a call with an option whose name begins as one of a pattern does.
func longer(words []string) string {
	p, named := row(words)
	options, rest := parted(words, named)
	if p != nil {
		for _, option := range options {
			for _, o := range p.Grammar().Options {
				if n := o.Names[0]; strings.HasPrefix(option, "--") && strings.HasPrefix(n, option[2:]) && n != option[2:] {
					return filled(slices.Concat(words[:named], []string{"--" + n}, rest), "x")
				}
			}
		}
	}
	return without(words)
}
