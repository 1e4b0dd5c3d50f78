package confine

import (
	"slices"
	"strings"
)

// A javascript is a script in JavaScript that is read.
type javascript struct {
	script
	// within is the index of the bracket that is open at each token, or -1.
	within []int
	// modules are the names that stand for modules, functions those for what is in
	// one, and values the declarations of names.
	modules   map[string]string
	functions map[string]string
	values    map[string][]binding
	done      map[int]bool
	// binding are the brackets in which names may get values, bound the names that
	// do, beside those of modules and what is in them.
	binding []bool
	bound   map[string][]int
	depth   int
	own     bool // it may load files of the project
}

func readJavaScript(text string, own bool) ([]Access, *Refusal) {
	if i := strings.IndexAny(text, "\u2028\u2029\ufeff"); i >= 0 {
		return nil, &Refusal{Why: "the script has a Unicode line separator or a byte order mark", From: i, To: i + 3}
	}
	l := javascriptLexer{src: text}
	if r := l.read(false); r != nil {
		return nil, r
	}
	s := &javascript{own: own, script: script{tokens: spreadTemplates(l.tokens)}, modules: map[string]string{}, functions: map[string]string{}, values: map[string][]binding{}, bound: map[string][]int{}, done: map[int]bool{}}
	if r := brackets(s.tokens); r != nil {
		return nil, r
	}
	s.nest()
	for i := range s.tokens {
		s.importOwn(i)
		s.declare(i)
	}
	for i := range s.tokens {
		if t := s.at(i); t.kind == nameToken && !s.isMember(i) && !s.isKey(i) && s.binds(i) {
			s.bound[t.text] = append(s.bound[t.text], i)
		}
	}
	for i := range s.tokens {
		if r := s.check(i); r != nil {
			return nil, r
		}
	}
	return s.out, nil
}

// spreadTemplates puts the values of templates behind the script, each as a
// statement of its own.
func spreadTemplates(tokens []token) []token {
	out := slices.Clone(tokens[:len(tokens)-1])
	for i := 0; i < len(out); i++ {
		for _, p := range out[i].parts {
			if p.tokens != nil {
				out = append(out, token{kind: operatorToken, text: ";"}, token{kind: operatorToken, text: "("})
				out = append(out, p.tokens...)
				out = append(out, token{kind: operatorToken, text: ")"}, token{kind: operatorToken, text: ";"})
			}
		}
	}
	return append(out, token{kind: endToken, line: true})
}

func (s *javascript) nest() {
	s.within, s.binding = make([]int, len(s.tokens)), make([]bool, len(s.tokens))
	open := -1
	for i := range s.tokens {
		t := &s.tokens[i]
		if isClosing(t) {
			open = s.within[t.match]
		}
		s.within[i] = open
		if isOpening(t) {
			s.binding[i] = open >= 0 && s.binding[open] || s.isPattern(i)
			open = i
		}
	}
}

// isPattern reports whether names in the brackets that a token opens may get values:
// they are parameters, or are taken out of another value.
func (s *javascript) isPattern(open int) bool {
	before, behind := s.at(open-1), s.at(s.at(open).match+1)
	if s.at(open).is("(") {
		return behind.is("=>") || behind.is("{") && !isKeyword(before, "if", "while", "switch", "for")
	}
	return behind.is("=") || isKeyword(behind, "of", "in") || isKeyword(before, "const", "let", "var")
}

// isMember reports whether a name is that of a property.
func (s *javascript) isMember(i int) bool { return s.at(i-1).is(".") || s.at(i-1).is("?.") }

// isKey reports whether a name, or a string, is a key in braces. A label is one too.
func (s *javascript) isKey(i int) bool {
	before := s.at(i - 1)
	return s.at(i+1).is(":") && (before.is("{") || before.is(",")) && s.within[i] >= 0 && s.at(s.within[i]).is("{")
}

func isKeyword(t *token, list ...string) bool {
	return t.kind == nameToken && slices.Contains(list, t.text)
}

