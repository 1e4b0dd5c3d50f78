package script

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// A parser makes nodes of tokens. It takes what it does not understand for the
// beginning of something else, and passes each token once.
type parser struct {
	*reading
	lexer
	tok   token
	depth int
	// brackets counts those around the token, in which lines do not end
	// statements; ternary, the conditions that wait for their colon; arguments
	// says that NAME = VALUE is an argument.
	brackets, ternary int
	arguments         bool
	// block is the first node of the innermost block.
	block int32
	// nested counts the literals around the token; inLoop says that a loop in
	// brackets has begun, inHead that the word do begins no block of a call, inLisp
	// that arguments have no commas between them.
	nested                 int
	inLoop, inHead, inLisp bool
	called                 []int32 // all calls
	// function is the one that is read, 0 for none, and latest the statement before;
	// class is the latest class.
	function, latest int32
	class            string
	// mayWait says that the text of some name may say that the program waits.
	mayWait bool
	// evals are the texts that the program evaluates, nil where it evaluates none.
	evals *evaluations
	// open counts the calls of which nothing is known.
	open int
	// callable and standing are what a node may call, and the names that stand for
	// a value, while they are looked at. What names are known to stand for is kept
	// behind one another.
	callable, keptCallees []callee
	standing, keptObjects []string
	// fed is what is written to programs that are run.
	fed []Value
	// writings are what is written, opens the calls that open files for that.
	writings []writing
	opens    []int32
	// modules are those that it imports, which may be files.
	modules []string
	// taken are what the imports around the token take.
	taken []rename
}

const (
	// maxDepth bounds how deep expressions and blocks are nested.
	maxDepth = 400
	// maxNodes bounds how much of a program is read. It is more than any has that a
	// line can hold.
	maxNodes = 200_000
	// maxNested bounds how deep texts in literals are nested.
	maxNested = 3
	// maxInner bounds how many texts that a program evaluates are read, and
	// maxInnerSize how many bytes they have.
	maxInner     = 256
	maxInnerSize = 1 << 18
	// maxOpen bounds how many calls are kept of which nothing is known.
	maxOpen = 256
	// maxChain bounds how far a chain of members and calls is followed.
	maxChain = 32
)

// evaluations are the texts that a program, and what it evaluates, evaluate.
type evaluations struct {
	seen map[string]bool
	left int // how many bytes of others are read
}

func (p *parser) advance() {
	if len(p.nodes) > maxNodes {
		p.at = p.end
	}
	p.next(&p.tok)
	if p.tok.kind == nameToken {
		p.Waits = p.Waits || p.mayWait && strings.Contains(p.tok.text, "wait") ||
			p.language == program.Python && p.tok.text == "join" && strings.HasPrefix(p.src[p.at:p.end], "()") // that of a process
		p.Pauses = p.Pauses || p.Waits || p.tok.in(pauses)
	}
}

// take passes a word or a sign if it is next.
func (p *parser) take(m mark) bool {
	if !p.tok.is(m) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) here() int32 { return int32(len(p.nodes)) }
