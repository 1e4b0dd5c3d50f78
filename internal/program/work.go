package program

import "strings"

// A Work is how a project starts a program all day: the sub-commands and options with
// which it builds, runs, tests or checks what the project holds, and does no more. It is a
// closed world: whatever no row of the program has may install, publish, load, or write
// elsewhere.
type Work struct {
	// Names are those of the program. Several rows may be of one, for other sub-commands.
	Names string
	// Verbs are the sub-commands, commas between them, "" where it needs none: its operands
	// are then files, but not first one of Others, which are sub-commands too.
	Verbs, Others string
	// Options are those that it may have, blanks between them: the names, commas between
	// those of one, and what it takes, = for an argument and ? for an attached one that may
	// be missing. Behind that stands what the argument is:
	//
	//	(nothing)  text, of which what may be a path must lie inside
	//	word       the name of something that the program, or the project, has
	//	in         a file or a directory that it reads
	//	out        a file that it writes
	//	fill       a directory that it fills, and may empty first
	//	local      an address at which only this machine reaches it
	//	target     what it runs of the project, by name
	//	off        a plug-in that is left out
	//	pairs      names, each of which may have a file behind a colon, which is written
	//	warnings   what stands behind -W of a compiler: a warning, or options of the linker
	//	a|b        one of these
	//
	// A long name that has one dash has it here too.
	Options string
	// Single says that long options may have one dash, and that letters are not joined.
	Single bool
	// Ends says that the options end at the first operand behind the sub-command.
	Ends bool
	// Operands is what the operands behind the sub-command are, blanks between them, as an
	// argument of an option; "" for what is no output.
	Operands string
	// Script says that the sub-command is itself a script of the project, so that the
	// options end behind it.
	Script bool
	// Goals are those operands with a colon that name what a plug-in of the program itself
	// does, blanks between them; "" where a colon means something else.
	Goals string
	// Rest is the program, and its sub-command, that reads what stands behind --. It is "" for
	// files; with * as its name another program reads it, of which nothing more is known.
	Rest string
	// Starts is an option with which the first operand is the program that reads what
	// follows; with * a script of the project starts one, of which nothing more is known.
	Starts string
	// Targets is how many operands behind the sub-command name what the project has to
	// run; -1 is all of them.
	Targets int
	// Rehearses are the options, blanks between them, with which it only says what it would
	// run.
	Rehearses string
	// Package is the name under which a registry has the program, where that has a scope.
	Package string
}

// WorksOf returns the rows of a program by its base name.
func WorksOf(name string) (out []*Work) {
	for _, w := range works {
		if HasWord(w.Names, name) {
			out = append(out, w)
		}
	}
	return out
}

// Works returns all rows. They must not be changed.
func Works() []*Work { return works }

// PackageOf returns the program that a registry has under a name with a scope, "" if
// none is known.
func PackageOf(name string) string {
	for _, w := range works {
		if w.Package != "" && w.Package == name {
			first, _, _ := strings.Cut(w.Names, " ")
			return first
		}
	}
	return ""
}

// A WorkOption is an option of a [Work].
type WorkOption struct {
	Takes Takes
	// Kind is what the argument is, as in [Work.Options].
	Kind string
}

// Option returns the option of a name without dashes; ok is false if there is none. A
// switch of several letters may be negated.
func (w *Work) Option(name string) (o WorkOption, ok bool) {
	for field := range strings.FieldsSeq(w.Options) {
		end := strings.IndexAny(field[1:], "=?") + 1
		if end == 0 {
			end = len(field)
		}
		if !inCommas(field[:end], name) {
			continue
		}
		switch {
		case end == len(field):
		case field[end] == '=':
			o = WorkOption{Argument, field[end+1:]}
		default:
			o = WorkOption{Attached, field[end+1:]}
		}
		return o, true
	}
	if camel := camelCase(name); camel != name && !w.Single {
		return w.Option(camel)
	}
	return w.negated(name)
}

// camelCase returns a name with dashes as JavaScript writes it: what reads options there
// takes both for the same.
func camelCase(name string) string {
	first, rest, found := strings.Cut(name, "-")
	if !found || first == "no" || first == "" {
		return name
	}
	var b strings.Builder
	b.WriteString(first)
	for part := range strings.SplitSeq(rest, "-") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

// negated returns what a switch is that takes another one back.
func (w *Work) negated(name string) (o WorkOption, ok bool) {
	if rest, negated := strings.CutPrefix(name, "no-"); negated && !w.Single {
		if o, ok := w.Option(rest); ok && o.Takes != Argument {
			return WorkOption{}, true
		}
	}
	return WorkOption{}, false
}

// HasVerb reports whether words are the sub-command of the row or begin with it, and how
// many words that takes.
func (w *Work) HasVerb(words []string) (n int, ok bool) {
	if w.Verbs == "" {
		return 0, len(words) == 0 || !HasWord(w.Others, words[0])
	}
	for verb := range strings.SplitSeq(w.Verbs, ",") {
		n := strings.Count(verb, " ") + 1
		if verb == "" {
			n = 0
		}
		if len(words) >= n && strings.Join(words[:n], " ") == verb {
			return n, verb != "" || len(words) == 0
		}
	}
	return 0, false
}
