package workspace

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// option checks the option at a word, and returns the last word that it takes.
func (w *work) option(words []shell.Word, k int) (last int, ok bool) {
	v, _ := words[k].Literal()
	long := strings.HasPrefix(v, "--")
	name, value, attached := strings.Cut(strings.TrimLeft(v, "-"), "=")
	w.started = w.started || name == w.row.Starts
	w.idle = w.idle || program.HasWord(w.row.Rehearses, name) && !attached
	if long || w.row.Single || len(name) == 1 {
		if o, known := w.row.Option(name); known {
			return w.argument(o, words, k, value, attached)
		}
	}
	if name, value, found := strings.Cut(strings.TrimLeft(v, "-"), ":"); found && w.row.Single {
		if o, known := w.row.Option(name + ":"); known && o.Takes == program.Attached {
			return k, w.value(o.Kind, value, words[k].Span)
		}
	}
	if joined := w.joined(words, k); joined != "" {
		_, ok := w.property([]shell.Word{{Set: shell.Set{Values: []string{joined}}, Span: words[k].Span}}, 0, 2)
		return k + 1, ok
	}
	switch {
	case long:
		return w.dotted(words, k)
	case w.row.Single:
		return w.property(words, k, 1)
	}
	if o, known := w.row.Option("-" + name); known {
		return w.argument(o, words, k, value, attached)
	}
	return w.letters(words, k)
}

// joined returns an option of one letter and the word behind it as one word, where the row
// has its name so, as -D test=X of -Dtest; "" where it has not.
func (w *work) joined(words []shell.Word, k int) string {
	v, _ := words[k].Literal()
	if len(v) != 2 || k+1 == len(words) {
		return ""
	}
	next, _ := words[k+1].Literal()
	name, _, _ := strings.Cut(next, "=")
	if _, known := w.row.Option(v[1:] + name); name == "" || !known {
		return ""
	}
	return v + next
}

// dotted checks a long option whose name goes on behind a colon, as --loader:.js=jsx.
func (w *work) dotted(words []shell.Word, k int) (last int, ok bool) {
	v, _ := words[k].Literal()
	name, value, found := strings.Cut(strings.TrimPrefix(v, "--"), ":")
	o, known := w.row.Option(name + ":")
	return k, found && known && w.value(o.Kind, value, words[k].Span)
}

// letters checks options of one letter that stand in one word, of which the last may take
// an argument.
func (w *work) letters(words []shell.Word, k int) (last int, ok bool) {
	v, _ := words[k].Literal()
	if o, known := w.row.Option(v[1:]); known && o.Takes == program.Nothing {
		return k, true // -vv, -ra
	}
	for i := 1; i < len(v); i++ {
		o, known := w.row.Option(v[i : i+1])
		if !known {
			return w.property(words, k, 2)
		}
		if o.Takes == program.Nothing {
			continue
		}
		rest := strings.TrimPrefix(v[i+1:], "=")
		return w.argument(o, words, k, rest, i+1 < len(v))
	}
	return k, true
}

// property checks an option whose name ends with what is attached to it, as -XX:x and
// -p:Name=x, or -Xmx1g; the name has at least so many letters.
func (w *work) property(words []shell.Word, k, least int) (last int, ok bool) {
	v, _ := words[k].Literal()
	v = strings.TrimLeft(v, "-")
	for end := len(v); end >= least; end-- {
		if o, known := w.row.Option(v[:end]); known && o.Takes == program.Attached {
			return k, w.value(o.Kind, strings.TrimPrefix(v[end:], "="), words[k].Span)
		}
	}
	return k, false
}

// argument checks what an option takes.
func (w *work) argument(o program.WorkOption, words []shell.Word, k int, value string, attached bool) (last int, ok bool) {
	span := words[k].Span
	switch {
	case o.Takes == program.Nothing:
		return k, !attached || program.HasWord("true false 0 1", value)
	case attached:
		return k, w.value(o.Kind, value, span)
	case o.Takes == program.Attached:
		return k, true
	case k+1 == len(words):
		return k, true // the program refuses it
	}
	for _, v := range words[k+1].Values {
		if !w.value(o.Kind, v, words[k+1].Span) {
			return k, false
		}
	}
	return k + 1, words[k+1].Known()
}

