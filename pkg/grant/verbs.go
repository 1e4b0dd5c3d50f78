package grant

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/program"
)

// isPrinter reports whether a word does nothing but print or set a status.
// Without a path and a redirection it needs no grant, and none is stored.
func isPrinter(name string) bool { return program.OfKind(name, "prints") }

// network reports whether a verb talks to other hosts: whom it talks to, and
// what it sends or fetches and then runs, is not seen from a directory.
func network(verb string) bool {
	name, sub, _ := strings.Cut(verb, " ")
	p := program.Find(name)
	return p != nil && p.Connects(sub)
}

// extent returns what a verb touches.
func extent(verb string) program.Extent {
	if strings.Contains(verb, " ") {
		return program.Anything
	}
	if p := program.Find(verb); p != nil {
		return p.Touches
	}
	return program.Anything
}

// listed are the network verbs that may be stored from a prompt: they talk to
// a remote that the repository has.
const listed = "git fetch,git pull"

// A term is a verb in two: a program, and what follows.
type term struct{ program, sub string }

// verb joins the two.
func (t term) verb() string {
	if t.sub == "" {
		return t.program
	}
	return t.program + " " + t.sub
}

// termIn divides a verb.
func termIn(verb string) (t term) {
	t.program, t.sub, _ = strings.Cut(verb, " ")
	return t
}

// termOf returns the program of a command and its sub-command; ok is false
// where a word that should be one is empty.
func termOf(c *command.Command) (t term, ok bool) {
	switch {
	case c.Args.Sub != "":
		return term{c.Called(), c.Args.Sub}, true
	case program.OfKind(c.Name, "subs") && len(c.Words) > 1:
		sub, _ := c.Words[1].Literal() // an option before it makes no verb
		return term{c.Called(), sub}, sub != ""
	}
	return term{program: c.Called()}, true
}

// verbOf returns the program of a command and its sub-command, "" where these
// are no names.
func verbOf(c *command.Command) string {
	t, ok := termOf(c)
	verb := t.verb()
	if !ok || !isVerb(verb) {
		return ""
	}
	return verb
}

// CheckVerb says why a verb cannot be approved, "" if it can.
func CheckVerb(verb string) string {
	if !isVerb(verb) {
		return "it is not a verb: write a program and its sub-command, such as \"git commit\""
	}
	l := eval.Read(verb, eval.Env{})
	if l.Problem != nil || len(l.Commands) != 1 {
		return "it is not a plain command"
	}
	c := &l.Commands[0]
	if got := verbOf(c); got != verb {
		return "the verb is " + got + ": what follows is not a sub-command"
	}
	return termIn(verb).unstorable()
}

// unstorable says why a verb is never approved, "" if it may be.
func (t term) unstorable() string {
	p, verb := program.Find(t.program), t.verb()
	switch {
	case isPrinter(verb):
		return "it needs no approval where it only prints"
	case p != nil && p.Input != program.RoleData:
		return verb + " is an interpreter: what it runs is not part of the verb"
	case p != nil && (p.InShell || p.Context != program.Local):
		return verb + " runs other commands"
	case p != nil && (program.HasVerb(p.NoGrant, t.sub) || p.Engine || program.IsCluster(p) || p.ChangesRights()):
		return verb + " may do more than the verb shows"
	case p != nil && len(p.Subs) > 0 && t.sub == "":
		return verb + " has sub-commands: name one, such as " + verb + " " + strings.Fields(p.Subs[0].Names)[0]
	case program.OfKind(verb, "subs"):
		return verb + " has sub-commands: name one with it"
	}
	return ""
}
