package command

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// Join returns the text that words make, joined by blanks.
func Join(words []shell.Word) shell.Word {
	texts := make([]string, len(words))
	set := shell.Set{Values: []string{""}}
	for n := range words {
		w := &words[n]
		texts[n] = w.Text()
		set.Open = set.Open || !w.Known() || w.Many
		if len(w.Values) != 1 {
			set.Values = nil
		}
	}
	partial := strings.Join(texts, " ")
	if len(set.Values) == 1 {
		set.Values[0] = partial
	} else {
		all := true
		set.Values, all = joinValues(words)
		set.Open = set.Open || !all
	}
	w := shell.Word{Set: set, Span: shell.Span{From: words[0].Span.From, To: words[len(words)-1].Span.To}}
	w.Partial = partial
	if len(words) == 1 {
		w.Span = words[0].Span
	}
	return w
}

// joinValues returns the first texts that words of several values make, joined by
// blanks, and whether there are no more.
func joinValues(words []shell.Word) (texts []string, all bool) {
	n := 1
	for i := range words {
		if n = min(n*len(words[i].Values), shell.MaxValues+1); n == 0 {
			return nil, true
		}
	}
	texts = make([]string, min(n, shell.MaxValues))
	parts := make([]string, len(words))
	for k := range texts {
		rest := k
		for i := len(words) - 1; i >= 0; i-- { // the last one changes first
			values := words[i].Values
			parts[i], rest = values[rest%len(values)], rest/len(values)
		}
		texts[k] = strings.Join(parts, " ")
	}
	return texts, n <= shell.MaxValues
}

// IsOne reports whether words are one simple command, whose program is written
// out, as the shell reads them once more.
func IsOne(words []shell.Word) bool {
	for n := range words {
		v, ok := words[n].Literal()
		if !ok || v == "" || strings.HasPrefix(v, ":::") || n == 0 && strings.Contains(v, "{") || strings.ContainsFunc(v, func(c rune) bool {
			return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("_./{}:,+@%-", c))
		}) {
			return false
		}
	}
	return true
}

// Parallel returns the words that parallel joins where what follows ::: stands for {} among
// them, or is appended; it is false where nothing does.
func Parallel(words []shell.Word) ([]shell.Word, bool) {
	for n := range words {
		if n == 0 || !words[n].Has(":::") {
			continue
		}
		item := shell.Word{Span: words[n].Span, Quoted: true}
		for k, w := range words[n+1:] {
			if k == 0 {
				item.Set = w.Set
			} else if !w.Has(":::") {
				item.Set = shell.Union(item.Set, w.Set)
			}
		}
		out, placed := make([]shell.Word, 0, n+1), false
		for _, w := range words[:n] {
			if w.Has("{}") {
				w, placed = item, true
			} else if v, ok := w.Literal(); ok && strings.Contains(v, "{}") {
				placed = true
				w.Set = shell.Set{Open: item.Open}
				for _, value := range item.Values {
					w.Values = append(w.Values, strings.ReplaceAll(v, "{}", value))
				}
			}
			out = append(out, w)
		}
		if !placed {
			out = append(out, item)
		}
		return out, true
	}
	return nil, false
}
