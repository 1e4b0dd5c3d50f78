package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/shell"
	"github.com/policyctl/policyctl/pkg/weburl"
)

// A permission is a [Permission] ready for matching.
type permission struct {
	Permission
	rule  string // its id in verdicts
	why   string
	tools *glob // the tool's name has a wildcard; nil for others
	tool  *Tool // nil where tools is set
	target
	except []target
}

// A target is the subject of a permission.
type target struct {
	all     bool // every call of the tool
	glob    glob
	program glob  // the subject with the program in lower case, for denying
	path    bool  // the subject is a path
	rooted  bool  // it has an absolute path
	host    *glob // the subject up to the path of a URL, nil for others
}

func (e *Engine) compile(list []Permission, errs *[]error) []*permission {
	var out []*permission
	for _, p := range list {
		c, err := e.compileOne(p)
		if err != nil {
			*errs = append(*errs, fmt.Errorf("%spermission %q: %w", at(p.Origin), p.Match, err))
			continue
		}
		out = append(out, c)
	}
	return out
}

func at(o Origin) string {
	if s := o.String(); s != "" {
		return s + ": "
	}
	return ""
}

var errNoPattern = errors.New(`empty: write "TOOL subject", such as "shell git push *"`)

func (e *Engine) compileOne(p Permission) (*permission, error) {
	name, subject, _ := strings.Cut(strings.TrimSpace(p.Match), " ")
	if name == "" {
		return nil, errNoPattern
	}
	c := &permission{Permission: p, rule: p.Match, why: p.Why}
	if c.why == "" {
		c.why = fmt.Sprintf("the permission %q says %s", p.Match, p.Action)
	}
	if strings.ContainsAny(name, "*?") {
		g := compileGlob(name)
		c.tools = &g
	} else if t, ok := e.tools.lookup(name); ok {
		c.tool = t
	} else {
		c.tool = &Tool{Name: name}
	}
	if op, rest, ok := strings.Cut(strings.TrimSpace(subject), " "); name == "file_system" && ok {
		t, known := e.tools.lookup(op)
		if !known {
			return nil, fmt.Errorf("unknown operation %q of file_system: one of read, write, edit", op)
		}
		c.tool, subject = t, rest
	}
	c.target = c.compileTarget(subject)
	for _, x := range p.Except {
		tool, sub, _ := strings.Cut(strings.TrimSpace(x), " ")
		if tool == "file_system" {
			_, sub, _ = strings.Cut(strings.TrimSpace(sub), " ")
		}
		if strings.TrimSpace(sub) == "" {
			return nil, fmt.Errorf("except %q: write it as the match, \"TOOL subject\"", x)
		}
		c.except = append(c.except, c.compileTarget(sub))
	}
	return c, nil
}

func (p *permission) compileTarget(subject string) target {
	subject = strings.TrimSpace(subject)
	t := target{all: subject == "" || subject == "*"}
	if p.tool != nil && p.tool.isFile() {
		t.path = true
		t.glob = compileGlob(shell.Clean(subject))
		return t
	}
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
	return t
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

// permissions returns what applies to the agent of the call, on its side of
// the sandbox.
func (r *run) permissions() []*permission {
	s, ok := r.e.agents[r.call.Agent]
	if !ok {
		s = r.e.grants
	}
	if r.leaves {
		return s.outside
	}
	return s.inside
}

// names says whether the permission names a tool.
func (p *permission) names(t *Tool) bool {
	if p.tools != nil {
		return match(p.tools.elem, t.Name, exactly)
	}
	return p.tool.Name == t.Name || t.Of != "" && p.tool.Name == t.Of
}
