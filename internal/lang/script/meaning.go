package script

// A meaning is what a name is known to stand for.
type meaning struct {
	// values are the nodes that it may hold, of which count are set; 0 is one that
	// is unknown.
	values [maxValues]int32
	count  int32
	// function is the one that it names, where defined says that there is one; of a
	// class, that which makes its objects.
	function function
	defined  bool
	// class says that it is one.
	class bool
	// calls and named say that callees and objects are known.
	calls, named bool
	callees      []callee
	objects      []string
}

// A function has its node, and the nodes of its body.
type function struct{ node, from, to int32 }

// maxValues is how many values of a variable are followed.
const maxValues = 8

// meaning returns that of a name. It must not be changed where the name has none
// of its own.
func (p *reading) meaning(name string) *meaning { return &p.meanings[p.names[name]] }

// means returns the meaning of a name, which gets one of its own. It holds until
// the next name gets one.
func (p *reading) means(name string) *meaning {
	i, ok := p.names[name]
	if !ok {
		i = int32(len(p.meanings))
		p.meanings = append(p.meanings, meaning{})
		p.names[name] = i
	}
	return &p.meanings[i]
}

// vars returns the nodes that a name may hold.
func (p *reading) vars(name string) []int32 {
	m := p.meaning(name)
	return m.values[:m.count:m.count]
}

// set notes that a name holds a value.
func (p *reading) set(name string, value int32) {
	m := p.means(name)
	if m.count == maxValues {
		m.values[maxValues-1] = 0 // which is unknown
		return
	}
	m.values[m.count] = value
	m.count++
}
