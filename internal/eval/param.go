package eval

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
)

// param returns what a parameter expansion may yield.
func (x *expansion) param(p *syntax.ParamExp) value {
	x.promptExpansion(p)
	x.inner(p)
	if p.Flags != nil && p.Param != nil {
		x.variable(p.Param.Value) // notes a secret
	}
	if p.Flags != nil || p.NestedParam != nil || p.Param == nil || p.Names != 0 || p.Width || p.IsSet ||
		p.Split != 0 || p.GlobSubst != 0 || p.RcExpand != 0 || len(p.Modifiers) > 0 {
		return value{set: x.inZsh(p)}
	}
	if p.Length {
		return value{set: shell.Set{Open: true, Number: true}}
	}
	v := x.shown(p)
	if p.Excl {
		var done bool
		if v, done = x.indirect(p, v); done {
			if p.Exp != nil && (p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull) {
				x.r.unknownName(x.cmd, setsUnknown, x.sc)
			}
			return v
		}
	}
	if b := x.sc.lookup(p.Param.Value); x.r.shells == shell.InZsh && p.Index == nil && b != nil && b.array { // all of it
		v = x.element(p.Param.Value, v, &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: "@"}}})
	} else {
		v = x.element(p.Param.Value, v, p.Index)
	}
	if p.Exp != nil || p.Repl != nil || p.Slice != nil || p.Index != nil {
		v.set.Started = false
	}
	switch {
	case p.Exp != nil && shell.IsDefault(p.Exp.Op) && holdsList(p.Exp.Word):
		return x.listInstead(v, p.Exp)
	case p.Exp != nil && shell.IsDefault(p.Exp.Op) && v.isList:
		return x.listOrElse(v, p)
	case p.Exp != nil && shell.IsDefault(p.Exp.Op):
		return value{set: x.orElse(v, p)}
	case p.Exp != nil || p.Repl != nil || p.Slice != nil:
		return x.changed(v, p)
	}
	w, ok := p.Index.(*syntax.Word)
	v.joined = p.Param.Value == "*" || ok && w.Lit() == "*"
	return v
}

// indirect returns what ${!x} and its like look at; done says that it is the
// value itself.
func (x *expansion) indirect(p *syntax.ParamExp, v value) (out value, done bool) {
	switch {
	case p.Index != nil && len(v.keys) > 0:
		list := make([]shell.Set, len(v.keys))
		for i, k := range v.keys {
			list[i] = known(x.r, k)
		}
		return value{set: v.set, list: list, isList: true}, true
	case p.Index != nil:
		return value{set: shell.Set{Open: true}, isList: true}, true
	case p.Param.Value == "#":
		b := x.sc.lookup("@")
		if b == nil || len(b.elems) == 0 {
			return value{set: shell.Set{Open: true}}, true
		}
		last := b.elems[len(b.elems)-1]
		last.Open = true // zsh reads it otherwise
		return value{set: last}, true
	}
	name, ok := v.set.Literal()
	if len(v.set.Values) != 1 {
		return value{set: shell.Set{Open: true}}, true
	}
	array, index, element := strings.Cut(strings.TrimSuffix(v.set.Values[0], "]"), "[")
	if !syntax.ValidName(array) {
		return value{set: shell.Set{Open: true}}, true
	}
	if out = x.variable(array); element {
		out = x.element(array, out, &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: index}}})
	}
	if !ok || name == "" {
		out.set.Open = true
	}
	return out, false
}

// changed returns a value that an operator of the expansion changes: ${x#y},
// ${x/y/z}, ${x:1} and their like.
func (x *expansion) changed(v value, p *syntax.ParamExp) value {
	if v.isList && p.Slice != nil {
		return sliced(p, v)
	}
	if v.set.Open && len(v.set.Values) == 1 && v.set.Values[0] == "" {
		return value{set: v.set} // what is not set has nothing to change
	}
	if set, ok := x.trimmedText(v, p); ok {
		return value{set: set}
	}
	if v.isList || quotesPattern(p) {
		return value{set: shell.Set{Open: true}, isList: v.isList}
	}
	if anchored(p.Repl) {
		return value{set: x.replaceAnchored(v.set, p.Repl)}
	}
	set := x.transform(v, p)
	if p.Exp != nil && p.Exp.Op == syntax.OtherParamOps {
		set.Open = true // bash quotes with @Q what the expander leaves bare
		if p.Exp.Word != nil && p.Exp.Word.Lit() == "P" {
			set.Values = x.prompted(v.set)
		}
	}
	return value{set: set}
}

