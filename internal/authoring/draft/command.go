package draft

import (
	"regexp"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/pkg/policy"
)

// bash imports a rule for commands.
func (b *builder) bash(e *Entry) {
	switch {
	case e.Spec == "" && e.Action == policy.Ask && len(e.Except) > 0:
		b.out.AskReading = true
		b.out.Notes = append(b.out.Notes, Note{named(e), "approvals.auto_allow_readonly false", "the same: what no entry allows asks, commands that only read too"})
	case e.Spec == "":
		b.add(e, "shell", pattern{subject: "*"})
	case e.Action == policy.Allow:
		b.allowCommand(e)
	default:
		b.refuseCommand(e)
	}
}

// powershell imports a rule for commands of PowerShell, whose names fold case
// and have aliases.
func (b *builder) powershell(e *Entry) {
	if e.Action == policy.Allow {
		b.drop(e, "stricter: policyctl does not read PowerShell, so its commands ask")
		return
	}
	b.bash(e)
	b.note(e, "stricter and looser: it also matches commands of other shells, and aliases of a command are unknown")
}

// spread writes the older form of a prefix, "git:*", as "git *".
func spread(spec string) string {
	if prefix, ok := strings.CutSuffix(spec, ":*"); ok {
		return prefix + " *"
	}
	return spec
}

// syntax are the characters of a command line that are no plain words.
const syntax = "|&;<>\"'`$(){}\n#"

// allowCommand imports an allow, which must match nothing more.
func (b *builder) allowCommand(e *Entry) {
	spec := strings.TrimSpace(spread(e.Spec))
	wild := strings.Contains(strings.ReplaceAll(spec, `\*`, ""), "*")
	program, _, _ := strings.Cut(spec, " ")
	switch {
	case strings.ContainsAny(spec, syntax) && (wild || strings.ContainsAny(spec, `?\`)):
		b.drop(e, "stricter: policyctl compares the words of each command, without quotes and operators; write the words that you mean")
		return
	case strings.Contains(b.in.Agent.AsksAlways, " "+program+" "):
		b.drop(e, "the same: "+b.in.Agent.Title+" asks about "+program+" whatever is allowed, and so does policyctl without a permission")
		return
	}
	p := pattern{subject: literal(strings.Join(strings.Fields(stars().ReplaceAllString(spec, "*")), " "))}
	if body, ok := strings.CutSuffix(p.subject, " *"); ok && (e.More || strings.Contains(strings.ReplaceAll(body, `\*`, ""), "*")) {
		p.subject = body + " ?*" // behind another star the last one is not optional either
	}
	for _, beside := range b.in.Agent.Beside {
		if wild && (strings.HasPrefix(beside, program+" ") || strings.Contains(program, "*")) {
			p.except = append(p.except, beside)
		}
	}
	b.add(e, "shell", p)
	if strings.ContainsAny(spec, syntax) {
		b.note(e, "stricter: only this line, byte for byte")
	}
}

// literal escapes what is special in a pattern of policyctl and not in one of
// an entry, where only the star is.
func literal(spec string) string {
	var b strings.Builder
	for i := 0; i < len(spec); i++ {
		switch c := spec[i]; {
		case c == '\\' && i+1 < len(spec) && (spec[i+1] == '*' || spec[i+1] == '\\'):
			b.WriteString(spec[i : i+2])
			i++
		case c == '\\', c == '?':
			b.WriteString(`\` + string(c))
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

var (
	assignments = onUse(`^(?:[A-Za-z_][A-Za-z0-9_]*=\S* +)+`)
	variables   = onUse("(?:\\$\\([^)]*\\)|`[^`]*`|\\$\\{[^}]*\\}|\\$[A-Za-z0-9_@*#?!-]+|\\{[^}]*\\})[^ |&;<>]*")
	redirection = onUse(`[0-9]*[<>].*`)
	stars       = onUse(`\*+`)
	manyStars   = onUse(`\*{3,}`)
)

// onUse compiles an expression when it is first needed, so that nobody waits
// for it who imports nothing.
func onUse(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// unassigned returns a command without the assignments before it, "" if nothing follows
// them: policyctl compares commands without.
func unassigned(subject string) string {
	return strings.TrimSpace(assignments().ReplaceAllString(subject+" ", ""))
}

// refuseCommand imports a deny or an ask, which must match all that the
// agent's would.
func (b *builder) refuseCommand(e *Entry) {
	if b.refuseLine(e) {
		return
	}
	spec := variables().ReplaceAllString(spread(e.Spec), "*")
	pieces := strings.FieldsFunc(spec, func(c rune) bool { return strings.ContainsRune("|&;\n", c) })
	best := ""
	for _, piece := range pieces {
		if p := words(piece); weight(p) > weight(best) || best == "" {
			best = p
		}
	}
	if best == "" {
		best = "*"
	}
	if prefix, ok := strings.CutSuffix(best, ":*"); ok {
		best = prefix + "*" // behind a colon policyctl takes a star for a mistake
	}
	b.add(e, "shell", pattern{subject: best})
	for rest, ok := strings.CutPrefix(best, "* "); ok; rest, ok = strings.CutPrefix(rest, "* ") {
		if bare := unassigned(rest); bare != "" {
			b.add(e, "shell", pattern{subject: bare}) // the star was an assignment
		}
	}
	plain := strings.Join(strings.Fields(spread(e.Spec)), " ")
	switch {
	case len(pieces) > 1:
		b.note(e, "stricter: policyctl judges each command of a line alone, so this one counts wherever the command is in the line")
	case strings.HasPrefix(best, "*") && best != "*":
		b.note(e, "it matches the words of commands, not their redirections and comments; deny reading and writing such files as well")
	case best != plain:
		b.note(e, "stricter: words are compared without quotes, assignments and redirections, and what a variable holds may be anything")
	}
}

// words returns the words of one command of a rule, as a wider pattern.
func words(piece string) string {
	piece = redirection().ReplaceAllString(piece, "")
	piece = assignments().ReplaceAllString(strings.TrimSpace(piece), "")
	var b strings.Builder
	for i := 0; i < len(piece); i++ {
		switch c := piece[i]; {
		case c == '\\' && i+1 < len(piece) && (piece[i+1] == '*' || piece[i+1] == '\\'):
			b.WriteString(piece[i : i+2])
			i++
		case strings.IndexByte("\"'\\(){}#!", c) >= 0:
		default:
			b.WriteByte(c)
		}
	}
	return strings.Join(strings.Fields(stars().ReplaceAllString(b.String(), "*")), " ")
}

// weight is how much a pattern says.
func weight(p string) int { return len(strings.NewReplacer("*", "", " ", "").Replace(p)) }
