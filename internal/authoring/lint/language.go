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
	// work counts the instructions that were followed, to bound searches.
	work int
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
}

func (l *language) start() run { return run{threads: []uint32{uint32(l.prog.Start)}} }

// dead says that no text can be accepted any more.
func (l *language) dead(r run) bool { return !r.done && l.anchored && len(r.threads) == 0 }

// closure follows the threads to instructions that take a rune; it reports
// whether the program accepts.
func (l *language) closure(threads []uint32, context syntax.EmptyOp) (takes []uint32, accepted bool) {
	seen := make([]uint64, len(l.prog.Inst)/64+1)
	stack := slices.Clone(threads)
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[pc/64]>>(pc%64)&1 == 1 {
			continue
		}
		seen[pc/64] |= 1 << (pc % 64)
		l.work++
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
			accepted = true
		case syntax.InstFail:
		default:
			takes = append(takes, pc)
		}
	}
	return takes, accepted
}

// step reads a rune after another; before is -1 at the start of the text.
func (l *language) step(r run, before, next rune) run {
	if r.done {
		return r
	}
	takes, accepted := l.closure(r.threads, syntax.EmptyOpContext(before, next))
	if accepted {
		return run{done: true}
	}
	var out []uint32
	for _, pc := range takes {
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

// accepts reports whether the text that ends here is accepted.
func (l *language) accepts(r run, before rune) bool {
	if r.done {
		return true
	}
	_, accepted := l.closure(r.threads, syntax.EmptyOpContext(before, -1))
	return accepted
}
