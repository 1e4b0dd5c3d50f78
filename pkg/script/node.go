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
	at          int32
	text        string
	first, last int32
	next        int32
}

// add makes a node of a kind with children.
func (p *parser) add(kind nodeKind, text string, at int32, kids ...int32) int32 {
	p.nodes = append(p.nodes, node{kind: kind, text: text, at: at})
	n := int32(len(p.nodes) - 1)
	for _, k := range kids {
		p.append(n, k)
	}
	return n
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
