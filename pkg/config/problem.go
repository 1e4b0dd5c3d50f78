package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Problem is one error or warning in a policy file.
type Problem struct {
	File string
	// Line and Column count from 1, the column in characters; 0 where there
	// is no place.
	Line, Column int
	// Warning says that the policy loads nevertheless.
	Warning bool
	// Text says what is wrong and what to do.
	Text string
	// Hint is what was probably meant; "" where nothing is near.
	Hint string
}

// Error returns "FILE:LINE:COLUMN: TEXT (did you mean HINT?)", less what there
// is none of.
func (p *Problem) Error() string {
	text := p.Place() + ": " + p.Text
	if p.Hint != "" {
		text += " (did you mean " + p.Hint + "?)"
	}
	return text
}

// Place returns "FILE:LINE:COLUMN", or the file where there is no place in it.
func (p *Problem) Place() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Problems are sorted by file, in the order in which these were given, and by
// place.
type Problems []Problem

// Error returns one problem a line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i := range p {
		lines[i] = p[i].Error()
	}
	return strings.Join(lines, "\n")
}

// maxProblems bounds what one file can say: nobody reads more.
const maxProblems = 100

// split sorts the problems of one file into errors and warnings.
func (p Problems) split() (errs, warnings Problems) {
	slices.SortStableFunc(p, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	for _, x := range p {
		if x.Warning {
			warnings = append(warnings, x)
			continue
		}
		errs = append(errs, x)
	}
	return errs.clip("errors"), warnings.clip("warnings")
}

func (p Problems) clip(what string) Problems {
	more := len(p) - maxProblems
	if more <= 0 {
		return p
	}
	last := p[maxProblems]
	last.Text, last.Hint = fmt.Sprintf("and %d more %s from here on", more, what), ""
	return append(p[:maxProblems:maxProblems], last)
}
