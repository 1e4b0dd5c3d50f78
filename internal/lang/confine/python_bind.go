package confine

// bindings counts where names are bound, and notes the values of those that get
// one which is written there. Too many bindings lose a proof, too few would make
// a wrong one.
func (p *python) bindings() *Refusal {
	depth, begin, targets := 0, 0, 0 // where the statement begins, and the targets of an assignment
	for i := range p.tokens {
		t := &p.tokens[i]
		if p.done[i] {
			continue
		}
		var r *Refusal
		switch {
		case t.kind == lineToken, t.is(";") && depth == 0:
			begin, targets = i+1, i+1
		case t.is(":") && depth == 0 && p.isBlock(begin):
			begin, targets = i+1, i+1
		case isOpening(t):
			depth++
		case isClosing(t):
			depth--
		case depth == 0 && t.kind == operatorToken && isAssignment(t.text):
			if r = p.targets(targets, i); r == nil && t.text == "=" && i == begin+1 {
				p.bind(p.at(begin).text, binding{from: i + 1, to: p.end(i+1, false)})
			}
			targets = i + 1
		case t.is(":=") || t.is("def") || t.is("class"):
			at := i + 1
			if t.is(":=") {
				at = i - 1
			}
			p.bound[p.at(at).text]++
			if t.is("def") {
				r = p.parameters(at)
			}
			if p.at(at + 1).is("[") {
				r = refuse(t, "it has type parameters")
			}
		case t.is("lambda"):
			for k := i + 1; !p.at(k).is(":") && p.at(k).kind != endToken; k++ {
				if p.at(k).is("lambda") {
					return refuse(t, "a lambda is a default value of another")
				}
				p.parameter(k)
				k = p.beyond(k)
			}
		case t.is("for"):
			in := i + 1
			for ; !p.at(in).is("in") && p.at(in).kind != endToken && p.at(in).kind != lineToken; in++ {
				in = p.beyond(in)
			}
			if r = p.targets(i+1, in); r == nil && in == i+2 {
				p.bind(p.at(i+1).text, binding{from: in + 1, to: p.end(in+1, depth > 0), loop: true})
			}
		case t.is("as"):
			to := i + 1
			for !p.at(to).is("as") && !p.at(to).is(",") && !p.at(to).is(":") && !p.at(to).is(")") && p.at(to).kind != endToken && p.at(to).kind != lineToken {
				to = p.beyond(to) + 1
			}
			r = p.targets(i+1, to)
		case t.is("del"):
			r = p.targets(i+1, p.end(i+1, false))
		}
		if r != nil {
			return r
		}
	}
	for name := range p.bound {
		if n := p.bound[name]; pythonFixed()[name] || n > 1 && (p.modules[name] != "" || p.functions[name] != "") {
			return &Refusal{Why: "the name " + shown(name) + " stands for several things"}
		}
	}
	return nil
}

func (p *python) bind(name string, b binding) {
	p.values[name] = append(p.values[name], b)
}

func isAssignment(op string) bool {
	switch op {
	case "=", "+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**=":
		return true
	}
	return false
}

// isBlock reports whether a statement has a block.
func (p *python) isBlock(begin int) bool {
	switch t := p.at(begin); t.text {
	case "if", "elif", "else", "for", "while", "with", "try", "except", "finally", "def", "class":
		return t.kind == nameToken
	}
	return false
}

// end returns where an expression ends: with its statement, or its brackets, and
// in a comprehension where a condition or another loop begins.
func (p *python) end(i int, comprehension bool) int {
	for ; ; i++ {
		t := p.at(i)
		switch {
		case t.kind == endToken || t.kind == lineToken || t.is(";"):
			return i
		case isClosing(t):
			return i
		case comprehension && (t.is("for") || t.is("if")), t.is(":") && !comprehension:
			return i
		}
		i = p.beyond(i)
	}
}

// targets counts the names that an assignment binds. What binds an attribute is
// refused, since it may be that of a module or a class.
func (p *python) targets(from, to int) *Refusal {
	for i := from; i < to; i++ {
		t := p.at(i)
		behind := p.at(i + 1)
		reached := i+1 < to && behind.kind == operatorToken && (behind.text == "." || behind.text == "[" || behind.text == "(")
		switch {
		case t.kind == nameToken && p.at(i-1).is(".") && i > from:
			if !reached {
				return refuse(t, "it assigns to an attribute")
			}
		case t.kind == nameToken:
			if !reached && !pythonKeywords()[t.text] {
				p.bound[t.text]++
			}
		case t.kind == operatorToken && (t.text == "[" || t.text == "("):
			// Behind a value it is a subscript or a call, else a list of targets.
			if before := p.at(i - 1); i > from && (before.kind == nameToken && !pythonKeywords()[before.text] || before.kind == stringToken || before.is(")") || before.is("]") || before.is("}")) {
				i = t.match
			}
		}
	}
	return nil
}

// parameters counts those of a function whose name is a token.
func (p *python) parameters(i int) *Refusal {
	if !p.at(i + 1).is("(") {
		return refuse(p.at(i), "the function is not understood")
	}
	for k := i + 2; k < p.tokens[i+1].match; k++ {
		p.parameter(k)
		k = p.beyond(k)
	}
	return nil
}

// parameter counts a name that stands where a parameter does.
func (p *python) parameter(i int) {
	t, before := p.at(i), p.at(i-1)
	if t.kind == nameToken && (before.is("lambda") || before.is("(") || before.is(",") || before.is("*") || before.is("**")) {
		p.bound[t.text]++
	}
}
