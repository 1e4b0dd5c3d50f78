package policy

import (
	"io/fs"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// namesSecret says that a word of a command is a sensitive path that the prefix
// does not have, whatever the program does with it.
func (p *prefix) namesSecret(f *facts, c *command.Command) string {
	for k := 1; k < len(c.Words); k++ {
		for _, v := range c.Words[k].Values {
			for _, text := range pathsIn(v) {
				if p.names(text) {
					continue
				}
				if e := f.risks().sensitiveAt(c.DirAt(k), text, c.Words[k].Glob, sensitive.Secret); e != nil {
					return "it names a sensitive path: " + e.Why
				}
			}
		}
	}
	return ""
}

// pathsIn returns what a word may name: itself, the value of an option or an
// assignment, and what follows the name of a revision or of a host.
func pathsIn(v string) []string {
	out := []string{v}
	for _, mark := range []string{"=", ":"} {
		if _, rest, ok := strings.Cut(v, mark); ok && rest != "" {
			out = append(out, rest)
		}
	}
	if strings.HasPrefix(v, "-") && !strings.HasPrefix(v, "--") && len(v) > 2 {
		out = append(out, v[2:])
	}
	return append(out, strings.TrimPrefix(v, "@"))
}

// readsSecret says why an effect may read a secret that the prefix does not
// have.
func (p *prefix) readsSecret(f *facts, e command.Effect) string {
	if !e.Target.Known() && !e.Target.Glob || e.Dir.Open {
		return "it reads an unknown file"
	}
	for _, v := range e.Target.Values {
		if p.names(v) {
			continue
		}
		if e.Target.Glob {
			for _, pattern := range shell.Paths(e.Dir, shell.Set{Values: []string{v}, Glob: true}) {
				if found, may := sensitive.MayFind(pattern, f.home(), sensitive.Secret); may {
					return "it may read a sensitive path: " + found.Why
				}
			}
		}
		if found := f.risks().sensitiveAt(e.Dir, v, e.Target.Glob, sensitive.Secret); found != nil {
			return "it reads a sensitive path: " + found.Why
		}
	}
	if e.Recursive {
		return secretBelow(f, e)
	}
	return ""
}

// secretBelow says that a secret lies below a directory that is read, or that
// this cannot be told.
func secretBelow(f *facts, e command.Effect) string {
	w := f.e.options.World
	for _, at := range f.view.Places(e.Dir, e.Target) {
		for _, dir := range at.Readings() {
			if home := f.home(); dir == "/" || dir == home || strings.HasPrefix(home, dir+"/") {
				return "it reads the whole home directory"
			}
			if w == nil || !strings.HasPrefix(dir, "/") {
				continue
			}
			found := ""
			ok := w.Below(dir, func(path string, _ fs.FileMode) error {
				if s, is := sensitive.FindRole(path, f.home(), sensitive.Secret); is {
					found = "it reads below a directory that holds a sensitive path: " + s.Why
					return fs.SkipAll
				}
				return nil
			})
			if found != "" {
				return found
			}
			if !ok {
				return "what the directory it reads contains is unknown"
			}
		}
	}
	return ""
}