// value checks one argument of an option.
func (w *work) value(kind, value string, span shell.Span) bool {
	switch kind {
	case "":
		return true
	case "word":
		return strings.Trim(value, plainName+",:=;") == "" || w.failed(span, value+" is no plain name")
	case "warnings":
		options, linker := strings.CutPrefix(value, "l,")
		if !linker {
			return w.value("word", value, span) && !strings.HasPrefix(value, "a,") && !strings.HasPrefix(value, "p,")
		}
		var words []shell.Word
		for option := range strings.SplitSeq(options, ",") {
			words = append(words, shell.Word{Set: shell.Set{Values: []string{option}}, Span: span})
		}
		return w.fits("ld", words)
	case "pairs":
		for pair := range strings.SplitSeq(value, ",") {
			name, file, _ := strings.Cut(pair, ":")
			if !w.value("word", name, span) || !w.value("fill", file, span) {
				return false
			}
		}
		return true
	case "in":
		return w.readsInside(value, span)
	case "out", "fill":
		how := into
		if kind == "fill" {
			how = fills
		}
		return value == "" || value == "-" || shell.IsNull(value) || w.paths(w.c.Dir, shell.Set{Values: []string{value}}, how, span)
	case "local":
		host := value[:max(0, strings.LastIndexByte(value, ':'))]
		return program.HasWord("localhost 127.0.0.1 [::1]", host) || strings.HasPrefix(value, ":")
	case "target":
		w.targets = append(w.targets, value)
		return true
	case "off":
		return strings.HasPrefix(value, "no:")
	}
	for one := range strings.SplitSeq(value, ",") {
		if !inBars(kind, one) {
			return w.failed(span, value+" is not one of those that the program has itself")
		}
	}
	return true
}

func inBars(list, word string) bool {
	for w := range strings.SplitSeq(list, "|") {
		if w == word {
			return true
		}
	}
	return false
}

// readsInside checks a file or a directory that the program reads: it leads to one inside.
func (w *work) readsInside(value string, span shell.Span) bool {
	if strings.HasPrefix(value, "{") { // a configuration in JSON, which names no module if it has no texts
		plain := strings.Count(value, `"`) == 2*strings.Count(value, ":") && !strings.Contains(value, "[")
		return plain || w.failed(span, "the configuration may name what is loaded")
	}
	for at := range strings.FieldsFuncSeq(value, func(c rune) bool { return strings.ContainsRune(",:", c) }) {
		if why, ok := w.everyInside(w.c.Dir, strings.TrimSuffix(at, "/")+"/x"); !ok || strings.HasPrefix(at, "~") {
			return w.failed(span, why)
		}
	}
	return true
}

// passes reads the arguments of a program of which only that a script of the project
// starts it is known. What any row says of an option holds; an option that none has may
// take nothing but a plain word.
func (w *work) passes(words []shell.Word) bool {
	for k := range words {
		option, value, ok := optionAt(words, k)
		if !ok {
			continue
		}
		kind, listed := strictest(strings.TrimLeft(option, "-"))
		switch {
		case !w.namedOption(option, value, words[k].Span):
			return false
		case value == "":
		case !listed && strings.Trim(value, plainName+",:") != "":
			return w.failed(words[k].Span, "policyctl does not know what a program of the project does with "+option)
		case listed && !w.value(kind, value, words[k].Span):
			return false
		}
	}
	return true
}

// strictest returns what the argument of an option is by the row that checks most of it;
// ok is false if no row has the option.
func strictest(name string) (kind string, ok bool) {
	rank := -1
	for _, row := range program.Works() {
		o, has := row.Option(name)
		if !has || row.Single {
			continue
		}
		if at := slices.Index([]string{"", "word", "in", "out", "fill"}, o.Kind); at > rank {
			rank, kind = at, o.Kind
		}
		ok = true
	}
	return kind, ok
}
