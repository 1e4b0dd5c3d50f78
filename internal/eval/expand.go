package eval

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// word expands a word of the source as the shell would and adds the words
// that it becomes to a command.
func (r *reader) word(w *syntax.Word, sc *scope, cmd int) {
	if len(w.Parts) == 1 {
		if lit, ok := w.Parts[0].(*syntax.Lit); ok && isPlain(lit.Value) {
			r.addWord(cmd, shell.Word{Set: known(r, lit.Value), Span: r.text.span(w.Pos(), w.End())})
			return
		}
	}
	x := expansion{r: r, sc: sc, cmd: cmd, span: r.text.span(w.Pos(), w.End()), split: true}
	x.word(w)
	for _, word := range x.done {
		r.addWord(cmd, word)
	}
}

// quiet expands a word for the commands in its substitutions only.
func (r *reader) quiet(w *syntax.Word, sc *scope, cmd int) {
	x := expansion{r: r, sc: sc, cmd: cmd, span: r.text.span(w.Pos(), w.End())}
	x.word(w)
}

// single expands a word where the shell neither splits nor globs: the value
// of an assignment, the target of a redirection, a here-document.
func (r *reader) single(w *syntax.Word, sc *scope, cmd int) shell.Word {
	span := r.text.span(w.Pos(), w.End())
	if len(w.Parts) == 1 {
		if lit, ok := w.Parts[0].(*syntax.Lit); ok && isPlain(lit.Value) {
			return shell.Word{Set: known(r, lit.Value), Span: span}
		}
	}
	x := expansion{r: r, sc: sc, cmd: cmd, span: span}
	x.word(w)
	if len(x.done) != 1 {
		return shell.Word{Set: known(r, ""), Span: span, Quoted: true}
	}
	return x.done[0]
}

// isPlain reports whether an unquoted literal stands for itself alone.
func isPlain(s string) bool {
	if s == "[" || s == "{}" {
		return true
	}
	for i := range len(s) {
		switch s[i] {
		case '\\', '*', '?', '[', '{', '~':
			return false
		}
	}
	return true
}

func (x *expansion) word(w *syntax.Word) {
	whole := w
	if x.split {
		var ok bool
		if w, ok = shell.SplitBraces(w); !ok {
			for _, p := range w.Parts {
				x.nested(p)
			}
			x.tooMany()
			return
		}
	}
	defer x.doubtBraces(w, len(x.done))
	if !shell.HasBraces(w) {
		x.fields(w)
		return
	}
	if x.r.keepsBraces(x, w) {
		x.fields(whole)
		return
	}
	if braceCount(w) > shell.MaxFields {
		x.nestedBraces(w)
		x.tooMany()
		return
	}
	for alt, err := range expand.BracesSeq(nil, w) {
		x.r.spends(braceBytes)
		if err == nil {
			x.fields(&syntax.Word{Parts: mergeLits(alt.Parts)})
		}
		if err != nil || len(x.done) > shell.MaxFields {
			x.r.stop("too-many", "a word expands to too many words", x.span)
		}
	}
	for i := range x.done {
		x.done[i].Quoted = true
	}
}

// mergeLits returns the parts of a word that braces made, in which one text stands
// for those beside each other, so that a tilde is seen with what follows it.
func mergeLits(parts []syntax.WordPart) []syntax.WordPart {
	var out []syntax.WordPart
	for _, p := range parts {
		lit, ok := p.(*syntax.Lit)
		if !ok {
			out = append(out, p)
			continue
		}
		if n := len(out); n > 0 {
			if before, ok := out[n-1].(*syntax.Lit); ok {
				out[n-1] = &syntax.Lit{ValuePos: before.ValuePos, ValueEnd: lit.ValueEnd, Value: before.Value + lit.Value}
				continue
			}
		}
		out = append(out, lit)
	}
	return out
}

func (x *expansion) fields(w *syntax.Word) {
	x.cur = piece{}
	t := tildes{paths: x.assigned}
	for i, p := range w.Parts {
		lit, ok := p.(*syntax.Lit)
		if !ok {
			x.part(p)
			continue
		}
		text := lit.Value
		if i == 0 && x.split {
			if n := shell.AssignedName(text); n > 0 { // bash expands tildes in it, other shells do not
				x.raw(text[:n], false)
				text, t.paths, t.either = text[n:], true, true
			}
		}
		t.start, t.more = i == 0, i+1 < len(w.Parts)
		x.withTildes(text, t)
	}
	x.flush()
}

