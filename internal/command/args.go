package command

import (
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// Args are the arguments of a command as its program's grammar reads them.
// The zero value is that of a program without a grammar.
type Args struct {
	// Program is the grammar of the program or its sub-command; nil if there
	// is none.
	Program *program.Program
	// Sub is the sub-command, its words joined by blanks; "" if there is
	// none. Verb is the index of its first word in [Command.Words].
	Sub  string
	Verb int
	// Options and Operands in the order in which they stand.
	Options  []Option
	Operands []Operand
	// Dash is the index of the word -- that ends the options, 0 if there is none.
	Dash int
	// Unlisted says that there is an option that the grammar does not know.
	Unlisted bool
	// Open says that a word may be an option that is unknown.
	Open bool
	// Payload is the index of the first word of the command that this one
	// runs, 0 if it runs none.
	Payload int
}

// An Option is an option that is given.
type Option struct {
	// Of is the program, or the sub-command, among whose arguments it stands.
	Of *program.Program
	// Spec is the entry of its grammar, or of that of a program above it; nil for
	// an option that none knows.
	Spec *program.Option
	// Name is the name as written, without dashes.
	Name string
	// At is the index of its word. End is the index after its last word.
	At, End int
	// Arg is the argument; it is valid if HasArg is set.
	Arg    shell.Word
	HasArg bool
}

// Is reports whether the option has the given name, without dashes, among its
// names.
func (o *Option) Is(name string) bool {
	if o.Spec == nil {
		return o.Name == name
	}
	for _, n := range o.Spec.Names {
		if n == name {
			return true
		}
	}
	return false
}

// An Operand is an argument that is no option.
type Operand struct {
	At   int // index of its word
	Role program.Role
}

// Has reports whether one of the options is given, by any of its names, without
// dashes.
func (a *Args) Has(names ...string) bool {
	for _, n := range names {
		if a.Option(n) != nil {
			return true
		}
	}
	return false
}

// Option returns the first option given with a name, nil if there is none.
func (a *Args) Option(name string) *Option {
	for i := range a.Options {
		if a.Options[i].Is(name) {
			return &a.Options[i]
		}
	}
	return nil
}

// RunsOption reports whether one of the options names a program to run.
func (a *Args) RunsOption() bool {
	for i := range a.Options {
		if o := &a.Options[i]; o.HasArg && o.Spec != nil && o.Spec.Role == program.RoleExec {
			return true
		}
	}
	return false
}

// Inert reports whether an option is given under which nothing is run.
func (a *Args) Inert() bool {
	for i := range a.Options {
		if s := a.Options[i].Spec; s != nil && s.Inert {
			return true
		}
	}
	return false
}

// An argParser reads the arguments of one command.
type argParser struct {
	words   []shell.Word
	args    Args
	prog    *program.Program
	parents []*program.Program
	opts    []Option
	opnds   []Operand
	i       int
	verb    int  // how many operands are a verb
	dashed  bool // no more options
	inert   bool

	drop            bool
	first, repeated program.Change
}

// parsings are reused: what they hold is copied before they go back.
var parsings = sync.Pool{New: func() any { return new(argParser) }}

// ParseArgs reads the arguments in words, of which the first is the program.
func ParseArgs(p *program.Program, words []shell.Word) Args {
	ps := parsings.Get().(*argParser)
	defer parsings.Put(ps)
	*ps = argParser{
		words: words, prog: p, i: 1,
		parents: ps.parents[:0], opts: ps.opts[:0], opnds: ps.opnds[:0],
	}
	ps.args.Program = p
	ps.run()
	ps.roles()
	args := ps.args
	if len(ps.opts) > 0 {
		args.Options = append(make([]Option, 0, len(ps.opts)), ps.opts...)
	}
	if len(ps.opnds) > 0 {
		args.Operands = append(make([]Operand, 0, len(ps.opnds)), ps.opnds...)
	}
	clear(ps.opts)
	ps.words, ps.args = nil, Args{}
	return args
}

func (ps *argParser) run() {
	for ps.i < len(ps.words) {
		w := &ps.words[ps.i]
		if ps.dashed || ps.prog.Style == program.Plain {
			ps.operand(w)
			continue
		}
		v := DashValue(w)
		if plus, ok := w.Literal(); ok && len(plus) > 1 && plus[0] == '+' && ps.prog.Input == program.RoleText && ps.prog.Style == program.Stop {
			if ps.i++; strings.HasSuffix(plus, "o") || strings.HasSuffix(plus, "O") {
				ps.i++
			}
			continue
		}
		switch {
		case len(ps.opnds) == 0 && ps.takesPlus(w):
		case v == "-" && ps.prog.Grammar().Letter('-') != nil: // the same as -i of env, -l of su
			ps.add(Option{Spec: ps.prog.Grammar().Letter('-'), Name: v, At: ps.i, End: ps.i + 1})
			ps.i++
		case v == "--" && !ps.prog.Style.OfWords(), v == "-" && ps.prog.Shell == program.Bourne:
			ps.dashed, ps.args.Dash = true, ps.i
			ps.i++
		case len(v) > 1 && v[0] == '-':
			ps.option(v)
		default:
			ps.operand(w)
		}
	}
}

// takesPlus takes a word that begins with + as the option of that name, as +nightly of
// cargo.
func (ps *argParser) takesPlus(w *shell.Word) bool {
	v, ok := w.Literal()
	if !ok || len(v) < 2 || v[0] != '+' {
		return false
	}
	spec := ps.prog.Grammar().Letter('+')
	if spec == nil {
		return false
	}
	ps.add(Option{Spec: spec, Name: "+", At: ps.i, End: ps.i + 1, Arg: CutFront(w, 1), HasArg: true})
	ps.i++
	return true
}

// DashValue returns what a word is as an option: its value, or the part of it
// that is known; "" if nothing says that it is one.
func DashValue(w *shell.Word) string {
	for _, v := range w.Values {
		if strings.HasPrefix(v, "-") {
			return v
		}
	}
	if p := w.Beginning(); strings.HasPrefix(p, "-") {
		return p
	}
	return ""
}

// operand takes one operand, which may be a sub-command.
func (ps *argParser) operand(w *shell.Word) {
	if !ps.dashed && !w.Known() {
		p := w.Beginning()
		ps.args.Open = ps.args.Open || (p == "" || p[0] == '-') && !w.Number
	}
	if len(ps.prog.Subs) > 0 && !ps.atPayload(w) {
		ps.sub(w)
		return
	}
	if w.Many && ps.prog.Input == program.RoleText && !ps.dashed && ps.i+1 < len(ps.words) {
		ps.i++ // it may be none, or an option
		return
	}
	ps.opnds = append(ps.opnds, Operand{At: ps.i})
	ps.i++
	if ps.prog.Style == program.Stop && len(ps.opnds) >= max(1, ps.prog.StopAt) {
		ps.dashed = true
	}
	if len(ps.prog.Verbs) > 0 && len(ps.opnds) <= maxVerb {
		ps.enterVerb()
	}
}

// maxVerb is how many words a verb has at most.
const maxVerb = 4

// enterVerb goes on with the grammar of the verb that the operands are, if they are
// one.
func (ps *argParser) enterVerb() {
	var words string
	for _, o := range ps.opnds {
		v, ok := ps.words[o.At].Literal()
		if !ok {
			return
		}
		words = strings.TrimPrefix(words+" "+shell.Base(v), " ")
	}
	ps.enter(ps.prog.Verb(words))
}

// enterModule does so for the module of Python that an option names.
func (ps *argParser) enterModule(o *Option) {
	if v, ok := o.Arg.Literal(); ok {
		ps.enter(ps.prog.Verb("-m " + v))
	}
}

func (ps *argParser) enter(verb *program.Program) {
	if verb == nil {
		return
	}
	ps.parents = append(ps.parents, ps.prog)
	ps.prog, ps.args.Program, ps.verb, ps.dashed, ps.drop = verb, verb, len(ps.opnds), false, false
}

// atPayload reports whether a word of a program with sub-commands belongs to a
// command that stands in the place of one.
func (ps *argParser) atPayload(w *shell.Word) bool {
	if !strings.HasSuffix(ps.prog.Operands, "payload") {
		return false
	}
	name, ok := w.Literal()
	return len(ps.opnds) > 0 || ok && ps.prog.Sub(name) == nil
}

// unlistedSubs are the grammars of sub-commands that are not in the table, by
// the style of the program.
var unlistedSubs = [...]*program.Program{program.GNU: {}, program.Stop: {}, program.Words: {Style: program.Words}, program.Pairs: {}, program.Plain: {}, program.Expression: {Style: program.Expression}}

func (ps *argParser) sub(w *shell.Word) {
	if ps.args.Verb == 0 {
		ps.args.Verb = ps.i
	}
	ps.i++
	ps.parents = append(ps.parents, ps.prog)
	name, ok := w.Literal()
	next := ps.prog.Sub(name)
	if !ok || next == nil {
		next = unlistedSubs[ps.prog.Style]
	}
	if ok {
		ps.args.Sub = strings.TrimPrefix(ps.args.Sub+" "+name, " ")
	}
	ps.prog, ps.args.Program = next, next
}

// option takes the option, or the bundle of options, that v spells.
func (ps *argParser) option(v string) {
	w := &ps.words[ps.i]
	if !w.Known() {
		ps.args.Open = true
	}
	switch {
	case ps.prog.Style.OfWords():
		name := strings.TrimPrefix(strings.TrimPrefix(v, "-"), "-")
		if !ps.numbered(w, name, len(v)-len(name)) && !ps.attached(w, name, len(v)-len(name)) {
			ps.long(name, len(v)-len(name), true)
		}
	case strings.HasPrefix(v, "--"):
		ps.long(v[2:], 2, false)
	default:
		ps.bundle(v)
	}
	ps.i++
}

func (ps *argParser) long(name string, dashes int, exact bool) {
	name, _, attached := strings.Cut(name, "=")
	spec := ps.find(name, exact)
	o := Option{Spec: spec, Name: name, At: ps.i, End: ps.i + 1}
	switch {
	case attached:
		o.Arg, o.HasArg = CutFront(&ps.words[ps.i], dashes+len(name)+1), true
	case spec != nil && spec.TakesWords():
		ps.argv(&o)
	case spec != nil && spec.Takes == program.Argument && ps.i+1 < len(ps.words):
		ps.i++
		o.Arg, o.HasArg, o.End = ps.words[ps.i], true, ps.i+1
		if spec.Two && ps.i+1 < len(ps.words) {
			ps.i++
			o.End++
		}
	}
	ps.add(o)
}

// numbered takes an option of one letter with a number attached, as -l16 of xxd,
// for a program whose options are words.
func (ps *argParser) numbered(w *shell.Word, name string, dashes int) bool {
	if len(name) < 2 || shell.Digit(name[len(name)-1]) > 9 || ps.find(name, true) != nil {
		return false
	}
	spec := ps.prog.Grammar().Letter(name[0])
	if spec == nil || spec.Takes != program.Argument || !shell.IsNumber(name[1:]) {
		return false
	}
	ps.add(Option{Spec: spec, Name: name[:1], At: ps.i, End: ps.i + 1, Arg: CutFront(w, dashes+1), HasArg: true})
	return true
}

// attached takes an option with a path attached, as -MF/dev/null of gcc, for a
// program whose options are words.
func (ps *argParser) attached(w *shell.Word, name string, dashes int) bool {
	n := strings.IndexAny(name, "/~")
	if n < 1 || ps.find(name, true) != nil {
		return false
	}
	var spec *program.Option
	if handed := strings.TrimRight(name[:n], ",="); handed != name[:n] && strings.Contains(handed, ",") { // -Wl,-Map=PATH of gcc
		spec = ps.find(strings.ReplaceAll(handed, ",", ":"), true)
	} else if strings.Contains(name[:n], "=") {
		return false
	}
	if spec == nil {
		spec = ps.find(name[:n], true)
	}
	if spec == nil && n == 1 {
		spec = ps.prog.Grammar().Letter(name[0])
	}
	if spec == nil || spec.Takes != program.Argument {
		return false
	}
	ps.add(Option{Spec: spec, Name: name[:n], At: ps.i, End: ps.i + 1, Arg: CutFront(w, dashes+n), HasArg: true})
	return true
}

// argv takes the words of a command: all that follow, or up to ; or + as find
// reads them.
func (ps *argParser) argv(o *Option) {
	o.At++
	o.End = o.At
	for o.End < len(ps.words) {
		if o.Spec.Role == program.RoleRest {
			o.End = len(ps.words)
			break
		}
		v, ok := ps.words[o.End].Literal()
		if ok && (v == ";" || v == "+" && ps.words[o.End-1].Has("{}")) {
			break
		}
		o.End++
	}
	ps.i = min(o.End, len(ps.words)-1)
}

func (ps *argParser) bundle(v string) {
	if len(v) == 3 && (v[1] == v[2] || v == "-pe") && ps.find(v[1:], true) != nil { // as -TT of zip, -pe of node
		ps.long(v[1:], 1, true)
		return
	}
	if name, _, _ := strings.Cut(v, "="); len(name) > 3 && ps.prog.Grammar().Find(name, true) != nil { // -Logfile of screen
		ps.long(v, 0, true)
		return
	}
	for k := 1; k < len(v); k++ {
		spec, n := ps.letter(v, k)
		o := Option{Spec: spec, Name: v[k : k+n], At: ps.i, End: ps.i + 1}
		k += n - 1
		if spec == nil || spec.Takes == program.Nothing {
			ps.add(o)
			continue
		}
		switch {
		case spec.TakesWords() && k+1 == len(v):
			ps.argv(&o)
		case k+1 < len(v):
			n := k + 1
			if v[n] == '=' && ps.level(0).Equals {
				n++
			}
			o.Arg, o.HasArg = CutFront(&ps.words[ps.i], n), true
		case ps.words[ps.i].Open: // the rest of the word is the argument
			o.Arg, o.HasArg = CutFront(&ps.words[ps.i], k+1), true
		case spec.Takes == program.Argument && ps.i+1 < len(ps.words):
			ps.i++
			o.Arg, o.HasArg, o.End = ps.words[ps.i], true, ps.i+1
		}
		ps.add(o)
		return
	}
}

// letter returns the option at v[k] and the length of its name.
func (ps *argParser) letter(v string, k int) (*program.Option, int) {
	for up := len(ps.parents); up >= 0; up-- {
		g := ps.level(up)
		if o := g.Letter(v[k]); o != nil {
			return o, 1
		}
		if o := g.Number(); o != nil && shell.Digit(v[k]) < 10 {
			n := 1
			for k+n < len(v) && shell.Digit(v[k+n]) < 10 {
				n++
			}
			return o, n
		}
	}
	return ps.leading(v[k : k+1]), 1
}

// leading returns an option of the sub-commands that follow, with which they only read a
// service. It remains one that the program does not know.
func (ps *argParser) leading(name string) *program.Option {
	top := ps.prog
	if len(ps.parents) > 0 {
		top = ps.parents[0]
	}
	if top.Service == nil || len(ps.prog.Subs) == 0 {
		return nil
	}
	s := top.Service.Leading(ps.prog, ps.args.Sub, name)
	ps.args.Unlisted = ps.args.Unlisted || s != nil
	return s
}

// level returns the grammar of the program itself for len(parents), and of
// those above it for less.
func (ps *argParser) level(up int) *program.Grammar {
	if up == len(ps.parents) {
		return ps.prog.Grammar()
	}
	return ps.parents[up].Grammar()
}

// find returns the option of a long name, which may be abbreviated unless
// exact is set: --output is that of a program above and not the --output-format
// of a sub-command.
func (ps *argParser) find(name string, exact bool) *program.Option {
	if len(ps.parents) > 0 && !exact && len(name) > 1 {
		if s := ps.find(name, true); s != nil {
			return s
		}
	}
	for up := len(ps.parents); up >= 0; up-- {
		if s := ps.level(up).Find(name, exact); s != nil {
			return s
		}
	}
	return ps.leading(name)
}

func (ps *argParser) add(o Option) {
	o.Of = ps.prog
	ps.opts = append(ps.opts, o)
	if o.Spec == nil {
		ps.args.Unlisted = true
		return
	}
	ps.inert = ps.inert || o.Spec.Inert
	ps.drop = ps.drop || o.Spec.Drop
	if o.Spec.First.Set {
		ps.first = o.Spec.First
	}
	if o.Spec.Repeated.Set && !ps.repeated.Role.Changes() { // perl -i -e
		ps.repeated = o.Spec.Repeated
	}
	if o.HasArg && o.Spec.Drop && len(ps.prog.Verbs) > 0 && o.Is("m") {
		ps.enterModule(&o)
	}
}

// CutFront returns a word without its first n bytes.
func CutFront(w *shell.Word, n int) shell.Word {
	out := *w
	out.Values = make([]string, 0, len(w.Values))
	for _, v := range w.Values {
		if len(v) >= n {
			out.Values = append(out.Values, v[n:])
		}
	}
	out.Prefix, out.Partial = w.Prefix[min(n, len(w.Prefix)):], w.Partial[min(n, len(w.Partial)):]
	out.Span.From = min(out.Span.To, out.Span.From+n)
	if w.Quoted {
		out.Span.From = w.Span.From
	}
	return out
}

// roles gives each operand its role and finds the payload.
func (ps *argParser) roles() {
	specs := ps.expected()
	at, star := 0, -1
	for i, s := range specs {
		if s.Repeat {
			star = i
		}
	}
	for k := ps.verb; k < len(ps.opnds); k++ {
		role := program.RoleData
		left := len(ps.opnds) - k
		switch {
		case at >= len(specs):
		case at == star && specs[at].Role == program.RoleEnv && !isEnv(&ps.words[ps.opnds[k].At]) && at+1 < len(specs):
			at++
			role = specs[at].Role
			at++
		case at == star:
			if after := len(specs) - 1 - star; specs[at].Role != program.RoleEnv && left <= after {
				at = len(specs) - left
				role = specs[at].Role
				at++
			} else {
				role = specs[at].Role
			}
		default:
			role = specs[at].Role
			at++
		}
		role = ps.dashedRole(k, role)
		ps.opnds[k].Role = role
		if role == program.RolePayload || role == program.RoleJoined || role == program.RoleRest {
			ps.opnds = ps.opnds[:k+1]
			if ps.inert {
				ps.opnds = ps.opnds[:k]
			}
			break
		}
	}
	ps.payload(specs)
}

// dashedRole returns the role of operand k of a program for which operands are
// others after --, or where they can only be paths.
func (ps *argParser) dashedRole(k int, role program.Role) program.Role {
	if ps.prog.Dashed != program.RoleData && (ps.args.Dash > 0 && ps.opnds[k].At > ps.args.Dash || ps.spellsPath(k)) {
		return ps.prog.Dashed
	}
	return role
}

// spellsPath reports whether operand k can only be a path, as no name of a
// revision looks like it.
func (ps *argParser) spellsPath(k int) bool {
	v, ok := ps.words[ps.opnds[k].At].Literal()
	return ok && (v == "." || v == ".." || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") || strings.HasSuffix(v, "/"))
}

// expected returns the roles of the operands under the options given.
func (ps *argParser) expected() []program.Operand {
	specs := ps.prog.Grammar().Operands
	if !ps.drop && !ps.first.Set && !ps.repeated.Set {
		return specs
	}
	out := make([]program.Operand, 0, len(specs)+1)
	out = append(out, specs...)
	if ps.drop {
		for i, s := range out {
			if !s.Repeat {
				out = append(out[:i], out[i+1:]...)
				break
			}
		}
	}
	if ps.first.Set {
		if len(out) > 0 && !out[0].Repeat {
			out[0].Role = ps.first.Role
		} else {
			out = append([]program.Operand{{Role: ps.first.Role}}, out...)
		}
	}
	if ps.repeated.Set {
		found := false
		for i := range out {
			if out[i].Repeat {
				out[i].Role, found = ps.repeated.Role, true
			}
		}
		if !found {
			out = append(out, program.Operand{Role: ps.repeated.Role, Repeat: true})
		}
	}
	return out
}

func (ps *argParser) payload(specs []program.Operand) {
	if ps.inert {
		return
	}
	if n := len(ps.opnds); n > 0 && ps.opnds[n-1].Role == program.RolePayload {
		ps.args.Payload = ps.opnds[n-1].At
		ps.opnds = ps.opnds[:n-1]
		return
	}
	if len(specs) > 0 && specs[len(specs)-1].Role == program.RoleDashed && ps.args.Dash > 0 && ps.args.Dash+1 < len(ps.words) {
		ps.args.Payload = ps.args.Dash + 1
		for k, o := range ps.opnds {
			if o.At > ps.args.Dash {
				ps.opnds = ps.opnds[:k]
				break
			}
		}
	}
}

// isEnv reports whether a word may be NAME=VALUE.
func isEnv(w *shell.Word) bool {
	for _, v := range w.Values {
		if i := strings.IndexByte(v, '='); i > 0 {
			return true
		}
	}
	return strings.Contains(w.Prefix, "=")
}

// isAny reports whether the option has one of several names, blanks between them.
func (o *Option) isAny(names string) bool {
	for n := range strings.FieldsSeq(names) {
		if o.Is(n) {
			return true
		}
	}
	return false
}

// HasAny reports whether one of several options is given, blanks between their
// names.
func (a *Args) HasAny(names string) bool {
	for name := range strings.FieldsSeq(names) {
		if a.Has(name) {
			return true
		}
	}
	return false
}