// trimmedText returns ${x%"text"} and its like, where the pattern is quoted as a
// whole. The set is open.
func (x *expansion) trimmedText(v value, p *syntax.ParamExp) (shell.Set, bool) {
	if p.Exp == nil || p.Exp.Word == nil || v.isList || len(p.Exp.Word.Parts) != 1 {
		return shell.Set{}, false
	}
	if _, ok := p.Exp.Word.Parts[0].(*syntax.DblQuoted); !ok {
		return shell.Set{}, false
	}
	cut := strings.CutSuffix
	switch p.Exp.Op {
	case syntax.RemSmallPrefix, syntax.RemLargePrefix:
		cut = strings.CutPrefix
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix:
	default:
		return shell.Set{}, false
	}
	text, ok := x.r.single(p.Exp.Word, x.sc, x.cmd).Literal()
	out := shell.Set{Open: true}
	if !ok || v.set.Glob {
		return out, true
	}
	for _, value := range v.set.Values {
		rest, _ := cut(value, text)
		out.Values = append(out.Values, rest)
	}
	return out, true
}

// prompted returns texts with the variables that they name expanded, as ${x@P}
// does.
func (x *expansion) prompted(s shell.Set) []string {
	var out []string
	for _, v := range s.Values {
		text := ""
		for {
			before, after, ok := strings.Cut(v, "$")
			text += before
			if !ok {
				break
			}
			name := strings.TrimPrefix(after, "{")
			end := 0
			for end < len(name) && syntax.ValidName(name[:end+1]) {
				end++
			}
			value, known := x.variable(name[:end]).set.Literal()
			if v = after; end == 0 || !known {
				text += "$"
				continue
			}
			text += value
			v = strings.TrimPrefix(name[end:], "}")
		}
		out = append(out, text)
	}
	return out
}

// shown returns the variable of an expansion. ${x+word} shows no more of it
// than whether it is set.
func (x *expansion) shown(p *syntax.ParamExp) value {
	word, command := x.cur.secret, x.r.line.Commands[x.cmd].Secret
	v := x.variable(p.Param.Value)
	if p.Exp != nil && (p.Exp.Op == syntax.AlternateUnset || p.Exp.Op == syntax.AlternateUnsetOrNull) {
		x.cur.secret, x.r.line.Commands[x.cmd].Secret = word, command
	}
	return v
}

// sliced returns ${a[@]:n} and ${@:n} for a plain n.
func sliced(p *syntax.ParamExp, v value) value {
	if len(v.either) > 0 {
		return v.each(func(one value) value { return sliced(p, one) })
	}
	unknown := value{set: shell.Set{Open: true}, isList: true}
	n, ok := plainInt(p.Slice.Offset)
	count, okCount := len(v.list), true
	if p.Slice.Length != nil {
		count, okCount = plainInt(p.Slice.Length)
	}
	if !ok || !okCount || count < 0 {
		return unknown
	}
	switch {
	case n < 0:
		n += len(v.list)
	case p.Param.Value == "@" || p.Param.Value == "*":
		n--
	}
	if n < 0 || n > len(v.list) {
		return unknown
	}
	return value{set: v.set, list: v.list[n:min(n+count, len(v.list))], isList: true}
}

// plainInt returns the value of an expression that is a number, or a negative
// one.
func plainInt(e syntax.ArithmExpr) (int, bool) {
	if neg, ok := e.(*syntax.UnaryArithm); ok && neg.Op == syntax.Minus {
		n, ok := plainInt(neg.X)
		return -n, ok
	}
	w, ok := e.(*syntax.Word)
	if !ok {
		return 0, false
	}
	return shell.SmallInt(w.Lit())
}