func (x *expansion) part(p syntax.WordPart) {
	switch p := p.(type) {
	case *syntax.Lit:
		if p.Value != "" {
			x.literal(p.Value)
		}
	case *syntax.SglQuoted:
		v := p.Value
		if p.Dollar {
			v = shell.ANSIC(v)
		}
		x.quotedText(v)
	case *syntax.DblQuoted:
		x.dblQuoted(p)
	case *syntax.ParamExp:
		v := x.param(p)
		if x.r.shells&shell.InMksh != 0 && x.split && x.cur.quoted && (p.Exp != nil || p.Repl != nil || p.Slice != nil) && v.set.Has("") {
			x.cur.many, x.cur.set.Open = true, true // mksh forgets empty quotes before an operator that leaves nothing
		}
		x.value(v, false, p)
	case *syntax.CmdSubst:
		x.value(value{set: x.subst(p)}, false, p)
	case *syntax.ArithmExp:
		x.r.arithm(p.X, x.sc, x.cmd)
		x.value(value{set: x.number(p.X)}, false, p)
	case *syntax.ProcSubst:
		x.procSubst(p)
	case *syntax.ExtGlob:
		s := shell.Set{Open: true, Glob: true}
		if v := x.cur.set.Values; len(v) > 0 && len(v[0]) < shell.MaxPattern || !x.cur.started {
			s.Values = shell.Alternatives(p)
		}
		x.add(s)
		if len(x.cur.partial) > shell.MaxPattern {
			x.cur.partial = nil
		}
		x.cur.set.Glob, x.cur.many = true, true
	default:
		x.nestedPart(p)
		x.add(shell.Set{Open: true})
		x.cur.many = true
	}
}

func (x *expansion) dblQuoted(q *syntax.DblQuoted) {
	x.cur.quoted = true
	lists := len(q.Parts) > 0
	for _, p := range q.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			x.quotedText(shell.UnescapeQuoted(p.Value))
		case *syntax.ParamExp:
			v := x.param(p)
			lists = lists && v.isList && !v.joined
			x.value(v, true, p)
		case *syntax.CmdSubst:
			x.value(value{set: x.subst(p)}, true, p)
		case *syntax.ArithmExp:
			x.r.arithm(p.X, x.sc, x.cmd)
			x.add(x.number(p.X))
		default:
			x.nestedPart(p)
			x.add(shell.Set{Open: true})
		}
	}
	if !x.cur.started && !lists {
		x.quotedText("")
	}
}

// literal adds unquoted text: a backslash quotes, * ? [ are special.
func (x *expansion) literal(s string) {
	if !strings.ContainsAny(s, "\\*?[") {
		x.raw(s, false)
		return
	}
	var b strings.Builder
	glob := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			if i++; i < len(s) && s[i] != '\n' {
				if shell.IsMeta(s[i]) {
					b.WriteByte('\\')
				}
				b.WriteByte(s[i])
			}
			x.cur.quoted = true
		case '*', '?', '[':
			glob = true
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	x.raw(b.String(), glob)
}

func (x *expansion) quotedText(s string) {
	x.cur.quoted = true
	x.raw(shell.EscapePattern(s), false)
}

// tildes says where in a text a tilde stands for a home.
type tildes struct {
	start  bool // at its beginning
	paths  bool // behind colons, as in an assignment
	more   bool // the word goes on behind the text
	either bool // or it may stand for itself
}

// withTildes adds unquoted text in which tildes may stand for homes.
func (x *expansion) withTildes(s string, t tildes) {
	done, here := 0, t.start
	for i := 0; i < len(s); i++ {
		begins := here && s[i] == '~'
		if here = t.paths && s[i] == ':'; s[i] == '\\' {
			i++
		}
		if !begins {
			continue
		}
		user := s[i+1:]
		if end := strings.IndexAny(user, "/:"); end >= 0 {
			user = user[:end]
		} else if t.more {
			break
		}
		if strings.ContainsAny(user, "\\*?[{") {
			continue
		}
		if done < i {
			x.literal(s[done:i])
		}
		home := x.homeOf(user)
		if t.either {
			home.Values = append(append([]string(nil), home.Values...), "~"+user)
		}
		x.add(home)
		x.cur.quoted = true
		i += len(user)
		done = i + 1
	}
	if done < len(s) {
		x.literal(s[done:])
	}
}

