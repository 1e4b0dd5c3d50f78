package eval

import (
	"iter"
	"slices"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// A scope is what is known at one point of the line: variables, functions,
// the directory, and how the point is reached. Copying a scope makes a
// subshell: bindings are shared and never changed.
type scope struct {
	vars    *binding
	names   int // length of vars
	funcs   *function
	exports *function // of those, the ones that a shell below inherits
	dir     shell.Set
	old     shell.Set // the directory before the last cd
	stack   *stacked
	place   command.Place
	context program.Context
	parent  int
	source  int
	stdin   *shell.Set // text of the input where it is known
	found   *string    // the variable that a loop fills with what a find finds
	started bool       // the shell has started something in the background
	// undefined says that a function may have been undefined.
	undefined bool
	unsure    bool // a variable may have been bound by text that is unknown
	refs      bool // a variable may be another name of one
	fixed     bool // a variable may be read-only
	// cleared says that variables which the line does not set are not inherited;
	// bare, that the home directory is none of them, either.
	cleared, bare bool
}

// A stacked is the directory to which a popd leads back, and those below it.
type stacked struct {
	dir  shell.Set
	next *stacked
}

// A binding is a variable and the one that was bound before it.
type binding struct {
	name string
	set  shell.Set
	// elems are the elements of an array, or of the positional parameters
	// under the name @.
	elems []shell.Set
	// keys are those of the elements where they are not 0, 1, 2, …
	keys  []string
	array bool
	// either are the arrays that this one may be, each known in itself, where it
	// is one of several; it has no elements of its own then.
	either []*binding
	// ref is the variable that this one is another name of, "" for others.
	ref string
	// fixed says that it may be read-only: what is assigned to it then may not
	// become its value.
	fixed bool
	// unset says that the variable is known not to be set, unless its set is open.
	unset bool
	next  *binding
}

// all returns the variables that are bound, the last binding first; nil for none.
func (b *binding) all() iter.Seq[command.Var] {
	if b == nil {
		return nil
	}
	return func(yield func(command.Var) bool) {
		for v := b; v != nil; v = v.next {
			if !yield(command.Var{Name: v.name, Value: v.set, Array: v.array}) {
				return
			}
		}
	}
}

// A function is a function or an alias that the line defines.
type function struct {
	name   string
	body   any // *syntax.Stmt, or the string of an alias
	text   text
	starts []start // what the body always starts
	maybe  bool    // may not be defined when it is called
	hash   bool    // it is no function but the path that hash -p gives a name
	next   *function
}

// hashed returns the paths that hash -p gives to names, without functions.
func (f *function) hashed() (out *function) {
	for ; f != nil; f = f.next {
		if f.hash {
			one := *f
			one.next, out = out, &one
		}
	}
	return out
}

// after returns functions with those that are in a list above an older one.
func (f *function) after(list, older *function) *function {
	for ; list != nil && list != older; list = list.next {
		one := *list
		one.next, f = f, &one
	}
	return f
}

// doubt is the name of a binding that is no variable: those that were bound
// before it may have been bound anew.
const doubt = "\x00"

// lookup returns a variable, nil for one that the line has not bound.
func (s *scope) lookup(name string) *binding {
	b, sure := s.find(name)
	if b == nil || sure {
		return b
	}
	return b.doubted()
}

// doubted returns a variable that may have been bound anew.
func (b *binding) doubted() *binding {
	out := *b
	out.set.Open, out.set.Number, out.set.Prefix = true, false, ""
	out.elems = slices.Clone(out.elems)
	for i := range out.elems {
		out.elems[i].Open, out.elems[i].Number, out.elems[i].Prefix = true, false, ""
	}
	out.either = slices.Clone(out.either)
	for i, a := range out.either {
		out.either[i] = a.doubted()
	}
	return &out
}

// find returns the binding of a variable, and whether none may have come after.
func (s *scope) find(name string) (found *binding, sure bool) {
	sure = true
	for b := s.vars; b != nil; b = b.next {
		switch b.name {
		case name:
			return b, sure
		case doubt:
			sure = false
		}
	}
	return nil, sure
}

func (s *scope) bind(r *reader, b binding) {
	if s.names++; s.names > maxNames {
		r.stop("too-many", "the line binds too many variables", shell.Span{From: 0, To: len(r.line.Source)})
	}
	if s.refs && b.ref == "" {
		b.name = s.named(b.name)
	}
	s.refs, s.fixed = s.refs || b.ref != "", s.fixed || b.fixed
	if s.fixed {
		if old, _ := s.find(b.name); old != nil && old.fixed && !b.array {
			b.set, b.fixed, b.unset = shell.Union(old.set, b.set), true, false
		}
	}
	b.next = s.vars
	s.vars = &b
}

// target returns the variable that is set where a name is.
func (s *scope) target(name string) string {
	if s.refs {
		return s.named(name)
	}
	return name
}

// named returns the variable that a name stands for, through references.
func (s *scope) named(name string) string {
	for range 4 {
		b := s.lookup(name)
		if b == nil || b.ref == "" {
			break
		}
		name = b.ref
	}
	return name
}

func (s *scope) set(r *reader, name string, v shell.Set) { s.bind(r, binding{name: name, set: v}) }

// unset notes that a variable is not set any more, so that it expands to nothing.
// In a function, one of a caller may come to light instead.
func (s *scope) unset(r *reader, name string) {
	set := known(r, "")
	set.Open = s.place&command.InFunction != 0
	s.bind(r, binding{name: name, set: set, unset: true})
}

// clear leaves nothing of the variables, as in an environment that is made anew.
func (s *scope) clear(bare bool) {
	s.vars, s.names = nil, 0
	s.cleared, s.bare = true, bare
}

// doubtFound forgets what a loop over the output of a find fills its variable
// with: behind a condition it is only some of what was found.
func (s *scope) doubtFound(r *reader) {
	if s.found != nil {
		s.set(r, *s.found, shell.Set{Open: true})
		s.found = nil
	}
}

func (s *scope) function(name string) *function {
	for f := s.funcs; f != nil; f = f.next {
		if f.name == name {
			return f
		}
	}
	return nil
}

// doubt notes that text was evaluated of which nothing is known: every variable
// and the directory may be another, and may be what it was.
func (s *scope) doubt(r *reader) {
	s.bind(r, binding{name: doubt})
	s.unsure, s.dir.Open = true, true
}

// forget makes every variable and the directory unknown, as on another machine.
func (s *scope) forget() {
	s.unsure = true
	s.vars, s.names = nil, 0
	s.dir.Open = true
}

// join makes s what is known after either s or other has happened.
func (s *scope) join(r *reader, other *scope) {
	if !shell.SameSet(&s.dir, &other.dir) {
		s.dir = shell.Union(s.dir, other.dir)
	}
	if !shell.SameSet(&s.old, &other.old) {
		s.old = shell.Union(s.old, other.old)
	}
	s.unsure, s.started = s.unsure || other.unsure, s.started && other.started
	if s.stack != other.stack {
		s.stack = nil
	}
	s.cleared, s.bare = s.cleared || other.cleared, s.bare || other.bare
	s.refs, s.fixed = s.refs || other.refs, s.fixed || other.fixed
	if s.vars == other.vars {
		s.joinFuncs(other)
		return
	}
	shared := sharedTail(s, other)
	mine, doubted := *s, false
	for _, side := range []*scope{&mine, other} {
		seen := 0
		for b := side.vars; b != shared && b != nil; b = b.next {
			if seen++; seen > maxNames {
				break
			}
			if last, _ := side.find(b.name); b.name == doubt || last != b {
				doubted = doubted || b.name == doubt
				continue
			}
			s.bind(r, joined(b.name, mine.lookup(b.name), other.lookup(b.name)))
		}
	}
	if doubted {
		s.bind(r, binding{name: doubt})
	}
	s.joinFuncs(other)
}

// joinFuncs adds the functions that only the other side defines, or defines
// otherwise: each of them may be what a name means.
func (s *scope) joinFuncs(other *scope) {
	s.undefined = s.undefined || other.undefined
	if s.funcs == other.funcs {
		return
	}
	known := make(map[*function]bool)
	n := 0
	for f := s.funcs; f != nil && n < maxNames; f = f.next {
		known[f] = true
		n++
	}
	for f := other.funcs; f != nil && !known[f] && n < maxNames; f = f.next {
		n++
		s.funcs = &function{name: f.name, body: f.body, text: f.text, starts: f.starts, maybe: true, next: s.funcs}
	}
}

func sharedTail(a, b *scope) *binding {
	x, y := a.vars, b.vars
	for n := a.names - b.names; n > 0 && x != nil; n-- {
		x = x.next
	}
	for n := b.names - a.names; n > 0 && y != nil; n-- {
		y = y.next
	}
	for x != y && x != nil && y != nil {
		x, y = x.next, y.next
	}
	if x != y {
		return nil
	}
	return x
}

// joined is what a variable is that may be a or b; nil is one that the line
// has not bound.
func joined(name string, a, b *binding) binding {
	switch {
	case a == nil:
		return b.perhaps()
	case b == nil:
		return a.perhaps()
	case a.array || b.array:
		return joinedArray(name, a, b)
	}
	out := binding{name: name, set: shell.Union(a.set, b.set), fixed: a.fixed || b.fixed, unset: a.unset && b.unset}
	out.set.Open = out.set.Open || a.unset != b.unset
	return out
}

// perhaps returns a variable that the line may not have bound.
func (b *binding) perhaps() binding {
	out := *b
	if b.array && !b.set.Open && len(b.elems) == 0 && len(b.either) == 0 { // that it is empty is known of one side
		out.either = []*binding{b, {name: b.name, set: shell.Set{Open: true}, array: true}}
	}
	out.set.Open, out.set.Number, out.set.Prefix = true, false, ""
	return out
}

// maxEither bounds the arrays that one may be.
const maxEither = 4

// arrays returns the arrays that a binding may be.
func (b *binding) arrays() []*binding {
	if len(b.either) > 0 {
		return b.either
	}
	return []*binding{b}
}

// whole returns what an element of an array may be.
func (b *binding) whole() (s shell.Set) {
	for _, a := range b.arrays() {
		for _, e := range a.elems {
			s = shell.Union(s, e)
		}
	}
	return s
}

// joinedArray keeps the elements of an array that is otherwise empty or not
// known at all. Those of two that are known are kept apart: neither may hold
// what a mixture says.
func joinedArray(name string, a, b *binding) binding {
	out := binding{name: name, set: shell.Set{Open: true}, array: true}
	if len(a.elems) == 0 && len(a.either) == 0 {
		a, b = b, a
	}
	if len(b.elems) > 0 || len(b.either) > 0 || len(a.either) > 0 {
		if out.either = append(slices.Clone(a.arrays()), b.arrays()...); len(out.either) > maxEither {
			out.either = nil
		}
		return out
	}
	out.keys = a.keys
	for _, e := range a.elems {
		e.Open, e.Number, e.Prefix = true, false, ""
		out.elems = append(out.elems, e)
	}
	return out
}

// A start is a function that the body of another always starts. Apart says
// that it does in a process of its own: in the background, a pipeline or a
// subshell.
type start struct {
	name  string
	apart bool
}

// arrayOf returns an array of words.
func arrayOf(name string, words []shell.Word) binding {
	b := binding{name: name, array: true}
	for _, w := range words {
		b.elems = append(b.elems, w.Set)
		b.set.Open = b.set.Open || w.Many
	}
	return b
}
