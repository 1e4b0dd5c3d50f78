package policy

import (
	"slices"
	"strings"
	"unicode"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/dangerous"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// A prefix is an approval of commands by how they begin: an entry of the
// allowlist, or an auto-approve pattern. What follows the beginning is not
// named by it, so that it covers no dangerous pattern, no sensitive path and no
// write that it does not name.
type prefix struct {
	// spells are the dangerous patterns that the approval itself has.
	spells []string
	// names reports whether the approval has a word in it.
	names func(word string) bool
}

// stopped says what keeps a prefix from covering the command with index i, ""
// if nothing does.
func (p *prefix) stopped(f *facts, i int) string {
	for _, d := range f.parts.dangers(i) {
		if !slices.Contains(p.spells, d.Rule.ID) {
			return "it " + d.Rule.Why
		}
	}
	proof := f.parts.plainProof(i)
	switch {
	case proof.Proved || proof.Outside:
		return ""
	case proof.Secret != "":
		return "it may read the secret " + clip.Text(proof.Secret, maxQuoted)
	}
	c := &f.line.Commands[i]
	switch {
	case c.Secret:
		return "a variable's name suggests a secret"
	case p.hidesCode(c) && !p.filters(f, i), p.loads(c):
		return "it runs code that the approval does not cover"
	}
	if c.Context == program.Local && !f.view.IsInside(c.Dir) {
		return "it runs outside the project"
	}
	if why := p.namesSecret(f, c); why != "" {
		return why
	}
	if why := p.leadsElsewhere(c); why != "" {
		return why
	}
	if feeds(f, i) {
		return "what it passes on may name a sensitive path"
	}
	return p.stoppedByEffect(f, c)
}

// leadsElsewhere says that an operand of a sub-command that the prefix has is a repository
// by its place, and not by the name that the project gives it, or the branch here that a
// fetch overwrites.
func (p *prefix) leadsElsewhere(c *command.Command) string {
	if c.Args.Sub == "" || !p.names(c.Args.Sub) {
		return ""
	}
	repository := false
	for _, o := range c.Args.Operands {
		for _, v := range c.Words[o.At].Values {
			switch {
			case p.names(v):
			case o.Role == program.RoleHost && (strings.ContainsAny(v, "/:") || strings.HasPrefix(v, ".") || strings.HasPrefix(v, "~")):
				return "the approval does not name the repository " + clip.Text(v, maxQuoted)
			case repository && c.Args.Sub == "fetch" && strings.Contains(v, ":"):
				return "the approval does not name the branch that it overwrites"
			}
		}
		repository = repository || o.Role == program.RoleHost
	}
	return ""
}

// feeds reports whether a command such as xargs hands names that are unknown
// to one that reads the files.
func feeds(f *facts, i int) bool {
	if !f.line.Commands[i].Is(program.Appends) {
		return false
	}
	found := false
	for k := i + 1; k < len(f.line.Commands) && !found; k++ {
		c := &f.line.Commands[k]
		if c.Parent != i {
			continue
		}
		c.Effects(func(e command.Effect) bool {
			found = e.Kind == command.Reads && !e.Target.Known()
			return !found
		})
	}
	return found
}

func (p *prefix) stoppedByEffect(f *facts, c *command.Command) (why string) {
	var named []command.Effect
	at := *c
	at.Redirects = slices.DeleteFunc(slices.Clone(c.Redirects), func(rd command.Redirect) bool { return rd.Writes() }) // a barrier of their own
	at.Effects(func(e command.Effect) bool {
		switch e.Kind {
		case command.Reads:
			why = p.readsSecret(f, e)
		case command.Writes, command.Deletes, command.Moves, command.Alters, command.Runs:
			if e.Target.KeepsNothing() {
				return true
			}
			if named == nil {
				named = p.effects(c)
			}
			why = beyond(f, named, e)
		}
		return why == ""
	})
	return why
}

// beyond says why a change goes beyond what a prefix names.
func beyond(f *facts, named []command.Effect, e command.Effect) string {
	if e.Kind == command.Runs && isNamed(named, e) {
		return ""
	}
	if !isNamed(named, e) {
		return "it " + e.Kind.String() + " what the approval does not name"
	}
	for _, v := range e.Target.Values {
		if found := f.risks().sensitiveAt(e.Dir, v, e.Target.Glob, sensitive.Secret|sensitive.Trigger); found != nil {
			return "it changes a sensitive path: " + found.Why
		}
	}
	return ""
}

// compilePrefix returns the approval of commands that begin with a text.
func compilePrefix(text string) prefix {
	words := strings.Fields(text)
	p := prefix{names: func(word string) bool { return slices.Contains(words, word) }}
	line := eval.Read(text, eval.Env{})
	s := Scene(line, eval.UnknownHome)
	for i := range line.Commands {
		for _, f := range dangerous.All(&s, i) {
			p.spells = append(p.spells, f.Rule.ID)
		}
	}
	return p
}

// effects returns what the command would do with none of its options but those
// that the prefix names.
func (p *prefix) effects(c *command.Command) []command.Effect {
	out := []command.Effect{}
	if !p.names(c.Name) && !p.names(c.Path) {
		return out
	}
	for word := range strings.FieldsSeq(c.Args.Sub) {
		if !p.names(word) {
			return out
		}
	}
	bare := c.Bare(func(word string, _ *command.Option) bool { return p.names(word) })
	bare.Effects(func(e command.Effect) bool {
		out = append(out, e)
		return true
	})
	return out
}

// isNamed reports whether an effect is among those that a prefix names.
func isNamed(named []command.Effect, e command.Effect) bool {
	return slices.ContainsFunc(named, func(n command.Effect) bool {
		return n.Kind == e.Kind && n.Recursive == e.Recursive && slices.Equal(n.Target.Values, e.Target.Values)
	})
}

// hidesCode reports whether a filter runs code that the prefix does not have.
func (p *prefix) hidesCode(c *command.Command) bool {
	if c.Args.Program == nil || c.Args.Program.Input == program.RoleCode {
		return false // the program itself is what was approved
	}
	for _, o := range c.Args.Operands {
		if v, _ := c.Words[o.At].Literal(); o.Role == program.RoleCode && !p.names(v) {
			return true
		}
	}
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if v, _ := o.Arg.Literal(); o.Spec != nil && o.HasArg && o.Spec.Role == program.RoleCode && !p.names(v) {
			return true
		}
	}
	return false
}

// loads reports whether an option, or a variable, names what the command runs, and the
// prefix does not. Where the program evaluates code, that is what was approved.
func (p *prefix) loads(c *command.Command) bool {
	if c.Args.Program != nil && c.Args.Program.Input == program.RoleCode {
		return false
	}
	what := c.Loads()
	named := what == "" || what[0] >= 'a' && what[0] <= 'z' // a target, such as install
	return !named && !p.names(what)
}

// filters reports whether a filter only prints, but for what the options say
// that the prefix names, as -i of sed.
func (p *prefix) filters(f *facts, i int) bool {
	c := &f.line.Commands[i]
	return f.parts.provedAs(f.parts.plainProofIn, i, c.Bare(func(word string, o *command.Option) bool { return o.HasArg || !p.names(word) }))
}

// namesOf returns what reports whether a regular expression has a word in it,
// letter for letter.
func namesOf(texts ...string) func(word string) bool {
	return func(word string) bool {
		return slices.ContainsFunc(texts, func(text string) bool {
			return slices.Contains(strings.FieldsFunc(text, notInWord), word)
		})
	}
}

func notInWord(c rune) bool {
	return c != '-' && c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
}
