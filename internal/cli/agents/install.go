// Package agents has the commands that plug policyctl into coding agents: install,
// uninstall, doctor, and hook, which agents call. What an agent is told is decided
// and worded elsewhere.
package agents

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/agents/install"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/policies"
)

// An installer changes the settings of an agent.
type installer struct {
	*console.Process
	scope   string
	dryRun  bool
	json    bool
	command string
	timeout time.Duration
	wait    time.Duration
	trust   bool
}

// NewInstall returns the command install.
func NewInstall(p *console.Process) *cobra.Command {
	i := &installer{Process: p}
	s := &setup{installer: i}
	cmd := &cobra.Command{
		Use:   "install [AGENT]",
		Short: "Make agents ask policyctl before each call",
		Long: `Write policyctl's hook into the settings of an agent, which then asks before each
call. Agents: ` + strings.Join(install.Names(), ", ") + `. The rest of the settings stays as it is,
and a copy of the old file is kept beside it. A second run changes nothing, or
updates what an older version wrote.

Without AGENT, install finds the agents of this machine, shows what it would
change, asks once, and then checks that they ask. It also gives you a policy if
you have none: the pack developer, or that of --pack. What your own settings of
the agents allow, ask about and deny becomes policy too, for all agents, each in
a file of policy.d; --rules=false leaves it out. For Codex, install records that
you trust the hook.

Some agents run a call even if its hook fails: for them, install writes a
command that refuses by itself. Some run it even if its hook hangs: for them,
the command ends the hook in time, if the program timeout is installed.`,
		Example: `  policyctl install
  policyctl install claude --dry-run
  policyctl install codex --trust
  sudo policyctl install claude --scope managed`,
		ValidArgs: install.Names(),
		Args:      console.AtMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return s.run(cmd)
			case s.yes || s.pack != "" || !s.rules || s.observe:
				return console.Usagef("--yes, --pack, --rules and --observe are for all agents: leave out %s, or the flag", args[0])
			}
			r, err := i.request(args)
			if err != nil {
				return err
			}
			return i.install(cmd, r)
		},
	}
	i.register(cmd)
	flags := cmd.Flags()
	flags.BoolVarP(&s.yes, "yes", "y", false, "without AGENT: change what install finds, and ask nothing")
	flags.StringVar(&s.pack, "pack", "", "without AGENT: the `PACK` that your policy becomes (default: developer if you have none)")
	console.Completes(cmd, "pack", policies.Names()...)
	flags.BoolVar(&s.rules, "rules", true, "without AGENT: take over what the agents' own settings allow, ask about and deny")
	flags.BoolVar(&s.observe, "observe", false, "without AGENT: have your policy only observe at first, see policyctl observe")
	flags.StringVar(&i.command, "command", "", "the `PATH` of the binary that the agent starts (default: policyctl-hook beside this binary, or this binary)")
	flags.DurationVar(&i.timeout, "timeout", 0, "how long the agent waits for an answer: `DURATION` (default: what suits the agent)")
	flags.DurationVar(&i.wait, "wait", 0, "how long the hook waits for a decision of the approval service: `DURATION`, in whole seconds; the agent then waits 20s longer (default 20s)")
	flags.BoolVar(&i.trust, "trust", false, "for codex: also record that you trust the hook; otherwise Codex skips it")
	return cmd
}

// scopeNames are the names of the scopes of settings.
func scopeNames() (names []string) {
	for _, s := range install.Scopes() {
		names = append(names, string(s))
	}
	return names
}

// register adds the flags that install and uninstall share.
func (i *installer) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&i.scope, "scope", "user", "whose settings: `SCOPE` is user, project, local (yours, in this project) or managed (of all users, as root)")
	console.Completes(cmd, "scope", scopeNames()...)
	flags.BoolVar(&i.dryRun, "dry-run", false, "show what would change, and change nothing")
	flags.BoolVar(&i.json, "json", false, "print what was changed as JSON")
}

// agentOf returns the agent that the arguments name.
func agentOf(args []string) (*install.Agent, error) {
	names := strings.Join(install.Names(), ", ")
	if len(args) == 0 {
		return nil, console.Usagef("no agent is named: write one of %s", names)
	}
	a, ok := install.Lookup(args[0])
	if !ok {
		return nil, console.Unknown("agent", args[0], install.Names(), "one of "+names)
	}
	return a, nil
}

// place returns where settings are looked for.
func place(p *console.Process) (install.Place, error) {
	dir, err := p.Getwd()
	return install.Place{Home: p.Getenv("HOME"), Dir: dir, Getenv: p.Getenv, IsRoot: os.Geteuid() == 0}, err
}

func (i *installer) request(args []string) (r install.Request, err error) {
	if r.Agent, err = agentOf(args); err != nil {
		return r, err
	}
	var scopes []string
	for _, s := range install.Scopes() {
		scopes = append(scopes, string(s))
	}
	r.Scope, r.Timeout, r.Wait, r.Trust = install.Scope(i.scope), i.timeout, i.wait, i.trust
	switch {
	case !slices.Contains(scopes, i.scope):
		return r, console.Unknown("scope", i.scope, scopes, "one of "+strings.Join(scopes, ", "))
	case i.timeout != 0 && i.timeout < install.MinTimeout:
		return r, console.Usagef("--timeout %s is too short: most agents run the call when it is over, so give it at least %s", i.timeout, install.MinTimeout)
	case i.wait != 0 && (i.wait < time.Second || i.wait > install.MaxWait || i.wait%time.Second != 0):
		return r, console.Usagef("--wait %s must be whole seconds from 1s to %s, after which an agent waits no longer", i.wait, install.MaxWait)
	case i.wait != 0 && i.timeout != 0:
		return r, console.Usagef("--timeout follows from --wait: give only one of them")
	case i.trust && r.Agent.Name != "codex":
		return r, console.Usagef("--trust is for codex: %s keeps no record of trust", r.Agent.Title)
	}
	r.Place, err = place(i.Process)
	r.Place.IsRoot = r.Place.IsRoot || i.dryRun
	return r, errors.Join(err, r.Place.Supported())
}

