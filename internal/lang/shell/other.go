package shell

import (
	"regexp"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/program"
)

// FromFish returns a text of fish as a shell spells it (fish-language(1)): its blocks,
// its variables and its substitutions. What is written otherwise stays as it is.
func FromFish(text string) string {
	f := &fishReader{}
	for statement := range powerParts(text, ";\n") {
		f.statement(strings.TrimSpace(statement))
	}
	return f.out.String()
}

// A fishReader writes statements of fish as those of a shell. ends are the words that
// end the blocks around the statement.
type fishReader struct {
	out  strings.Builder
	ends []string
}

func (f *fishReader) line(text string) { f.out.WriteString(text + "\n") }

// open begins a block.
func (f *fishReader) open(head, end string) {
	f.line(head)
	f.ends = append(f.ends, end)
}

func (f *fishReader) statement(text string) {
	if at := strings.LastIndex(text, "| "); at >= 0 {
		if name, _, _ := strings.Cut(text[at+2:], " "); program.HasWord("while for begin if", name) {
			f.out.WriteString(substitutedBy(text[:at+2], "$("))
			text = text[at+2:]
		}
	}
	name, rest, _ := strings.Cut(text, " ")
	switch rest = strings.TrimSpace(rest); name {
	case "":
	case "for":
		f.open("for "+substitutedBy(rest, "$(")+"\ndo :", "done")
	case "while":
		f.open("while "+substitutedBy(rest, "$(")+"\ndo :", "done")
	case "if":
		f.open("if "+substitutedBy(rest, "$(")+"\nthen :", "fi")
	case "else":
		if condition, ok := strings.CutPrefix(rest, "if "); ok {
			f.line("elif " + substitutedBy(condition, "$(") + "\nthen :")
		} else {
			f.line("else :")
			f.statement(rest)
		}
	case "begin", "switch":
		f.open("{ :", "}")
		if name == "begin" {
			f.statement(rest)
		}
	case "case":
	case "function":
		name, _, _ = strings.Cut(rest, " ")
		f.open(name+"() { :", "}")
	case "end":
		if n := len(f.ends); n > 0 {
			name, f.ends = f.ends[n-1], f.ends[:n-1]
		}
		f.line(name + " " + rest)
	case "and", "or", "not":
		f.statement(rest)
	case "set":
		f.set(strings.Fields(rest))
	default:
		f.line(substitutedBy(text, "$("))
	}
}

// set writes what the built-in set does: it sets a variable, or erases one.
func (f *fishReader) set(words []string) {
	erases := false
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		erases = erases || words[0] == "--erase" || !strings.HasPrefix(words[0], "--") && strings.Contains(words[0], "e")
		words = words[1:]
	}
	switch {
	case len(words) == 0:
	case erases:
		f.line("unset " + strings.Join(words, " "))
	case len(words) == 1:
		f.line(words[0] + "=")
	case len(words) == 2 && !strings.HasPrefix(words[1], "("):
		f.line(words[0] + "=" + words[1])
	default:
		f.line(words[0] + "=" + substitutedBy(strings.Join(words[1:], " "), "$("))
	}
}

// substitutedBy returns text with another sign for the brackets of substitutions that
// stand at the beginning of a word.
func substitutedBy(text, sign string) string {
	var out strings.Builder
	for i := range len(text) {
		if text[i] == '(' && (i == 0 || strings.IndexByte(" \t=(", text[i-1]) >= 0) {
			out.WriteString(sign)
			continue
		}
		out.WriteByte(text[i])
	}
	return out.String()
}

var nuForms = sync.OnceValue(func() (f struct{ external, binding, run, saves, lists, item, closure, loop *regexp.Regexp }) {
	f.external = regexp.MustCompile(`(^|[;|{(\n]\s*|\s)\^([A-Za-z])`)
	f.binding = regexp.MustCompile(`(?:^|[;{\n])\s*(?:let|mut|const)\s+(\w+)\s*=\s*("[^"]*"|'[^']*'|[^\s;"'|]+)`)
	f.run = regexp.MustCompile(`\brun-external\s+`)
	f.saves = regexp.MustCompile(`\bsave\s+(?:-\S+\s+)*`)
	f.lists = regexp.MustCompile(`\b(ls|glob)\s+(?:-\w+\s+)*['"]?([^\s'"|){}]+)`)
	f.item = regexp.MustCompile(`\.{0,3}\$(?:in|it)(?:\.\w+)?`)
	f.closure = regexp.MustCompile(`\{\s*\|\s*(\w+)[^|]*\|`)
	f.loop = regexp.MustCompile(`\bfor\s+(\w+)\s+in\b`)
	return f
})

// FromNu returns what a text of Nushell does, as lines of a shell: its statements, with
// what it lists in the place of the items of a closure or a loop.
func FromNu(text string) string {
	f := nuForms()
	text = f.external.ReplaceAllString(text, "$1$2")
	for _, m := range f.binding.FindAllStringSubmatch(text, maxPower) {
		text = strings.ReplaceAll(text, "$"+m[1], m[2])
	}
	text = f.binding.ReplaceAllString(text, "\n")
	text = f.saves.ReplaceAllString(f.run.ReplaceAllString(text, ""), "tee ")
	narrow := strings.Contains(text, "where name") || strings.Contains(text, "where size") || strings.Contains(text, "where modified") || strings.Contains(text, "=~")
	ends := strings.Contains(text, "kill ") && strings.HasPrefix(strings.TrimSpace(text), "ps") && !strings.Contains(text, "where")
	if ends {
		return "kill -9 -1\n"
	}
	if m := f.lists.FindStringSubmatch(text); m != nil && !narrow {
		item := m[2]
		if m[1] == "ls" && !strings.Contains(item, "*") {
			item = strings.TrimRight(item, "/") + "/*"
		}
		text = f.item.ReplaceAllLiteralString(text, item)
		for _, named := range [...]*regexp.Regexp{f.closure, f.loop} {
			for _, m := range named.FindAllStringSubmatch(text, maxPower) {
				text = regexp.MustCompile(`\.{0,3}\$`+m[1]+`\b(?:\.\w+)?`).ReplaceAllLiteralString(text, item)
			}
		}
		text = regexp.MustCompile(`\.\.\.\([^()]*\)`).ReplaceAllLiteralString(text, item)
	}
	text = f.closure.ReplaceAllString(text, "{")
	return statementsOf(strings.ReplaceAll(text, "|", "\n"))
}
