package command

import (
	"regexp"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// argumentsOf returns the words behind the program without the -- that ends its options;
// ok is false where one is not known.
func argumentsOf(c *Command) (words []string, ok bool) {
	words, ok = Literals(c.Words[1:])
	if at := c.Args.Dash - 1; ok && at >= 0 {
		words = slices.Delete(words, at, at+1)
	}
	return words, ok
}

// linesOf returns what a filter of lines makes of text, for the plain uses of
// each.
func linesOf(c *Command, text string) (string, bool) {
	words, ok := argumentsOf(c)
	if !ok || strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 }) {
		return "", false // what a character is depends on the locale
	}
	if how := c.How("passes"); how == "begin" || how == "end" {
		return ends(c, text)
	}
	switch line := strings.Join(words, " "); c.Filter() {
	case "tac":
		lines := slices.Collect(strings.Lines(text))
		slices.Reverse(lines)
		return strings.Join(lines, ""), line == ""
	case "paste":
		with := c.Args.Option("d")
		if c.Args.Has("s") && with != nil && with.HasArg && with.Arg.Has(" ") {
			return strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", " ") + "\n", true
		}
	case "xargs": // it echoes what it reads
		return strings.Join(InputItems(&c.Args, text), " ") + "\n", line == "" || line == "echo"
	case "sort":
		return text, strings.Count(text, "\n") < 2 && (line == "" || line == "-u" || line == "-r" || line == "-n") // the order of more depends on the locale
	case "uniq":
		return strings.Join(slices.Compact(slices.Collect(strings.Lines(text))), ""), line == ""
	case "pv":
		return text, line == "" || line == "-q"
	case "dd":
		return text, line == "" || line == "status=none"
	case "awk":
		return text, line == "1" || line == "{print}" || line == "{print $0}" || line == "{ print }"
	case "cut":
		return cutLines(c, text)
	case "grep":
		return grepped(words, text)
	case "sed":
		if _, rest, ok := strings.Cut(text, "\n"); ok && line == "1d" {
			return rest, true
		}
		if len(c.Args.Options) == 1 && c.Args.Has("n") && len(c.Args.Operands) == 1 && c.Words[c.Args.Operands[0].At].Has("p") {
			return text, true
		}
		return substituted(c, text)
	}
	return "", false
}

// ends returns the first or the last lines or bytes.
func ends(c *Command, text string) (string, bool) {
	n, bytes := 10, false
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		v := o.Name
		if o.HasArg {
			v, _ = o.Arg.Literal()
		}
		bytes = bytes || o.Is("c")
		count, ok := shell.SmallInt(v)
		if !ok || count < 0 || !o.Is("n") && !o.Is("c") && !o.Is("#") {
			return "", false
		}
		n = count
	}
	parts := slices.Collect(strings.Lines(text))
	if bytes {
		parts = strings.Split(text, "")
	}
	n = min(n, len(parts))
	if c.How("passes") == "begin" {
		return strings.Join(parts[:n], ""), true
	}
	return strings.Join(parts[len(parts)-n:], ""), true
}

// cutLines returns what cut leaves of each line, for one range.
func cutLines(c *Command, text string) (string, bool) {
	list, sep := "", "\t"
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		v, _ := o.Arg.Literal()
		switch {
		case o.Is("c") || o.Is("b"):
			list, sep = v, ""
		case o.Is("f"):
			list = v
		case o.Is("d") && len(v) == 1:
			sep = v
		default:
			return "", false
		}
	}
	first, last, isRange := strings.Cut(list, "-")
	from, okFrom := shell.SmallInt(first)
	to, okTo := shell.SmallInt(last)
	switch {
	case !isRange:
		to = from
	case first == "" && okTo:
		from, okFrom = 1, true
	case last == "":
		to = MaxOutput
	case !okTo:
		return "", false
	}
	if !okFrom || from < 1 {
		return "", false
	}
	var out []string
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), sep)
		if len(fields) > 1 || sep == "" {
			fields = fields[min(from-1, len(fields)):max(min(to, len(fields)), min(from-1, len(fields)))]
		}
		out = append(out, strings.Join(fields, sep)+"\n")
	}
	return strings.Join(out, ""), true
}

