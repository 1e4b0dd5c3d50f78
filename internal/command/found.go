package command

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// OnFound returns words of find -exec with what is found in the place of {}.
func (c *Command) OnFound(words []shell.Word, narrowed bool) []shell.Word {
	words = slices.Clone(words)
	roots := c.found(narrowed)
	for n := range words {
		if words[n].Has("{}") {
			words[n] = shell.Word{Set: roots, Span: words[n].Span, Quoted: true}
		} else if strings.Contains(words[n].Beginning(), "{}") {
			words[n].Set = placed(words[n].Set, roots)
		}
	}
	return words
}

// placed returns a word of find -exec with what is found in the place of {}
// inside it.
func placed(word, roots shell.Set) shell.Set {
	out := shell.Set{Open: true}
	v, ok := word.Literal()
	if !ok || roots.Glob {
		return out
	}
	for _, root := range roots.Values {
		out.Values = append(out.Values, strings.ReplaceAll(v, "{}", root))
	}
	return out
}

// RootPrefix returns the text with which all paths that the find prints begin,
// "" where that is unknown.
func (c *Command) RootPrefix() string {
	roots, _ := c.SearchRoots()
	prefix := ""
	for i, s := range roots {
		t, ok := s.Literal()
		switch {
		case !ok || t == "":
			return ""
		case i == 0:
			prefix = t
		default:
			prefix = shell.CommonPrefix(prefix, t)
		}
	}
	return prefix
}

// AllFound returns the paths that a find hands on by whatever action.
func (c *Command) AllFound() shell.Set { return c.found(c.Narrowed()) }

// found returns the paths that a find hands on: those below its roots, and the
// roots themselves unless its tests leave files out before it acts; of those
// that have names, the ones that lie in a root.
func (c *Command) found(narrowed bool) shell.Set {
	out := shell.Set{Open: true}
	roots, _ := c.SearchRoots()
	names := []shell.Set{{Values: []string{""}}}
	if narrowed {
		if names = c.NamesFound(); len(names) == 0 {
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
				v = shell.EscapePattern(v)
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
	out.Values = out.Values[:min(len(out.Values), shell.MaxValues)]
	return out
}

func anyPattern(s shell.Set) bool {
	return All(s, func(v string) bool { return strings.ContainsAny(v, `*?[\\`) })
}

// inRoot returns the paths of some names in a root, or the root itself for "".
func inRoot(root string, names shell.Set) []string {
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
