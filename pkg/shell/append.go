package shell

import (
	"slices"
	"strings"
)

// appendInput returns the words of a command to which xargs appends, or in
// which it replaces, what it reads: once for each text that this may be.
func (r *reader) appendInput(i int, words []Word) [][]Word {
	var out [][]Word
	for _, items := range r.inputWords(i) {
		out = append(out, r.appendItems(i, words, items))
	}
	return out
}

// appendItems returns words with items behind them, or in the place for them.
func (r *reader) appendItems(i int, words, items []Word) []Word {
	c := &r.line.Commands[i]
	out := make([]Word, 0, len(words)+len(items))
	place := replaced(&c.Args)
	if place == "" {
		for k := range items {
			items[k].Set = namesBehind(items[k].Set, "", c.Dir)
			items[k].Splits = items[k].Splits || items[k].Glob && !c.Args.Has("0", "null") // a name may hold blanks
		}
		return append(append(out, words...), items...)
	}
	for _, w := range words {
		out = append(out, filled(w, place, items, c.Dir))
	}
	return out
}

// inputWords returns the words that xargs takes from its input or from a file,
// for each text that this may be. The first are those of what is unknown.
func (r *reader) inputWords(i int) [][]Word {
	c := &r.line.Commands[i]
	input, fromFile := r.inputText(i), false
	for _, name := range [2]string{"a", "arg-file"} {
		if o := c.Args.Option(name); o != nil && o.HasArg {
			text, ok := r.fileText(i, o.Arg)
			if !ok {
				text, _ = r.writtenText(i, o.Arg.Set)
				text.Open = false // as with a file that is not looked into
			}
			input, fromFile = text, true
			input.Open = input.Open || len(input.Values) == 0
		}
	}
	var out [][]Word
	if len(input.Values) > 1 || !input.Open {
		out = r.knownItems(c, input)
	}
	if len(out) > 0 && !input.Open && !input.Glob && len(out) == len(input.Values) {
		return out
	}
	if words := r.echoedPatterns(i); len(words) > 0 {
		return append([][]Word{words}, out...) // each of them, for what counts its operands
	}
	items := []Word{{Set: Set{Open: true}, Span: c.Span, Many: true, Quoted: true}}
	if !fromFile {
		items[0].Set = r.searchRoots(i)
	}
	if len(input.Values) == 1 && len(input.Values[0]) < maxItems && r.feeding == 0 {
		read := inputItems(&c.Args, input.Values[0])
		switch {
		case len(items[0].Values) == 0:
			items[0].Values, items[0].Splits = read, true
		case c.Input != nil: // zsh reads both
			items = append(items, Word{Set: Set{Values: read, Open: true}, Span: c.Span, Many: true, Quoted: true, Splits: true})
		}
	}
	return append([][]Word{items}, out...)
}

// knownItems returns the words that xargs makes of each text that its input may
// be.
func (r *reader) knownItems(c *Command, input Set) (out [][]Word) {
	if input.Glob || r.feeding > 0 {
		return nil
	}
	for _, text := range input.Values[:min(len(input.Values), maxVariants)] {
		if len(text) >= maxItems {
			continue
		}
		var items []Word
		for _, f := range inputItems(&c.Args, text) {
			items = append(items, Word{Set: Set{Values: []string{f}}, Span: c.Span, Quoted: true})
		}
		out = append(out, items)
	}
	return out
}

// filled returns a word of what xargs runs with items in the place for them.
func filled(w Word, place string, items []Word, dir Set) Word {
	if len(items) == 0 || !strings.Contains(w.prefix(), place) && !w.Has(place) {
		return w
	}
	if w.Has(place) {
		item := items[0]
		for _, more := range items[1:] {
			item.Set = union(item.Set, more.Set)
		}
		item.Many = false
		item.Set = namesBehind(item.Set, "", dir)
		return item
	}
	v, ok := w.Literal()
	if item, known := items[0].Literal(); ok && known {
		w.Set = Set{Values: []string{strings.ReplaceAll(v, place, item)}}
	} else if named, found := fillNames(v, place, &items[0], dir); ok && items[0].Names && found {
		w.Set = named
	} else {
		w.Set = Set{Open: true, Prefix: w.Prefix, Glob: ok && items[0].Glob}
		if w.Glob {
			v = escape(v)
		}
		for _, each := range items[0].Values[:min(len(items[0].Values), maxVariants)] {
			if ok {
				w.Values = append(w.Values, strings.ReplaceAll(v, place, each))
			}
		}
	}
	return w
}

