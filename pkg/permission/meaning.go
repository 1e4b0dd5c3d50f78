package permission

import (
	"slices"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// A meaning is what a denial or an ask with options says, however a command spells it:
// the options, by any of their names and in any order and bundle, and the other words in
// their order. The options of a program are those of its row; of one without a row, only
// how short options are bundled is known.
type meaning struct {
	options []wanted
	// words are the sub-command and the operands.
	words glob
	// inner is what a wrapper is to run, nil for others.
	inner *meaning
}

// A reading is what the subject of a pattern says to who knows its program. It is made
// when it is first asked for: most commands are of another program.
type reading struct {
	once    sync.Once
	tool    Tool
	subject string
	meaning *meaning // of its options, nil where it has none
	inner   *Pattern // of what a wrapper is to run, nil where it does not say
	usual   *glob    // the subject with the usual name of its sub-command, nil where it has that
}

// reading returns what the subject says.
func (t *target) reading() *reading {
	r := t.read
	if r == nil {
		return &reading{} // of paths
	}
	r.once.Do(func() {
		words := strings.Fields(r.subject)
		r.meaning = compileMeaning(words, r.tool.Wraps)
		r.usual = usualGlob(words)
		if at := payload(words, r.tool.Wraps); at > 0 && !strings.HasPrefix(words[at], "*") {
			p := &Pattern{tool: r.tool}
			p.target = p.compileTarget(strings.Join(words[at:], " "))
			r.inner = p
		}
	})
	return r
}

// usualGlob returns a subject with its sub-command by the name that the row of the program gives
// it: who denies "npm i *" means "npm install" too. It is nil where it has that name.
func usualGlob(words []string) *glob {
	if len(words) < 2 {
		return nil
	}
	p := program.Lookup(words[0])
	stem := strings.TrimRight(words[1], "*")
	if p == nil || p.Aliases == "" || stem != words[1] && stem+"*" != words[1] {
		return nil
	}
	name := p.Usual(stem)
	if name == "" {
		return nil
	}
	g := compileGlob(strings.Join(slices.Concat(words[:1], []string{name + words[1][len(stem):]}, words[2:]), " "))
	return &g
}

// A wanted is an option that a permission names.
type wanted struct {
	names []string // all that it has, without dashes
	// more matches further names, where a star completes what is none of the row; nil for
	// none. Other options that begin with one of the row are meant only as they are
	// written: --force* has the meaning of --force, and the text of --force-with-lease.
	more  *glob
	value *glob // nil for any value and for none
	// sign says that an operand with a plus before it means the option too, as for a
	// push of git.
	sign bool
}

// compileMeaning returns the meaning of a pattern for the shell, nil where it names no
// option of a program.
func compileMeaning(words []string, wraps func(string) bool) *meaning {
	if len(words) < 2 || strings.ContainsAny(words[0], `*?\=`) {
		return nil
	}
	m := newMeaning(words, wraps)
	for at := m; at != nil; at = at.inner {
		if len(at.options) > 0 {
			return m
		}
	}
	return nil
}

// payload returns the index of the first word of the command that a wrapper runs, 0 where
// the words have none.
func payload(words []string, wraps func(string) bool) int {
	if len(words) < 2 || strings.ContainsAny(words[0], `*?\=`) {
		return 0
	}
	list := make([]shell.Word, len(words))
	for i, w := range words {
		list[i] = shell.Word{Set: shell.Set{Values: []string{w}}}
	}
	args := parseBy(list, wraps)
	for i := range args.Options {
		if o := &args.Options[i]; o.Spec != nil && o.Spec.TakesWords() && o.At < len(words) {
			return o.At // where the words begin
		}
	}
	for _, o := range args.Operands {
		if o.Role == program.RoleJoined {
			return o.At
		}
	}
	return args.Payload
}

// newMeaning reads the words of a pattern by the grammar of the program that is the
// first one.
func newMeaning(words []string, wraps func(string) bool) *meaning {
	list := make([]shell.Word, len(words))
	starred := make([]bool, len(words)) // a star ends the name of an option
	for i, w := range words {
		if name, ok := strings.CutSuffix(w, "*"); ok && len(name) > 1 && name[0] == '-' && !strings.Contains(name, "=") {
			w, starred[i] = name, true
		}
		list[i] = shell.Word{Set: shell.Set{Values: []string{w}}}
	}
	m := &meaning{}
	args := parseBy(list, wraps)
	end := len(list)
	if args.Payload > 0 {
		m.inner, end = newMeaning(words[args.Payload:], wraps), args.Payload
	}
	for i := range args.Options {
		if o := &args.Options[i]; o.At < end {
			m.options = append(m.options, newWanted(o, starred[o.At]))
		}
	}
	m.words = compileGlob(strings.Join(m.operands(words, &args, end), " "))
	return m
}

// operands returns what a pattern has beside options: where it ends with one, any
// operands may follow.
func (m *meaning) operands(words []string, args *arguments, end int) []string {
	var out []string
	for _, i := range args.beside(end) {
		out = append(out, words[i])
	}
	last := 0 // the index behind the last option
	if n := len(args.Options); n > 0 {
		last = args.Options[n-1].End
	}
	out = append(slices.Clone(args.verb), out[min(len(out), args.spelt):]...)
	isLast := last >= end && (len(out) == len(args.verb) || m.inner == nil)
	if isLast && (len(out) == 0 || out[len(out)-1] != "*") {
		out = append(out, "*")
	}
	return out
}

func newWanted(o *command.Option, starred bool) wanted {
	w := wanted{names: []string{o.Name}}
	if o.Spec != nil {
		w.names = o.Spec.Names
		w.sign = slices.Contains(w.names, "+")
	}
	if starred && (o.Spec == nil || !slices.Contains(o.Spec.Names, o.Name)) {
		g := compileGlob(Quote(o.Name) + "*")
		w.more = &g
	}
	if v, ok := o.Arg.Literal(); ok && o.HasArg {
		g := compileGlob(v)
		w.value = &g
	}
	return w
}

// hits reports how far a command is what the pattern means.
func (m *meaning) hits(home string, c *command.Command) Hit {
	return m.hitsWords(home, c.Words, c)
}

// hitsWords is hits for the words of c, or for those that c runs.
func (m *meaning) hitsWords(home string, words []shell.Word, c *command.Command) Hit {
	args := m.argumentsOf(words, c)
	end := len(words)
	if m.inner != nil {
		if end = args.Payload; end == 0 {
			return None
		}
	}
	best := Full
	for i := range m.options {
		if best = min(best, m.options[i].given(home, words[:end], &args)); best == None {
			return None
		}
	}
	if m.inner != nil {
		name, _ := words[end].Literal()
		if !m.words.in(home).matches("") && len(m.words.elem) > 0 {
			best = min(best, m.hitsOperands(home, words[:end], &args))
		}
		if best == None || name == "" {
			return None
		}
		return min(best, m.inner.hitsWords(home, words[end:], c))
	}
	return min(best, m.hitsOperands(home, words, &args))
}

// argumentsOf returns the arguments among the words of c, or among those that c runs.
func (m *meaning) argumentsOf(words []shell.Word, c *command.Command) arguments {
	if len(words) != len(c.Words) || c.Args.Program == nil {
		return parse(words)
	}
	return newArguments(c.Row(), c.Args)
}

// given reports how far a command has the option.
func (w *wanted) given(home string, words []shell.Word, args *arguments) Hit {
	best := None
	for i := range args.Options {
		o := &args.Options[i]
		if o.At >= len(words) || !w.is(o) {
			continue
		}
		if w.value == nil {
			return Full
		}
		if o.HasArg {
			best = max(best, matchesSet(w.value.in(home), &o.Arg))
		}
	}
	if best == Full || w.value != nil {
		return best
	}
	for _, i := range args.beside(len(words)) { // as part of an expression, or with a sign
		v, ok := words[i].Literal()
		if ok && (w.sign && len(v) > 1 && v[0] == '+' || len(v) > 1 && v[0] == '-' && args.Dash == 0 && slices.Contains(w.names, v[1:])) {
			return Full
		}
	}
	return best
}

// is reports whether an option is the wanted one.
func (w *wanted) is(o *command.Option) bool {
	return slices.ContainsFunc(w.names, o.Is) || w.more != nil && (w.more.matches(o.Name) || o.Spec != nil && slices.ContainsFunc(o.Spec.Names, w.more.matches))
}

// matchesSet reports how far a pattern matches one of the values of a word.
func matchesSet(g *glob, w *shell.Word) Hit {
	best := None
	for _, v := range w.Values {
		if g.matches(v) {
			return Full
		}
	}
	if !w.Known() && (g.may(clean(w.Prefix)+string(unknown)) || g.wild) {
		best = Maybe
	}
	return best
}

// hitsOperands reports how far the sub-command and the operands are those of the pattern.
func (m *meaning) hitsOperands(home string, words []shell.Word, args *arguments) Hit {
	var rest []shell.Word
	for _, v := range args.verb {
		rest = append(rest, shell.Word{Set: shell.Set{Values: []string{v}}})
	}
	beside := args.beside(len(words))
	for _, i := range beside[min(args.spelt, len(beside)):] {
		rest = append(rest, words[i])
	}
	g := m.words.in(home)
	best := None
	unsure := spellings(rest, "", func(text string, known bool) bool {
		switch {
		case g.matches(text):
			best = Full
		case !known && g.may(text):
			best = max(best, Maybe)
		}
		return best != Full
	})
	if unsure {
		best = max(best, Maybe)
	}
	return best
}
