package script

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// A gift is what a call is given.
type gift struct {
	values []Value
	// words are the values with the elements of lists in their place, of calls that
	// ask for them.
	words []Value
	split bool
	shell bool
	// deep says that it is to do the same to all below, detached that it is not to wait.
	deep, detached bool
	modes          []string
	// dir is where a program is run, input what it reads.
	dir, input Value
	// env are the variables that it finds.
	env []Variable
	// urls, method and body are what a request is told by name.
	urls   []Value
	method string
	body   bool
}

// given returns what stands in the arguments from one on, except for one.
func (p *parser) given(f *fact, arg, except int32) gift {
	g := gift{split: f.act == Runs || f.act == does}
	if n := p.count(arg); n > 0 {
		g.values = make([]Value, 0, n)
	}
	for k := arg; k != 0; k = p.nodes[k].next {
		if k != except {
			p.give(&g, k)
		}
	}
	if len(g.values) == 0 {
		g.values = nil
	}
	return g
}

func (p *parser) give(g *gift, k int32) {
	switch d := p.nodes[k]; d.kind {
	case functionNode:
	case blockNode: // {args: […]}
		p.giveMembers(g, k)
		if p.language == program.Ruby { // system({"X" => "y"}, "…")
			p.giveVariables(g, k)
		}
	case pairNode:
		p.giveNamed(g, p.nodes[d.first].text, d.last)
	case nameNode: // which may hold an object: run(**options)
		objects := 0
		p.written(k, 0, func(o int32) bool {
			if objects++; objects > maxValues || p.looked >= maxLooks {
				return false
			}
			if d := p.nodes[o]; d.kind == blockNode || d.kind == callNode && p.nameOf(o) == "dict" {
				p.giveMembers(g, o)
			}
			return true
		})
		p.put(g, p.value(k))
		g.modes = append(g.modes, p.flags(k)...)
	default:
		p.put(g, p.value(k))
		g.modes = append(g.modes, p.flags(k)...)
	}
}

// giveNamed adds what is given by a name.
func (p *parser) giveNamed(g *gift, name string, value int32) {
	v := p.value(value)
	switch name {
	case "shell":
		g.shell = true
	case "url", "uri":
		g.urls = append(g.urls, v)
	case "method", "type":
		g.method = v.first()
	case "data", "body", "json", "files", "form":
		if g.body = true; p.language == program.NoLanguage {
			p.put(g, v)
		}
	case "mode":
		g.modes = append(g.modes, v.Texts...)
	case "write", "append", "truncate": // of Deno
		if p.nodes[value].text == "true" {
			g.modes = append(g.modes, "w")
		}
	case "recursive":
		if g.deep = strings.EqualFold(p.nodes[value].text, "true") || p.nodes[value].text == "T"; p.language == program.NoLanguage {
			p.put(g, v)
		}
	case "wait":
		g.detached = strings.EqualFold(p.nodes[value].text, "false")
	case "cwd", "chdir":
		g.dir = v
	case "env":
		p.giveVariables(g, value)
	case "input", "stdin_data":
		g.input = v
	case "args", "path", "command", "cmd", "file", "target", "executable", "KILL", "TERM", "9", "src", "dst", "name", "pid":
		p.put(g, v)
	default:
		if p.language == program.NoLanguage {
			p.put(g, v)
		}
	}
}

// maxVariables bounds those of an environment that are told.
const maxVariables = 16

// giveVariables adds the variables of an object, or of one that a name holds.
func (p *parser) giveVariables(g *gift, object int32) {
	if !g.split {
		return
	}
	add := func(name string, value int32) {
		if name != "" && len(g.env) < maxVariables {
			g.env = append(g.env, Variable{name, p.value(value)})
		}
	}
	if name := p.nodes[object].text; p.nodes[object].kind == nameNode {
		for member, values := range p.members {
			if of, key, ok := strings.Cut(member, "."); ok && of == name {
				add(key, values[len(values)-1])
			}
		}
		slices.SortFunc(g.env, func(a, b Variable) int { return strings.Compare(a.Name, b.Name) })
	}
	p.written(object, 0, func(o int32) bool {
		for m := range p.kids(o) {
			d := p.nodes[m]
			if p.looked++; p.looked >= maxLooks {
				return false
			}
			if d.kind == pairNode && d.last != 0 {
				add(p.nodes[d.first].text, d.last)
			}
		}
		return true
	})
}

func (p *parser) giveMembers(g *gift, object int32) {
	for m := range p.kids(object) {
		p.looked++
		switch d := &p.nodes[m]; {
		case p.looked >= maxLooks:
		case d.kind == pairNode:
			p.give(g, m)
		case d.kind == nameNode && p.nodes[object].kind == blockNode && d.text == "env": // {env}
			p.giveVariables(g, m)
		}
	}
}

func (p *parser) put(g *gift, v Value) {
	g.values = append(g.values, v)
	if !g.split {
		return
	}
	if v.Items != nil && len(v.Texts) == 0 {
		for _, item := range v.Items {
			if item.Items != nil && len(item.Texts) == 0 { // *list
				g.words = append(g.words, item.Items...)
			} else {
				g.words = append(g.words, item)
			}
		}
		return
	}
	g.words = append(g.words, v)
}

// flags returns the names of constants in an argument, such as os.O_WRONLY.
func (p *parser) flags(k int32) (out []string) {
	switch d := p.nodes[k]; d.kind {
	case nameNode, memberNode:
		return []string{d.text}
	case unknownNode:
		for m := range p.kids(k) {
			out = append(out, p.flags(m)...)
		}
	}
	return out
}
