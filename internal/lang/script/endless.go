package script

import (
	"cmp"
	"slices"
	"sort"
)

// tellLoops notes which calls stand in loops without an end.
func (p *parser) tellLoops() {
	p.selfCalls()
	p.schedules()
	var starts, union []loop
	for _, l := range p.loops {
		if l.endless {
			starts = append(starts, l)
		}
	}
	if starts == nil {
		return
	}
	bodies := make([]int32, len(starts))
	for i, l := range starts {
		bodies[i] = l.body
	}
	slices.Sort(bodies)
	slices.SortFunc(starts, func(a, b loop) int { return cmp.Compare(a.from, b.from) })
	for _, l := range starts {
		if last := len(union) - 1; last >= 0 && l.from <= union[last].to {
			union[last].to = max(union[last].to, l.to)
		} else {
			union = append(union, l)
		}
	}
	slices.Sort(p.called)
	for i := range p.Calls {
		c := &p.Calls[i]
		if c.node == 0 {
			continue
		}
		k := sort.Search(len(union), func(k int) bool { return union[k].to > c.node })
		if k == len(union) || union[k].from > c.node {
			continue
		}
		c.Endless = true
		from := p.leftmost(c.node)
		before := int32(0)
		if k, _ := slices.BinarySearch(p.called, from); k > 0 {
			before = p.called[k-1]
		}
		k = sort.Search(len(bodies), func(k int) bool { return bodies[k] > from }) - 1
		c.First = k >= 0 && bodies[k] > before
	}
}

// schedules notes functions that have themselves called again soon.
func (p *parser) schedules() {
	for _, n := range p.called {
		callee := p.nodes[n].first
		arg := p.nodes[callee].next
		target := p.argumentNamed(arg, "target")
		if target != 0 && p.nameOf(callee) == "Process" { // multiprocessing.Process(target=f)
			p.Calls = append(p.Calls, Call{Act: Forks, Name: "Process", At: int(p.nodes[n].at), node: n})
			p.again(target, n)
		}
		if !p.nodeIn(callee, schedulers) || arg == 0 {
			continue
		}
		if pause := p.nodes[arg].next; pause != 0 && p.nodes[pause].kind == textNode && p.nodes[pause].text != "0" && p.nodes[pause].text != "1" {
			continue
		}
		p.again(arg, n)
	}
}

// again notes a function that a node names if it holds another node, which has it called.
func (p *parser) again(name, n int32) {
	for _, f := range p.functionsOf(name) {
		if f < n && n < p.bodies[f] {
			p.loops = append(p.loops, loop{from: f, to: p.bodies[f], body: f, endless: true})
		}
	}
}

// selfCalls notes functions that fork twice and call themselves each time.
func (p *parser) selfCalls() {
	var forks []int32
	for _, n := range p.called {
		if p.nameOf(n) == "fork" {
			forks = append(forks, n)
		}
	}
	if len(forks) < 2 {
		return
	}
	for name, i := range p.names {
		f := p.meanings[i].function
		if within(forks, f) < 2 {
			continue
		}
		own := 0
		for n := f.from; n < f.to; n++ {
			if p.nodes[n].kind == nameNode && p.nodes[n].text == name {
				own++
			}
		}
		if own > 1 {
			p.loops = append(p.loops, loop{from: f.from, to: f.to, body: f.from, endless: true})
			return
		}
	}
}

// within returns how many nodes stand in a function.
func within(nodes []int32, f function) (n int) {
	for _, at := range nodes {
		if at >= f.from && at < f.to {
			n++
		}
	}
	return n
}
