package eval

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// stmtOutput returns what a statement writes, whose commands were read from
// index from on. It is open where that is unknown.
func (r *reader) stmtOutput(s *syntax.Stmt, from int, sc *scope) shell.Set {
	unknown := shell.Set{Open: true}
	switch c := s.Cmd.(type) {
	case nil:
		if len(s.Redirs) == 1 && from < len(r.line.Commands) {
			return r.inputOf(from, 0) // $(<file)
		}
	case *syntax.CallExpr:
		if i := r.feeder(from, s); i >= 0 {
			return r.output(i, 0)
		}
		if r.forked(from, s) {
			return r.anyOutput(from)
		}
	case *syntax.BinaryCmd:
		if c.Op == syntax.AndStmt && shell.IsPlain(s) && sc.silent([]*syntax.Stmt{c.X}) {
			out := r.stmtOutput(c.Y, r.last, sc)
			out.Open = true // nothing if the first fails
			return out
		}
		if !shell.IsPipe(c.Op) || !shell.IsPlain(s) {
			return unknown
		}
		if r.tail >= from {
			out := r.output(r.tail, 0)
			out.Open = true // what filters print is read for dangers, and proves nothing
			return out
		}
	}
	return unknown
}

// silent reports whether statements write nothing, whatever they are given.
func (s *scope) silent(list []*syntax.Stmt) bool {
	for _, st := range list {
		if b, ok := st.Cmd.(*syntax.BinaryCmd); ok && b.Op == syntax.AndStmt && shell.IsPlain(st) && s.silent([]*syntax.Stmt{b.X, b.Y}) {
			continue
		}
		c, ok := st.Cmd.(*syntax.CallExpr)
		if !ok || !shell.IsPlain(st) || len(c.Args) > 0 && !s.isSilent(s.spelled(c.Args, "")) {
			return false
		}
	}
	return true
}

// isSilent says the same of the words of a command, of which those that are unknown are "".
func (s *scope) isSilent(words []string) bool {
	if len(words) == 0 || s.function(words[0]) != nil {
		return false
	}
	switch words[0] {
	case ":", "true", "unset", "shift":
		return true
	case "cd":
		return len(words) == 1 || words[len(words)-1] != "-"
	}
	return false
}

// inputText returns what command i reads from its standard input.
func (r *reader) inputText(i int) shell.Set { return r.inputOf(i, 0) }

func (r *reader) inputOf(i, depth int) shell.Set {
	c := &r.line.Commands[i]
	if c.Input != nil {
		return *c.Input
	}
	if c.Source >= 0 && depth < 8 {
		return r.output(c.Source, depth+1)
	}
	return shell.Set{Open: true}
}

// anyOutput returns what the readings of a command write to its standard output,
// of which the first is command i. It is always open.
func (r *reader) anyOutput(i int) shell.Set {
	out, span := shell.Set{Open: true}, r.line.Commands[i].Span
	for k := i; k < len(r.line.Commands); k++ {
		c := &r.line.Commands[k]
		if !c.Variant || c.Function || c.Span != span || c.Parent != r.line.Commands[i].Parent || len(c.Words) == 0 {
			continue
		}
		if kept, known := c.KeepsOutput(); kept || !known {
			out = shell.Union(out, r.printed(k, 0))
		}
	}
	return out
}

// output returns what command i writes to its standard output, where that follows
// from the line alone.
func (r *reader) output(i, depth int) shell.Set {
	c := &r.line.Commands[i]
	kept, known := c.KeepsOutput()
	if known && !kept {
		return shell.Set{Values: []string{""}} // it goes elsewhere
	}
	out := r.bounded(r.prints(i, depth))
	out.Open = out.Open || !known || r.line.Appended(c) || slices.ContainsFunc(c.Redirects, command.Redirect.MayFail)
	return out
}

// prints returns what command i writes to its standard output, wherever that
// leads.
func (r *reader) prints(i, depth int) shell.Set {
	c := &r.line.Commands[i]
	unknown := shell.Set{Open: true}
	if c.Function || c.Variant || len(c.Words) == 0 {
		return unknown
	}
	if slices.Contains(r.twice, i) {
		out := r.printed(i, depth)
		out.Open = true // where braces are kept, it prints them
		return out
	}
	return r.printed(i, depth)
}