// anchored reports whether a replacement is one at the start or the end, which
// the expander does not know.
func anchored(r *syntax.Replace) bool {
	if r == nil || r.Orig == nil || len(r.Orig.Parts) == 0 {
		return false
	}
	lit, ok := r.Orig.Parts[0].(*syntax.Lit)
	return !ok || strings.HasPrefix(lit.Value, "#") || strings.HasPrefix(lit.Value, "%")
}

// promptExpansion notes ${x@P}, which runs the substitutions in the text of x.
func (x *expansion) promptExpansion(p *syntax.ParamExp) {
	if p.Exp == nil || p.Exp.Op != syntax.OtherParamOps || p.Exp.Word == nil || p.Exp.Word.Lit() != "P" {
		return
	}
	if p.Param != nil {
		for _, name := range x.meant(p).Values {
			text := x.variable(name).set
			if b := x.sc.lookup(name); b != nil {
				text = shell.Union(text, b.whole())
			}
			x.r.substitutions(x.cmd, text, x.span, x.sc)
		}
	}
	x.r.line.Commands[x.cmd].Opaque = "expands the text of a variable as a prompt, which runs what the text names"
}

// meant returns the variable of an expansion, which ${!x} only names.
func (x *expansion) meant(p *syntax.ParamExp) shell.Word {
	set := shell.Set{Values: []string{p.Param.Value}}
	if p.Excl {
		set = x.variable(p.Param.Value).set
	}
	return shell.Word{Set: set, Span: x.span}
}

// inner reads the substitutions and the arithmetic inside an expansion.
func (x *expansion) inner(p *syntax.ParamExp) {
	if p.Index != nil {
		if w, ok := p.Index.(*syntax.Word); !ok || (w.Lit() != "@" && w.Lit() != "*") {
			x.r.arithm(p.Index, x.sc, x.cmd)
		}
	}
	if p.Slice != nil {
		x.r.arithm(p.Slice.Offset, x.sc, x.cmd)
		x.r.arithm(p.Slice.Length, x.sc, x.cmd)
	}
	if p.Repl != nil {
		for _, w := range []*syntax.Word{p.Repl.Orig, p.Repl.With} {
			if w != nil {
				x.nested(w)
			}
		}
	}
	if p.Exp != nil && p.Exp.Word != nil && !shell.IsDefault(p.Exp.Op) {
		x.nested(p.Exp.Word)
	}
}

// listOrElse returns the value of ${a[@]:-word} and its like: the list where
// it has elements.
func (x *expansion) listOrElse(v value, p *syntax.ParamExp) value {
	word := shell.Set{Values: []string{""}}
	if p.Exp.Word != nil {
		word = x.r.single(p.Exp.Word, x.sc, x.cmd).Set
	}
	word.Open = true
	if len(v.either) > 0 {
		out := v.each(func(one value) value { return one })
		out.either = append(out.either, value{set: word})
		return out
	}
	if v.set.Open || len(v.list) < 2 {
		return value{set: shell.Set{Open: true}, list: []shell.Set{word}, isList: true}
	}
	if p.Exp.Op == syntax.AlternateUnset || p.Exp.Op == syntax.AlternateUnsetOrNull {
		return value{set: word}
	}
	return v
}

// listInstead returns the value of ${x:-"$@"}, ${1+"$@"} and their like.
func (x *expansion) listInstead(v value, e *syntax.Expansion) value {
	unknown := value{set: shell.Set{Open: true}, isList: true}
	part := e.Word.Parts[0]
	if q, ok := part.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		part = q.Parts[0]
	}
	p, ok := part.(*syntax.ParamExp)
	if !ok || len(e.Word.Parts) != 1 {
		x.nested(e.Word)
		return unknown
	}
	list := x.param(p)
	list.set.Open = true // it may be none
	if e.Op == syntax.AlternateUnset || e.Op == syntax.AlternateUnsetOrNull {
		return list
	}
	unknown.either = append(list.either, list, v)
	return unknown
}

