package lint

import (
	"regexp/syntax"
	"slices"
)

// A language is the set of texts that an operator accepts, as a program that
// reads them rune by rune. The search for texts runs several side by side.
type language struct {
	prog *syntax.Prog
	// anchored says that a match begins where the text does.
	anchored bool
	// looks says that the program looks at runes beside a position.
	looks bool
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

// A run is where a program stands after a text: its threads, or that it has
// accepted whatever follows.
type run struct {
	threads []uint32
	done    bool
	ways    []*way // those that were followed from here
}

// A way is what the threads of a run lead to between two runes.
type way struct {
	context syntax.EmptyOp
	takes   []uint32 // instructions that take a rune
	accepts bool
	work    int // instructions that were followed
}

func (l *language) start() run { return run{threads: []uint32{uint32(l.prog.Start)}} }

// dead says that no text can be accepted any more.
func (l *language) dead(r *run) bool { return !r.done && l.anchored && len(r.threads) == 0 }

// way follows the threads of a run, once for each context.
func (l *language) way(r *run, context syntax.EmptyOp) *way {
	if !l.looks {
		context &= beginEnd // the program asks for nothing else
	}
	for _, w := range r.ways {
		if w.context == context {
			return w
		}
	}
	w := l.closure(r.threads, context)
	r.ways = append(r.ways, w)
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
	w := &way{context: context}
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
		}
	}
	return w
}

// step reads a rune, on the way of a run to it.
func (l *language) step(w *way, next rune) run {
	if w.accepts {
		return run{done: true}
	}
	var out []uint32
	for _, pc := range w.takes {
		if inst := &l.prog.Inst[pc]; inst.MatchRune(next) {
			out = append(out, inst.Out)
		}
	}
	if !l.anchored {
		out = append(out, uint32(l.prog.Start))
	}
	slices.Sort(out)
	return run{threads: slices.Compact(out)}
}
