package view

import (
	"fmt"
	"maps"
	"strings"
)

// A Change is a text that a tool puts in place of another one, as rows: what
// goes, before what comes.
type Change struct {
	Name string
	Rows []string
}

// replacements are the names under which tools give the old text and the new.
var replacements = [][2]string{
	{"old_string", "new_string"}, {"old_str", "new_str"}, {"oldString", "newString"}, {"old_text", "new_text"}, {"oldText", "newText"},
}

// TakeChanges takes the replacements out of an input, those of its lists of
// edits too.
func TakeChanges(input map[string]any) []Change {
	var out []Change
	if rows := takeChange(input); rows != nil {
		out = append(out, Change{"Change: - goes, + comes", rows})
	}
	for _, key := range Names(input) {
		edits, ok := input[key].([]any)
		if !ok {
			continue
		}
		if list := listed(key, edits); list != nil {
			out = append(out, list...)
			delete(input, key)
		}
	}
	return out
}

// listed returns the changes of a list, nil if something in it is none.
func listed(key string, edits []any) (out []Change) {
	for i, edit := range edits {
		fields, ok := edit.(map[string]any)
		if !ok {
			return nil
		}
		fields = maps.Clone(fields)
		rows := takeChange(fields)
		if rows == nil {
			return nil
		}
		for _, rest := range Names(fields) {
			rows = append(rows, strings.Split(rest+": "+Text(fields[rest]), "\n")...)
		}
		out = append(out, Change{fmt.Sprintf("Change %d of %d in %s: - goes, + comes", i+1, len(edits), key), rows})
	}
	return out
}

// takeChange takes one replacement out of an input, and returns its rows; nil
// where there is none.
func takeChange(input map[string]any) []string {
	for _, names := range replacements {
		before, ok1 := input[names[0]].(string)
		after, ok2 := input[names[1]].(string)
		if !ok1 || !ok2 {
			continue
		}
		delete(input, names[0])
		delete(input, names[1])
		return changeRows(before, after)
	}
	return nil
}

// changeRows shows a text before another one. Lines that both begin or end with
// stand once.
func changeRows(before, after string) (rows []string) {
	a, b := lines(before), lines(after)
	head := 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	add := func(sign string, list []string) {
		for _, line := range list {
			rows = append(rows, sign+line)
		}
	}
	add("  ", a[:head])
	add("- ", a[head:len(a)-tail])
	add("+ ", b[head:len(b)-tail])
	add("  ", a[len(a)-tail:])
	if len(rows) == 0 {
		return []string{"nothing"}
	}
	return rows
}

// lines returns the lines of a text, none for "". A line end at its end begins an
// empty line, so that the loss of one shows.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
