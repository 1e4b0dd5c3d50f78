package confine

import (
	"slices"
	"strings"
)

// A python is a script in Python that is read.
type python struct {
	script
	// modules are the names that stand for modules, and functions those for what is
	// in one, as "os.path.join".
	modules   map[string]string
	functions map[string]string
	// bound counts in how many places a name is bound; values are those places where
	// it gets a value that is written there.
	bound  map[string]int
	values map[string][]binding
	// done are tokens that were looked at with an earlier one.
	done map[int]bool
	// depth bounds how far bindings are followed.
	depth int
	own   bool // it may load modules of the project
}

// A binding is where a name gets its value: the tokens of the value, or of what a
// loop goes through.
type binding struct {
	from, to int
	loop     bool
	// hoisted says that the name may be used before it has the value.
	hoisted bool
}

func readPython(text string, own bool) ([]Access, *Refusal) {
	l := pythonLexer{src: text}
	if r := l.read(); r != nil {
		return nil, r
	}
	p := &python{own: own, modules: map[string]string{}, functions: map[string]string{}, bound: map[string]int{}, values: map[string][]binding{}, done: map[int]bool{}}
	p.tokens = spread(l.tokens)
	if r := brackets(p.tokens); r != nil {
		return nil, r
	}
	for _, step := range []func() *Refusal{p.imports, p.bindings, p.names} {
		if r := step(); r != nil {
			return nil, r
		}
	}
	return p.out, nil
}

// spread puts the values of strings behind the script, each as a statement of its
// own, so that names in them are looked at as all others are.
func spread(tokens []token) []token {
	out := tokens[:len(tokens)-1]
	for i := range tokens {
		for _, p := range tokens[i].parts {
			if p.tokens == nil {
				continue
			}
			at := tokens[i].at
			out = append(out, token{kind: lineToken, at: at}, token{kind: operatorToken, text: "(", at: at})
			for _, inner := range p.tokens {
				if inner.kind != lineToken && inner.kind != endToken {
					out = append(out, inner)
				}
			}
			out = append(out, token{kind: operatorToken, text: ")", at: at}, token{kind: lineToken, at: at})
		}
	}
	return append(out, token{kind: endToken})
}

// begins reports whether a statement may begin at a token.
func (p *python) begins(i int) bool {
	t := p.at(i - 1)
	return t.kind == lineToken || t.kind == endToken || t.is(";") || t.is(":")
}

// imports reads what the script imports.
func (p *python) imports() *Refusal {
	for i := range p.tokens {
		t := &p.tokens[i]
		if t.kind != nameToken || !p.begins(i) || p.done[i] {
			continue
		}
		var r *Refusal
		switch t.text {
		case "import":
			r = p.importModules(i)
		case "from":
			r = p.importNames(i)
		}
		if r != nil {
			return r
		}
	}
	return nil
}

// dotted reads a module's name, and returns the index behind it.
func (p *python) dotted(i int) (name string, end int, r *Refusal) {
	for {
		t := p.at(i)
		if t.kind != nameToken {
			return "", i, refuse(t, "the import is not understood")
		}
		p.done[i] = true
		name += t.text
		if i++; !p.at(i).is(".") {
			return name, i, nil
		}
		p.done[i] = true
		name += "."
		i++
	}
}

// alias reads the name behind as, which is another one than given if there is one.
func (p *python) alias(i int, name string) (string, int, *Refusal) {
	if !p.at(i).is("as") {
		return name, i, nil
	}
	if p.at(i+1).kind != nameToken {
		return "", i, refuse(p.at(i+1), "the import is not understood")
	}
	p.done[i], p.done[i+1] = true, true
	return p.at(i + 1).text, i + 2, nil
}

func (p *python) importModules(i int) *Refusal {
	p.done[i] = true
	for {
		from := i + 1
		name, end, r := p.dotted(from)
		if r != nil {
			return r
		}
		if pythonModules()[name] == nil && p.isOwn(name) {
			if end, r = p.importOwn(name, from, end); r != nil {
				return r
			}
			if i = end; !p.at(i).is(",") {
				return p.ends(i)
			}
			continue
		}
		if pythonModules()[name] == nil {
			return refuse(p.at(from), "it imports "+shown(name)+", which is not known to only compute")
		}
		first, _, _ := strings.Cut(name, ".")
		as, end, r := p.alias(end, "")
		if r != nil {
			return r
		}
		if as == "" {
			as, name = first, first
		}
		if r := p.bindImport(p.modules, as, name, from); r != nil {
			return r
		}
		if i = end; !p.at(i).is(",") {
			return p.ends(i)
		}
	}
}

