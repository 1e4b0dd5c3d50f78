package record

import (
	"strconv"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// maxEach bounds the records for what one facet of a command has several of,
// maxRecords those for all choices of several facets. Beyond them, the facet is
// not known.
const (
	maxEach    = 64
	maxRecords = 16
)

// secondary returns the facets of a command beside that of the shell: for
// each name the alternatives, such as one for each file.
func (d *recordMaker) secondary(c *command.Command) [][]facet {
	var out [][]facet
	add := func(n Needs, of func(*command.Command) []facet) {
		if d.needs&n == 0 {
			return
		}
		if list := of(c); len(list) > 0 {
			out = append(out, list)
		}
	}
	add(needFile, d.fileFacets)
	add(needHTTP, httpFacets)
	add(needSSH, sshFacets)
	add(needSQL, sqlFacets)
	add(needK8s, k8sFacets)
	return out
}

// combine returns every choice of one alternative for each facet.
func (d *recordMaker) combine(groups [][]facet) [][]facet {
	out := [][]facet{nil}
	for _, list := range groups {
		if n := len(out) * len(list); n > maxEach || n > maxRecords && len(out) > 1 && len(list) > 1 {
			list = []facet{hidden(list[0].name)}
		}
		var next [][]facet
		for _, chosen := range out {
			for _, f := range list {
				next = append(next, append(chosen[:len(chosen):len(chosen)], f))
			}
		}
		out = next
	}
	return out
}

// fileFacets describes each file that a command changes or reads.
func (d *recordMaker) fileFacets(c *command.Command) []facet {
	if c.Context != program.Local {
		return nil
	}
	var out []facet
	add := func(path, op string, known bool) {
		f := facet{name: "file", fields: map[string]any{"path": path, "op": op}}
		if !known {
			f.hide("path")
		}
		out = append(out, f)
	}
	c.Effects(func(e command.Effect) bool {
		op := "write"
		switch {
		case reads(c, e):
			op = "read"
		case !changes(c, e):
			return true
		}
		if !knownPaths(e) {
			add(shell.UnknownText, op, false)
			return true
		}
		for _, p := range shell.Paths(e.Dir, e.Target) {
			add(p, op, true)
			if e.Recursive && e.Kind != command.Writes && e.Kind != command.Alters && d.outside(p, op) {
				add(shell.UnknownText, op, false) // what lies below it
			}
		}
		return true
	})
	if (c.Args.Unlisted || c.Args.Open) && c.MayChange() {
		out = append(out, hidden("file"))
	}
	return out
}

// outside reports whether what lies below a path that is worked on as a whole may
// be other than files of the directory of the call.
func (d *recordMaker) outside(p, op string) bool {
	return !below(p, d.in.Call.Dir) && (op == "write" || p != d.in.Call.Dir)
}

// element names an element of a list.
func element(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }
