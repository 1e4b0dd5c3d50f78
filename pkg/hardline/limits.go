package hardline

import (
	"regexp"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/own"
)

// self is the name of the program that enforces the limits.
const self = "policyctl"

// guessesPassword matches what reads a password from the input, as sudo -S.
func guessesPassword(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	a := &c.Args
	if a.Has("V", "help") || !local(s, c) {
		return shell.Span{}, false
	}
	return c.Span, a.HasAny(program.Lookup(c.Name).Password)
}

// touchesLimits matches what changes policyctl's own files, stops it, or
// takes its decisions.
func touchesLimits(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	if local(s, c) && (takesDecisions(c) || speaksAsOther(s, c) || stopsSelf(s, c)) {
		return c.Span, true
	}
	if len(s.Protect) == 0 {
		return shell.Span{}, false
	}
	if span, ok := codeTouches(s, c); ok {
		return span, true
	}
	if reaches(s, c) && (namesProtected(s, c) || findsPolicy(s, c)) {
		return c.Span, true
	}
	return effect(s, c, func(at *command.Command, e command.Effect) bool {
		return e.Changes() && (touchesProtected(s, at, e) || ofSelf(s, at, &e))
	})
}

// takesDecisions reports whether an agent runs what only a human may.
func takesDecisions(c *command.Command) bool {
	switch c.Name {
	case self + "-hook":
		return len(c.Words) > 1 && !asksHelp(c.Words[1:])
	case self:
		return decides(c.Words[1:]) && !asksHelp(c.Words[1:])
	}
	p := c.Row()
	if p == nil || p.Runner != "." && !program.HasWord(p.Hands, c.Args.Sub) {
		return false
	}
	words := c.Words[1:]
	for i := range words {
		v, _ := words[i].Literal()
		v, _, _ = strings.Cut(v, "@")
		if shell.Base(v) == self && decides(words[i+1:]) || c.Of("versions") && speaksAsSelf(words[i:]) {
			return true
		}
	}
	return false
}