// homeOf returns what ~user stands for; ~+ and ~- are directories of the shell.
func (x *expansion) homeOf(user string) shell.Set {
	switch user {
	case "":
		home := x.variable("HOME")
		if home.unset || x.sc.bare && home.set.Has("") { // it is that of the accounts then
			return shell.Set{Values: []string{x.r.env.Home}, Open: true}
		}
		return home.set
	case "+":
		return x.variable("PWD").set
	case "-":
		return x.variable("OLDPWD").set
	case "root":
		return shell.Set{Values: []string{"/root"}}
	}
	return shell.Set{Values: []string{"/home/" + user}, Open: true}
}

// value adds the result of an expansion, split into words where it is not
// quoted.
func (x *expansion) value(v value, quoted bool, n syntax.Node) {
	if len(v.either) > 0 {
		v = x.oneOf(v, n)
	}
	for _, text := range v.set.Values {
		x.r.spends(len(text)) // which is looked through, wherever it goes
	}
	if v.isList && v.joined && (quoted || !x.split) {
		x.add(x.joinStar(v))
		return
	}
	if v.isList {
		x.listed(v, quoted, n)
		return
	}
	x.piece(v, quoted, site{n, 0})
}

// oneOf returns the list that the current reading has of several.
func (x *expansion) oneOf(v value, n syntax.Node) value {
	at := site{n, -1}
	if p := x.r.pinned(at); p != nil {
		return *p
	}
	values := append(slices.Clone(v.either), value{set: v.set, isList: true})
	for i := range values {
		values[i].joined = v.joined
	}
	x.r.fork(at, values)
	return values[0]
}

// piece adds the text of an expansion, or of one element of its list.
func (x *expansion) piece(v value, quoted bool, at site) {
	if quoted || !x.split {
		x.add(v.set)
		return
	}
	ifs, ok := x.ifs()
	if p := x.r.pinned(at); p != nil {
		v = *p
	} else if !ok {
		v.set.Open = true // one of the readings, beside those that ifs makes
	}
	if (len(v.set.Values) > 1 || v.set.Open) && anySplits(v.set.Values, ifs) {
		x.r.fork(at, eachValue(v.set))
		v.set = shell.Set{Values: v.set.Values[:1], Open: v.set.Open}
	}
	if anySplits(v.set.Values, ifs) {
		x.r.differ(shell.Splitting, x.span)
	}
	if x.r.expandsBraces(v.set.Values) {
		x.r.differ(shell.OtherBraces, x.span)
	}
	ends := ifs + "*?[" // which names of files replace
	if x.r.shells&(shell.InMksh|shell.InKsh93) != 0 {
		ends += "{" // behind which another word may stand
	}
	if at := strings.IndexAny(v.set.Prefix, ends); at >= 0 {
		v.set.Prefix = v.set.Prefix[:at] // of the first word that it becomes
	}
	if len(v.set.Values) == 1 && !v.set.Open && !v.set.Glob {
		x.splitText(v.set.Values[0], ifs)
		return
	}
	x.add(v.set)
	x.cur.many = x.cur.many || (v.set.Open && !v.set.Number)
	x.cur.splits = x.cur.splits || (v.set.Open || v.set.Glob) && !v.set.Number
	if v.set.Has("") && !x.cur.quoted && len(v.set.Values) > 1 {
		x.cur.many = true
	}
	for _, s := range v.set.Values {
		if strings.ContainsAny(s, "*?[") {
			x.cur.set.Open, x.cur.many, x.cur.splits = true, true, true
		}
	}
}

// listed adds the elements of a list, each a word of its own.
func (x *expansion) listed(v value, quoted bool, n syntax.Node) {
	if !quoted {
		for _, e := range v.list {
			if e.Has("") { // it vanishes, but not everywhere
				x.cur.many, x.cur.set.Open = true, true
			}
		}
	}
	for i, e := range v.list {
		if i > 0 {
			x.flush()
		}
		x.piece(value{set: e}, quoted, site{n, i + 1})
	}
	if v.set.Open {
		x.add(shell.Set{Values: []string{""}, Open: true})
		x.cur.many, x.cur.splits = true, true
	}
}

func anySplits(values []string, ifs string) bool {
	for _, v := range values {
		if strings.ContainsAny(v, ifs) {
			return true
		}
	}
	return false
}
