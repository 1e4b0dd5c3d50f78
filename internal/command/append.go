package command

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// Filled returns a word of what xargs runs with items in the place for them.
func Filled(w shell.Word, place string, items []shell.Word, dir shell.Set) shell.Word {
	if len(items) == 0 || !strings.Contains(w.Beginning(), place) && !w.Has(place) {
		return w
	}
	if w.Has(place) {
		item := items[0]
		for _, more := range items[1:] {
			item.Set = shell.Union(item.Set, more.Set)
		}
		item.Many = false
		item.Set = NamesBehind(item.Set, "", dir)
		return item
	}
	v, ok := w.Literal()
	if item, known := items[0].Literal(); ok && known {
		w.Set = shell.Set{Values: []string{strings.ReplaceAll(v, place, item)}}
	} else if named, found := fillNames(v, place, &items[0], dir); ok && items[0].Names && found {
		w.Set = named
	} else {
		w.Set = shell.Set{Open: true, Prefix: w.Prefix, Glob: ok && items[0].Glob}
		if w.Glob {
			v = shell.EscapePattern(v)
		}
		for _, each := range items[0].Values[:min(len(items[0].Values), MaxVariants)] {
			if ok {
				w.Values = append(w.Values, strings.ReplaceAll(v, place, each))
			}
		}
	}
	return w
}

// NamesFound returns the names of what a find hands on where it leaves most
// out, unless only files are meant.
func (c *Command) NamesFound() []shell.Set {
	if t := c.Args.Option("type"); !c.Finds() || t != nil && !t.Arg.Has("d") {
		return nil
	}
	return c.ReachedByMost(func(*Option) {})
}

// Replaced returns the text that xargs -I replaces, "" if it appends.
func Replaced(a *Args) string {
	for k := range a.Options {
		o := &a.Options[k]
		if o.Is("I") || o.Is("replace") || o.Is("J") {
			if v, ok := o.Arg.Literal(); ok && o.HasArg && v != "" {
				return v
			}
			return "{}"
		}
	}
	return ""
}

// InputItems returns the arguments that xargs makes of text: what stands
// between its delimiters, a line for each where it replaces, or else what
// blanks part, with quotes and backslashes as in a shell.
func InputItems(a *Args, text string) []string {
	text = strings.TrimSuffix(text, "\n")
	if a.Has("0", "null") {
		return pieces(text, "\x00")
	}
	for _, name := range [2]string{"d", "delimiter"} {
		if o := a.Option(name); o != nil && o.HasArg {
			v, _ := o.Arg.Literal()
			return pieces(text, ansiDelimiter(v))
		}
	}
	if Replaced(a) != "" {
		var out []string
		for line := range strings.SplitSeq(text, "\n") {
			out = append(out, strings.Trim(strings.TrimLeft(line, " \t"), `"'`))
		}
		return out
	}
	return quotedFields(text)
}

func pieces(text, delimiter string) []string {
	if delimiter == "" {
		return []string{text}
	}
	return strings.Split(strings.TrimSuffix(text, delimiter), delimiter)
}

// ansiDelimiter returns the character that xargs -d names.
func ansiDelimiter(v string) string {
	if v == `\0` {
		return "\x00"
	}
	return shell.ANSIC(v)
}

// quotedFields splits text at blanks outside of quotes.
func quotedFields(text string) []string {
	var out []string
	var cur strings.Builder
	quote, started := byte(0), false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			cur.WriteByte(c)
		case c == '\'' || c == '"':
			quote, started = c, true
		case c == '\\' && i+1 < len(text):
			i++
			cur.WriteByte(text[i])
			started = true
		case c == ' ' || c == '\t' || c == '\n' || c == 0:
			if started {
				out = append(out, cur.String())
			}
			cur.Reset()
			started = false
		default:
			cur.WriteByte(c)
			started = true
		}
	}
	if started {
		out = append(out, cur.String())
	}
	return out
}