// declare notes what the declaration at a token binds: a module, functions of one,
// or a value.
func (s *javascript) declare(i int) {
	if !isKeyword(s.at(i), "const", "let", "var") || s.isMember(i) {
		return
	}
	at := i + 1
	if isOpening(s.at(at)) && s.at(at).is("{") {
		s.destructure(at)
		return
	}
	for s.at(at).kind == nameToken {
		name := s.at(at).text
		switch {
		case s.at(at + 1).is("of"):
			s.values[name] = append(s.values[name], binding{from: at + 2, to: s.end(at + 2), loop: true, hoisted: s.at(i).is("var")})
			return
		case !s.at(at + 1).is("="):
			return
		}
		end := s.end(at + 2)
		if module, close := s.required(at + 2); module != "" && close == end-1 {
			s.modules[name] = module
			s.done[at] = true
			s.pass(at+2, close)
		} else {
			s.values[name] = append(s.values[name], binding{from: at + 2, to: end, hoisted: s.at(i).is("var")})
		}
		if at = end; !s.at(at).is(",") {
			return
		}
		at++
	}
}

// destructure notes functions that are taken out of a module.
func (s *javascript) destructure(open int) {
	close := s.at(open).match
	if !s.at(close + 1).is("=") {
		return
	}
	module, end := s.required(close + 2)
	if module == "" || end != s.end(close+2)-1 {
		return
	}
	found := map[string]string{}
	for k := open + 1; k < close; k++ {
		key, name := s.at(k), s.at(k)
		if s.at(k + 1).is(":") {
			k += 2
			name = s.at(k)
		}
		if key.kind != nameToken || name.kind != nameToken || !s.at(k+1).is(",") && k+1 != close {
			return
		}
		found[name.text] = module + "." + key.text
		k++
	}
	for name, full := range found {
		s.functions[name] = full
	}
	s.pass(open, close)
	s.pass(close+2, end)
}

func (s *javascript) pass(from, to int) {
	for k := from; k <= to; k++ {
		s.done[k] = true
	}
}

// required returns the module that a call of require loads, and the index of the
// bracket that closes it.
func (s *javascript) required(i int) (module string, close int) {
	if !s.at(i).is("require") || !s.at(i+1).is("(") || s.at(i+2).kind != stringToken || !s.at(i+2).plain || !s.at(i+3).is(")") {
		return "", 0
	}
	name := strings.TrimPrefix(s.at(i+2).value, "node:")
	if javascriptModules()[name] == nil {
		return "", 0
	}
	return name, i + 3
}

// end returns where an expression ends: at a comma, a semicolon, a bracket, or a line
// behind which it cannot go on.
func (s *javascript) end(i int) int {
	for from := i; ; i++ {
		t := s.at(i)
		switch {
		case t.kind == endToken, t.is(";"), t.is(","), isClosing(t):
			return i
		case isKeyword(t, "const", "var") && !s.isMember(i), t.is("let") && s.at(i+1).kind == nameToken:
			return i // another declaration
		case t.line && i > from && t.kind == nameToken && !isKeyword(t, "in", "instanceof", "of"):
			return i
		case isOpening(t):
			i = t.match
		}
	}
}

// check looks at one token.
func (s *javascript) check(i int) *Refusal {
	t := s.at(i)
	switch {
	case s.done[i]:
		return nil
	case t.kind == nameToken:
		return s.name(i)
	case t.kind == stringToken && s.isKey(i) && (!t.plain || isRefused(t.value)):
		return refuse(t, "it uses the property "+shown(t.text))
	case t.is("["):
		return s.bracket(i)
	case t.is("=>") || t.is("*"):
		if s.at(i - 1).is("function") {
			return refuse(t, "it is a generator")
		}
	}
	return nil
}

func isRefused(property string) bool {
	return javascriptRefused()[property] || strings.HasPrefix(property, "_") || strings.HasPrefix(property, "$")
}

func (s *javascript) name(i int) *Refusal {
	t := s.at(i)
	switch {
	case s.own && isPower(t.text) && (s.isMember(i) || javascriptGlobals()[t.text] == nil && s.modules[t.text] == ""):
		return refuse(t, "it uses "+shown(t.text)+", which may run more than the project's own code")
	case s.isMember(i):
		if isRefused(t.text) || s.at(i-2).is("new") {
			return refuse(t, "it uses the property "+shown(t.text))
		}
		return nil
	case s.isKey(i):
		if isRefused(t.text) {
			return refuse(t, "it uses the property "+shown(t.text))
		}
		return nil
	case t.is("import") && s.requireOwn(i):
		return nil
	case t.is("require"):
		return s.require(i)
	case s.modules[t.text] != "":
		return s.module(i, s.modules[t.text], i)
	case s.functions[t.text] != "":
		if s.binds(i) {
			return refuse(t, "the name "+t.text+" stands for several things")
		}
		return s.function(i, s.functions[t.text])
	case javascriptKeywords()[t.text]:
		return nil
	case javascriptGlobals()[t.text] != nil:
		return s.global(i)
	case javascriptOthers()[t.text] || javascriptRefused()[t.text]:
		return refuse(t, "it uses "+shown(t.text))
	}
	if len(s.bound[t.text]) > 0 {
		return nil
	}
	return refuse(t, "the name "+shown(t.text)+" is unknown")
}

