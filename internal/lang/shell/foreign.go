package shell

import (
	"strings"
	"unicode/utf8"

	"github.com/policyctl/policyctl/internal/program"
)

// FromForeign returns a text of PowerShell or cmd as a shell spells it, in several
// readings: as it is, but for its backslashes; as far as the beginnings of its statements
// tell; and what its pipes, calls and methods do. Since all but the first take quotes and
// comments only roughly, they never stand alone.
func FromForeign(text string) []string {
	out := []string{strings.ReplaceAll(strings.TrimLeft(text, "& "), `\`, `\\`), statementsOf(text)}
	if made := fromPower(text); made != "" {
		out = append(out, made)
	}
	return out
}

// statementsOf returns each statement, also one in brackets, as a line of its own,
// backslashes escaped, without the operator that calls what follows and the sign of a
// variable that is assigned, and with cd for what changes the directory.
func statementsOf(text string) string {
	var out strings.Builder
	for rest := plainSigns(text); ; out.WriteByte('\n') {
		if rest = beginning(rest); rest == "" {
			return out.String()
		}
		end := Unquoted(rest, ";{}()\n")
		statement := rest[:end]
		rest = rest[end:]
		if name, value, ok := assigned(statement); ok {
			if statement = value; strings.HasPrefix(value, `"`) || strings.HasPrefix(value, "'") {
				out.WriteString(name + "=")
			}
		} else if name, to, _ := strings.Cut(statement, " "); program.HasWord("set-location sl chdir push-location pushd", strings.ToLower(name)) {
			statement = "cd " + to
		} else if strings.HasPrefix(statement, "[") { // a type, and no pattern of programs
			out.WriteString(": ")
		}
		out.WriteString(strings.ReplaceAll(statement, `\`, `\\`))
	}
}

// beginning cuts what stands before the first command of a text: brackets, keywords and
// the operator that calls.
func beginning(text string) string {
	for {
		before := len(text)
		text = strings.TrimLeft(text, " \t\r\n;|{}()@&")
		if after, ok := strings.CutPrefix(text, ". "); ok {
			text = after
		}
		word := text[:len(text)-len(strings.TrimLeft(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))]
		if program.HasWord("if else elseif foreach for while do until try catch finally switch return throw begin process end", strings.ToLower(word)) {
			text = text[len(word):]
		}
		if len(text) == before {
			return text
		}
	}
}

// assigned returns the variable that a statement of PowerShell assigns, and the value.
func assigned(statement string) (name, value string, ok bool) {
	rest, ok := strings.CutPrefix(statement, "$")
	end := 0
	for end < len(rest) && IsIdent(rest[end]) {
		end++
	}
	value, assigns := strings.CutPrefix(strings.TrimLeft(rest[end:], " "), "=")
	return rest[:end], strings.TrimLeft(value, " "), ok && assigns && end > 0
}

// plainSigns returns a text of PowerShell with its quotes and dashes in ASCII, and without
// the sign that escapes what follows and comments in brackets, where no quote or other
// comment before one may make it text (about_Quoting_Rules, about_Special_Characters).
func plainSigns(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r == '`' || r == '<' || r >= utf8.RuneSelf }) {
		return text
	}
	var out strings.Builder
	comment := false // a comment to the end of the line
	within := false  // what follows may stand in quotes or in a comment
	for before := ' '; text != ""; {
		r, size := utf8.DecodeRuneInString(text)
		comment = r != '\n' && (comment || r == '#' && (before == ' ' || before == '\n'))
		before = r
		within = within || strings.ContainsRune("\"'#‘’‚‛“”„", r)
		switch {
		case strings.ContainsRune("‘’‚‛", r):
			out.WriteByte('\'')
		case strings.ContainsRune("“”„", r):
			out.WriteByte('"')
		case strings.ContainsRune("–—―", r):
			out.WriteByte('-')
		case r == '`' && strings.HasPrefix(text, "`n"):
			out.WriteByte('\n')
			size = len("`n")
		case r == '`' && strings.HasPrefix(text, "`\n") && !comment:
			size = len("`\n")
		case r == '`':
		case strings.HasPrefix(text, "<#") && !within:
			end := strings.Index(text[len("<#"):], "#>")
			if within = end < 0; within {
				out.WriteByte('<')
				break
			}
			size = end + len("<##>")
		default:
			out.WriteString(text[:size])
		}
		text = text[size:]
	}
	return out.String()
}

// maxBlocks bounds how many blocks of a text are looked at.
const maxBlocks = 64

// Blocks returns what the blocks of a line of PowerShell run, with each of the items
// that stand before them in the place of $_, or of the variable of their loop.
func Blocks(text string) (out []string) {
	size, most := 0, min(4*len(text)+MaxItems, MaxText) // blocks within blocks are said again
	for at := Unquoted(text, "{"); at < len(text) && len(out) < maxBlocks && size < most; {
		end := at + 1 + blockEnd(text[at+1:])
		name, items := blockItems(text[:at])
		inner := text[at+1 : end]
		for _, item := range items {
			if strings.Contains(inner, name) {
				out = append(out, strings.NewReplacer(name+".FullName", item, name, item).Replace(inner))
				size += len(out[len(out)-1])
			}
		}
		out = append(out, inner)
		size += len(inner)
		at++
		at += Unquoted(text[at:], "{")
	}
	return out
}

// blockEnd returns the index of the brace that closes a block, the length of the text
// where none does.
func blockEnd(text string) int {
	for at, depth := 0, 1; ; at++ {
		at += Unquoted(text[at:], "{}")
		switch {
		case at >= len(text):
			return len(text)
		case text[at] == '{':
			depth++
		default:
			if depth--; depth == 0 {
				return at
			}
		}
	}
}

// listers are the commands that hand on what a directory holds.
const listers = "get-childitem gci dir ls get-item gi"

// blockItems returns the items for which the block behind a text runs, and the name that
// they have in it.
func blockItems(before string) (name string, items []string) {
	name = "$_"
	if open := strings.LastIndexByte(before, '('); open >= 0 && strings.HasSuffix(strings.ToLower(strings.TrimSpace(before[:open])), "foreach") {
		var list string
		if name, list, _ = strings.Cut(before[open+1:], " "); strings.HasPrefix(name, "$") {
			before = list
		}
	}
	before = before[strings.LastIndexAny(before, ";\n")+1:]
	if words := strings.Fields(before); len(words) > 1 && program.HasWord(listers, strings.ToLower(words[0])) {
		items = append(items, strings.Trim(words[1], `"'`))
	}
	for len(items) < maxBlocks {
		at := strings.IndexAny(before, `"'`)
		if at < 0 {
			return name, items
		}
		item, rest, ok := strings.Cut(before[at+1:], before[at:at+1])
		if !ok {
			return name, items
		}
		before = rest
		items = append(items, item)
	}
	return name, items
}
