//go:build linux

package shells_test

import (
	"fmt"
	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"path"
	"slices"
	"strconv"
	"strings"
)

// unread returns what a shell did that the reading of the line does not hold,
// "" if there is nothing. Of what was read, any part may not have happened.
func unread(read []command.Command, o *outcome) string {
	for i := range o.records {
		r := &o.records[i]
		if !holds(read, r) {
			return "ran " + r.String()
		}
		for _, file := range r.open {
			if !redirected(read, file) && !slices.Contains(watched, file) {
				return "ran " + r.String() + " with the file " + file
			}
		}
	}
	for _, file := range o.changed {
		if !redirected(read, file) {
			return "wrote " + file
		}
	}
	for _, file := range o.opened {
		if !redirected(read, file) && !named(read, file) {
			return "opened " + file
		}
	}
	return ""
}

// holds reports whether one of the commands may be the one of a record.
func holds(read []command.Command, r *record) bool {
	for i := range read {
		c := &read[i]
		if len(c.Words) == 0 || !c.In(command.Adrift) && !at(c.Dir, r.dir) {
			continue
		}
		if c.Keyword {
			if asProgram(read[i:], r) {
				return true
			}
			continue
		}
		if mayBe(c.Words[0].Set, r.name()) || mayBe(c.Words[0].Set, r.file) {
			if cover(c.Words[1:], r.words[1:]) {
				return true
			}
		}
		// A program that expands to several words begins with one of them.
		if w := &c.Words[0]; (w.Many || w.Splits) && cover(c.Words, r.all()) {
			return true
		}
	}
	return false
}

// asProgram reports whether a part of the language, first of the commands, may
// be the program of that name for a shell that does not have it: [[ with the
// same words, and time with the command that it times.
func asProgram(read []command.Command, r *record) bool {
	switch c := &read[0]; {
	case c.Name == "[[" && r.name() == "[[":
		words := slices.Clone(c.Words[1:])
		for i := range words {
			words[i].Many = words[i].Many || words[i].Open // the program's words are split
		}
		return cover(words, r.words[1:])
	case c.Name == "time" && r.name() == "time":
		// One of several readings of what it times may be the one.
		return slices.ContainsFunc(read[1:], func(timed command.Command) bool { return len(timed.Words) > 0 && cover(timed.Words, r.words[1:]) })
	}
	return false
}

// at reports whether a directory may be where a shell was, which is told
// without links.
func at(dir shell.Set, where string) bool {
	if dir.Open && len(dir.Values) == 0 && dir.Prefix == "" {
		return true
	}
	for _, v := range dir.Values {
		if resolve(v) == where {
			return true
		}
	}
	return mayBe(dir, where)
}

// cover reports whether words may become the given ones.
func cover(words []shell.Word, given []string) bool {
	if len(words) == 0 {
		return len(given) == 0
	}
	w := &words[0]
	least, most := 1, 1
	switch {
	case w.Many || w.Splits:
		least, most = 0, len(given)
	case w.Glob:
		most = len(given)
	}
	for n := 0; n <= min(most, len(given)); n++ {
		if n > 0 && !mayBe(w.Set, given[n-1]) && !(w.Splits && (n > 1 || strings.HasPrefix(given[0], w.Prefix))) {
			return false
		}
		if n >= least && cover(words[1:], given[n:]) {
			return true
		}
	}
	return false
}

// mayBe reports whether a text is among the values of a set.
func mayBe(s shell.Set, text string) bool {
	if s.Open && strings.HasPrefix(text, s.Prefix) && (!s.Number || isNumber(text)) {
		return true
	}
	for _, v := range s.Values {
		if v == text || s.Glob && (unescape(v) == text || fits(v, text)) {
			return true
		}
	}
	return false
}

// fits reports whether a pattern matches a path.
func fits(pattern, path string) bool {
	return fitParts(strings.Split(singleSlashes(pattern), "/"), strings.Split(singleSlashes(path), "/"))
}