// spelt reports whether a program is named by a path, behind which anything may lie.
func spelt(path string) bool {
	return strings.ContainsAny(path, `/\`) || strings.HasSuffix(path, ".exe")
}

// mayBeSelf reports whether a line may give policyctl another name, or have another
// program found by it: it says policyctl, or sets where programs are looked for. What
// code runs may bear any name.
func mayBeSelf(s *hazard.Scene) bool {
	return s.Depth > 0 || strings.Contains(s.Line.Source, self) || strings.Contains(s.Line.Source, "PATH") || strings.Contains(s.Line.Source, "path=")
}

// speaksAsOther reports whether an unknown program is policyctl by another name: a
// running one by its link below /proc, or one whose words are those of
// policyctl, also behind a program that starts it. A program by a bare name is itself,
// unless the line may give policyctl that name.
func speaksAsOther(s *hazard.Scene, c *command.Command) bool {
	if c.Name == self || c.Args.Program != nil || len(c.Words) < 2 || c.Function || c.Keyword || asksHelp(c.Words[1:]) {
		return false
	}
	if strings.HasPrefix(c.Path, "/proc/") && c.Name == "exe" {
		return decides(c.Words[1:])
	}
	other := !spelt(c.Path) && !mayBeSelf(s)
	for i := 1; i < min(len(c.Words), maxStarter); i++ {
		if !other && speaksAsSelf(c.Words[i:]) {
			return true
		}
		v, _ := c.Words[i].Literal()
		other = other && !spelt(v)
		before, _ := c.Words[i-1].Literal()
		if !strings.Contains(v, "/") && !strings.HasPrefix(v, "-") && !strings.HasPrefix(before, "-") && !strings.HasSuffix(v, ".exe") {
			return false
		}
	}
	return false
}

// maxStarter is how many words may stand before those of policyctl.
const maxStarter = 6

// speaksAsSelf reports whether words are a sub-command with which a person decides
// and that is policyctl's alone.
func speaksAsSelf(words []shell.Word) bool {
	verb, _ := words[0].Literal()
	switch verb {
	case "requests":
		return hasVerb(words[1:], "approve", "deny", "watch")
	case "approvals":
		return hasVerb(words[1:], "revoke", "trust-verb")
	case "token":
		return hasVerb(words[1:], "create") && anyWord(words[1:], func(v string) bool {
			v = strings.TrimPrefix(v, "--scope=")
			return strings.HasPrefix(v, "approve") || strings.HasPrefix(v, "admin") || strings.HasSuffix(v, ",approve") || strings.HasSuffix(v, ",admin") || strings.Contains(v, ",approve,")
		})
	case "mock-approval-service":
		return true
	}
	return false
}

// decides reports whether words are such a sub-command. What follows an option
// may be its argument or the sub-command.
func decides(words []shell.Word) bool {
	after := false
	for i := range words {
		verb, _ := words[i].Literal()
		if strings.HasPrefix(verb, "-") {
			after = !strings.Contains(verb, "=")
			continue
		}
		switch verb {
		case "trust":
			return !plainly(words[i+1:], "--list")
		case "install", "uninstall", "init":
			return !plainly(words[i+1:], "--dry-run")
		case "serve", "daemon", "mock-approval-service":
			return true
		case "ship": // what is on record here would go elsewhere
			return true
		case "eval":
			if given(words[i+1:], "--audit") { // what nobody asked would be on record
				return true
			}
		case "hook": // to say that a person was asked, or has said something
			return true
		case "import":
			return given(words[i+1:], "--output", "-o") || given(words[i+1:], "netclaw") && !plainly(words[i+1:], "--dry-run")
		case "learn":
			return given(words[i+1:], "--accept")
		case "approvals":
			return hasVerb(words[i+1:], "revoke", "trust-verb")
		case "audit":
			return hasVerb(words[i+1:], "prune") && !plainly(words[i+1:], "--dry-run")
		case "config":
			return hasVerb(words[i+1:], "set")
		case "requests":
			return hasVerb(words[i+1:], "approve", "deny", "revoke", "watch")
		case "token":
			return hasVerb(words[i+1:], "create", "revoke")
		}
		if !after || program.HasWord("eval explain check test replay help sensitive", verb) {
			return false
		}
		after = false
	}
	return false
}

// given reports whether one of some options is among words.
func given(words []shell.Word, options ...string) bool {
	for i := range words {
		v, _ := words[i].Literal()
		v, _, _ = strings.Cut(v, "=")
		if slices.Contains(options, v) {
			return true
		}
	}
	return false
}

// hasVerb reports whether the sub-command among words is one of verbs. What
// follows an option may be its argument or the sub-command.
func hasVerb(words []shell.Word, verbs ...string) bool {
	after := false
	for i := range words {
		v, _ := words[i].Literal()
		switch {
		case strings.HasPrefix(v, "-"):
			after = !strings.Contains(v, "=")
		case slices.Contains(verbs, v):
			return true
		case !after:
			return false
		default:
			after = false
		}
	}
	return false
}

// asksHelp reports whether words ask for help and nothing else.
func asksHelp(words []shell.Word) bool {
	for i := range words {
		if v, _ := words[i].Literal(); strings.HasPrefix(v, "-h=") || strings.HasPrefix(v, "--help=") {
			return false
		}
	}
	return plainly(words, "--help") || plainly(words, "-h")
}

// plainly reports whether a switch counts for certain: all words are known, none
// takes it back (--help=false), and no option before it takes it for an
// argument (--comment --help).
func plainly(words []shell.Word, name string) bool {
	found, before := false, ""
	for i := range words {
		v, ok := words[i].Literal()
		if !ok || words[i].Many || v == "--" || strings.HasPrefix(v, name+"=") {
			return false
		}
		if v == name && (!strings.HasPrefix(before, "-") || strings.Contains(before, "=") || program.HasWord("--json --list --dry-run --help -h", before)) {
			found = true
		}
		before = v
	}
	return found
}

// stopsSelf reports whether a command ends policyctl.
func stopsSelf(s *hazard.Scene, c *command.Command) bool {
	switch c.How("ends") {
	case "patterns":
		return !probes(c.Words[1:]) && (hasPart(c, self) || patternHits(c))
	case "names":
		return !probes(c.Words[1:]) && (hasPart(c, self) || c.Args.Has("r", "regexp") && patternHits(c))
	case "numbers":
		return fedByName(s, c)
	case "tasks", "objects":
		return hasPart(c, self)
	case "units":
		return hasPart(c, self) && hasWord(c, "stop", "kill", "disable", "mask", "unload", "bootout", "remove", "down")
	case "users":
		return fuserHolds(s, c)
	}
	return false
}

// patternHits reports whether a pattern of pkill matches the name of policyctl.
func patternHits(c *command.Command) bool {
	for _, o := range c.Args.Operands {
		for _, v := range c.Words[o.At].Values {
			if re, err := regexp.Compile(v); err == nil && len(v) < 100 && re.MatchString(self) && (re.String() == self || !c.Args.Has("x", "exact")) {
				return true
			}
		}
	}
	return false
}

// fedByName reports whether kill is given the process ids of policyctl, by a
// substitution in its words or through xargs.
func fedByName(s *hazard.Scene, c *command.Command) bool {
	for i := range s.Line.Commands {
		w := &s.Line.Commands[i]
		if w.Span.From >= c.Span.From && w.Span.To <= c.Span.To && findsSelf(w) {
			return true
		}
	}
	for at := c.Source; at >= 0; at = s.Line.Commands[at].Source {
		if findsSelf(&s.Line.Commands[at]) {
			return true
		}
	}
	return false
}

// ofSelf reports whether an effect is on the open files or the memory of a process that
// the command finds by the name of policyctl.
func ofSelf(s *hazard.Scene, c *command.Command, e *command.Effect) bool {
	path := strings.ReplaceAll(e.Target.Partial, shell.UnknownText, "*")
	_, ok := own.Process(shell.Abs("", path))
	return ok && path != "" && fedByName(s, c)
}

// findsSelf reports whether a command looks for processes of policyctl.
func findsSelf(c *command.Command) bool {
	return (isAWK(c) || program.OfKind(c.Name, "finds")) && hasPart(c, self)
}

func fuserHolds(s *hazard.Scene, c *command.Command) bool {
	if !anyWord(c.Words[1:], func(v string) bool {
		return v == "--kill" || strings.HasPrefix(v, "-") && !strings.HasPrefix(v, "--") && strings.Contains(v, "k")
	}) {
		return false
	}
	return wordCovered(s, c)
}