// require checks a module, or a file of JSON, that is loaded where it is used.
func (s *javascript) require(i int) *Refusal {
	t := s.at(i)
	if module, close := s.required(i); module != "" {
		return s.module(i, module, close)
	}
	path := s.at(i + 2)
	if s.at(i+1).is("(") && path.kind == stringToken && path.plain && s.at(i+3).is(")") && strings.HasSuffix(path.value, ".json") &&
		(strings.HasPrefix(path.value, "./") || strings.HasPrefix(path.value, "../") || strings.HasPrefix(path.value, "/")) {
		s.out = append(s.out, Access{Path: path.value, Act: Loads, At: t.at})
		return nil
	}
	if s.requireOwn(i) {
		return nil
	}
	return refuse(t, "it loads a module that is not known to only compute")
}

// module checks what is used of a module, which may not be passed on. end is the last
// token that stands for it.
func (s *javascript) module(i int, module string, end int) *Refusal {
	t := s.at(end + 2)
	if !s.at(end+1).is(".") || t.kind != nameToken {
		return refuse(s.at(i), "a module is passed on")
	}
	if !javascriptModules()[module][t.text] {
		return refuse(t, module+"."+shown(t.text)+" is not known to only compute")
	}
	if s.binds(end + 2) {
		return refuse(t, "it changes a module")
	}
	return s.function(end+2, module+"."+t.text)
}

// function checks the use of a function whose name ends at a token.
func (s *javascript) function(i int, full string) *Refusal {
	module, name, _ := strings.Cut(full, ".")
	if !javascriptModules()[module][name] {
		return refuse(s.at(i), shown(full)+" is not known to only compute")
	}
	act, ok := javascriptFiles()[full]
	if !ok {
		return nil
	}
	t := s.at(i)
	if !s.at(i + 1).is("(") {
		return refuse(t, shown(t.text)+" is passed on, so its arguments are unknown")
	}
	args := s.split(i+2, s.at(i+1).match)
	for k, a := range args {
		if s.at(a.from).is("...") {
			return refuse(s.at(a.from), "some of its arguments are unknown")
		}
		options := k == 1 && act != Replaces && act != Appends || k == 2
		if options && !s.isPlainOption(a) || k > 2 {
			return refuse(t, "what its arguments do is unknown")
		}
	}
	if len(args) == 0 {
		return refuse(t, "which file it opens is unknown")
	}
	if a := args[0]; act == Reads && a.to == a.from+1 && s.at(a.from).text == "0" {
		return nil // its input
	}
	places, ok := s.path(args[0])
	return s.opens(t, places, ok, act)
}

// isPlainOption reports whether an argument is an encoding, or says that directories
// are made on the way.
func (s *javascript) isPlainOption(a span) bool {
	if a.to == a.from+1 {
		return s.at(a.from).kind == stringToken
	}
	return a.to == a.from+5 && s.at(a.from).is("{") && isKeyword(s.at(a.from+1), "recursive", "encoding") && s.at(a.from+2).is(":") &&
		(s.at(a.from+3).is("true") || s.at(a.from+3).kind == stringToken)
}

// global checks the use of a name that every script finds.
func (s *javascript) global(i int) *Refusal {
	t, behind := s.at(i), s.at(i+1)
	uses := javascriptGlobals()[t.text]
	switch {
	case s.binds(i):
		return refuse(t, "it binds "+t.text)
	case behind.is(".") && s.at(i+2).kind == nameToken:
		name := s.at(i + 2)
		if !uses[name.text] || name.is("call") || name.is("value") {
			return refuse(name, "it uses "+t.text+"."+shown(name.text))
		}
		if s.binds(i+2) && t.text != "process" {
			return refuse(name, "it changes "+t.text)
		}
		if t.text == "process" && strings.HasPrefix(name.text, "std") {
			return s.stream(i)
		}
		return nil
	case uses["value"]:
		return nil
	case uses["call"] && (behind.is("(") || s.at(i-1).is("new") || s.at(i-1).is("instanceof")):
		return nil
	}
	return refuse(t, t.text+" is passed on")
}

