package script

// A nodeKind says what a node of a program is.
type nodeKind uint8

const (
	unknownNode  nodeKind = iota
	textNode              // a literal
	nameNode              // a name
	memberNode            // OBJECT.NAME: the object
	indexNode             // OBJECT[KEY]: the object, and its keys
	callNode              // CALLEE(…): the callee, and the arguments
	listNode              // several values
	pairNode              // NAME = VALUE, KEY: VALUE: the key, and the value
	joinNode              // texts behind one another
	pathNode              // parts of a path
	formatNode            // FORMAT % VALUES
	repeatNode            // TEXT * NUMBER
	eitherNode            // one of several values
	eachNode              // one of the elements of a list
	functionNode          // its parameters, in a list, and its body
	blockNode             // statements
	notNode               // the opposite, or the negative, of a value
	sameNode              // what another node is, which has its place elsewhere
)

// A node is an expression. Its children are linked from first to last; 0 is no
// node.
type node struct {
	kind        nodeKind
	word        uint16 // what is known of a name, or of that of a member
	at          int32
	text        string
	first, last int32
	next        int32
	value       int32 // its place in the values that are known, 0 for none
}

// add makes a node of a kind with children.
func (p *parser) add(kind nodeKind, text string, at int32, kids ...int32) int32 {
	d := node{kind: kind, text: text, at: at}
	if kind == nameNode || kind == memberNode {
		d.word = p.words.find(text)
	}
	return p.place(d, kids)
}

// pass makes a node of the name or the number that is next, and passes it.
func (p *parser) pass(kind nodeKind) int32 {
	d := node{kind: kind, word: p.tok.word, text: p.tok.text, at: p.tok.at}
	p.advance()
	return p.place(d, nil)
}

// token makes a node of the name that is next.
func (p *parser) token(kind nodeKind, at int32, kids ...int32) int32 {
	return p.place(node{kind: kind, word: p.tok.word, text: p.tok.text, at: at}, kids)
}

func (p *parser) place(d node, kids []int32) int32 {
	p.nodes = append(p.nodes, d)
	n := int32(len(p.nodes) - 1)
	for _, k := range kids {
		p.append(n, k)
	}
	return n
}

// nodeIn reports whether a name, or that of a member, is one of a set.
func (p *reading) nodeIn(n int32, set traits) bool {
	return theVocabulary().words[p.nodes[n].word].traits&set != 0
}

// append adds a child, which must be none of another node.
func (p *parser) append(n, kid int32) {
	if kid == 0 || kid == n {
		return
	}
	if p.nodes[kid].next != 0 || p.nodes[n].last == kid {
		return // it has a place already
	}
	if last := p.nodes[n].last; last == 0 {
		p.nodes[n].first = kid
	} else {
		p.nodes[last].next = kid
	}
	p.nodes[n].last = kid
}

// same makes a node that is what another is.
func (p *parser) same(n int32) int32 {
	p.nodes = append(p.nodes, node{kind: sameNode, at: p.nodes[n].at, first: n})
	return int32(len(p.nodes) - 1)
}

// count returns how many nodes there are from one on.
func (p *reading) count(n int32) (out int) {
	for ; n != 0; n = p.nodes[n].next {
		out++
	}
	return out
}

// kids yields the children of a node from one on.
func (p *reading) kids(n int32) func(func(int32) bool) {
	return func(yield func(int32) bool) {
		for k := p.nodes[n].first; k != 0; k = p.nodes[k].next {
			if !yield(k) {
				return
			}
		}
	}
}