// grepped returns the lines that match a plain pattern.
func grepped(words []string, text string) (string, bool) {
	if len(words) != 1 || strings.HasPrefix(words[0], "-") {
		return "", false
	}
	re, ok := basicPattern(words[0], 0)
	if !ok {
		return "", false
	}
	var out []string
	for line := range strings.Lines(text) {
		if re.MatchString(strings.TrimSuffix(line, "\n")) {
			out = append(out, strings.TrimSuffix(line, "\n")+"\n")
		}
	}
	return strings.Join(out, ""), true
}

// substituted returns what one substitution of sed makes of each line.
func substituted(c *Command, text string) (string, bool) {
	if len(c.Args.Options) > 0 || len(c.Args.Operands) != 1 {
		return "", false
	}
	program, _ := c.Words[c.Args.Operands[0].At].Literal()
	if len(program) < 4 || program[0] != 's' || isWord(program[1]) || program[1] == '\\' || program[1] == '\n' {
		return "", false
	}
	sep := program[1]
	parts := splitUnescaped(program[2:], sep)
	if len(parts) != 3 || parts[2] != "" && parts[2] != "g" {
		return "", false
	}
	re, ok := basicPattern(parts[0], sep)
	with := strings.ReplaceAll(parts[1], `\`+string(sep), string(sep))
	if !ok || strings.ContainsAny(with, "\\\n") || parts[2] == "g" && re.MatchString("") {
		return "", false
	}
	var out []string
	for line := range strings.Lines(text) {
		n := 1
		if parts[2] == "g" {
			n = len(line)
		}
		line, ended := strings.CutSuffix(line, "\n")
		line = re.ReplaceAllStringFunc(line, func(old string) string {
			if n--; n < 0 {
				return old
			}
			return strings.ReplaceAll(with, "&", old)
		})
		if ended {
			line += "\n"
		}
		out = append(out, line)
	}
	return strings.Join(out, ""), true
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// splitUnescaped splits text at a character that no backslash precedes.
func splitUnescaped(s string, sep byte) []string {
	var out []string
	start := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case sep:
			out = append(out, s[start:i])
			start = i + 1
		}
	}
	return append(out, s[start:])
}

// basicPattern compiles a basic regular expression of plain characters, ^, $,
// . and *; an escaped delimiter stands for itself.
func basicPattern(s string, sep byte) (*regexp.Regexp, bool) {
	if sep != 0 {
		s = strings.ReplaceAll(s, `\`+string(sep), string(sep))
	}
	if s == "" || len(s) > 256 || s[0] == '*' || strings.ContainsAny(s, "[]\\\n") || strings.Contains(s, "^*") || strings.ContainsAny(s[1:], "^") || strings.Contains(s[:len(s)-1], "$") {
		return nil, false
	}
	s = strings.NewReplacer("(", `\(`, ")", `\)`, "{", `\{`, "}", `\}`, "+", `\+`, "?", `\?`, "|", `\|`).Replace(s)
	re, err := regexp.CompilePOSIX(s)
	return re, err == nil
}

// SomeOutput returns what programs print of which the line tells the most:
// where a program is found, and the text of yes.
func SomeOutput(c *Command) shell.Set {
	out := shell.Set{Open: true}
	words, ok := argumentsOf(c)
	switch {
	case !ok || c.Of("tells") && !c.Does("tells"):
	case !c.Of("repeats"):
		for _, v := range words {
			if !strings.HasPrefix(v, "-") {
				out.Values = append(out.Values, "/usr/bin/"+shell.Base(v)+"\n")
			}
		}
	case len(words) > 0:
		out.Values = []string{strings.Join(words, " ") + "\n"}
	}
	return out
}
