//go:build linux

package kernel_test

import (
	"math/rand/v2"
	"strings"

	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/readonly"
)

// A sampler draws lines at random from the tables. What it draws need not be
// proved, nor make sense.
type sampler struct {
	*rand.Rand
	programs []leaf
}

// A leaf is a program, or a sub-command with the words that lead to it.
type leaf struct {
	program string
	words   []string
	entry   *program.Program
}

// leaves returns all programs and sub-commands of the table that are here.
func leaves() []leaf {
	var list []leaf
	for _, e := range readonly.Programs() {
		for name := range strings.FieldsSeq(e.Names) {
			if find(name) != "" || word(builtins, name) {
				list = append(list, below(leaf{name, []string{name}, e})...)
			}
		}
	}
	return list
}

func below(l leaf) []leaf {
	if len(program.Readers(l.entry.Subs)) == 0 {
		return []leaf{l}
	}
	var list []leaf
	for _, s := range program.Readers(l.entry.Subs) {
		for name := range strings.FieldsSeq(s.Names) {
			list = append(list, below(leaf{l.program, append(l.words[:len(l.words):len(l.words)], name), s})...)
		}
	}
	return list
}

// chance is true once in n times.
func (s *sampler) chance(n int) bool { return s.IntN(n) == 0 }

func (s *sampler) pick(list []string) string { return list[s.IntN(len(list))] }

// line draws a line that is nested at most depth deep.
func (s *sampler) line(depth int) string {
	if depth == 0 || s.chance(3) {
		return s.command(depth)
	}
	form := s.pick(compositions)
	for _, hole := range []string{"$1", "$2", "$3"} {
		if strings.Contains(form, hole) {
			form = strings.ReplaceAll(form, hole, s.line(depth-1))
		}
	}
	return strings.ReplaceAll(form, "DIR", s.pick(directories))
}

// command draws a simple command.
func (s *sampler) command(depth int) string {
	l := s.programs[s.IntN(len(s.programs))]
	for !word(intricate, l.program) && s.chance(2) {
		l = s.programs[s.IntN(len(s.programs))]
	}
	words := append([]string(nil), l.words...)
	if l.program == "git" && s.chance(4) {
		words = append([]string{"git", s.pick([]string{"--no-pager", "-C sub", "-P", "-C ."})}, words[1:]...)
	}
	options := readingOptions(l.entry)
	for len(options) > 0 && !s.chance(3) {
		words = append(words, s.option(l, options[s.IntN(len(options))])...)
	}
	words = append(words, s.operands(l, depth)...)
	if s.chance(8) && len(words) > 2 {
		i := 1 + s.IntN(len(words)-1)
		words = append(words[:i:i], append([]string{s.pick(hostile(l.program))}, words[i:]...)...)
	}
	if s.chance(6) {
		words = append(words, s.pick(redirections))
	}
	return strings.Join(words, " ")
}

// readingOptions are the options with which a program only reads.
func readingOptions(p *program.Program) []*program.Option {
	var out []*program.Option
	options := p.Grammar().Options
	for i := range options {
		if options[i].Reads && len(options[i].Names) > 0 {
			out = append(out, &options[i])
		}
	}
	return out
}

// option draws a spelling of an option, with an argument where it takes one.
func (s *sampler) option(l leaf, o *program.Option) []string {
	name := s.pick(o.Names)
	if word("help version", name) && !s.chance(10) {
		return nil
	}
	if o.Takes == program.Nothing || o.TakesWords() {
		return []string{s.dashed(l, name)}
	}
	option, arg := s.dashed(l, name), s.argument(l, name)
	attached := o.Takes == program.Attached
	switch {
	case attached && s.chance(2):
		return []string{option}
	case strings.HasPrefix(option, "--") && (attached || !s.chance(4)):
		return []string{option + "=" + arg}
	case attached || !l.entry.Style.OfWords() && !l.entry.Reads.Detached && s.chance(2):
		return []string{option + arg}
	}
	return []string{option, arg}
}

// dashed spells the name of an option; short ones sometimes in a bundle.
func (s *sampler) dashed(l leaf, name string) string {
	switch {
	case name == "#":
		return "-" + s.pick(counts)
	case l.entry.Style.OfWords():
		return "-" + name
	case len(name) > 1:
		return "--" + name
	case s.chance(4):
		return "-" + s.letters(readingOptions(l.entry)) + name
	}
	return "-" + name
}

// letters draws a short option without an argument, to stand in a bundle.
func (s *sampler) letters(options []*program.Option) string {
	for range 5 {
		if name := options[s.IntN(len(options))].Names[0]; len(name) == 1 && name != "#" {
			return name
		}
	}
	return ""
}

// argument draws the argument of an option by its name, sometimes another.
func (s *sampler) argument(l leaf, name string) string {
	if s.chance(12) {
		return s.pick(hostile(l.program))
	}
	if l.program == "sed" && word("e expression", name) {
		return quote(s.tokens(sedTokens))
	}
	for _, k := range argumentsByName {
		if word(k.names, name) && !s.chance(8) {
			return s.pick(k.values)
		}
	}
	return s.pick([][]string{counts, patterns, paths, formats}[s.IntN(4)])
}

// operands draws the operands of a program.
func (s *sampler) operands(l leaf, depth int) []string {
	if s.chance(12) {
		return []string{"--", s.pick(hostile(l.program)), s.pick(paths)}
	}
	name := strings.Join(l.words, " ")
	if own, ok := operandsOf[name]; ok || operandsOf[l.program] != nil {
		if !ok {
			own = operandsOf[l.program]
		}
		list := []string{strings.ReplaceAll(s.pick(own), "$1", s.command(0))}
		if strings.HasPrefix(l.entry.ReadOperands(), "1 ") {
			list = append(list, s.some(paths)...)
		}
		return list
	}
	switch {
	case l.program == "sed" && s.chance(3):
		return append([]string{s.pick(sedScripts)}, s.some(paths)...)
	case l.program == "sed":
		return append([]string{quote(s.tokens(sedTokens))}, s.some(paths)...)
	case word("awk gawk mawk nawk", l.program):
		return append([]string{quote(s.tokens(awkTokens))}, s.some(paths)...)
	}
	return s.plain(l, depth)
}

// plain draws operands by what the table says that they are.
func (s *sampler) plain(l leaf, depth int) []string {
	switch kind := l.entry.ReadOperands(); {
	case kind == "none":
		return nil
	case kind == "path":
		return s.some(paths)
	case strings.HasPrefix(kind, "1 "):
		return append([]string{s.pick(patterns)}, s.some(paths)...)
	case depth > 0 && s.chance(6):
		return []string{`"$(` + s.line(depth-1) + `)"`}
	}
	return s.some([][]string{paths, counts, patterns}[s.IntN(3)])
}

// some draws up to three words.
func (s *sampler) some(list []string) []string {
	var words []string
	for range s.IntN(4) {
		words = append(words, s.pick(list))
	}
	return words
}

// tokens draws a text of up to eight tokens.
func (s *sampler) tokens(list []string) string {
	var b strings.Builder
	for range 1 + s.IntN(8) {
		b.WriteString(s.pick(list))
	}
	return b.String()
}

func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// hostile returns words with which a program would do more than read if they
// were not data where they stand.
func hostile(program string) []string {
	if list, ok := hostileWords[program]; ok {
		return list
	}
	return hostileWords[""]
}