// stream checks the use of a standard stream: a statement of its own, or an output
// that is written.
func (s *javascript) stream(i int) *Refusal {
	name, use := s.at(i+2), s.at(i+4)
	if !name.is("stdin") {
		if s.at(i+3).is(".") && (use.is("write") && s.at(i+5).is("(") || use.is("columns") || use.is("isTTY")) {
			return nil
		}
		return refuse(name, "a stream is passed on")
	}
	before := s.at(i - 1)
	if i > 0 && !before.is(";") && !before.is("{") && !before.is("}") && !s.at(i).line {
		return refuse(name, "a stream is passed on")
	}
	at := i + 3
	for s.at(at).is(".") {
		if !isKeyword(s.at(at+1), "on", "once", "setEncoding", "resume") || !s.at(at+2).is("(") {
			return refuse(s.at(at+1), "it uses ."+shown(s.at(at+1).text)+" of a stream")
		}
		at = s.at(at+2).match + 1
	}
	if t := s.at(at); t.kind != endToken && !t.is(";") && !t.is("}") && !(t.line && t.kind == nameToken) {
		return refuse(name, "a stream is passed on")
	}
	return nil
}

// bracket checks a property whose name is computed: it must be a number, or written.
func (s *javascript) bracket(i int) *Refusal {
	t, before := s.at(i), s.at(i-1)
	close := t.match
	if (before.is("{") || before.is(",")) && s.within[i] >= 0 && s.at(s.within[i]).is("{") && (s.at(close+1).is(":") || s.at(close+1).is("(")) {
		return refuse(t, "the name of a property is unknown")
	}
	switch before.kind {
	case nameToken:
		if javascriptKeywords()[before.text] && !s.isMember(i-1) {
			return nil
		}
	case operatorToken:
		if !isClosing(before) && !before.is("?.") {
			return nil
		}
	case endToken:
		return nil
	}
	key := s.at(i + 1)
	if close == i+2 && (key.kind == numberToken || key.kind == stringToken && key.plain && key.parts == nil && !isRefused(key.value)) || s.isNumber(i+1, close) {
		return nil
	}
	return refuse(t, "the name of a property is unknown")
}

// isNumber reports whether an expression is a number: a counter, what is added to one,
// or a difference.
func (s *javascript) isNumber(from, to int) bool {
	minus := false
	for k := from; k < to; k++ {
		t := s.at(k)
		switch {
		case t.kind == numberToken, t.is("+"), t.kind == nameToken && !s.isMember(k) && s.isCounter(t.text):
		case t.is("-") && k > from:
			minus = true
		default:
			// Something else is a number only as part of the difference of two.
			if from != k || !s.at(k+1).is(".") || !s.at(k+2).is("length") || !s.at(k+3).is("-") || s.at(k+4).kind != numberToken || k+5 != to || t.kind != nameToken {
				return false
			}
			return true
		}
	}
	return to > from && (!minus || to > from+2)
}

// isCounter reports whether a name is a number wherever it is used.
func (s *javascript) isCounter(name string) bool {
	list := s.values[name]
	if len(list) == 0 {
		return false
	}
	for _, b := range list {
		if b.loop || b.to != b.from+1 || s.at(b.from).kind != numberToken {
			return false
		}
	}
	for _, k := range s.bound[name] {
		behind := s.at(k + 1)
		declared := slices.ContainsFunc(list, func(b binding) bool { return b.from-2 == k })
		steps := behind.is("++") || behind.is("--") || s.at(k-1).is("++") || s.at(k-1).is("--") ||
			(behind.is("+=") || behind.is("-=")) && s.at(k+2).kind == numberToken && s.end(k+2) == k+3
		if !declared && (!steps || s.binding[max(s.within[k], 0)] && s.within[k] >= 0) {
			return false
		}
	}
	return true
}

