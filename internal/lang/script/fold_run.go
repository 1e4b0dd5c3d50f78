package script

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// runs reports whether a call of a name runs a program, whose output it may return.
func (p *reading) runs(name string) bool {
	v := theVocabulary()
	return slices.ContainsFunc(v.words[v.find(name)].facts, func(f *fact) bool {
		return f.act == Runs && (f.in == program.NoLanguage || f.in == p.language)
	})
}

// printedBy returns each path that a command prints which lists what lies below a
// directory, as find and ls do. It is open for others, and for those that choose.
func printedBy(args []Value) Value {
	var words []string
	for _, v := range args {
		for _, item := range append([]Value{{Texts: v.Texts}}, v.Items...) {
			if len(item.Texts) > 0 && IsKnown(item.Texts[0]) {
				words = append(words, strings.Fields(item.Texts[0])...)
			}
		}
	}
	if len(words) == 0 || strings.ContainsAny(strings.Join(words, ""), "|;&<$`") {
		return open
	}
	row, rest := program.Find(words[0]), words[1:]
	switch {
	case row == nil:
	case row.Style == program.Expression:
		return foundBy(rest)
	case row.Is(words[0], "flat"):
		return listedBy(rest)
	}
	return open
}

// foundBy returns what find prints of the words behind it.
func foundBy(words []string) Value {
	roots := Value{}
	for i, w := range words {
		if i == len(roots.Texts) && !strings.HasPrefix(w, "-") && w != "(" && w != "!" {
			roots.Texts = append(roots.Texts, w)
			continue
		}
		if strings.HasPrefix(w, "-") && !program.HasWord(passing, w) {
			return open
		}
	}
	if roots.Texts == nil {
		roots.Texts = []string{"."}
	}
	return below(roots)
}

// passing are the words of an expression of find that leave most of what it finds in.
const passing = "-type -depth -xdev -mount -mindepth -maxdepth -print -print0 -follow -L -H -P -a -o"

// listedBy returns what ls prints of the words behind it.
func listedBy(words []string) Value {
	dirs := Value{Each: true}
	itself := false
	for _, w := range words {
		if strings.HasPrefix(w, "-") {
			itself = itself || !strings.HasPrefix(w, "--") && strings.Contains(w, "d")
			continue
		}
		dirs.Texts = append(dirs.Texts, w)
	}
	switch {
	case dirs.Texts == nil:
		dirs.Texts = []string{"."}
	case itself, strings.ContainsAny(strings.Join(dirs.Texts, ""), "*?["):
		return dirs
	}
	return below(dirs)
}