// A program is the binary that agents start.
type program struct {
	path string
	// copied is what is at the path once the plan copies is carried out; the path
	// itself if it is there.
	copied string
	copies *install.Plan
}

// program returns the binary that agents start: that of --command, or one beside this.
func (i *installer) program(cmd *cobra.Command, place install.Place) (p program, err error) {
	p.copied, p.copies = i.command, &install.Plan{}
	if !cmd.Flags().Changed("command") {
		self, err := os.Executable()
		if err != nil {
			return p, fmt.Errorf("cannot find this binary: name it with --command: %w", err)
		}
		p.copied = install.Beside(self)
	}
	p.path, err = p.copies.Lasting(p.copied, place)
	return p, err
}

// plan returns the changes after which an agent starts a program before each call.
func (i *installer) plan(cmd *cobra.Command, r install.Request, p program) (_ *install.Plan, err error) {
	if r.Command, err = install.CommandLine(r.Agent, p.path, p.copied); err != nil {
		return nil, err
	}
	r.Limiter = install.Limiter(cmd.Context())
	return install.Install(r)
}

func (i *installer) install(cmd *cobra.Command, r install.Request) error {
	p, err := i.program(cmd, r.Place)
	if err != nil {
		return err
	}
	plan, err := i.plan(cmd, r, p)
	if refusal, ok := errors.AsType[*install.Refusal](err); ok && refusal.Snippet != "" {
		fmt.Fprintf(i.Stderr, "To add the hook by hand:\n%s", plainLines(refusal.Snippet))
	}
	if err != nil {
		return err
	}
	plan.Changes = append(p.copies.Changes, plan.Changes...)
	if !i.dryRun {
		plan.Notes = append(plan.Notes, "see whether it works: policyctl doctor "+r.Agent.Name, "take it out again: "+undo(r))
	}
	return i.carryOut(plan, r.Agent.Title+" asks policyctl already")
}

// undo returns the command that takes a hook out again.
func undo(r install.Request) string {
	if r.Scope == install.User {
		return "policyctl uninstall " + r.Agent.Name
	}
	return "policyctl uninstall " + r.Agent.Name + " --scope " + string(r.Scope)
}

// changeJSON is a change as JSON.
type changeJSON struct {
	Path   string  `json:"path"`
	Action string  `json:"action"`
	Backup *string `json:"backup"`
	Diff   string  `json:"diff"`
}

// carryOut makes the changes of a plan, or only shows them.
func (i *installer) carryOut(plan *install.Plan, nothing string) error {
	done := []changeJSON{}
	for _, c := range plan.Changes {
		d := changeJSON{Path: c.Path(), Action: c.Action(), Diff: c.Diff()}
		if !i.dryRun {
			backup, err := c.Apply(time.Now())
			if err != nil {
				return errors.Join(i.show(done, nil, ""), err)
			}
			if backup != "" {
				d.Backup = &backup
			}
		}
		done = append(done, d)
	}
	return i.show(done, plan.Notes, nothing)
}

// show prints what was changed or, on a dry run, would be.
func (i *installer) show(done []changeJSON, notes []string, nothing string) error {
	if i.json {
		return render.JSON(i.Stdout, struct {
			DryRun  bool         `json:"dry_run"`
			Changes []changeJSON `json:"changes"`
			Notes   []string     `json:"notes"`
		}{i.dryRun, done, append([]string{}, notes...)})
	}
	if i.dryRun && len(done) > 0 {
		return i.preview(done, notes)
	}
	var b strings.Builder
	for _, c := range done {
		if c.Backup != nil {
			fmt.Fprintf(&b, "backup   %s\n", render.Plain(*c.Backup))
		}
		fmt.Fprintf(&b, "%-8s %s\n", c.Action, render.Plain(c.Path))
	}
	if len(done) == 0 && nothing != "" {
		fmt.Fprintf(&b, "nothing to change: %s\n", nothing)
	}
	for _, n := range notes {
		fmt.Fprintf(&b, "note     %s\n", render.Plain(n))
	}
	_, err := io.WriteString(i.Stdout, b.String())
	return err
}

// preview prints what would change, so that it can be piped into a pager or a
// file; what else there is to know goes to people.
func (i *installer) preview(changes []changeJSON, notes []string) error {
	for _, n := range notes {
		fmt.Fprintf(i.Stderr, "policyctl: note: %s\n", render.Plain(n))
	}
	for _, c := range changes {
		if _, err := io.WriteString(i.Stdout, plainLines(c.Diff)); err != nil {
			return err
		}
	}
	return nil
}

// plainLines returns lines that do nothing to a terminal. Their tabs stay, so
// that a difference can be applied.
func plainLines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		for i := range cells {
			cells[i] = render.Plain(cells[i])
		}
		b.WriteString(strings.Join(cells, "\t") + "\n")
	}
	return b.String()
}