func (p *python) importNames(i int) *Refusal {
	p.done[i] = true
	module, i, r := p.dotted(i + 1)
	if r != nil {
		return r
	}
	if !p.at(i).is("import") {
		return refuse(p.at(i), "the import is not understood")
	}
	p.done[i] = true
	close := -1
	if p.at(i + 1).is("(") {
		i++
		close = p.tokens[i].match
	}
	for {
		i++
		t := p.at(i)
		if i == close {
			return p.ends(i + 1)
		}
		if t.kind != nameToken {
			return refuse(t, "the import is not understood")
		}
		p.done[i] = true
		as, end, r := p.alias(i+1, t.text)
		if r != nil {
			return r
		}
		full := module + "." + t.text
		switch {
		case p.isOwn(module) && !isPower(t.text):
			p.runs(module, i)
			r = p.bindOwn(as, i)
		case pythonModules()[full] != nil:
			r = p.bindImport(p.modules, as, full, i)
		case pythonModules()[module][t.text]:
			r = p.bindImport(p.functions, as, full, i)
		default:
			return refuse(t, "it imports "+shown(full)+", which is not known to only compute")
		}
		if r != nil {
			return r
		}
		switch i = end; {
		case p.at(i).is(","):
		case i == close:
			return p.ends(i + 1)
		default:
			return p.ends(i)
		}
	}
}

// ends checks that a statement ends at a token.
func (p *python) ends(i int) *Refusal {
	if t := p.at(i); t.kind != lineToken && !t.is(";") {
		return refuse(t, "the import is not understood")
	}
	return nil
}

// bindImport notes what an import binds.
func (p *python) bindImport(table map[string]string, as, what string, i int) *Refusal {
	if table[as] == what {
		return nil
	}
	table[as] = what
	if p.bound[as]++; p.bound[as] > 1 || pythonBuiltins()[as] || pythonOthers()[as] || as == "open" || strings.HasPrefix(as, "__") {
		return refuse(p.at(i), "the name "+shown(as)+" stands for several things")
	}
	return nil
}

// names checks every name of the script.
func (p *python) names() *Refusal {
	for i := range p.tokens {
		p.searches(i)
		if t := &p.tokens[i]; t.kind == nameToken && !p.done[i] {
			if r := p.name(i); r != nil {
				return r
			}
		}
	}
	return nil
}

func (p *python) name(i int) *Refusal {
	t := p.at(i)
	before, behind := p.at(i-1), p.at(i+1)
	if before.is(".") {
		return p.attribute(i)
	}
	if full, ok := p.functions[t.text]; ok {
		return p.function(i, full)
	}
	switch {
	case pythonKeywords()[t.text]:
		if t.text == "from" && p.begins(i) {
			return refuse(t, "the import is not understood")
		}
		return nil
	case behind.is("=") && (before.is("(") || before.is(",")) && p.isArgument(i):
		return nil
	case p.modules[t.text] != "":
		return p.module(i)
	case t.text == "open":
		return p.function(i, "open")
	case t.text == "file" && behind.is("("):
		return refuse(t, "it calls file, which opens files in Python 2")
	case strings.HasPrefix(t.text, "__") && t.text != "__name__":
		if t.text == "__init__" && before.is("def") {
			return nil
		}
		return refuse(t, "it uses "+shown(t.text))
	case pythonBuiltins()[t.text] || p.bound[t.text] > 0 && !pythonOthers()[t.text]:
		return nil
	case pythonOthers()[t.text]:
		return refuse(t, "it uses "+t.text)
	}
	return refuse(t, "the name "+shown(t.text)+" is unknown")
}

// isArgument reports whether a token stands in the brackets of a call.
func (p *python) isArgument(i int) bool {
	for k := i - 1; k > 0; k-- {
		switch t := p.at(k); {
		case t.kind == operatorToken && strings.Contains(")]}", t.text):
			k = t.match
		case t.kind == operatorToken && strings.Contains("([{", t.text):
			return t.text == "("
		case t.is("lambda"):
			return false
		}
	}
	return false
}

// module checks what a script uses of a module, which it may not pass on.
func (p *python) module(i int) *Refusal {
	name := p.modules[p.at(i).text]
	for k := i + 1; ; k += 2 {
		dot, t := p.at(k), p.at(k+1)
		if !dot.is(".") || t.kind != nameToken {
			return refuse(p.at(i), "a module is passed on")
		}
		p.done[k+1] = true
		full := name + "." + t.text
		if pythonModules()[full] != nil {
			name = full
			continue
		}
		if !pythonModules()[name][t.text] {
			return refuse(t, full+" is not known to only compute")
		}
		return p.function(k+1, full)
	}
}

// function checks the use of a function whose name ends at a token.
func (p *python) function(i int, full string) *Refusal {
	act, ok := pythonCalls()[full]
	if !ok {
		return nil
	}
	t := p.at(i)
	args, r := p.arguments(i)
	if r != nil {
		return r
	}
	path, ok := args.take("file", "path", "name")
	if !ok {
		return refuse(t, "which file it opens is unknown")
	}
	switch full {
	case "open", "zipfile.ZipFile":
		if act, r = p.mode(t, &args); r != nil {
			return r
		}
		if act != Reads && full != "open" {
			return refuse(t, "it writes an archive")
		}
	}
	if r := args.only(t, "buffering encoding errors newline exist_ok mode"); r != nil {
		return r
	}
	places, known := p.path(path)
	return p.opens(t, places, known, act)
}

