package pattern

// planOf returns what a condition that is not false implies.
func planOf(c *Condition) plan {
	switch c.op {
	case test:
		return c.leaf.plan()
	case none:
		return plan{}
	}
	kids := make([]plan, len(c.kids))
	for i := range c.kids {
		kids[i] = planOf(&c.kids[i])
	}
	if c.op == any_ {
		return somePlan(kids...)
	}
	return everyPlan(kids...)
}

func (s Scope) plan() plan {
	var kids []plan
	for i, name := range []string{s.Plugin, s.Profile, s.Integration} {
		if name != "" {
			kids = append(kids, guardedBy(guard{kind: inPlugin + guardKind(i), text: name}))
		}
	}
	return everyPlan(kids...)
}

func (l *leaf) plan() plan {
	kids := make([]plan, len(l.tests))
	for i := range l.tests {
		kids[i] = l.tests[i].plan(l.path.String())
	}
	return everyPlan(kids...)
}

// plan returns what an operator implies of the value at a path.
func (o *operator) plan(path string) plan {
	if plan := o.row().plan; plan != nil {
		return plan(o, path)
	}
	return plan{}
}

// presentPlan implies no more than that there is a value.
func presentPlan(_ *operator, path string) plan {
	return guardedBy(guard{kind: present, path: path})
}

// listedPlan is for a bare list: an empty one is equal to empty lists alone.
func listedPlan(o *operator, path string) plan {
	if len(o.values) == 0 {
		return guardedBy(guard{kind: composite, path: path})
	}
	return amongPlan(path, o.values)
}

// equalPlan is for a value that equals an argument, or has it as an element.
func equalPlan(path string, want any) plan {
	g := guard{path: path}
	switch want := want.(type) {
	case string:
		g.kind, g.text = isText, want
	case number:
		g.kind, g.number = isNumber, want
	case bool:
		if g.kind = isFalse; want {
			g.kind = isTrue
		}
	case nil:
		g.kind = isNull
	case []any:
		return listPlan(path, want)
	default:
		g.kind = composite
	}
	return guardedBy(g)
}

// listPlan is for a list that equals another: it has all its elements.
func listPlan(path string, want []any) plan {
	kids := []plan{guardedBy(guard{kind: composite, path: path})}
	for _, element := range want {
		switch element.(type) {
		case []any, map[string]any:
			return kids[0]
		}
		kids = append(kids, equalPlan(path, element))
	}
	return everyPlan(kids...)
}

// amongPlan is for a value that equals one of several arguments, or has one as
// an element.
func amongPlan(path string, values []any) plan {
	kids := make([]plan, len(values))
	for i, value := range values {
		kids[i] = equalPlan(path, value)
	}
	return somePlan(kids...)
}

// literalPlan is for a text that begins with a literal or contains it.
func literalPlan(path string, kind guardKind, literal string) plan {
	key, ok := canonical(literal)
	if !ok || key == "" {
		return guardedBy(guard{kind: anyText, path: path})
	}
	return guardedBy(guard{kind: kind, path: path, text: key})
}

// plan is for a text that meets a wildcard: it has all its literals.
func (w wildcard) plan(path string) plan {
	if len(w) == 0 || len(w) == 1 && w[0].kind == literal {
		text := ""
		if len(w) == 1 {
			text = w[0].text
		}
		return guardedBy(guard{kind: isText, path: path, text: text})
	}
	kids := []plan{guardedBy(guard{kind: anyText, path: path})}
	for i, p := range w {
		if p.kind != literal {
			continue
		}
		kind := inside
		if i == 0 {
			kind = begins
		}
		kids = append(kids, literalPlan(path, kind, p.text))
	}
	return everyPlan(kids...)
}
