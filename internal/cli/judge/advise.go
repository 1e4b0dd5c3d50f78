package judge

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/policy"
)

// advise returns permissions with which the policy would allow a call that it
// does not allow: each of them was tried.
func advise(ctx context.Context, e *effective.Policy, d render.Decided) render.Advice {
	if d.Decision == policy.Allow {
		return render.Advice{}
	}
	if why := obstacle(&d.Explanation); why != "" {
		return render.Advice{Why: why}
	}
	var a render.Advice
	try := func(list []string) {
		known := slices.ContainsFunc(a.Allow, func(l []string) bool { return slices.Equal(l, list) })
		if len(list) > 0 && !known && allowedWith(e, ctx, d.Call, list) {
			a.Allow = append(a.Allow, list)
		}
	}
	try(proposals(&d, exactly))
	try(proposals(&d, broadly))
	if len(a.Allow) == 0 {
		try(byteEqual(&d))
	}
	if len(a.Allow) == 0 {
		a.Why = "nothing as it is written: write its words literally, without variables and redirections"
	}
	return a
}

// obstacle says why no permission can help; "" if one may.
func obstacle(x *policy.Explanation) string {
	switch {
	case x.Stage == policy.StageHardline:
		return "nothing: the floor has no exceptions"
	case x.Line != nil && x.Line.Problem != nil:
		return "nothing: a line that cannot be read is never allowed; split it into simpler ones"
	case x.Stage == policy.StageDoomLoop:
		return "another call in between: the same one again is a loop"
	case x.Reason == policy.ReasonError:
		return "a simpler form: what cannot be known is never allowed unasked"
	case x.Stage == policy.StagePermissionDeny, x.Stage == policy.StageRules:
		return fmt.Sprintf("a change of %q%s: %s wins over allow", x.Rule, in(x.Origin), x.Decision)
	}
	return ""
}

// in names the place of a rule.
func in(o policy.Origin) string {
	if s := o.String(); s != "" {
		return " in " + s
	}
	return ""
}

// proposals returns permissions for what is not allowed yet.
func proposals(d *render.Decided, propose proposer) []string {
	var list []string
	add := func(match string) {
		if match != "" && !slices.Contains(list, match) {
			list = append(list, match)
		}
	}
	if d.Line == nil {
		add(wholeCall(d.Call))
	}
	for i := range d.Commands {
		t := &d.Commands[i]
		if t.Allowed != policy.StageNone {
			continue
		}
		c := &d.Line.Commands[t.Index]
		if len(c.Words) > 0 {
			add(propose(c, t))
		}
		for k := range c.Redirects {
			add(redirection(c, &c.Redirects[k]))
		}
	}
	return list
}

// A proposer returns the permission for a command, "" if there is none.
type proposer func(*command.Command, *policy.CommandTrace) string

// wholeCall proposes the path, the URL or the like of a call, or the whole
// tool where nothing is known of it.
func wholeCall(c *policy.Call) string {
	for _, t := range policy.BuiltinTools() {
		if t.Name != c.Tool && !slices.Contains(t.Aliases, c.Tool) {
			continue
		}
		for _, field := range t.Subject {
			if s, ok := c.Input[field].(string); ok {
				return c.Tool + " " + escape.Replace(s)
			}
		}
		return ""
	}
	return c.Tool + " *"
}

// byteEqual proposes the line itself.
func byteEqual(d *render.Decided) []string {
	if d.Line == nil || strings.ContainsFunc(d.Line.Source, unicode.IsControl) {
		return nil
	}
	return []string{"shell " + d.Line.Source}
}

// exactly proposes the words of a command as they are, unless they say nothing
// of what it does because it evaluates its input.
func exactly(c *command.Command, _ *policy.CommandTrace) string {
	words, all := literals(c.Words)
	before, ok := assigned(c)
	if !all || !ok || evaluatesInput(c) {
		return ""
	}
	return "shell " + before + strings.Join(words, " ")
}

func evaluatesInput(c *command.Command) bool {
	p := c.Args.Program
	return p != nil && (p.Input == program.RoleText || p.Input == program.RoleCode) && (c.Input != nil || c.Source >= 0)
}

// broadly proposes the program with its sub-command and any arguments. It
// never opens a whole program, nor what is dangerous or may run anything.
func broadly(c *command.Command, t *policy.CommandTrace) string {
	words, _ := literals(c.Words)
	if len(t.Dangerous) > 0 || c.Opaque != "" || c.Args.Payload > 0 {
		return exactly(c, t)
	}
	n := 1
	for n < len(words) && n < 3 && isVerb(words[n]) {
		n++
	}
	before, ok := assigned(c)
	if n == 1 || !ok {
		return exactly(c, t)
	}
	return "shell " + before + strings.Join(words[:n], " ") + " *"
}

// assigned returns the assignments before a command that a pattern must spell,
// and whether all of them are known.
func assigned(c *command.Command) (text string, ok bool) {
	for _, a := range c.Assigns {
		v, known := a.Value.Literal()
		switch {
		case program.HarmlessVariable(a.Name):
		case !known || v == "" || strings.ContainsFunc(v, blank):
			return "", false
		default:
			text += a.Name + "=" + escape.Replace(v) + " "
		}
	}
	return text, true
}

func blank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// literals returns the leading words that are known, quoted for a pattern, and
// whether that is all of them.
func literals(words []shell.Word) (out []string, all bool) {
	for _, w := range words {
		v, ok := w.Literal()
		if !ok || v == "" || strings.ContainsFunc(v, blank) {
			return out, false
		}
		out = append(out, escape.Replace(v))
	}
	return out, true
}

var escape = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`)

// isVerb reports whether a word looks like a sub-command.
func isVerb(w string) bool {
	for i, r := range w {
		letter := 'a' <= r && r <= 'z'
		if !letter && (i == 0 || r != '-' && r != ':' && (r < '0' || r > '9')) {
			return false
		}
	}
	return w != ""
}

// redirection proposes to allow writing the file of a redirection, if it
// writes one.
func redirection(c *command.Command, r *command.Redirect) string {
	dir, known := c.Dir.Literal()
	file, ok := r.Target.Literal()
	if !r.Writes() || !known || !ok || strings.HasPrefix(file, "/dev/") {
		return ""
	}
	return "write " + escape.Replace(shell.Abs(dir, file))
}

// allowedWith reports whether the call is allowed once permissions are added.
func allowedWith(e *effective.Policy, ctx context.Context, c *policy.Call, matches []string) bool {
	s := e.Settings
	s.Permissions = slices.Clip(s.Permissions)
	for _, m := range matches {
		s.Permissions = append(s.Permissions, policy.Permission{Match: m, Action: policy.Allow})
	}
	engine, err := e.With(s)
	if err != nil {
		return false
	}
	x, err := engine.Explain(ctx, e.Session(c.Session), c)
	return err == nil && x.Decision == policy.Allow
}
