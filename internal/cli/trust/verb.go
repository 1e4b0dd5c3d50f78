package trust

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/tables"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A verbTruster approves a verb without a prompt.
type verbTruster struct {
	*console.Process
	in, audience, tool, rule, life string
	uses                           int
	anywhere                       bool
	given                          func(flag string) bool
}

func newTrustVerb(p *console.Process) *cobra.Command {
	t := &verbTruster{Process: p}
	cmd := &cobra.Command{
		Use:   "trust-verb VERB",
		Short: "Approve a verb without being asked",
		Long: `Approve a verb, such as "git commit" or "npm run": anywhere unless --in names a
directory, and permanently unless --for or --uses limits it. Only this command stores
verbs that talk to other hosts, such as "git push". A program with sub-commands
is approved one sub-command at a time. Interpreters and programs that run other
commands cannot be approved.

Existing approvals that last as long or longer stay as they are. Agents are denied
this command.`,
		Example: `  policyctl approvals trust-verb 'npm run'
  policyctl approvals trust-verb 'git push' --in ~/src/app --for 2h
  policyctl approvals trust-verb 'git push' --in . --rule 'shell git push *'`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return t.run(args) },
	}
	flags := cmd.Flags()
	t.given = flags.Changed
	flags.SortFlags = false
	flags.StringVar(&t.in, "in", "", "approve it in this `DIRECTORY` and below")
	flags.BoolVar(&t.anywhere, "anywhere", false, "approve it in every directory (the default)")
	flags.StringVar(&t.life, "for", console.Forever, "how long the approval lasts: a `TIME` such as 30m, 8h or 7d, today, or always")
	flags.IntVar(&t.uses, "uses", 0, "for how many calls the approval lasts: a `NUMBER` up to 100 (default any number)")
	flags.StringVar(&t.audience, "audience", "personal", "for calls with the audience `WHO`: personal, team or public")
	console.Completes(cmd, "audience", "personal", "team", "public")
	flags.StringVar(&t.tool, "tool", "shell", "for this `TOOL`, by its name or an agent's name for it")
	flags.StringVar(&t.rule, "rule", "", "also answer the asks of this `RULE`, named as in a verdict")
	console.CompletesWith(cmd, "tool", tables.ToolNames)
	console.CompletesWith(cmd, "rule", tables.RuleIDs)
	return cmd
}

func (t *verbTruster) run(args []string) error {
	place, err := t.Policies()
	if err != nil {
		return err
	}
	e, err := t.entry(strings.Join(args, " "), place)
	if err != nil {
		return err
	}
	added, err := grant.NewStore(place.State, time.Now).Add(e)
	if err != nil {
		return err
	}
	if err := stored(t.Process, e, len(added) > 0); err != nil {
		return err
	}
	Misplaced(t.Process, place, "repeat it")
	return nil
}

// stored says in a line what an approval has changed.
func stored(p *console.Process, e grant.Entry, changed bool) error {
	if changed {
		_, err := fmt.Fprintf(p.Stdout, "approved  %s\n", render.Plain(e.Text()))
		return err
	}
	advice := ""
	if e.Uses > 0 || !e.Until.IsZero() {
		e.Uses = 0
		e.Until, advice = time.Time{}, ", for as long or longer; revoke it first to shorten it"
	}
	_, err := fmt.Fprintf(p.Stdout, "no change: %s is approved already%s\n", render.Plain(e.Text()), advice)
	return err
}

// entry returns what the flags say.
func (t *verbTruster) entry(verb string, place layers.Place) (e grant.Entry, err error) {
	e = grant.Entry{Verb: verb, Scope: grant.Anywhere, Tool: ToolNamed(t.tool), Rule: t.rule, By: "trust-verb", Uses: t.uses}
	switch {
	case t.given("uses") && t.uses < 1:
		return e, console.Usagef("--uses is less than one call: leave it out for any number")
	case verb == "":
		return e, console.Usagef("a verb is missing: write one such as 'git commit'")
	case t.anywhere && t.given("in"):
		return e, console.Usagef("say where once: either --in DIRECTORY or --anywhere")
	case t.given("in") && t.in == "":
		return e, console.Usagef("--in is empty: name a directory, or leave it out to approve the verb anywhere")
	}
	life, err := console.Lifetime(t.life, time.Now())
	if err != nil {
		return e, err
	}
	if life > 0 {
		e.Until = time.Now().UTC().Truncate(time.Second).Add(life)
	}
	if err := e.Audience.UnmarshalText([]byte(t.audience)); err != nil {
		return e, console.Usagef("--audience: %v", err)
	}
	if err := CheckEntry(&e); err != nil {
		return e, err
	}
	if !t.given("in") {
		return e, nil
	}
	if err := Settle(t.Process, &e, t.in, place); err != nil {
		return e, fmt.Errorf("--in %s: %w", t.in, err)
	}
	return e, nil
}

// Settle has an entry hold in a directory alone.
func Settle(p *console.Process, e *grant.Entry, dir string, place layers.Place) (err error) {
	e.Scope = grant.Here
	if e.Dir, err = directoryAt(p, dir, place); err != nil {
		return err
	}
	if why := grant.TooWide(e.Dir, place.Home); why != "" {
		return console.Usagef("%s: name a directory below it, or leave the directory out to approve the verb anywhere", why)
	}
	if info, err := os.Stat(e.Dir); err != nil || !info.IsDir() {
		return errors.New("it is not a directory: name one that exists")
	}
	return nil
}

// CheckEntry says what is wrong with the verb and the tool.
func CheckEntry(e *grant.Entry) error {
	tools := policy.BuiltinTools()
	i := slices.IndexFunc(tools, func(tool policy.Tool) bool { return tool.Name == e.Tool })
	if i < 0 {
		return console.Unknown("tool", e.Tool, toolNames(tools), "the reference page of tools lists them")
	}
	switch tools[i].Kind {
	case policy.KindShell:
		if why := grant.CheckVerb(e.Verb); why != "" {
			return console.Usagef("%q cannot be approved: %s", e.Verb, why)
		}
	case policy.KindRead, policy.KindWrite:
		if e.Verb != e.Tool {
			return console.Usagef("the verb of the tool %s is its name: %q", e.Tool, e.Tool)
		}
	default:
		return console.Usagef("the tool %s cannot be approved: only the shell and tools that read or write files can", e.Tool)
	}
	return nil
}

func toolNames(tools []policy.Tool) []string {
	var out []string
	for i := range tools {
		out = append(out, tools[i].Name)
	}
	return out
}

// ToolNamed returns the name of a tool that has a name or an alias, or else
// the alias.
func ToolNamed(alias string) string {
	tools := policy.BuiltinTools()
	for i := range tools {
		if slices.Contains(tools[i].Aliases, alias) {
			return tools[i].Name
		}
	}
	return alias
}

// Permission writes a permission on one line.
func Permission(p *policy.Permission) string {
	text := p.Action.String() + " " + p.Match
	if len(p.Except) > 0 {
		text += " except " + strings.Join(p.Except, ", ")
	}
	return text
}
