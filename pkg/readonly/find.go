package readonly

import (
	"github.com/policyctl/policyctl/internal/command"
)

// findFilter returns the files that find names.
func findFilter(c *command.Command) *filter {
	f := namedFilter(c)
	f.links, f.depth = !onlyFiles(c), depthOf(c, "maxdepth")
	return f
}

// onlyFiles reports whether find names no link.
func onlyFiles(c *command.Command) bool {
	found := false
	for i := range c.Words {
		w := &c.Words[i]
		switch {
		case w.Has("-o"), w.Has("-or"), w.Has(","), w.Has("-L"), w.Has("-follow"):
			return false
		case is(w, "-type") && i+1 < len(c.Words) && is(&c.Words[i+1], "f"):
			found = found || !is(&c.Words[i-1], "!") && !is(&c.Words[i-1], "-not")
		}
	}
	return found
}

// namedFilter returns the files that an expression of find selects by their
// names. Of an expression that it does not understand it takes all.
func namedFilter(c *command.Command) *filter {
	f := &filter{other: true, hidden: true}
	var tests []string
	for i := 1; i < len(c.Words); i++ {
		t, ok := c.Words[i].Literal()
		switch {
		case !ok && len(tests) == 0:
			continue // where it starts
		case !ok:
			return f
		case t == "-o" && len(tests) > 0 && tests[len(tests)-1] == "-prune":
			tests = nil // what is pruned is one thing, what follows another
			continue
		case t == "-exec":
			return readTests(tests)
		}
		tests = append(tests, t)
		if o := optionAt(c, i); o != nil && o.HasArg && !o.Is("name") && !o.Is("iname") {
			i = o.End - 1
		}
	}
	return readTests(tests)
}

// optionAt returns the option whose word has the index i, nil where there is
// none.
func optionAt(c *command.Command, i int) *command.Option {
	for k := range c.Args.Options {
		if c.Args.Options[k].At == i {
			return &c.Args.Options[k]
		}
	}
	return nil
}

// readTests is findFilter for the tests of an expression.
func readTests(tests []string) *filter {
	f := &filter{other: true, hidden: true}
	for i := 0; i < len(tests); i++ {
		negated := tests[i] == "!" || tests[i] == "-not"
		if negated {
			i++
		}
		names, next := nameTests(tests, i)
		switch {
		case next < 0, i < len(tests) && (tests[i] == "-o" || tests[i] == "-or" || tests[i] == ","):
			return &filter{other: true, hidden: true}
		case negated && len(names) == 1:
			f.globs = append(f.globs, fileGlob{names[0], true})
		case !negated && len(names) > 0 && f.other:
			f.other = false
			f.globs = append(taken(names), f.globs...)
		}
		i = max(i, next-1)
	}
	return f
}

func taken(names []string) (globs []fileGlob) {
	for _, n := range names {
		globs = append(globs, fileGlob{n, false})
	}
	return globs
}

// nameTests reads -name X at index i, or a group of such tests with -o between
// them, and returns the names and the index of what follows; -1 for any other
// group.
func nameTests(tests []string, i int) (names []string, next int) {
	switch {
	case i >= len(tests):
		return nil, i
	case isName(tests, i):
		return []string{tests[i+1]}, i + 2
	case tests[i] == ")":
		return nil, -1
	case tests[i] != "(":
		return nil, i + 1
	}
	for i++; isName(tests, i); i += 3 {
		names = append(names, tests[i+1])
		if i+2 >= len(tests) {
			return nil, -1
		}
		switch tests[i+2] {
		case ")":
			return names, i + 3
		case "-o", "-or":
			continue
		}
		return nil, -1
	}
	return nil, -1
}

func isName(tests []string, i int) bool {
	return i+1 < len(tests) && (tests[i] == "-name" || tests[i] == "-iname")
}
