// Package permission is the language of permissions: "TOOL subject-glob", such
// as "shell git push *".
//
// [Compile] reads a pattern. [Pattern.Hits] reports whether a deny or an ask
// means a call, for which one possible value is enough; [Pattern.Covers] and its
// siblings report whether an allow means it, for which every value must match. A
// [View] is the call as patterns see it: its words, and where its paths lead.
//
// The package knows no decision and no stage, and nothing of what keeps a call
// from being allowed beside its words.
package permission

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/weburl"
)

// A Kind is what patterns must know of what a tool does.
type Kind uint8

// The kinds.
const (
	Other Kind = iota
	Reads
	Writes
	Fetches
)

// A Tool is a tool as patterns know it.
type Tool struct {
	Name string
	// Of is the tool by one of whose operations this one is called, "" for others.
	Of   string
	Kind Kind
	// Paths says that its subjects are paths.
	Paths bool
	// Whole says that it declares no subject: an allow then means all of its
	// arguments.
	Whole bool
	// Wraps reports whether a word of a pattern is a program that is declared to be a
	// wrapper; nil where none is.
	Wraps func(word string) bool
}

// A Pattern is a permission ready for matching.
type Pattern struct {
	tools *glob // the tool's name has a wildcard; nil for others
	tool  Tool  // empty where tools is set
	target
	except []target
}

// A target is the subject of a permission.
type target struct {
	all     bool // every call of the tool
	glob    glob
	program glob  // the subject with the program in lower case, for denying
	path    bool  // the subject is a path
	here    bool  // the path is written as one seen from a directory, such as ./*
	rooted  bool  // it has an absolute path
	host    *glob // the subject up to the path of a URL, nil for others
	// verb are the words that are no options: the program and, where it has one, the
	// sub-command come first.
	verb []string
	// read is what the subject says to who knows its program.
	read *reading
	// named is what the subject says of arguments by their names, nil for others.
	named *named
}

var errNoPattern = errors.New(`empty: write "TOOL subject", such as "shell git push *"`)

// Compile reads a pattern, and the narrower ones that it excepts. lookup finds a
// tool by a name that it has; one that nobody declared has its name alone.
func Compile(match string, except []string, lookup func(name string) (Tool, bool)) (*Pattern, error) {
	name, subject, _ := strings.Cut(strings.TrimSpace(match), " ")
	if name == "" {
		return nil, errNoPattern
	}
	p := new(Pattern)
	if strings.ContainsAny(name, "*?") {
		g := compileGlob(name)
		p.tools = &g
	} else if t, ok := lookup(name); ok {
		p.tool = t
	} else {
		p.tool = Tool{Name: name}
	}
	if op, rest, ok := strings.Cut(strings.TrimSpace(subject), " "); name == "file_system" && ok {
		t, known := lookup(op)
		if !known {
			return nil, fmt.Errorf("unknown operation %q of file_system: one of read, write, edit", op)
		}
		p.tool, subject = t, rest
	}
	p.target = p.compileTarget(subject)
	for _, x := range except {
		tool, sub, _ := strings.Cut(strings.TrimSpace(x), " ")
		if tool == "file_system" {
			_, sub, _ = strings.Cut(strings.TrimSpace(sub), " ")
		}
		if strings.TrimSpace(sub) == "" {
			return nil, fmt.Errorf("except %q: write it as the match, \"TOOL subject\"", x)
		}
		p.except = append(p.except, p.compileTarget(sub))
	}
	return p, nil
}

func (p *Pattern) compileTarget(subject string) target {
	subject = strings.TrimSpace(subject)
	t := target{all: subject == "" || subject == "*"}
	if p.tool.Paths {
		t.path, t.here = true, subject != "" && !strings.ContainsRune("*?/~", rune(subject[0]))
		t.glob = compileGlob(shell.Clean(subject))
		return t
	}
	if p.tool.Name != "shell" && p.tool.Kind != Fetches {
		t.named = p.compileNamed(subject)
	}
	text := p.compileText(subject)
	text.all, text.named = t.all, t.named
	return text
}

// compileText reads a subject that is no path.
func (p *Pattern) compileText(subject string) (t target) {
	words := strings.Fields(subject)
	for i, w := range words {
		words[i] = weburl.Pattern(w)
	}
	subject = strings.Join(words, " ")
	t.glob = compileGlob(subject)
	t.host = compileHost(subject)
	t.rooted = t.glob.home || slices.ContainsFunc(words, isRooted)
	first, rest, blank := strings.Cut(subject, " ")
	first = strings.ToLower(first)
	if blank {
		first += " "
	}
	t.program = compileGlob(first + rest)
	t.verb = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return strings.HasPrefix(w, "-") })
	t.read = &reading{tool: p.tool, subject: first + rest}
	return t
}

// Inner returns what a pattern says of the command that a wrapper runs, nil where it says
// nothing of it: "docker exec app pytest *" says "pytest *". A name that is not empty is
// that of the wrapper.
func (p *Pattern) Inner(name string) *Pattern {
	if name != "" && name != p.glob.head {
		return nil
	}
	return p.reading().inner
}

// isRooted reports whether a word of a pattern spells an absolute path: /etc/* does,
// and /* means how a path is written.
func isRooted(word string) bool {
	_, path, ok := strings.Cut("="+word, "=/")
	return ok && path != "" && !strings.ContainsAny(path[:1], "*?")
}

// compileHost returns the part of a pattern of URLs before the path, nil where
// it has none: a star there stands for no slash.
func compileHost(subject string) *glob {
	scheme, rest, ok := strings.Cut(subject, "://")
	host, _, path := strings.Cut(rest, "/")
	if !ok || !path {
		return nil
	}
	g := compileGlob(scheme + "://" + host)
	return &g
}

// Names reports whether the pattern names a tool.
func (p *Pattern) Names(t *Tool) bool {
	if p.tools != nil {
		return match(p.tools.elem, t.Name, exactly)
	}
	return p.tool.Name == t.Name || t.Of != "" && p.tool.Name == t.Of
}

// IsWide reports whether the pattern means more of a call than commands of a
// line: files, or all calls of the tool.
func (p *Pattern) IsWide() bool { return p.path || p.all }

// CoversAssign reports whether an allow means an assignment of a command: it spells it, or
// its star stands for it: among the arguments, as of export and env, where the variable
// steers no program, and before them where it chooses as whom the program acts, as an
// option would.
func (p *Pattern) CoversAssign(c *command.Command, a *command.Assign) bool {
	v, ok := a.Value.Literal()
	if ok && strings.Contains(" "+p.glob.text+" ", " "+a.Name+"="+v+" ") {
		return true
	}
	row := c.Row()
	isOpen := p.all || strings.HasSuffix(p.glob.text, "*") && !strings.HasSuffix(p.glob.text, `\*`)
	if ok && isOpen && row != nil && (program.HasWord(row.Variables, a.Name) || row.HasVariable(a.Name, '~')) && program.IsPlainValue(v) {
		return true // as an option that does so
	}
	if a.Steers || !isOpen || len(c.Words) == 0 {
		return false
	}
	return c.Keyword || ok && slices.ContainsFunc(c.Words[1:], func(w shell.Word) bool { return w.Has(a.Name + "=" + v) })
}
