package command

import (
	"strings"
)

// tcl finds the commands of a text in Tcl: those of lines, of brackets and of braces.
func (e *escaping) tcl(text string) {
	quoted, starts := false, true
	for i := 0; i < len(text) && len(e.list) < maxEscapes; i++ {
		if starts && text[i] != ' ' && text[i] != '\t' && text[i] != '\n' {
			if starts = false; text[i] == '#' {
				if i += strings.IndexByte(text[i:]+"\n", '\n'); i >= len(text) {
					return
				}
			} else {
				if !e.looks() {
					return
				}
				e.tclCommand(tclEnd(text[i:min(i+maxOrder, len(text))]), maxNested)
			}
		}
		switch text[i] {
		case '\\':
			i++
		case '"':
			quoted = !quoted
		case '[':
			starts = true
		case '{', ';', '\n':
			starts = starts || !quoted
		}
	}
}

// tclEnd returns the command with which a text begins.
func tclEnd(text string) string {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			quoted = depth == 0 && !quoted
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return text[:i]
			}
		case ';', '\n':
			if depth == 0 && !quoted {
				return text[:i]
			}
		}
	}
	return text
}

// tclWords are the signs of Tcl as a shell has them.
var tclWords = [...]string{"{", "'", "}", "'", ">@stdout", "", "2>@stderr", "", "<@stdin", "", "2>@1", "2>&1"}

// tclCommand finds what one command of Tcl runs, writes or deletes.
func (e *escaping) tclCommand(text string, depth int) {
	for word := range phrases(e.of.Before) {
		if rest, ok := behind(text, word+" "); ok && depth > 0 {
			e.tclCommand(strings.Trim(rest, "{}\""), depth-1)
			return
		}
	}
	plain := strings.NewReplacer(tclWords[:]...).Replace(text)
	words := strings.Fields(plain)
	switch {
	case len(words) > 1 && words[0] == "open":
		rest := strings.TrimLeft(plain[len("open"):], " \t\"'")
		mode := strings.Trim(words[len(words)-1], "\"'")
		if command, ok := strings.CutPrefix(rest, "|"); ok {
			for _, quote := range []string{"\"", "'"} {
				command, _, _ = strings.Cut(command, quote)
			}
			e.add(command, Shelled)
		} else if len(words) > 2 && (strings.ContainsAny(mode, "wa") && len(mode) < 4 || strings.Contains(mode, "+") || strings.Contains(mode, "WRONLY") || strings.Contains(mode, "RDWR")) {
			e.add(": >> "+words[1], Alike)
		}
	case len(words) > 2 && words[0] == "file":
		for _, verb := range [...][2]string{{"delete", "rm -r"}, {"copy", "cp -r"}, {"rename", "mv"}} {
			if verb[0] == words[1] {
				args := strings.TrimPrefix(strings.Join(words[2:], " "), "-force ")
				e.add(verb[1]+" -f "+args, Alike)
			}
		}
	default:
		for phrase := range phrases(e.of.Starts) {
			if rest, ok := behind(plain, phrase); ok {
				e.follow(rest, phrase)
			}
		}
	}
}
