package eval

import (
	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
)

// appendInput returns the words of a command to which xargs appends, or in
// which it replaces, what it reads: once for each text that this may be.
func (r *reader) appendInput(i int, words []shell.Word) [][]shell.Word {
	var out [][]shell.Word
	for _, items := range r.inputWords(i) {
		out = append(out, r.appendItems(i, words, items))
	}
	return out
}

// appendItems returns words with items behind them, or in the place for them.
func (r *reader) appendItems(i int, words, items []shell.Word) []shell.Word {
	c := &r.line.Commands[i]
	out := make([]shell.Word, 0, len(words)+len(items))
	place := command.Replaced(&c.Args)
	if place == "" {
		for k := range items {
			items[k].Set = command.NamesBehind(items[k].Set, "", c.Dir)
			items[k].Splits = items[k].Splits || items[k].Glob && !c.Args.Has("0", "null") // a name may hold blanks
		}
		return append(append(out, words...), items...)
	}
	for _, w := range words {
		out = append(out, command.Filled(w, place, items, c.Dir))
	}
	return out
}

// inputWords returns the words that xargs takes from its input or from a file,
// for each text that this may be. The first are those of what is unknown.
func (r *reader) inputWords(i int) [][]shell.Word {
	c := &r.line.Commands[i]
	input, fromFile := r.inputText(i), false
	for _, name := range [2]string{"a", "arg-file"} {
		if o := c.Args.Option(name); o != nil && o.HasArg {
			text, ok := r.fileText(i, o.Arg)
			if !ok {
				text, _ = r.disk.text(&r.line.Commands[i], o.Arg.Set)
				text.Open = false // as with a file that is not looked into
			}
			input, fromFile = text, true
			input.Open = input.Open || len(input.Values) == 0
		}
	}
	var out [][]shell.Word
	if len(input.Values) > 1 || !input.Open {
		out = r.knownItems(c, input, fromFile)
	}
	if len(out) > 0 && !input.Open && !input.Glob && len(out) == len(input.Values) {
		return out
	}
	if words := r.echoedPatterns(i); len(words) > 0 {
		return append([][]shell.Word{words}, out...) // each of them, for what counts its operands
	}
	items := []shell.Word{{Set: shell.Set{Open: true}, Span: c.Span, Many: true, Quoted: true}}
	if !fromFile {
		items[0].Set = r.searchRoots(i)
	}
	if len(input.Values) == 1 && len(input.Values[0]) < shell.MaxItems && (r.feeding == 0 || fromFile) {
		read := command.InputItems(&c.Args, input.Values[0])
		switch {
		case len(items[0].Values) == 0:
			items[0].Values, items[0].Splits = read, true
		case c.Input != nil: // zsh reads both
			items = append(items, shell.Word{Set: shell.Set{Values: read, Open: true}, Span: c.Span, Many: true, Quoted: true, Splits: true})
		}
	}
	return append([][]shell.Word{items}, out...)
}

// knownItems returns the words that xargs makes of each text that its input, or a file, may
// be. What another xargs runs has no input.
func (r *reader) knownItems(c *command.Command, input shell.Set, fromFile bool) (out [][]shell.Word) {
	if input.Glob || r.feeding > 0 && !fromFile {
		return nil
	}
	for _, text := range input.Values[:min(len(input.Values), command.MaxVariants)] {
		if len(text) >= shell.MaxItems {
			continue
		}
		var items []shell.Word
		for _, f := range command.InputItems(&c.Args, text) {
			items = append(items, shell.Word{Set: shell.Set{Values: []string{f}}, Span: c.Span, Quoted: true})
		}
		out = append(out, items)
	}
	return out
}

// echoedPatterns returns the words that echo or printf prints for command i
// where patterns are among them.
func (r *reader) echoedPatterns(i int) []shell.Word {
	src := r.line.Commands[i].Source
	if src < 0 {
		return nil
	}
	how := r.line.Commands[src].How("prints")
	if how == "" {
		return nil
	}
	words := r.line.Commands[src].Words[1:]
	if how == "format" && len(words) > 0 {
		words = words[1:]
	}
	var out []shell.Word
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
func (r *reader) searchRoots(i int) shell.Set {
	c := &r.line.Commands[i]
	out := r.listing(c.Source, 0)
	if c.Source < 0 || !r.line.Commands[c.Source].Finds() {
		return out
	}
	find := &r.line.Commands[c.Source]
	if c.Args.Has("0", "null") && find.Args.Has("print0") && !find.Args.Has("print", "printf", "ls", "exec", "execdir", "ok", "okdir") {
		out.Prefix = find.RootPrefix()
	}
	return out
}
