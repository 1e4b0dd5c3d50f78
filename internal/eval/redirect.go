package eval

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
)

func (r *reader) redirects(list []*syntax.Redirect, cmd int, sc *scope) {
	if len(list) > shell.MaxFields {
		r.stop("too-many", "a command has too many redirections", r.line.Commands[cmd].Span)
	}
	for _, rd := range list {
		out := command.Redirect{Op: rd.Op.String(), Span: r.text.span(rd.Pos(), rd.End())}
		if rd.N != nil {
			out.Fd = rd.N.Value
		}
		if name, ok := strings.CutPrefix(out.Fd, "{"); ok {
			r.notes(cmd, strings.TrimSuffix(name, "}"), shell.Set{Open: true, Number: true}, out.Span, sc)
		}
		switch {
		case rd.Hdoc != nil:
			out.Target = r.heredoc(rd, sc, cmd)
			out.Span.To = r.text.span(rd.Word.Pos(), rd.Word.End()).To
		case rd.Op == syntax.Hdoc || rd.Op == syntax.DashHdoc:
			out.Target = shell.Word{Set: known(r, ""), Span: r.text.span(rd.Word.Pos(), rd.Word.End())} // without a line
		case rd.Word != nil:
			if rd.Op == syntax.WordHdoc {
				out.Target = r.single(rd.Word, sc, cmd)
			} else {
				out.Target = r.target(rd.Word, sc, cmd)
			}
		default:
			out.Target = shell.Word{Set: known(r, "")}
		}
		if out.FeedsInput() {
			r.input(cmd, &out, sc)
		} else {
			r.noteDescriptor(cmd, &out)
		}
		c := &r.line.Commands[cmd]
		c.Redirects = append(c.Redirects, out)
	}
}

// target expands the file of a redirection, which must become one word.
func (r *reader) target(w *syntax.Word, sc *scope, cmd int) shell.Word {
	n := len(r.substs)
	x := expansion{r: r, sc: sc, cmd: cmd, span: r.text.span(w.Pos(), w.End()), split: true}
	x.word(w)
	if len(x.done) == 1 {
		x.done[0].Many = false
		x.done[0].Set = command.NamesBehind(x.done[0].Set, "", sc.dir)
		return x.done[0]
	}
	r.substs = r.substs[:n]
	return shell.Word{Set: shell.Set{Open: true}, Span: x.span, Quoted: true}
}

// input notes what a redirection of the standard input lets a command read.
func (r *reader) input(cmd int, rd *command.Redirect, sc *scope) {
	if r.shells&shell.InZsh != 0 && slices.ContainsFunc(r.line.Commands[cmd].Redirects, command.Redirect.FeedsInput) {
		defer func() { // zsh reads from all of them
			if text := sc.stdin; text != nil {
				sc.stdin = &shell.Set{Values: text.Values, Open: true}
			}
		}()
	}
	if text := r.redirected(cmd, rd); text != nil {
		sc.stdin = text
	}
}

// redirected returns the text that a redirection lets a command read, nil for
// one that only writes.
func (r *reader) redirected(cmd int, rd *command.Redirect) *shell.Set {
	switch {
	case rd.Op == "<<<":
		text := rd.Target.Set
		text.Values = append([]string(nil), text.Values...)
		for i := range text.Values {
			text.Values[i] += "\n"
		}
		return &text
	case rd.Inline():
		text := rd.Target.Set
		return &text
	case rd.Op == "<" || rd.Op == "<>" || rd.Op == "<&":
		for _, p := range r.substs {
			if p.span == rd.Target.Span && isSubst(&rd.Target) {
				return &p.out
			}
		}
		from := rd.Target.Set
		switch v, _ := from.Literal(); {
		case shell.IsNull(v):
			return &shell.Set{Values: []string{""}, Open: r.line.Commands[cmd].Source >= 0} // zsh reads the pipe, too
		case command.IsProcessFile(v):
			list := command.ProcessList()
			return &list
		}
		if rd.Op == "<&" {
			from = descriptorFile(rd.Target.Set)
		}
		if text, ok := r.disk.text(&r.line.Commands[cmd], from); ok && rd.Op != "<>" {
			return &text
		}
		return &shell.Set{Open: true}
	}
	return nil
}

// heredoc returns the text of a here-document as a word.
func (r *reader) heredoc(rd *syntax.Redirect, sc *scope, cmd int) shell.Word {
	span := r.text.span(rd.Hdoc.Pos(), rd.Hdoc.End())
	w := shell.Word{Span: span}
	quoted := rd.Word.Lit() == "" || strings.Contains(rd.Word.Lit(), "\\")
	if text, ok := onlyLiteral(rd.Hdoc.Parts); ok && (text == "" || quoted && rd.Op != syntax.DashHdoc) {
		w.Set = known(r, text)
	} else {
		x := expansion{r: r, sc: sc, cmd: cmd, span: span}
		lineStart := rd.Op == syntax.DashHdoc
		for _, p := range rd.Hdoc.Parts {
			lit, ok := p.(*syntax.Lit)
			if !ok {
				x.part(p)
				lineStart = false
				continue
			}
			text := lit.Value
			if rd.Op == syntax.DashHdoc {
				text = withoutTabs(text, lineStart)
				lineStart = strings.HasSuffix(text, "\n")
			}
			if !quoted {
				text = shell.UnescapeQuoted(text)
			}
			x.quotedText(text)
		}
		x.flush()
		if len(x.done) > 0 {
			w.Set, w.Secret = x.done[0].Set, x.done[0].Secret
		}
	}
	return w
}

// onlyLiteral returns the text of a word that is none or a literal.
func onlyLiteral(parts []syntax.WordPart) (text string, ok bool) {
	switch len(parts) {
	case 0:
		return "", true
	case 1:
		if lit, ok := parts[0].(*syntax.Lit); ok {
			return lit.Value, true
		}
	}
	return "", false
}

// withoutTabs removes the tabs at the start of lines, as <<- does.
func withoutTabs(s string, lineStart bool) string {
	if lineStart {
		s = strings.TrimLeft(s, "\t")
	}
	for strings.Contains(s, "\n\t") {
		s = strings.ReplaceAll(s, "\n\t", "\n")
	}
	return s
}

// noteDescriptor keeps the text behind a descriptor other than the standard ones, as
// that of the file by which commands may name it.
func (r *reader) noteDescriptor(cmd int, rd *command.Redirect) {
	if rd.Fd == "" || rd.Writes() && rd.Op != "<>" {
		return
	}
	if text := r.redirected(cmd, rd); text != nil {
		r.disk.write(&r.line.Commands[cmd], descriptorFile(shell.Set{Values: []string{rd.Fd}}), *text, false)
	}
}

// descriptorFile returns the path of the file that stands for a descriptor. Those
// whose numbers the shell picks, as for {name}<file, share one.
func descriptorFile(number shell.Set) shell.Set {
	v, ok := number.Literal()
	if !ok || strings.HasPrefix(v, "{") {
		v = "10"
	}
	return shell.Set{Values: []string{"/dev/fd/" + strings.TrimSuffix(v, "-")}}
}
