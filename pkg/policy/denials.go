package policy

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/permission"
)

// A Denial is what a person has denied for longer than once. It is matched as a permission
// that denies is: whatever the spelling, and behind whatever runs it.
type Denial struct {
	// Tool is the tool that is denied; of a shell, Words are those of the command: its
	// verb, and options.
	Tool, Words string
	// Dir is the directory in which it is denied, and of a tool that names files the file;
	// "" for everywhere. Session is the session in which it is, "" for every one.
	Dir, Session string
	// Hosts are those to which a tool that fetches is denied.
	Hosts []string
	// Text is the denial in words, and Why a clause that says who made it and when.
	Text, Why string
}

// approvalsRule is the rule of the ask that stands where stored approvals cannot be read.
const approvalsRule = "approvals"

// gatherDenials adds what people have denied. Where that cannot be read, everything asks.
func (r *replies) gatherDenials() {
	g := r.grants()
	if g == nil {
		return
	}
	list, err := g.Denials()
	for i := range list {
		d := &list[i]
		h, span := r.deniedBy(d)
		if h == permission.None {
			continue
		}
		a := reply{command: -1, Answer: Answer{
			Decision: Deny, Certain: h == permission.Full, Rule: d.Text, Why: d.Why, Span: span, Origin: Origin{Layer: approvalsRule}, Binding: true,
		}}
		if a.instead = deniedNext; h == permission.Maybe {
			a.Why = "an unknown part may be what is " + d.Why
			a.Ask = r.e.terms("", true)
		}
		r.add(a)
	}
	if err == nil {
		return
	}
	terms := r.e.terms(approvalsRule, true)
	terms.OnTimeout = Deny
	r.add(reply{command: -1, last: true, Answer: Answer{
		Decision: Ask, Certain: true, Rule: approvalsRule, Binding: true, Ask: terms,
		Why: "what was denied always could not be read: " + err.Error(),
	}})
}

// deniedNext is what a model is told to do instead of what a person denied always.
const deniedNext = "Find another way, or ask the user to revoke that denial."

// DeniedBy reports whether a denial means the call.
func (in *Input) DeniedBy(d *Denial) bool {
	if in.facts == nil {
		return false
	}
	r := replies{facts: in.facts}
	h, _ := r.deniedBy(d)
	return h == permission.Full
}

// deniedBy reports how far a denial means the call, and where.
func (r *replies) deniedBy(d *Denial) (best permission.Hit, where *shell.Span) {
	if d.Session != "" && d.Session != r.call.Session {
		return permission.None, nil
	}
	patterns, placed := r.e.denied(d)
	for _, p := range patterns {
		h, span := p.Hits(&r.view)
		if h == permission.None && r.args().hitsArguments(&permit{Permission{Action: Deny}, p}) {
			h = permission.Full
		}
		if h != permission.None && d.Dir != "" && !placed {
			h = min(h, r.touches(p, d.Dir))
		}
		if h > best {
			best, where = h, span
		}
	}
	return best, where
}

// denied returns the patterns of a denial, and whether they say where it holds.
func (e *Engine) denied(d *Denial) (patterns []*permission.Pattern, placed bool) {
	t, _ := e.tools.pattern(d.Tool)
	var subjects []string
	switch {
	case d.Words != "":
		subjects = []string{d.Words + " *"}
	case t.Paths && d.Dir != "":
		subjects, placed = []string{d.Dir, strings.TrimSuffix(d.Dir, "/") + "/**"}, true
	case len(d.Hosts) > 0:
		for _, host := range d.Hosts {
			for _, scheme := range []string{"http://", "https://"} {
				subjects = append(subjects, scheme+host, scheme+host+"/*", scheme+host+":*")
			}
		}
	default:
		subjects = []string{""}
	}
	for _, subject := range subjects {
		match := strings.TrimSpace(d.Tool + " " + subject)
		known, ok := e.denials.Load(match)
		if !ok {
			p, err := permission.Compile(match, nil, e.tools.pattern)
			if err != nil {
				p, _ = permission.Compile(d.Tool, nil, e.tools.pattern) // all of the tool, rather than nothing
			}
			known, _ = e.denials.LoadOrStore(match, p)
		}
		patterns = append(patterns, known.(*permission.Pattern))
	}
	return patterns, placed
}

// touches reports whether what a pattern means of the call happens in a directory, or to
// what lies there.
func (r *replies) touches(p *permission.Pattern, dir string) permission.Hit {
	if r.line == nil {
		return r.standsIn(shell.Set{Values: []string{r.call.Dir}}, dir)
	}
	best, found := permission.None, false
	for i := range r.line.Commands {
		if p.HitsCommand(&r.view, &r.line.Commands[i]) == permission.None {
			continue
		}
		found = true
		for k := i; k >= 0; k = r.line.Commands[k].Parent {
			best = max(best, r.reachesInto(&r.line.Commands[k], dir))
		}
	}
	if best = max(best, r.setsInto(dir)); !found {
		best = max(best, r.textInto(dir))
	}
	return best
}

