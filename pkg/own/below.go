package own

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/readonly"
)

// readsBelow reports whether a command reads all below a directory above the
// state, or hands what it finds there to one that does.
func (s *State) readsBelow(line *eval.Line, i int, home string) (found bool) {
	c := &line.Commands[i]
	if servesBelow(c) && s.wordAbove(c) || s.mountsAbove(c) {
		return true
	}
	if o := c.Args.Option("directory"); o != nil && o.HasArg && c.Args.Has("create", "append", "update") && s.packsAbove(c, &o.Arg.Set) {
		return true
	}
	takes := func(k command.EffectKind) bool { return k == command.Reads || k == command.Moves }
	readonly.Contents(line, i, takes, home, s.below, func(string) bool {
		found = true
		return false
	})
	return found
}

// packsAbove reports whether an archive may get the state from a directory. Some
// tars mean it for operands before the option too, and operands may stand in a
// file.
func (s *State) packsAbove(c *command.Command, dir *shell.Set) bool {
	from := shell.Set{Values: shell.Paths(c.Dir, *dir)}
	operands := c.Args.Operands
	return slices.ContainsFunc(from.Values, s.LiesBelow) && (len(operands) == 0 || slices.ContainsFunc(operands, func(o command.Operand) bool {
		paths := shell.Paths(from, c.Words[o.At].Set)
		return len(paths) == 0 || slices.ContainsFunc(paths, s.LiesBelow)
	}))
}

// below calls visit for the paths of the state below a directory and the
// directories on the way there, as if each path were a directory with the files
// that the state may have, and a file too: which it is need not be known.
func (s *State) below(dir string, visit func(path string, typ fs.FileMode) error) bool {
	dir = strings.TrimSuffix(dir, "/") + "/"
	for _, p := range s.paths {
		if len(p) > len(dir) && strings.EqualFold(p[:len(dir)], dir) && errors.Is(leadTo(p, len(dir), visit), fs.SkipAll) {
			break
		}
	}
	return true
}

// leadTo is below for one path, from where its next element begins.
func leadTo(p string, from int, visit func(path string, typ fs.FileMode) error) error {
	for at, b := range []byte(p) {
		if b != '/' || at <= from {
			continue
		}
		if err := visit(p[:at], fs.ModeDir); err != nil {
			return err
		}
	}
	err := visit(p, fs.ModeDir)
	for k := 0; k < len(files) && err == nil; k++ {
		err = visit(p+"/"+files[k], 0)
	}
	if errors.Is(err, fs.SkipAll) {
		return err
	}
	return visit(p, 0)
}

// servesBelow reports whether a command hands out, or packs, the directories
// that its words name, and no grammar says so.
func servesBelow(c *command.Command) bool {
	if c.Args.Program == nil && c.Is(program.GoesDown) {
		return true
	}
	has := func(names ...string) bool {
		return slices.ContainsFunc(c.Words, func(w shell.Word) bool { return slices.ContainsFunc(names, w.Has) })
	}
	return program.LanguageOf(c.Name) == program.Python && has("-m") && has("http.server", "zipfile", "tarfile", "SimpleHTTPServer")
}

// mountsAbove reports whether a container is given a directory above the state.
func (s *State) mountsAbove(c *command.Command) bool {
	if !c.Is(program.IsEngine) {
		return false
	}
	for k := range c.Words[1:] {
		for _, v := range c.Words[k+1].Values {
			for _, key := range [...]string{"--volume=", "-v", "src=", "source="} {
				if _, rest, ok := strings.Cut(v, key); ok {
					v = rest
				}
			}
			host, _, mounted := strings.Cut(v, ":")
			if !mounted {
				host, _, mounted = strings.Cut(v, ",")
			}
			if mounted && strings.HasPrefix(host, "/") && s.LiesBelow(shell.Clean(host)) {
				return true
			}
		}
	}
	return false
}

// wordAbove reports whether a word names a directory above the state.
func (s *State) wordAbove(c *command.Command) bool {
	return slices.ContainsFunc(c.Words[1:], func(w shell.Word) bool { return s.above(c, w.Set) })
}

func (s *State) above(c *command.Command, set shell.Set) bool {
	return slices.ContainsFunc(shell.Paths(c.Dir, set), s.LiesBelow)
}