// echoedPatterns returns the words that echo or printf prints for command i
// where patterns are among them.
func (r *reader) echoedPatterns(i int) []Word {
	src := r.line.Commands[i].Source
	if src < 0 || r.line.Commands[src].Name != "echo" && r.line.Commands[src].Name != "printf" {
		return nil
	}
	words := r.line.Commands[src].Words[1:]
	if r.line.Commands[src].Name == "printf" && len(words) > 0 {
		words = words[1:]
	}
	var out []Word
	patterns := false
	for _, w := range words {
		patterns = patterns || w.Glob
		w.Open, w.Many, w.Splits = true, true, true // a name may hold blanks
		out = append(out, w)
	}
	if !patterns {
		return nil
	}
	return out
}

// searchRoots returns the paths that are listed for command i. Where zero bytes
// part what a find prints, each begins as the place where the find starts.
func (r *reader) searchRoots(i int) Set {
	c := &r.line.Commands[i]
	out := r.listing(c.Source, 0)
	if c.Source < 0 || !r.line.Commands[c.Source].Finds() {
		return out
	}
	find := &r.line.Commands[c.Source]
	if c.Args.Has("0", "null") && find.Args.Has("print0") && !find.Args.Has("print", "printf", "ls", "exec", "execdir", "ok", "okdir") {
		out.Prefix = rootPrefix(find)
	}
	return out
}

// rootPrefix returns the text with which all paths that a find prints begin,
// "" where that is unknown.
func rootPrefix(find *Command) string {
	roots, _ := find.SearchRoots()
	prefix := ""
	for i, s := range roots {
		t, ok := s.Literal()
		switch {
		case !ok || t == "":
			return ""
		case i == 0:
			prefix = t
		default:
			prefix = commonPrefix(prefix, t)
		}
	}
	return prefix
}

// allFound returns the paths that a find hands on by whatever action.
func allFound(c *Command) Set { return found(c, c.narrowed()) }

// found returns the paths that a find hands on: those below its roots, and the
// roots themselves unless its tests leave files out before it acts; of those
// that have names, the ones that lie in a root.
func found(c *Command, narrowed bool) Set {
	out := Set{Open: true}
	roots, _ := c.SearchRoots()
	names := []Set{{Values: []string{""}}}
	if narrowed {
		if names = c.namesFound(); len(names) == 0 {
			return out
		}
	}
	for _, s := range roots {
		out.Glob = out.Glob || s.Glob
	}
	for _, n := range names {
		out.Glob = out.Glob || anyPattern(n)
	}
	for _, s := range roots {
		for _, v := range s.Values {
			if out.Glob && !s.Glob {
				v = escape(v)
			}
			for _, n := range names {
				out.Values = append(out.Values, inRoot(v, n)...)
			}
		}
	}
	if narrowed { // two actions may be reached by one name
		slices.Sort(out.Values)
		out.Values = slices.Compact(out.Values)
	}
	out.Values = out.Values[:min(len(out.Values), maxValues)]
	return out
}

func anyPattern(s Set) bool {
	return all(s, func(v string) bool { return strings.ContainsAny(v, `*?[\\`) })
}

// inRoot returns the paths of some names in a root, or the root itself for "".
func inRoot(root string, names Set) []string {
	var out []string
	for _, n := range names.Values {
		switch {
		case n == "":
			out = append(out, root)
		case strings.HasSuffix(root, "/"):
			out = append(out, root+n)
		default:
			out = append(out, root+"/"+n)
		}
	}
	return out
}

// namesFound returns the names of what a find hands on where it leaves most
// out, unless only files are meant.
func (c *Command) namesFound() []Set {
	if t := c.Args.Option("type"); !c.Finds() || t != nil && !t.Arg.Has("d") {
		return nil
	}
	return c.reachedByMost(func(*Option) {})
}

// replaced returns the text that xargs -I replaces, "" if it appends.
func replaced(a *Args) string {
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

// inputItems returns the arguments that xargs makes of text: what stands
// between its delimiters, a line for each where it replaces, or else what
// blanks part, with quotes and backslashes as in a shell.
func inputItems(a *Args, text string) []string {
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
	if replaced(a) != "" {
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
	return ansiC(v)
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