// holdsList reports whether a word has "$@" or "${a[@]}" in it, which become
// several words.
func holdsList(w *syntax.Word) bool {
	found := false
	if w != nil {
		syntax.Walk(w, func(n syntax.Node) bool {
			if p, ok := n.(*syntax.ParamExp); ok {
				index, _ := p.Index.(*syntax.Word)
				found = found || p.Param != nil && p.Param.Value == "@" || index != nil && index.Lit() == "@"
			}
			return !found
		})
	}
	return found
}

// quotesPattern reports whether the pattern of an operator has quotes, which the
// expander does not keep apart.
func quotesPattern(p *syntax.ParamExp) bool {
	w := (*syntax.Word)(nil)
	switch {
	case p.Exp != nil:
		w = p.Exp.Word
	case p.Repl != nil:
		w = p.Repl.Orig
	}
	if w == nil {
		return false
	}
	for _, part := range w.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok || strings.Contains(lit.Value, "\\") {
			return true
		}
	}
	return false
}

// replaceAnchored returns the value of ${x/#text/with} and ${x/%text/with} for
// plain text.
func (x *expansion) replaceAnchored(s shell.Set, repl *syntax.Replace) shell.Set {
	lit, ok := repl.Orig.Parts[0].(*syntax.Lit)
	if !ok || len(repl.Orig.Parts) != 1 || strings.ContainsAny(lit.Value, "*?[\\") || s.Glob {
		return shell.Set{Open: true}
	}
	with := ""
	if repl.With != nil {
		if with, ok = x.r.single(repl.With, x.sc, x.cmd).Literal(); !ok {
			return shell.Set{Open: true}
		}
	}
	out := shell.Set{Open: s.Open}
	for _, v := range s.Values {
		text := lit.Value[1:]
		if rest, found := strings.CutPrefix(v, text); found && lit.Value[0] == '#' {
			v = with + rest
		} else if rest, found := strings.CutSuffix(v, text); found && lit.Value[0] == '%' {
			v = rest + with
		}
		out.Values = append(out.Values, v)
	}
	return out
}

// orElse returns the value of ${x:-word} and its like.
func (x *expansion) orElse(v value, p *syntax.ParamExp) shell.Set {
	set := v.set
	bound := !set.Open && len(set.Values) > 0 && !v.unset
	switch {
	case v.unset:
		set = shell.Set{}
	case x.sc.cleared && x.sc.lookup(p.Param.Value) == nil: // what is not inherited is not set
		set = nonEmpty(set)
	}
	var word shell.Set
	if p.Exp.Word != nil {
		w := x.r.single(p.Exp.Word, x.sc, x.cmd)
		word = w.Set
		word.Open = word.Open || w.Quoted && x.split // what is quoted in it is not split
	} else {
		word = shell.Set{Values: []string{""}}
	}
	switch p.Exp.Op {
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		if v.unset || p.Exp.Op == syntax.ErrorUnsetOrNull {
			return nonEmpty(set)
		}
		return v.set
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if bound && !set.Has("") {
			return word
		}
		if v.unset {
			return shell.Set{Values: []string{""}}
		}
		return shell.Union(word, shell.Set{Values: []string{""}})
	}
	if bound && !set.Has("") {
		return set
	}
	if !bound && !v.unset && (p.Exp.Op == syntax.DefaultUnsetOrNull || p.Exp.Op == syntax.AssignUnsetOrNull) {
		set = nonEmpty(set)
	}
	if bound {
		if p.Exp.Op == syntax.DefaultUnset || p.Exp.Op == syntax.AssignUnset {
			return set
		}
		if len(set.Values) == 1 {
			set = word
		} else {
			set = shell.Union(word, set)
		}
	} else {
		set = shell.Union(set, word)
		set.Number = false
	}
	if p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull {
		x.r.setsNames(x.cmd, []shell.Word{x.meant(p)}, set, x.sc)
	}
	return set
}