// attribute checks a name behind a dot.
func (p *python) attribute(i int) *Refusal {
	t := p.at(i)
	act, file := pythonFiles()[t.text]
	switch {
	case file || t.text == "open":
		receiver, ok := p.receiver(i - 1)
		if !ok {
			return refuse(t, "which file it opens is unknown")
		}
		args, r := p.arguments(i)
		if r != nil {
			return r
		}
		if t.text == "open" {
			if act, r = p.mode(t, &args); r != nil {
				return r
			}
		} else {
			args.positional = nil
		}
		if r := args.only(t, "data buffering encoding errors newline exist_ok parents missing_ok mode"); r != nil {
			return r
		}
		places, known := p.path(receiver)
		return p.opens(t, places, known, act)
	case t.text == "replace":
		args, r := p.arguments(i)
		if r != nil {
			return r
		}
		if len(args.positional) < 2 && (len(args.positional) > 0 || args.named["target"] != nil) {
			return refuse(t, "it may move a file")
		}
	case t.text == "copy":
		if !p.at(i+1).is("(") || !p.at(i+2).is(")") {
			return refuse(t, "it may copy a file")
		}
	case t.text == "format":
		if s := p.at(i - 2); s.kind != stringToken || !s.plain || reaches(s.value) {
			return refuse(t, "what the format reaches is unknown")
		}
	case t.text == "__init__":
		if !p.at(i + 1).is("(") {
			return refuse(t, "it uses "+t.text)
		}
	case p.own && (t.text == "__file__" || t.text == "__name__" || t.text == "__version__" || t.text == "__doc__"):
	case !pythonAttributes()[t.text] && (!p.own || isPower(t.text)):
		return refuse(t, "what ."+shown(t.text)+" does is unknown")
	}
	return nil
}

// reaches reports whether a format may name more than its values: a part of one.
func reaches(format string) bool {
	for i := 0; i < len(format); i++ {
		if format[i] != '{' {
			continue
		}
		field := format[i+1:]
		if end := strings.IndexAny(field, "{}:!"); end >= 0 {
			field = field[:end]
		}
		if strings.ContainsAny(field, ".[") {
			return true
		}
	}
	return false
}

// A span is a range of tokens.
type span struct{ from, to int }

// arguments are those of a call.
type arguments struct {
	positional []span
	named      map[string]*span
}

// arguments reads those of the call whose function's name is a token.
func (p *python) arguments(i int) (args arguments, r *Refusal) {
	if !p.at(i + 1).is("(") {
		return args, refuse(p.at(i), shown(p.at(i).text)+" is passed on, so its arguments are unknown")
	}
	args.named = map[string]*span{}
	for _, s := range p.split(i+2, p.tokens[i+1].match) {
		switch {
		case p.at(s.from).is("*") || p.at(s.from).is("**"):
			return args, refuse(p.at(s.from), "some of its arguments are unknown")
		case p.at(s.from).kind == nameToken && p.at(s.from+1).is("="):
			args.named[p.at(s.from).text] = &span{s.from + 2, s.to}
		default:
			args.positional = append(args.positional, s)
		}
	}
	return args, nil
}

// take returns the first argument, or the one with one of some names, and takes it
// out.
func (a *arguments) take(names ...string) (span, bool) {
	if len(a.positional) > 0 {
		s := a.positional[0]
		a.positional = a.positional[1:]
		return s, true
	}
	for _, name := range names {
		if s := a.named[name]; s != nil {
			delete(a.named, name)
			return *s, true
		}
	}
	return span{}, false
}

// only checks that what is left are arguments that change nothing of importance.
func (a *arguments) only(t *token, names string) *Refusal {
	for name := range a.named {
		if !slices.Contains(strings.Fields(names), name) {
			return refuse(t, "what the argument "+shown(name)+" does is unknown")
		}
	}
	if len(a.positional) > 2 {
		return refuse(t, "what its arguments do is unknown")
	}
	return nil
}

// mode returns what opening a file does.
func (p *python) mode(t *token, args *arguments) (Act, *Refusal) {
	s, ok := args.take("mode")
	if !ok {
		return Reads, nil
	}
	m := p.at(s.from)
	if s.to != s.from+1 || m.kind != stringToken || !m.plain || strings.Trim(m.value, "rwaxbt+") != "" {
		return Reads, refuse(t, "how it opens the file is unknown")
	}
	switch {
	case strings.Contains(m.value, "w"):
		return Replaces, nil
	case strings.Contains(m.value, "a"):
		return Appends, nil
	case strings.Contains(m.value, "x"):
		return Creates, nil
	case strings.Contains(m.value, "+"):
		return Replaces, nil
	}
	return Reads, nil
}
