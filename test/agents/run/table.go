//go:build linux

package main

import (
	"fmt"
	"strings"
	"time"
)

// table is the table of docs/agents.md.
func table(tried []outcome) string {
	var b strings.Builder
	columns := []string{"agent", "version"}
	for _, s := range scenarios() {
		columns = append(columns, s.name)
	}
	row := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	fmt.Fprintf(&b, "Tried on %s:\n\n", time.Now().UTC().Format("2 January 2006"))
	row(columns)
	fmt.Fprintf(&b, "|%s\n", strings.Repeat("---|", len(columns)))
	for _, o := range tried {
		a, _ := lookup(o.Name)
		cells := []string{a.title, o.Version}
		for _, s := range scenarios() {
			cell, ok := o.Cells[s.name]
			if !ok {
				cell = untried
			}
			cells = append(cells, cell)
		}
		row(cells)
	}
	return b.String()
}
