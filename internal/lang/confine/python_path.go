package confine

import "strings"

// A place is a path that an expression may have. If each, it is a pattern, as of
// an [Access].
type place struct {
	text string
	each bool
	// joined says that the pattern is not that of files, but made from one.
	joined bool
}

const (
	maxPlaces = 64
	maxFollow = 8
)

// path returns what an expression may be as a path or a text.
func (p *python) path(s span) ([]place, bool) {
	if p.depth++; p.depth > maxFollow || s.from >= s.to {
		p.depth--
		return nil, false
	}
	defer func() { p.depth-- }()
	s = p.bared(s)
	if terms := p.operands(s, "+"); len(terms) > 1 {
		return p.joined(terms, func(a, b string) string { return a + b })
	}
	if names := p.operands(s, "/"); len(names) > 1 {
		return p.joined(names, joinPath)
	}
	t := p.at(s.from)
	switch {
	case s.to == s.from+1 && t.kind == stringToken:
		return p.text(t)
	case s.to == s.from+1 && t.kind == nameToken:
		return p.follow(t.text, p.path)
	}
	full, open, ok := p.call(s)
	if !ok {
		return nil, false
	}
	args := p.split(open+1, p.tokens[open].match)
	if len(args) == 0 {
		return nil, false
	}
	for _, a := range args {
		if p.at(a.from).is("*") || p.at(a.from+1).is("=") {
			return nil, false
		}
	}
	switch full {
	case "str", "os.path.abspath":
		return p.path(args[0])
	case "pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath", "pathlib.PurePosixPath", "os.path.join":
		return p.joined(args, joinPath)
	}
	return nil, false
}

// bared returns an expression without the brackets around it.
func (p *python) bared(s span) span {
	for s.from < s.to && p.at(s.from).is("(") && p.at(s.from).match == s.to-1 && len(p.split(s.from+1, s.to-1)) == 1 && !p.at(s.to-2).is(",") {
		s = span{s.from + 1, s.to - 1}
	}
	return s
}

// operands splits an expression at an operator.
func (p *python) operands(s span, operator string) (out []span) {
	begin := s.from
	for i := s.from; i < s.to; i++ {
		if i = p.beyond(i); p.at(i).is(operator) {
			out = append(out, span{begin, i})
			begin = i + 1
		}
	}
	return append(out, span{begin, s.to})
}

// joined joins what expressions may be.
func (p *python) joined(list []span, join func(a, b string) string) ([]place, bool) {
	var terms [][]place
	for _, s := range list {
		next, ok := p.path(s)
		if !ok {
			return nil, false
		}
		terms = append(terms, next)
	}
	return combine(terms, join)
}

// combine joins each place of one list with each of the next. What a pattern is
// joined with is one too, and is known well enough to be read, not to be written.
func combine(terms [][]place, join func(a, b string) string) ([]place, bool) {
	out := []place{}
	for i, next := range terms {
		if i == 0 {
			out = next
			continue
		}
		if len(out)*len(next) > maxPlaces {
			return nil, false
		}
		var all []place
		for _, a := range out {
			for _, b := range next {
				if (a.each || b.each) && (strings.ContainsAny(a.text+b.text, `?[\`) || strings.Contains(a.text+b.text, "..") || !a.each && strings.Contains(a.text, "*") || !b.each && strings.Contains(b.text, "*")) {
					return nil, false
				}
				all = append(all, place{text: join(a.text, b.text), each: a.each || b.each, joined: a.each || b.each})
			}
		}
		out = all
	}
	return out, len(out) > 0
}

func joinPath(a, b string) string {
	switch {
	case strings.HasPrefix(b, "/") || a == "":
		return b
	case b == "":
		return a
	}
	return strings.TrimRight(a, "/") + "/" + b
}

// text returns what a string may be.
func (p *python) text(t *token) ([]place, bool) {
	if t.parts == nil {
		return []place{{text: t.value}}, t.plain
	}
	var terms [][]place
	for _, part := range t.parts {
		next := []place{{text: part.text}}
		if strings.ContainsAny(part.text, `\`) {
			return nil, false
		}
		if part.tokens != nil {
			if !part.bare || len(part.tokens) < 3 || part.tokens[0].kind != nameToken || part.tokens[1].kind != lineToken {
				return nil, false
			}
			var ok bool
			if next, ok = p.follow(part.tokens[0].text, p.path); !ok {
				return nil, false
			}
		}
		terms = append(terms, next)
	}
	return combine(terms, func(a, b string) string { return a + b })
}

// follow returns what a name may be, if all its values are written.
func (p *python) follow(name string, read func(span) ([]place, bool)) (out []place, ok bool) {
	list := p.values[name]
	if len(list) == 0 || len(list) != p.bound[name] || p.depth > maxFollow {
		return nil, false
	}
	for _, b := range list {
		s := span{b.from, b.to}
		var next []place
		if b.loop {
			next, ok = p.each(s)
		} else {
			next, ok = read(s)
		}
		if !ok {
			return nil, false
		}
		out = append(out, next...)
	}
	return out, len(out) <= maxPlaces
}

// each returns what a loop over an expression goes through.
func (p *python) each(s span) (out []place, ok bool) {
	if p.depth++; p.depth > maxFollow || s.from >= s.to {
		p.depth--
		return nil, false
	}
	defer func() { p.depth-- }()
	s = p.bared(s)
	t := p.at(s.from)
	switch {
	case len(p.split(s.from, s.to)) > 1:
		return p.all(p.split(s.from, s.to))
	case s.to == s.from+1 && t.kind == nameToken:
		if !p.intact(t.text) {
			return nil, false
		}
		return p.follow(t.text, p.each)
	case t.kind == operatorToken && (t.text == "[" || t.text == "(" || t.text == "{") && t.match == s.to-1:
		if in := p.comprehended(s); in != nil {
			return p.each(*in)
		}
		return p.all(p.split(s.from+1, s.to-1))
	}
	full, open, ok := p.call(s)
	if !ok {
		return nil, false
	}
	args := p.split(open+1, p.tokens[open].match)
	switch full {
	case "sorted", "list", "set", "tuple", "reversed":
		if len(args) == 0 || p.at(args[0].from).is("*") {
			return nil, false
		}
		return p.each(args[0])
	case "glob.glob", "glob.iglob":
		return p.globbed(nil, args, "recursive")
	case "os.listdir":
		return []place{{text: "*", each: true, joined: true}}, true // names, each without a slash
	case ".glob", ".rglob", ".iterdir":
		receiver, ok := p.receiver(open - 2)
		if !ok {
			return nil, false
		}
		from, known := p.path(receiver)
		if !known {
			return nil, false
		}
		if full == ".iterdir" {
			return patterns(from, []place{{text: "*"}})
		}
		if full == ".rglob" {
			for i := range from {
				from[i].text = joinPath(from[i].text, "**")
			}
		}
		return p.globbed(from, args, "")
	}
	return nil, false
}

// all returns what the elements of a list may be.
func (p *python) all(list []span) (out []place, ok bool) {
	for _, s := range list {
		next, known := p.path(s)
		if !known || len(out)+len(next) > maxPlaces {
			return nil, false
		}
		out = append(out, next...)
	}
	return out, len(out) > 0
}

// comprehended returns what the comprehension in brackets goes through, nil if it
// is none, or changes the elements.
func (p *python) comprehended(s span) *span {
	if p.at(s.from+1).kind != nameToken || !p.at(s.from+2).is("for") || p.at(s.from+3).text != p.at(s.from+1).text || !p.at(s.from+4).is("in") {
		return nil
	}
	in := span{s.from + 5, p.end(s.from+5, true)}
	for k := in.to; k < s.to-1; k++ {
		if k = p.beyond(k); p.at(k).is("for") {
			return nil
		}
	}
	return &in
}

// globbed returns the patterns that a function is given.
func (p *python) globbed(from []place, args []span, option string) ([]place, bool) {
	if len(args) == 0 || len(args) > 2 || len(args) == 2 && (option == "" || p.at(args[1].from).text != option) {
		return nil, false
	}
	names, ok := p.path(args[0])
	if !ok {
		return nil, false
	}
	if from == nil {
		from = []place{{}}
	}
	return patterns(from, names)
}

// patterns joins directories and patterns below them.
func patterns(dirs, names []place) (out []place, ok bool) {
	if len(dirs)*len(names) > maxPlaces {
		return nil, false
	}
	for _, d := range dirs {
		base := strings.TrimSuffix(d.text, "**")
		if d.each || strings.ContainsAny(base, `*?[\`) {
			return nil, false
		}
		for _, n := range names {
			text := joinPath(d.text, n.text)
			if n.each || strings.HasPrefix(n.text, "/") && d.text != "" || strings.Contains(text, "..") || strings.ContainsAny(text, `?[\`) || strings.HasSuffix(text, "/") {
				return nil, false
			}
			out = append(out, place{text: text, each: strings.Contains(text, "*")})
		}
	}
	return out, true
}

// intact reports whether a name that stands for a list is used for nothing but to
// go through it, so that nothing changes it.
func (p *python) intact(name string) bool {
	for i := range p.tokens {
		t := &p.tokens[i]
		if t.kind != nameToken || t.text != name || p.done[i] || p.at(i-1).is(".") {
			continue
		}
		before, behind := p.at(i-1), p.at(i+1)
		binds := behind.is("=") && p.begins(i)
		loops := before.is("in") || before.is("(") && (p.at(i-2).is("len") || p.at(i-2).is("sorted"))
		if !binds && (!loops || behind.is(".") || behind.is("[") || behind.is("(")) {
			return false
		}
	}
	return true
}

// call returns the full name of the function that an expression calls, and the
// index of the bracket, if the call is all there is. A method's name begins with
// a dot.
func (p *python) call(s span) (full string, open int, ok bool) {
	close := s.to - 1
	if close <= s.from || !p.at(close).is(")") {
		return "", 0, false
	}
	open = p.tokens[close].match
	name := open - 1
	if name < s.from || p.at(name).kind != nameToken {
		return "", 0, false
	}
	if !p.at(name-1).is(".") || name-1 <= s.from {
		if name != s.from {
			return "", 0, false
		}
		if full, ok := p.functions[p.at(name).text]; ok {
			return full, open, true
		}
		return p.at(name).text, open, p.bound[p.at(name).text] == 0
	}
	receiver, ok := p.receiver(name - 1)
	if !ok || receiver.from != s.from {
		return "", 0, false
	}
	full = p.at(name).text
	for k := name - 2; ; k -= 2 {
		if p.at(k).kind != nameToken {
			return "." + p.at(name).text, open, true
		}
		full = p.at(k).text + "." + full
		if k == s.from {
			break
		}
		if !p.at(k - 1).is(".") {
			return "." + p.at(name).text, open, true
		}
	}
	first, rest, _ := strings.Cut(full, ".")
	if module := p.modules[first]; module != "" {
		return module + "." + rest, open, true
	}
	return "." + p.at(name).text, open, true
}

// receiver returns the value before a dot: a name, a call, or an expression in
// brackets.
func (p *python) receiver(dot int) (span, bool) {
	for i := dot - 1; i >= 0; {
		t := p.at(i)
		switch {
		case t.is(")"):
			i = t.match
			if before := p.at(i - 1); before.kind != nameToken || pythonKeywords()[before.text] {
				return span{i, dot}, !before.is(")") && !before.is("]") && before.kind != stringToken
			}
			i--
			continue
		case t.kind == nameToken && !pythonKeywords()[t.text]:
			if p.at(i - 1).is(".") {
				i -= 2
				continue
			}
			return span{i, dot}, true
		case t.kind == stringToken && i == dot-1:
			return span{i, dot}, p.at(i-1).kind != stringToken
		}
		return span{}, false
	}
	return span{}, false
}
