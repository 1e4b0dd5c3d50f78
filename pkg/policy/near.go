package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/permission"
)

// maxNear bounds the permissions that are near to one command.
const maxNear = 3

// Nearest returns, for each command of a line, or for a call of another tool, the permissions
// that come nearest and do not decide it: allows, or denials and asks of a call that is
// allowed. Lost is the first reason why, from what decides. It returns an error if the call
// cannot be read.
func (e *Engine) Nearest(c *Call, is Decision) ([][]Match, error) {
	f := &facts{e: e, call: c}
	f.explained = true
	if err := (reader{f}).prepare(); err != nil {
		return nil, err
	}
	wanted := func(p *permit) bool { return (p.Action == Allow) != (is == Allow) }
	if f.line == nil {
		return [][]Match{f.nearest(wanted, f.nearCall)}, nil
	}
	out := make([][]Match, len(f.line.Commands))
	for i := range f.line.Commands {
		out[i] = f.nearest(wanted, func(p *permit) near { return f.nearCommand(p, &f.line.Commands[i]) })
	}
	return out, nil
}

// A near is why a permission does not decide; "" where it does, or is about something else.
// Of several the one of the highest rank comes nearest.
type near struct {
	why  string
	rank int
}

func (f *facts) nearest(wanted func(*permit) bool, of func(*permit) near) []Match {
	type found struct {
		Match
		rank int
	}
	var list []found
	for _, p := range f.permissions() {
		if !wanted(p) {
			continue
		}
		if n := of(p); n.why != "" {
			m := p.match()
			m.Lost = n.why
			list = append(list, found{m, n.rank})
		}
	}
	slices.SortStableFunc(list, func(a, b found) int { return cmp.Compare(b.rank, a.rank) })
	out := []Match{}
	for _, m := range list[:min(len(list), maxNear)] {
		out = append(out, m.Match)
	}
	return out
}

// The ranks of what is near, beside the number of words that match.
const (
	rankWords   = 100
	rankBarrier = 1000
)

// nearCommand says why a permission does not decide about a command.
func (f *facts) nearCommand(p *permit, c *command.Command) near {
	m := p.Misses(&f.view, c)
	switch {
	case m.Kind == command.OtherTool, m.Kind == command.Unnamed, m.Kind == command.OtherProgram:
		return near{}
	case p.Action != Allow:
		if p.HitsCommand(&f.view, c) != permission.None {
			return near{}
		}
	case m.Kind == command.Covered:
		return near{f.barrier(c, p.Pattern), rankBarrier}
	}
	n := near{m.Why(c), m.Word}
	switch {
	case m.Kind == command.Elsewhere, m.Kind == command.Excepted:
		n.rank = rankBarrier
	case m.Kind > command.OtherName:
		n.rank += rankWords
	}
	return n
}

// nearCall says why a permission does not decide about a call of another tool.
func (f *facts) nearCall(p *permit) near {
	about := p.About()
	hit, _ := p.Hits(&f.view)
	switch {
	case !p.Names(&f.view.Tool) && (about == permission.Other || about != f.view.Tool.Kind):
		return near{}
	case p.Action == Allow && p.CoversCall(&f.view), p.Action != Allow && hit != permission.None:
		return near{}
	case p.Action != Allow:
		return near{why: "it does not mean " + f.subjects()}
	}
	return near{why: "it does not cover " + f.subjects()}
}

// subjects returns what the call is about, each path with where it leads.
func (f *facts) subjects() string {
	var out []string
	for _, s := range f.view.Subjects {
		text := "`" + s + "`"
		if at := f.view.Subject(s); f.tool.isFile() && at.Real != "" && at.Real != shell.Abs(f.view.Base(), s) {
			text += fmt.Sprintf(", which is %s", at.Real)
		}
		out = append(out, text)
	}
	return cmp.Or(strings.Join(out, " and "), "its arguments")
}
