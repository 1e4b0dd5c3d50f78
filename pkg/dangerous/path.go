package dangerous

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// A change is that of a sensitive path.
type change struct {
	of *sensitive.Entry
	at span
}

// changed asks for the first sensitive path that a command changes.
var changed = hazard.Question[change]{Answer: firstChange}

func firstChange(s *hazard.Scene, c *cmd) *change {
	if c.Context == program.Container || c.Does("rehearses") {
		return nil
	}
	if !c.Changes() {
		return codeChange(s, c)
	}
	for e := range c.Effects {
		if e.Kind != command.Writes && e.Kind != command.Deletes && e.Kind != command.Moves && e.Kind != command.Alters {
			continue
		}
		if e.Perhaps && !inSome(e.Target, mayBeDir) {
			continue
		}
		if entry, ok := reached(s, c, e, sensitive.Secret|sensitive.Trigger); ok && !tightens(c, entry) && !onlyIndex(c) {
			return &change{entry, e.Span}
		}
	}
	return codeChange(s, c)
}

// codeChange returns the first sensitive path that the code of a command changes.
func codeChange(s *hazard.Scene, c *cmd) (found *change) {
	c.CodeEffects(s.Home, func(e command.Effect) bool {
		if e.Kind == command.Reads || e.Kind == command.Connects {
			return true
		}
		if entry, ok := lookup(s, e.Dir, e.Target.Values[0], false, sensitive.Secret|sensitive.Trigger); ok {
			found = &change{entry, e.Span}
		}
		return found == nil
	})
	return found
}

// inSome reports whether the directory of one of several paths is as told.
func inSome(paths shell.Set, is func(dir string) bool) bool {
	return anyValue(paths, func(v string) bool { return is(v[:strings.LastIndexByte(v, '/')]) })
}

// tightens reports whether a command takes a secret away from all but its owner.
func tightens(c *cmd, e *sensitive.Entry) bool {
	if c.How("alters") != "mode" || e.Role&sensitive.Secret == 0 || len(c.Args.Operands) == 0 {
		return false
	}
	mode, ok := c.Words[c.Args.Operands[0].At].Literal()
	mode = strings.TrimLeft(mode, "0")
	return ok && (len(mode) == 3 && mode[0] >= '1' && mode[0] <= '7' && mode[1:] == "00" || mode == "go-rwx" || mode == "og-rwx")
}

// onlyIndex reports whether git is to forget files that stay where they are.
func onlyIndex(c *cmd) bool {
	return c.Does("unstages")
}

// reached returns the first sensitive path with one of the roles that an
// effect may reach.
func reached(s *hazard.Scene, c *cmd, e command.Effect, r sensitive.Role) (*sensitive.Entry, bool) {
	paths := e.Target.Values
	if len(s.Line.Links) > 0 {
		paths = s.Line.FollowEffect(shell.Paths(e.Dir, e.Target), c, e)
	}
	for _, v := range paths {
		if entry, ok := lookup(s, e.Dir, v, e.Target.Glob, r); ok {
			return entry, true
		}
		if entry, ok := below(s, c, e, v, r); ok {
			return entry, true
		}
	}
	// What follows the known part of a path lies below it.
	if i := strings.LastIndexByte(e.Target.Prefix, '/'); e.Target.Open && i > 0 {
		return lookup(s, e.Dir, e.Target.Prefix[:i], false, r)
	}
	return nil, false
}

// lookup returns the sensitive path that a path, as a command writes it that
// works in a directory, names or, if it is a pattern, may name.
func lookup(s *hazard.Scene, in shell.Set, path string, glob bool, r sensitive.Role) (*sensitive.Entry, bool) {
	if len(in.Values) == 0 {
		return find(s, "", path, glob, r)
	}
	for _, dir := range in.Values {
		if entry, ok := find(s, dir, path, glob, r); ok {
			return entry, true
		}
	}
	return nil, false
}

func find(s *hazard.Scene, dir, path string, glob bool, r sensitive.Role) (*sensitive.Entry, bool) {
	if glob {
		return sensitive.MayFind(shell.Abs(dir, path), s.Home, r)
	}
	return sensitive.FindIn(dir, path, s.Home, r)
}

// tree returns the first sensitive path below a directory.
func tree(s *hazard.Scene, in shell.Set, dir string, r sensitive.Role) (*sensitive.Entry, bool) {
	return lookup(s, in, strings.TrimSuffix(dir, "/")+"/**", true, r)
}

// below looks at what lies below the path of an effect: all of it where the
// effect is recursive, or where the contents of a directory are put there under
// names that are unknown.
func below(s *hazard.Scene, c *cmd, e command.Effect, path string, r sensitive.Role) (*sensitive.Entry, bool) {
	if e.Kind != command.Writes {
		if !e.Recursive {
			return nil, false
		}
		return tree(s, e.Dir, path, r)
	}
	if p := c.Args.Program; p == nil || !p.Into || e.Perhaps || !mayBeDir(path) {
		return nil, false
	}
	for _, o := range c.Args.Operands {
		if o.Role != program.RoleRead && o.Role != program.RoleMove {
			continue
		}
		for _, v := range c.Words[o.At].Values {
			if strings.HasSuffix(v, "/") || strings.HasSuffix(v, "/.") {
				return tree(s, e.Dir, path, r)
			}
		}
	}
	return nil, false
}

// mayBeDir reports whether a path reads like that of a directory: it ends as one
// does, or has no extension.
func mayBeDir(path string) bool {
	base := path[strings.LastIndexByte(path, '/')+1:]
	return base == "" || base == "." || base == ".." || strings.LastIndexByte(base, '.') <= 0
}

// readsSecret holds for a command that reads a secret.
func readsSecret(s *hazard.Scene) condition {
	return func(c *cmd) bool {
		for e := range c.Effects {
			if e.Kind != command.Reads {
				continue
			}
			if _, ok := reached(s, c, e, sensitive.Secret); ok {
				return true
			}
		}
		return false
	}
}

// isSecret reports whether a path as the command writes it is a secret.
func isSecret(s *hazard.Scene, c *cmd, path string) bool {
	if path == "" || path == "-" || strings.Contains(path, "://") {
		return false
	}
	_, ok := lookup(s, c.Dir, path, false, sensitive.Secret)
	return ok
}