// nonEmpty returns what of a set is no empty text; it is open where nothing is left.
func nonEmpty(s shell.Set) shell.Set {
	s.Values = slices.DeleteFunc(slices.Clone(s.Values), func(v string) bool { return v == "" })
	s.Open = s.Open || len(s.Values) == 0
	return s
}

// transform returns the value of ${x#pattern}, ${x/a/b}, ${x:1:2} and their
// like for each value that is known.
func (x *expansion) transform(v value, p *syntax.ParamExp) shell.Set {
	set := v.set
	out := shell.Set{Open: set.Open || len(set.Values) == 0}
	if set.Glob { // the operator changes a name, and not the pattern
		if p.Exp != nil && p.Exp.Op == syntax.RemLargePrefix && p.Exp.Word != nil && p.Exp.Word.Lit() == "*/" {
			return command.NamesOf(set)
		}
		if p.Exp != nil && (p.Exp.Op == syntax.RemSmallSuffix || p.Exp.Op == syntax.RemLargeSuffix) {
			return shell.Set{Values: set.Values, Open: true, Glob: true}
		}
		return shell.Set{Open: true}
	}
	for _, s := range set.Values {
		t, ok := x.transformed(s, p)
		if !ok {
			out.Open = true
			continue
		}
		out.Open = out.Open || !isASCII(s) // a locale reports whether bytes or characters count
		if !out.Has(t) {
			out.Values = append(out.Values, t)
		}
	}
	return out
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// transformed asks the expander of the parser's module, with the variables
// that are known and nothing else: what needs more is an error there.
func (x *expansion) transformed(s string, p *syntax.ParamExp) (out string, ok bool) {
	if len(s) > 1<<12 {
		return "", false
	}
	defer func() {
		if recover() != nil {
			out, ok = "", false
		}
	}()
	one := *p
	one.Excl, one.Index = false, nil
	env := knownVars{x: x, name: p.Param.Value, value: s}
	cfg := &expand.Config{Env: env, NoUnset: true,
		ProcSubst: func(*syntax.ProcSubst) (string, error) { return "", errors.New("a process") }}
	out, err := expand.Literal(cfg, &syntax.Word{Parts: []syntax.WordPart{
		&syntax.DblQuoted{Parts: []syntax.WordPart{&one}}}})
	return out, err == nil && len(out) <= 1<<12
}

// element returns the part of an array that an index names.
func (x *expansion) element(name string, v value, index syntax.ArithmExpr) value {
	if index == nil {
		if v.isList && name != "@" && name != "*" {
			index = zeroIndex
		} else {
			return v
		}
	}
	w, ok := index.(*syntax.Word)
	lit := ""
	if ok {
		lit = w.Lit()
	}
	if lit == "@" || lit == "*" {
		v.isList = v.isList || v.set.Open
		return v
	}
	if len(v.either) > 0 {
		out := shell.Set{Open: true}
		for _, one := range v.either {
			out = shell.Union(out, x.element(name, one, index).set)
		}
		return value{set: out}
	}
	if v.unset {
		return v
	}
	n, ok := shell.SmallInt(lit)
	if neg, isUnary := index.(*syntax.UnaryArithm); isUnary && neg.Op == syntax.Minus {
		if w, isWord := neg.X.(*syntax.Word); isWord {
			n, ok = shell.SmallInt(w.Lit())
			n = len(v.list) - n
		}
	}
	if ok && !v.isList && n == 0 {
		return v
	}
	if len(v.keys) > 0 {
		if w, ok := index.(*syntax.Word); ok {
			if _, known := indexText(index); !known {
				return v.among(x.r.single(w, x.sc, x.cmd).Set)
			}
		}
		return v.at(index)
	}
	if !ok {
		return value{set: v.whole()}
	}
	if v.isList && !v.set.Open && n >= len(v.list) {
		return value{set: shell.Set{Values: []string{""}, Open: true}} // zsh counts from 1
	}
	if !v.isList || n < 0 || n >= len(v.list) {
		return value{set: shell.Set{Open: true}}
	}
	if v.set.Open { // it may be another, or none
		return value{set: shell.Set{Values: v.list[n].Values, Open: true}}
	}
	return value{set: v.list[n]}
}
