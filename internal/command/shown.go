package command

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// Shown is what a command shows of the files that a git repository holds, now or in
// its history.
type Shown struct {
	// Dir is the directory in which git works.
	Dir shell.Set
	// Paths are the files and directories that it names, Without those that it leaves
	// out.
	Paths, Without []ShownPath
	// All says that it shows all of them, and not only what has changed.
	All bool
}

// A ShownPath is a path within a repository.
type ShownPath struct {
	Target shell.Set
	Kind   ShownKind
	// AtRoot says that the path is meant from the root of the repository.
	AtRoot bool
	Span   shell.Span
}

// A ShownKind is how a word names a path.
type ShownKind uint8

// The kinds.
const (
	Spec   ShownKind = iota // as a limit on what is shown (gitglossary(7), pathspec)
	Object                  // behind a revision, as in HEAD:PATH, or behind the lines of -L
	Either                  // as a revision or a path
)

// Shown returns what the command shows of the files of a repository. ok is false where
// it shows none.
func (c *Command) Shown() (s Shown, ok bool) {
	p := c.Args.Program
	if p == nil || p.Shows == "" || c.Args.Has("no-index") || !c.shows() {
		return s, false
	}
	s = Shown{Dir: c.DirAt(max(c.Args.Verb, 1)), All: program.HasWord(p.Shows, "*")}
	for i := range c.Args.Options {
		if o := &c.Args.Options[i]; o.HasArg && o.Spec != nil && o.Spec.Role == program.RoleRange {
			for _, v := range o.Arg.Values {
				path := shell.Set{Values: []string{v[strings.LastIndexByte(v, ':')+1:]}, Glob: o.Arg.Glob}
				s.Paths = append(s.Paths, ShownPath{Target: path, Kind: Object, Span: o.Arg.Span})
			}
		}
	}
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleObject {
			s.add(&c.Words[o.At], c.Args.Dash > 0 && o.At > c.Args.Dash)
		}
	}
	return s, true
}

// shows reports whether the command shows what is in files, and not only their names.
func (c *Command) shows() bool {
	p := c.Args.Program
	byItself := program.HasWord(p.Shows, ".") || program.HasWord(p.Shows, "*")
	return c.Args.HasAny(p.Shows) || byItself && (p.ShowsNot == "" || !c.Args.HasAny(p.ShowsNot))
}

// add adds what a word names, which stands behind -- or not.
func (s *Shown) add(w *shell.Word, dashed bool) {
	for _, v := range w.Values {
		s.addText(v, shell.Set{Glob: w.Glob}, dashed, w.Span)
	}
	if w.Open {
		s.addText(w.Prefix, shell.Set{Open: true}, dashed, w.Span)
	}
}

func (s *Shown) addText(text string, like shell.Set, dashed bool, at shell.Span) {
	p := ShownPath{Target: like, Kind: Either, Span: at}
	named := func(path string) {
		if p.Target.Open {
			p.Target.Prefix = path
			return
		}
		p.Target.Values = []string{path}
	}
	if !dashed {
		if path, ok := objectPath(text); ok {
			p.Kind = Object
			p.AtRoot = !strings.HasPrefix(path, "./") && !strings.HasPrefix(path, "../")
			named(path)
			s.Paths = append(s.Paths, p)
			return
		}
	}
	if dashed || strings.HasPrefix(text, ":") {
		p.Kind = Spec
	}
	spec := readSpec(text)
	p.AtRoot = spec.top
	if named(spec.path); spec.wild && !p.Target.Open {
		p.Target.Glob, p.Target.Open, p.Target.Prefix = true, true, spec.path[:max(0, strings.IndexAny(spec.path, `*?[\`))]
	}
	switch {
	case !spec.without:
		s.Paths = append(s.Paths, p)
	case !spec.vague && !p.Target.Open || spec.wild && !spec.vague:
		s.Without = append(s.Without, p)
	}
}

// objectPath returns the path of an object that is named by it: that behind the first
// colon outside of braces, or behind :N: for the index (gitrevisions(7)).
func objectPath(text string) (path string, ok bool) {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			depth--
		case ':':
			path = text[i+1:]
			switch {
			case depth > 0:
				continue
			case i > 0:
				return path, true
			case len(path) > 1 && path[1] == ':' && path[0] >= '0' && path[0] <= '3':
				return path[2:], true
			}
			return path, path != "" && !strings.ContainsAny(path[:1], "/!^(")
		}
	}
	return "", false
}

// A spec is a path specification of git.
type spec struct {
	path string
	// top says that it is meant from the root, without that it leaves files out, wild
	// that it has wildcards, and vague that it means more, or other files, than path.
	top, without, wild, vague bool
}

// readSpec reads a path specification (gitglossary(7), pathspec).
func readSpec(text string) spec {
	s := spec{path: text}
	literal := false
	if long, ok := strings.CutPrefix(text, ":("); ok {
		words, path, _ := strings.Cut(long, ")")
		s.path = path
		for word := range strings.SplitSeq(words, ",") {
			switch word {
			case "top":
				s.top = true
			case "exclude":
				s.without = true
			case "literal":
				literal = true
			default:
				s.vague = true
			}
		}
	} else if strings.HasPrefix(text, ":") {
		rest := text[1:]
	short:
		for ; rest != ""; rest = rest[1:] {
			switch rest[0] {
			case '/':
				s.top = true
			case '!', '^':
				s.without = true
			case ':':
				rest = rest[1:]
				break short
			default:
				break short
			}
		}
		s.path = rest
	}
	if s.path == "" {
		s.path = "."
	}
	s.wild = !literal && strings.ContainsAny(s.path, `*?[\`)
	if s.vague && !s.without {
		s.wild, s.path = true, "*"
	}
	return s
}