// printed is prints for a command as it was read first.
func (r *reader) printed(i, depth int) shell.Set {
	switch c := &r.line.Commands[i]; c.How("output") {
	case "dashed": // of zsh and ksh
		words := c.Words[1:]
		for len(words) > 0 && strings.HasPrefix(command.DashValue(&words[0]), "-") {
			words = words[1:]
		}
		return command.EchoedIn(r.shells, words)
	case "words":
		return command.EchoedIn(r.shells, c.Words[1:])
	case "nothing":
		return shell.Set{Values: []string{""}}
	case "format":
		return command.Printed(c.Words[1:])
	case "path":
		return command.PathOutput(c, r.env.Home)
	case "file":
		return r.fileOutput(i, depth)
	case "filter":
		if out := r.filterOutput(i, depth); len(out.Values) > 0 || !c.HandsOver() {
			return out
		}
	case "query":
		return command.Queried(c, func() shell.Set { return r.inputOf(i, depth) })
	case "accounts":
		return command.AccountLine(c, r.env.Home)
	case "user":
		return command.UserOutput(c, r.env.Home)
	case "devices":
		return command.DeviceOutput(c)
	case "temporary":
		return shell.Set{Values: []string{command.TempName + strconv.Itoa(i) + "\n"}, Open: true}
	case "evaluated":
		return r.groupOutput(i+1, &scope{parent: i, place: c.Place})
	case "host":
		return command.HostOutput(c)
	case "windows":
		return command.WindowsPath(c)
	case "processes":
		return c.Processes(shell.Base(r.env.Home))
	case "some":
		return command.SomeOutput(c)
	case "entries":
		return command.RootListed(c)
	case "found":
		if c.Args.Has("v") {
			return command.SomeOutput(c)
		}
	case "variables":
		if len(c.Words) == 1 && c.Context == program.Local {
			return shell.Set{Values: []string{"HOME=" + r.env.Home + "\n"}, Open: true}
		}
	}
	return r.printsByFact(i, depth)
}

// fileOutput returns what cat or tee writes.
func (r *reader) fileOutput(i, depth int) shell.Set {
	c := &r.line.Commands[i]
	words := c.Words[1:]
	if c.Args.Dash == 1 {
		words = words[1:]
	}
	if c.Of("tees") || len(words) == 0 || len(words) == 1 && words[0].Has("-") {
		return r.inputOf(i, depth)
	}
	if len(words) > 1 {
		return shell.Set{Open: true}
	}
	if text, ok := r.disk.text(&r.line.Commands[i], words[0].Set); ok {
		return text
	}
	v, _ := words[0].Literal()
	switch v = shell.Clean(v); {
	case shell.IsNull(v):
		return shell.Set{Values: []string{""}}
	case command.IsProcessFile(v):
		return command.ProcessList()
	case v == "/etc/hostname":
		return shell.Set{Values: []string{command.ThisHost + "\n"}, Open: true}
	}
	return shell.Set{Open: true}
}

// filterOutput returns what a program makes of its input.
func (r *reader) filterOutput(i, depth int) shell.Set {
	c := &r.line.Commands[i]
	in := r.inputOf(i, depth)
	if len(c.Words) > 2 && command.IsAccounts(&c.Words[len(c.Words)-1]) {
		in = command.AccountLine(c, r.env.Home)
	}
	out := command.Filtered(c, in)
	if c.Filter() == "awk" && len(out.Values) == 0 {
		if out = command.AwkPrints(c, in); len(out.Values) == 0 {
			return command.CodeOutput(c)
		}
	}
	return out
}

// printsByFact returns what a command writes of which only its row says what it
// does.
func (r *reader) printsByFact(i, depth int) shell.Set {
	c := &r.line.Commands[i]
	p := c.Args.Program
	switch {
	case p == nil:
	case p.Shell == program.Bourne:
		return r.groupOutput(i+1, &scope{parent: i, place: c.Place})
	case c.HandsOver():
		if to := r.line.payload(i); to >= 0 && depth < 8 {
			return r.output(to, depth+1)
		}
	case p.Input == program.RoleCode:
		return command.CodeOutput(c)
	}
	return shell.Set{Open: true}
}

// groupOutput returns the text that the commands of a group print, one after the
// other: those read from index from on that are not part of another command. It
// is open, for some may not run, and empty where one of them prints what is not
// known.
func (r *reader) groupOutput(from int, sc *scope) shell.Set {
	text := ""
	piped := make(map[int]bool) // into another command of the group
	for k := from; k < len(r.line.Commands); k++ {
		piped[r.line.Commands[k].Source] = true
	}
	for k := from; k < len(r.line.Commands); k++ {
		c := &r.line.Commands[k]
		if c.Parent < sc.parent {
			break
		}
		if piped[k] || c.Parent != sc.parent || c.In(command.InSubst) && sc.place&command.InSubst == 0 || c.Keyword || len(c.Words) == 0 || program.OfKind(c.Name, "quiet") {
			continue
		}
		out := r.output(k, 0)
		if len(out.Values) != 1 || len(text) > command.MaxOutput {
			return shell.Set{Open: true}
		}
		text += out.Values[0]
	}
	if text == "" {
		return shell.Set{Open: true}
	}
	return shell.Set{Values: []string{text}, Open: true}
}
