package lint

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// A language is the set of texts that an operator accepts, as a program that
// reads them rune by rune. The search for texts runs several side by side.
type language struct {
	prog *syntax.Prog
	// anchored says that a match begins where the text does.
	anchored bool
	// looks says that the program looks at runes beside a position.
	looks bool
	// states are those that searches came to, by their threads.
	states map[string]*state
	key    []byte
	kept   bool // a prover sees to it that they are forgotten
}

// compileLanguage returns nil for an expression that regexp/syntax refuses.
func compileLanguage(expression string) *language {
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil
	}
	l := &language{prog: prog, anchored: prog.StartCond()&syntax.EmptyBeginText != 0}
	for i := range prog.Inst {
		if prog.Inst[i].Op == syntax.InstEmptyWidth && syntax.EmptyOp(prog.Inst[i].Arg)&^beginEnd != 0 {
			l.looks = true
		}
	}
	return l
}

const beginEnd = syntax.EmptyBeginText | syntax.EmptyEndText

// A state is where a program stands after a text: its threads, or that it has
// accepted whatever follows.
type state struct {
	id      int
	threads []uint32 // ascending
	done    bool
	ways    []*way // those that were followed from here
}

// A way is what the threads of a state lead to between two runes.
type way struct {
	context syntax.EmptyOp
	takes   []uint32 // instructions that take a rune
	accepts bool
	work    int    // instructions that were followed
	points  []rune // where the sets of runes that it tells apart begin
	only    rune   // the one rune that it takes, -1 where there are others
	steps   []step // those that were made
}

type step struct {
	by rune
	to *state
}

// forget drops the states that searches came to.
func (l *language) forget() { l.states, l.kept = nil, false }

// trim forgets them where there are more than maxStates.
func (l *language) trim() {
	if len(l.states) > maxStates {
		l.forget()
	}
}

const maxStates = 100

// state returns the state with some threads, in any order, which it sorts.
func (l *language) state(threads []uint32, done bool) *state {
	slices.Sort(threads)
	threads = slices.Compact(threads)
	l.key = l.key[:0]
	if done {
		l.key = append(l.key, "done"...)
	}
	for _, pc := range threads {
		l.key = binary.LittleEndian.AppendUint32(l.key, pc)
	}
	if s := l.states[string(l.key)]; s != nil {
		return s
	}
	if l.states == nil {
		l.states = make(map[string]*state)
	}
	s := &state{id: len(l.states), threads: slices.Clone(threads), done: done}
	l.states[string(l.key)] = s
	return s
}

func (l *language) start() *state { return l.state([]uint32{uint32(l.prog.Start)}, false) }

// dead says that no text can be accepted any more.
func (l *language) dead(s *state) bool { return !s.done && l.anchored && len(s.threads) == 0 }

// way follows the threads of a state, once for each context.
func (l *language) way(s *state, context syntax.EmptyOp) *way {
	if !l.looks {
		context &= beginEnd // the program asks for nothing else
	}
	for _, w := range s.ways {
		if w.context == context {
			return w
		}
	}
	w := l.closure(s.threads, context)
	s.ways = append(s.ways, w)
	return w
}

// closure follows threads to instructions that take a rune.
func (l *language) closure(threads []uint32, context syntax.EmptyOp) *way {
	var few [4]uint64
	seen := few[:]
	if n := len(l.prog.Inst)/64 + 1; n > len(few) {
		seen = make([]uint64, n)
	}
	var room [32]uint32
	stack := append(room[:0], threads...)
	w := &way{context: context, only: -1}
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[pc/64]>>(pc%64)&1 == 1 {
			continue
		}
		seen[pc/64] |= 1 << (pc % 64)
		w.work++
		switch inst := &l.prog.Inst[pc]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, inst.Out, inst.Arg)
		case syntax.InstCapture, syntax.InstNop:
			stack = append(stack, inst.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^context == 0 {
				stack = append(stack, inst.Out)
			}
		case syntax.InstMatch:
			w.accepts = true
		case syntax.InstFail:
		default:
			w.takes = append(w.takes, pc)
			w.points = appendPoints(w.points, inst)
		}
	}
	takesOthers := func(pc uint32) bool { return l.prog.Inst[pc].Op != syntax.InstRune1 }
	if p := w.points; l.anchored && !w.accepts && len(p) == 2 && utf8.ValidRune(p[0]) && !slices.ContainsFunc(w.takes, takesOthers) {
		w.only = p[0]
	}
	return w
}

// step reads a rune, on the way of a state to it.
func (l *language) step(w *way, by rune) *state {
	for i := range w.steps {
		if w.steps[i].by == by {
			return w.steps[i].to
		}
	}
	to := l.next(w, by)
	w.steps = append(w.steps, step{by, to})
	return to
}

func (l *language) next(w *way, by rune) *state {
	if w.accepts {
		return l.state(nil, true)
	}
	var room [16]uint32
	out := room[:0]
	for _, pc := range w.takes {
		if inst := &l.prog.Inst[pc]; inst.MatchRune(by) {
			out = append(out, inst.Out)
		}
	}
	if !l.anchored {
		out = append(out, uint32(l.prog.Start))
	}
	return l.state(out, false)
}