// binds reports whether a name, or the property that ends at a token, may get a value
// where it stands.
func (s *javascript) binds(i int) bool {
	before, behind := s.at(i-1), s.at(i+1)
	switch {
	case isKeyword(before, "const", "let", "var", "function", "delete"), behind.is("=>"), behind.is("++"), behind.is("--"), before.is("++"), before.is("--"):
		return true
	case behind.kind == operatorToken && strings.HasSuffix(behind.text, "=") && !slices.Contains([]string{"==", "===", "!=", "!==", "<=", ">="}, behind.text):
		return true
	}
	open := s.within[i]
	if open >= 0 && open == i-1 && isKeyword(behind, "of", "in") && isKeyword(s.at(open-1), "for") {
		return true
	}
	return open >= 0 && s.binding[open]
}

// path returns what an expression may be as a path or a text.
func (s *javascript) path(e span) ([]place, bool) {
	if s.depth++; s.depth > maxFollow || e.from >= e.to {
		s.depth--
		return nil, false
	}
	defer func() { s.depth-- }()
	if s.at(e.from).is("(") && s.at(e.from).match == e.to-1 {
		return s.path(span{e.from + 1, e.to - 1})
	}
	begin, terms := e.from, [][]place(nil)
	for i := e.from; i <= e.to; i++ {
		if i < e.to {
			i = s.beyond(i)
		}
		if i == e.to || s.at(i).is("+") {
			if begin == e.from && i == e.to {
				break
			}
			next, ok := s.path(span{begin, i})
			if !ok {
				return nil, false
			}
			terms = append(terms, next)
			begin = i + 1
		}
	}
	if terms != nil {
		return combine(terms, func(a, b string) string { return a + b })
	}
	t := s.at(e.from)
	switch {
	case e.to == e.from+1 && t.kind == stringToken && t.parts == nil:
		return []place{{text: t.value}}, t.plain
	case e.to == e.from+1 && t.kind == stringToken:
		for _, p := range t.parts {
			next, ok := []place{{text: p.text}}, !strings.Contains(p.text, `\`)
			if p.tokens != nil {
				ok = len(p.tokens) == 1 && p.tokens[0].kind == nameToken
				if ok {
					next, ok = s.follow(p.tokens[0].text)
				}
			}
			if !ok {
				return nil, false
			}
			terms = append(terms, next)
		}
		return combine(terms, func(a, b string) string { return a + b })
	case e.to == e.from+1 && t.kind == nameToken:
		return s.follow(t.text)
	}
	full, open := s.call(e)
	if full != "path.join" {
		return nil, false
	}
	for k, a := range s.split(open+1, e.to-1) {
		next, ok := s.path(a)
		for n := range next {
			if ok = ok && next[n].text != ""; k > 0 {
				next[n].text = strings.TrimLeft(next[n].text, "/")
			}
		}
		if !ok {
			return nil, false
		}
		terms = append(terms, next)
	}
	return combine(terms, joinPath)
}

// call returns the full name of the function of a module that an expression calls, if
// the call is all there is.
func (s *javascript) call(e span) (full string, open int) {
	close := e.to - 1
	if !s.at(close).is(")") {
		return "", 0
	}
	open = s.at(close).match
	name := s.at(open - 1)
	switch {
	case open-1 == e.from && s.functions[name.text] != "":
		return s.functions[name.text], open
	case open-3 == e.from && s.at(open-2).is(".") && s.modules[s.at(e.from).text] != "":
		return s.modules[s.at(e.from).text] + "." + name.text, open
	}
	if module, end := s.required(e.from); module != "" && end == open-3 && s.at(open-2).is(".") {
		return module + "." + name.text, open
	}
	return "", 0
}

// follow returns what a name may be: it is declared in one place and gets no other
// value.
func (s *javascript) follow(name string) ([]place, bool) {
	list := s.values[name]
	if len(list) != 1 {
		return nil, false
	}
	b := list[0]
	if b.hoisted || !slices.Equal(s.bound[name], []int{b.from - 2}) {
		return nil, false
	}
	if !b.loop {
		return s.path(span{b.from, b.to})
	}
	e := span{b.from, b.to}
	if t := s.at(e.from); t.is("[") && t.match == e.to-1 {
		var out []place
		for _, one := range s.split(e.from+1, e.to-1) {
			next, ok := s.path(one)
			if !ok || len(out)+len(next) > maxPlaces {
				return nil, false
			}
			out = append(out, next...)
		}
		return out, len(out) > 0
	}
	if full, open := s.call(e); full == "fs.readdirSync" && len(s.split(open+1, e.to-1)) == 1 {
		return []place{{text: "*", each: true, joined: true}}, true // names, each without a slash
	}
	return nil, false
}