func singleSlashes(s string) string {
	for strings.Contains(s, "//") {
		s = strings.ReplaceAll(s, "//", "/")
	}
	return s
}

// fitParts is fits for the parts between slashes. In zsh ** is any number of
// directories, also none.
func fitParts(patterns, parts []string) bool {
	for i := range patterns {
		if patterns[i] == "**" {
			for n := i; n <= len(parts); n++ {
				if fitParts(patterns[i+1:], parts[n:]) {
					return true
				}
			}
		}
		if i >= len(parts) || unescape(patterns[i]) != parts[i] && !shell.Matches(patterns[i], parts[i]) {
			return false
		}
	}
	return len(patterns) == len(parts)
}

func isNumber(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}

func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// redirected reports whether a redirection may open a file.
func redirected(read []command.Command, file string) bool {
	for i := range read {
		c := &read[i]
		for k := range c.Redirects {
			if r := &c.Redirects[k]; (r.Writes() || r.Reads()) && names(places(c), r.Target.Set, file) {
				return true
			}
		}
	}
	return false
}

// named reports whether a word, of a built-in that reads it or of a program
// that is run, may be a file or a directory above it.
func named(read []command.Command, file string) bool {
	for i := range read {
		for k := range read[i].Words {
			for up := file; up != "/"; up = path.Dir(up) {
				if w := &read[i].Words[k]; w.Splits || names(places(&read[i]), w.Set, up) {
					return true
				}
			}
		}
	}
	return false
}

// places returns the directories in which a command may run: behind a cd that
// may have failed, also the one of the call.
func places(c *command.Command) shell.Set {
	dir := c.Dir
	if c.In(command.Adrift) {
		dir.Values = append([]string{project}, dir.Values...)
	}
	return dir
}

// names reports whether a path, as seen from a directory, may be a file.
func names(dir, s shell.Set, file string) bool {
	if dir.Open || s.Open && s.Prefix == "" {
		return true
	}
	for _, d := range dir.Values {
		if s.Open && strings.HasPrefix(file, resolve(shell.Abs(d, s.Prefix))) {
			return true
		}
	}
	for _, p := range shell.Paths(dir, s) {
		if p = resolve(p); p == file || s.Glob && fits(p, file) {
			return true
		}
	}
	return false
}

// resolve follows the links of the playground.
func resolve(file string) string {
	file = path.Clean(file)
	for name, target := range links {
		name, target = project+"/"+name, project+"/"+target
		if file == name {
			return target
		}
		if rest, ok := strings.CutPrefix(file, name+"/"); ok {
			return target + "/" + rest
		}
	}
	return file
}

// render says what was read.
func render(l *eval.Line) string {
	if l.Problem != nil {
		return "nothing: " + l.Problem.Why
	}
	var b strings.Builder
	for i := range l.Commands {
		c := &l.Commands[i]
		if i > 0 {
			b.WriteString("; ")
		}
		for k := range c.Words {
			w := &c.Words[k]
			if k > 0 {
				b.WriteByte(' ')
			}
			if v, ok := w.Literal(); ok && !w.Many {
				fmt.Fprintf(&b, "%q", v)
				continue
			}
			fmt.Fprintf(&b, "%q%s", w.Values, flags(w))
		}
		for k := range c.Redirects {
			fmt.Fprintf(&b, " %s%q", c.Redirects[k].Op, c.Redirects[k].Target.Values)
		}
		if v, ok := c.Dir.Literal(); !ok || v != project {
			fmt.Fprintf(&b, " in %q", c.Dir.Values)
		}
	}
	return b.String()
}

func flags(w *shell.Word) string {
	var s string
	for _, f := range []struct {
		on   bool
		mark string
	}{{w.Open, "open"}, {w.Glob, "glob"}, {w.Many, "many"}, {w.Splits, "splits"}} {
		if f.on {
			s += "+" + f.mark
		}
	}
	return s
}