// setsInto reports whether the line sets a variable to what lies in a directory: as export
// does, for the rest of it.
func (r *replies) setsInto(dir string) permission.Hit {
	best := permission.None
	for i := range r.line.Commands {
		c := &r.line.Commands[i]
		for k := range c.Assigns {
			best = max(best, r.names(c.Dir.Values, c.Assigns[k].Value, dir, false))
		}
	}
	return best
}

// textInto reports whether a text that the line runs may do so in a directory: it names it,
// or the line stands there.
func (r *replies) textInto(dir string) permission.Hit {
	if strings.Contains(r.line.Source, dir) {
		return permission.Full
	}
	best := r.standsIn(shell.Set{Values: []string{r.call.Dir}}, dir)
	for i := range r.line.Commands {
		best = max(best, r.reachesInto(&r.line.Commands[i], dir))
	}
	return best
}

// standsIn reports whether a directory in which something runs lies in another one.
func (r *replies) standsIn(at shell.Set, dir string) permission.Hit {
	for _, v := range at.Values {
		if r.isIn(v, dir) {
			return permission.Full
		}
	}
	if at.Open || at.Glob || slices.Contains(at.Values, "") {
		return permission.Maybe
	}
	return permission.None
}

// isIn reports whether a path lies in a directory, as it is written or after every link.
func (r *replies) isIn(path, dir string) bool {
	if !strings.HasPrefix(path, "/") {
		return false
	}
	if permission.IsWithin(shell.Clean(path), dir) {
		return true
	}
	if r.e.options.World == nil {
		return false
	}
	real, ok := r.e.options.World.RealPath(path)
	return ok && permission.IsWithin(real, dir)
}

// reachesInto reports whether a command runs in a directory, or names what lies there.
func (r *replies) reachesInto(c *command.Command, dir string) permission.Hit {
	best := permission.None
	if c.Context == program.Local {
		best = r.standsIn(c.Dir, dir)
	}
	if c.In(command.Adrift) {
		best = max(best, r.standsIn(shell.Set{Values: []string{r.call.Dir}}, dir)) // the cd may have failed
	}
	c.Effects(func(e command.Effect) bool {
		if e.Kind != command.Connects {
			best = max(best, r.standsIn(e.Dir, dir), r.happensIn(&e, c.Dir.Values, dir))
		}
		return best != permission.Full
	})
	for i := range c.Words {
		best = max(best, r.names(c.Dir.Values, c.Words[i].Set, dir, false))
	}
	bases := slices.Clone(c.Dir.Values)
	for i := range c.Args.Options {
		if o := &c.Args.Options[i]; o.HasArg {
			best = max(best, r.names(bases, o.Arg.Set, dir, true)) // such as git -C app
			follow(bases, o)
		}
	}
	return best
}

// follow changes directories to where an option leads: the next one is meant from there.
func follow(bases []string, o *command.Option) {
	if v, ok := o.Arg.Literal(); ok && o.Spec != nil && o.Spec.Role != program.RoleData {
		for k := range bases {
			bases[k] = shell.Abs(bases[k], v)
		}
	}
}

// happensIn reports whether an effect of a command is one on what lies in a directory, or
// on that with all that is around it.
func (r *replies) happensIn(e *command.Effect, bases []string, dir string) permission.Hit {
	for _, v := range e.Target.Values {
		for _, at := range append(slices.Clone(e.Dir.Values), bases...) {
			path := shell.Abs(at, v)
			if r.isIn(path, dir) || e.Recursive && permission.IsWithin(dir, shell.Clean(path)) {
				return permission.Full
			}
		}
	}
	return permission.None
}

// names reports whether a text of a command names what lies in a directory, or may, as it
// is seen from where the command may run. One that is bare is a path although it need not
// look like one.
func (r *replies) names(bases []string, text shell.Set, dir string, bare bool) permission.Hit {
	if text.Open || text.Glob {
		return permission.Maybe
	}
	for _, v := range text.Values {
		if _, value, ok := strings.Cut(v, "="); ok && strings.Contains(value, "/") {
			v = value
		}
		if !bare && !strings.Contains(v, "/") && v != ".." {
			continue
		}
		for _, at := range bases {
			if r.isIn(shell.Abs(at, v), dir) {
				return permission.Full
			}
		}
	}
	return permission.None
}
