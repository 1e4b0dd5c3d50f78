package script

import (
	"strings"
	"sync"
)

// dotted are the calls whose results follow from their names and the name before it.
var dotted = sync.OnceValue(func() map[string]fold {
	lists := func(_ *reading, _ Value, args []Value) Value { return below(subject(open, args)) }
	return map[string]fold{
		"list.files": lists, "list.dirs": lists, "lfs.dir": lists, ".dir": lists,
		"file.path":   func(_ *reading, _ Value, args []Value) Value { return combined(args, "/") },
		"path.expand": expandHome,
		"System.getProperty": func(p *reading, _ Value, args []Value) Value {
			if len(args) == 1 && has(args[0], "user.home") {
				return p.home()
			}
			return open
		},
	}
})

// wide is how many numbers one after another may be those of all processes.
const wide = 1000

// counted returns what counting up to a number yields: each number of very many.
func counted(_ *reading, of Value, args []Value) Value {
	for _, v := range append(args[:len(args):len(args)], of) {
		if n := v.number(); n != unknownNumber && n >= wide {
			return text(Many)
		}
	}
	return open
}

// moduleOf returns the name of what a node names: that of the module where it holds what
// a call imports.
func (p *reading) moduleOf(n int32) string {
	if held := p.vars(p.nodes[n].text); p.nodes[n].kind == nameNode && len(held) == 1 && p.nodes[held[0]].kind == callNode {
		n = held[0]
	}
	if d := p.nodes[n]; d.kind == callNode && isOneOf(p.nameOf(d.first), imports) {
		if arg := p.nodes[d.first].next; arg != 0 && p.nodes[arg].kind == textNode {
			return strings.TrimPrefix(p.nodes[arg].text, "node:")
		}
	}
	return p.nameOf(n)
}
