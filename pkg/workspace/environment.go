package workspace

import (
	"path"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// Activates reports whether the file at an absolute path is that with which a virtual
// environment inside changes the shell that reads it: venv has made the directory,
// of which git holds nothing. Where none is, the shell reads none.
func (p *Prover) Activates(name string) bool {
	dir, file := path.Split(shell.Clean(name))
	home := path.Dir(path.Clean(dir))
	if file != "activate" || path.Base(dir) != "bin" || !program.IsBuilt(path.Base(home)) {
		return false
	}
	if f, known := p.File(name); known && f.Kind == Absent && !f.Link {
		_, inside := p.Inside(name)
		return inside // the shell reads nothing
	}
	for _, at := range [...]string{name, home + "/pyvenv.cfg"} {
		f, known := p.File(at)
		if _, inside := p.Inside(at); !inside || !known || f.Kind != Regular || f.Link || f.Shared {
			return false
		}
	}
	held, _ := p.Kept(home)
	return !held && p.Leads(name) == p.Leads(home)+"/bin/activate"
}

// Sets reports whether the command gives variables of the environment to what follows on
// the line, and each is a plain setting, as before a command. One that a program has
// for its user's own choice may be read by nothing else.
func (p *Prover) Sets(l *eval.Line, i int) bool {
	a := attempt{p: p, line: l, c: &l.Commands[i], index: i}
	c := a.c
	if c.Name == unsetting && a.unsets() {
		return true
	}
	if !c.Keyword || c.Name != exporting || len(c.Words) != 1 || len(c.Assigns) == 0 || !a.unmoved() || !a.redirects() {
		return false
	}
	for k := range c.Assigns {
		if s := &c.Assigns[k]; !a.setting(s) && !a.onlyFor(s) {
			return false
		}
	}
	return true
}

// exporting is the word of the shell that sets what later commands inherit, unsetting
// that which keeps it from them.
const (
	exporting = "export"
	unsetting = "unset"
)

// unsets reports whether the command unsets nothing but variables that are plain settings.
func (a *attempt) unsets() bool {
	c := a.c
	if c.Path != c.Name || len(c.Words) < 2 || len(c.Assigns) > 0 || !a.unmoved() || !a.redirects() {
		return false
	}
	for k := range c.Words[1:] {
		if v, ok := c.Words[k+1].Literal(); !ok || !command.ValidName(v) || program.ActiveVariable(v) {
			return false
		}
	}
	return true
}

// onlyFor reports whether a setting is one that programs have for their user's choice,
// and everything that follows either has it or only reads files.
func (a *attempt) onlyFor(s *command.Assign) bool {
	found := false
	for k := a.index + 1; k < len(a.line.Commands); k++ {
		c := &a.line.Commands[k]
		switch {
		case chooses(c, s):
			found = true
		case c.Keyword && c.Name == exporting, a.p.OnlyReads(a.line, k, bare(c)):
		default:
			return false
		}
	}
	return found
}

// Inherits reports whether a command is given nothing by the line's own exports but what
// changes how it prints, or what its user may choose.
func Inherits(l *eval.Line, i int) bool {
	for k := range i {
		c := &l.Commands[k]
		if !c.Keyword || c.Name != exporting {
			continue
		}
		for n := range c.Assigns {
			if s := &c.Assigns[n]; !program.HarmlessVariable(s.Name) && !chooses(&l.Commands[i], s) {
				return false
			}
		}
	}
	return true
}

// chooses reports whether a setting makes a program choose among what its user has set
// up, and run nothing.
func chooses(c *command.Command, s *command.Assign) bool {
	row := c.Row()
	v, ok := s.Value.Literal()
	if row == nil || !ok || !program.IsPlainValue(v) {
		return false
	}
	return program.HasWord(row.Variables, s.Name) || (v == "" || v == "cat") && program.HasWord(row.Variables, s.Name+"=")
}

// Ends reports whether the command signals nothing but processes that the line itself has
// started in the background.
func (p *Prover) Ends(l *eval.Line, i int) bool {
	a := attempt{p: p, line: l, c: &l.Commands[i], index: i}
	c := a.c
	if c.How("ends") != "numbers" || c.Path != c.Name || len(c.Words) < 2 || len(c.Assigns) > 0 || !a.unmoved() || !a.redirects() {
		return false
	}
	started := false
	for k := 1; k < len(c.Words); k++ {
		w := &c.Words[k]
		v, ok := w.Literal()
		switch {
		case k == 1 && ok && program.HasWord(signals, strings.ToUpper(v)):
		case w.IsStarted() && !w.Many && !w.Splits, ok && program.HasWord(jobs, v) && a.startsBefore():
			started = true
		default:
			return false
		}
	}
	return started
}

// The signals that may be sent, and what the shell calls its last job.
const (
	signals = "-TERM -INT -HUP -QUIT -KILL -SIGTERM -SIGINT -SIGHUP -SIGKILL -15 -2 -1 -9 -3"
	jobs    = "%1 %% %+"
)

// startsBefore reports whether the shell that runs the command has started something in
// the background, and nothing else.
func (a *attempt) startsBefore() bool {
	const apart = command.InSubshell | command.InSubst | command.InPayload | command.InFunction | command.InLoop | command.InBranch
	n := 0
	for k := range a.index {
		c := &a.line.Commands[k]
		if c.In(command.Background) && c.Parent < 0 {
			if c.Place&(apart&^command.InSubshell) != 0 {
				return false
			}
			n++
		}
	}
	return n == 1 && a.c.Started && a.c.Place&apart == 0
}

// unmoved rules out what hides what a command of the shell does, or where.
func (a *attempt) unmoved() bool {
	c := a.c
	return a.line.Divergence == nil && c.Opaque == "" && c.Doubt == "" && !c.Function && !c.Secret && c.Context == program.Local &&
		c.Place&(command.Defined|command.InFunction|command.Background|command.OutSubst) == 0
}

// Describes reports whether the command does no more than print the version or the help of
// a program that the table knows.
func (p *Prover) Describes(l *eval.Line, i int) bool {
	a := attempt{p: p, line: l, c: &l.Commands[i], index: i}
	c := a.c
	row := c.Row()
	if row == nil || c.Keyword || row.InShell || len(c.Words) < 2 || !program.Means(c.Path, c.Name) ||
		c.Place&command.Background != 0 || !a.unmoved() || !a.redirects() {
		return false
	}
	for k := range c.Assigns {
		if !program.HarmlessVariable(c.Assigns[k].Name) {
			return false
		}
	}
	last, ok := c.Words[len(c.Words)-1].Literal()
	if !ok {
		return false
	}
	if tells, _ := row.Tell(c.Name, last); tells && len(c.Words) == 2 {
		return true
	}
	var words []string
	for k := 1; k < len(c.Words)-1; k++ {
		v, _ := c.Words[k].Literal()
		words = append(words, v)
	}
	if len(words) > 0 && row.Sub(strings.SplitN(c.Args.Sub, " ", 2)[0]) == nil {
		return false // a word that the table does not know may be a program of its own
	}
	options := c.Args.Options
	return len(options) == 1 && options[0].At == len(c.Words)-1 && !options[0].HasArg && options[0].Spec != nil && options[0].Spec.Inert &&
		last == "--"+options[0].Name && (options[0].Is("help") || options[0].Is("version")) && strings.Join(words, " ") == c.Args.Sub
}
