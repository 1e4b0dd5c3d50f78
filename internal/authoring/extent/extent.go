// Package extent shows what a permission means by calls: some that it covers, or hits, and
// some beside them that it leaves. The calls are made from its words and from the rows of
// their program, and judged by the engine that decides.
package extent

import (
	"cmp"
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

// Of returns the extent of a permission for the shell, for files and for URLs, under settings
// that say which tools and wrappers there are. One for other tools, and one without a program,
// has none.
func Of(p policy.Permission, under policy.Settings) (Extent, error) {
	var out Extent
	calls := made(&p)
	if len(calls) == 0 {
		return out, nil
	}
	s := policy.Defaults()
	s.AutoAllowReadonly, s.Tools, s.Wrappers = false, under.Tools, under.Wrappers
	s.Permissions = []policy.Permission{p}
	if p.Action != policy.Allow {
		s.Permissions = append(s.Permissions, policy.Permission{Match: "*", Action: policy.Allow})
	}
	e, err := policy.New(s, policy.Options{})
	if err != nil {
		return out, fmt.Errorf("%s: %w", p.Match, err)
	}
	for _, c := range calls {
		v := judge{e}.call(c.Call)
		if v.Rule == p.Match && v.Decision == p.Action {
			out.Covers = add(out.Covers, c.Text)
		} else {
			out.Leaves = add(out.Leaves, c.Text)
		}
	}
	return out, nil
}

// A Sample is a call as people read it.
type Sample struct {
	Text string
	Call *policy.Call
}

// Samples returns calls that a permission may mean, and others like them. Nobody has judged them.
func Samples(p policy.Permission) []Sample { return made(&p) }

// made returns calls that a permission may mean, those that tell most first.
func made(p *policy.Permission) (out []Sample) {
	tool, subject, _ := strings.Cut(strings.TrimSpace(p.Match), " ")
	words := strings.Fields(subject)
	switch {
	case len(words) == 0 || strings.Trim(words[0], "*?") == "":
	case tool == "shell":
		for _, line := range candidates(words, p.Action == policy.Allow) {
			out = append(out, Sample{line, policy.Shell(line, dir)})
		}
	case (tool == "read" || tool == "write") && len(words) == 1:
		for _, path := range paths(words[0]) {
			out = append(out, Sample{tool + " " + path, &policy.Call{Tool: tool, Input: map[string]any{"file_path": path}}})
		}
	case tool == "fetch" && len(words) == 1:
		for _, url := range urls(words[0]) {
			out = append(out, Sample{tool + " " + url, &policy.Call{Tool: tool, Input: map[string]any{"url": url}}})
		}
	}
	return out
}

// paths returns files that a pattern may mean, and others beside them.
func paths(pattern string) []string {
	parts := strings.Split(pattern, "*")
	base := strings.Join(parts, "a")
	out := []string{base, strings.Join(parts, "a/b"), base + "/b", parts[0] + "../a"}
	if !strings.HasPrefix(base, "/") && !strings.HasPrefix(base, "~") {
		out = append(out, "./"+base, "../"+base, "other/"+base)
	}
	return append(out, base+"x", "/etc/a")
}

// urls returns URLs that a pattern may mean, and others beside them.
func urls(pattern string) []string {
	base := strings.ReplaceAll(pattern, "*", "a")
	out := []string{base, strings.ReplaceAll(pattern, "*", "a/b?c=d"), strings.ReplaceAll(pattern, "*", "")}
	scheme, rest, ok := strings.Cut(base, "://")
	if !ok {
		return append(out, "https://"+base, "https://other.example/")
	}
	host, path, _ := strings.Cut(rest, "/")
	other := map[string]string{"https": "http"}[scheme]
	return append(out, cmp.Or(other, "https")+"://"+rest, scheme+"://"+host+".other.example/"+path, scheme+"://other.example/"+path)
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
	out := []string{base, filled(words, "x"), base + " x", "timeout 60 " + base}
	if strings.Contains(base, "/a") {
		out[1] = strings.Replace(base, "/a", "/b/c", 1)
	}
	out = append(out, doors(words, base)...)
	out = append(out, "cd ../other && "+base, base+" ../other", "docker exec app "+base)
	return append(out, "LD_PRELOAD=./p "+base, base+" > ../other/x", words[0]+" --help")
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
	_, all := row(words)
	for at := 1; at <= all; at++ {
		p, _ := row(words[:at])
		if p == nil {
			break
		}
		with := func(option string) string { // where options of the row stand
			if head := strings.Join(words[:at], " "); at < all {
				return head + " " + option + strings.TrimPrefix(base, head)
			}
			return base + " " + option
		}
		for _, o := range p.Grammar().Options {
			if len(o.Names) == 0 {
				continue // any option that has no entry of its own
			}
			name := program.Typed(o.Names[len(o.Names)-1])
			switch role := o.Role; {
			case o.Takes != program.Argument:
			case role == program.RoleExec, role == program.RoleText, role == program.RoleCode:
				runs = cmp.Or(runs, with(given(name, "./p")))
			case role == program.RoleDir:
				leads = cmp.Or(leads, with(given(name, "../other")))
			}
		}
		for word := range strings.FieldsSeq(p.Loads) {
			if strings.HasPrefix(word, "-") && len(word) > 1 {
				loads = cmp.Or(loads, with(word+" x"))
			}
		}
	}
	for _, call := range []string{runs, loads, leads} {
		if call != "" {
			out = append(out, call)
		}
	}
	return out[:min(len(out), shown-1)]
}

// given returns an option with its argument as it is mostly written.
func given(option, argument string) string {
	if strings.HasPrefix(option, "--") {
		return option + "=" + argument
	}
	return option + " " + argument
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
