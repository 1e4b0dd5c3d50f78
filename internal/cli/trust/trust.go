// Package trust has the commands by which a person trusts the policy of a project, and
// stores or revokes approvals. No agent may run them, which is not seen to here.
package trust

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A truster records which content of which project's policy a person trusts.
type truster struct {
	*console.Process
	remove, list, yes, json bool
}

// NewTrust returns the command trust.
func NewTrust(p *console.Process) *cobra.Command {
	t := &truster{Process: p}
	cmd := &cobra.Command{
		Use:   "trust [FILE|DIRECTORY]",
		Short: "Trust a project's policy, so that it may also loosen",
		Long: `Trust a project's policy exactly as it is now, by default that of the working
directory. It then applies in full, except for what only a person may set. As soon
as its content changes, it only tightens again.

trust first shows what the content loosens. Confirm on a terminal, or with
--yes. Agents are denied this command.`,
		Example: `  policyctl trust
  policyctl trust --remove ~/src/app
  policyctl trust --list`,
		Args: console.AtMostOne,
		RunE: func(_ *cobra.Command, args []string) error { return t.run(args) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&t.remove, "remove", false, "stop trusting the policy, whatever its content")
	flags.BoolVar(&t.list, "list", false, "list the policies that are trusted")
	flags.BoolVar(&t.yes, "yes", false, "do not ask")
	flags.BoolVar(&t.json, "json", false, "with --list: print the policies as JSON")
	return cmd
}

func (t *truster) run(args []string) error {
	place, err := t.Policies()
	switch {
	case err != nil:
		return err
	case t.list && (t.remove || t.yes || len(args) > 0):
		return console.Usagef("--list takes no other flags: leave them out")
	case t.json && !t.list:
		return console.Usagef("--json is for --list: add it, or leave --json out")
	case t.list:
		return t.show(place)
	}
	path, err := t.Absolute(strings.Join(args, ""))
	if err != nil {
		return err
	}
	name, ok := layers.ProjectAt(path)
	switch {
	case !ok:
		return console.Usagef("%s: this is not the policy of a project: name the project's directory, or the policy in its .policyctl", path)
	case t.remove:
		return t.forget(place, name)
	}
	return t.trust(place, name)
}

// forget trusts no content of a policy.
func (t *truster) forget(place layers.Place, name string) error {
	removed, err := place.Remove(name)
	switch {
	case err != nil:
		return err
	case !removed:
		return fmt.Errorf("%s: it is not trusted: see policyctl trust --list", name)
	}
	_, err = fmt.Fprintf(t.Stdout, "no longer trusted  %s\n", render.Plain(name))
	return err
}

// trust records the content that is shown, and no other.
func (t *truster) trust(place layers.Place, name string) error {
	more, _ := t.Variables()
	now := layers.Load(place, filepath.Dir(filepath.Dir(name)), more...)
	i := slices.IndexFunc(now.Sources, func(s layers.Source) bool { return s.Path == name })
	switch {
	case i < 0:
		return console.Usagef("%s: there is no such file: policyctl status lists the policies that apply", name)
	case now.TrustErr != nil:
		return now.TrustErr
	case now.Sources[i].Trusted():
		_, err := fmt.Fprintf(t.Stdout, "trusted already  %s\n", render.Plain(name))
		return err
	}
	if err := t.compare(name, now); err != nil {
		return err
	}
	if err := t.confirm(); err != nil {
		return err
	}
	if err := place.Add(name, now.Sources[i].Digest, time.Now()); err != nil {
		return err
	}
	if hooks, differs := t.Elsewhere(place); differs && hooks.State != place.State {
		console.Warn(t.Stderr, "warning: ", errors.New("this applies to policyctl only: agent hooks read "+filepath.Join(hooks.State, "trust.json")+", so repeat it without XDG_STATE_HOME and with your own HOME"))
	}
	_, err := fmt.Fprintf(t.Stdout, "trusted  %s  %s\n", now.Sources[i].Digest[:12], render.Plain(name))
	return err
}

// compare shows what trust would change of the policy as it is now.
func (t *truster) compare(name string, now *layers.Policy) error {
	then := now.Trusting(name)
	if _, err := then.Engine(nil); err != nil {
		return err
	}
	if then.Err != nil {
		effective.Tell(t.Stderr, then)
		return console.Usagef("the policy is invalid, so what this would loosen is unknown: correct it first")
	}
	return t.describe(name, now, then)
}

// describe shows what trust would change.
func (t *truster) describe(name string, now, then *layers.Policy) error {
	var b strings.Builder
	loosened := loosenings(name, now, then)
	if len(loosened) == 0 {
		fmt.Fprintf(&b, "%s loosens nothing. Trusted, its reasons are shown to agents.\n", render.Plain(name))
	} else {
		fmt.Fprintf(&b, "%s, once trusted, loosens:\n", render.Plain(name))
	}
	for _, l := range loosened {
		fmt.Fprintf(&b, "  line %d  %s\n", l.line, render.Plain(l.text))
	}
	for _, a := range then.Held() {
		if a.Origin.File == name {
			fmt.Fprintf(&b, "  line %d  %s stays without effect: %s\n", a.Origin.Line, render.Plain(a.Path), a.Held)
		}
	}
	_, err := io.WriteString(t.Stdout, b.String())
	return err
}

// A looseLine is a line of a policy that trust would give effect.
type looseLine struct {
	line int
	text string
}

// loosenings returns what is held back now and then is not.
func loosenings(name string, now, then *layers.Policy) []looseLine {
	var out []looseLine
	for _, a := range now.Held() {
		if a.Origin.File == name && a.Held == config.HeldUntrusted && a.Path != "permissions" && a.Path != "agents" {
			out = append(out, looseLine{a.Origin.Line, a.Path + ": " + a.Value})
		}
	}
	allows := func(agent string, list []policy.Permission) {
		for _, p := range list {
			if p.Action == policy.Allow && p.Origin.File == name {
				out = append(out, looseLine{p.Origin.Line, agent + Permission(&p)})
			}
		}
	}
	allows("", then.Settings.Permissions)
	for _, agent := range slices.Sorted(maps.Keys(then.Settings.Agents)) {
		allows("agent "+agent+": ", then.Settings.Agents[agent])
	}
	slices.SortStableFunc(out, func(a, b looseLine) int { return a.line - b.line })
	return out
}

// confirm asks the person.
func (t *truster) confirm() error {
	switch {
	case t.yes:
		return nil
	case !console.IsTerminal(t.Stdin):
		return console.Usagef("there is no terminal to ask on: read the above, and repeat the command with --yes if you trust it")
	}
	fmt.Fprint(t.Stderr, "Trust exactly this content? [y/N] ")
	answer, err := bufio.NewReader(t.Stdin).ReadString('\n')
	if err != nil && err != io.EOF {
		return err
	}
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer == "y" || answer == "yes" {
		return nil
	}
	return errors.New("not trusted: nothing was changed")
}

// A trustedRow is a trusted policy as JSON.
type trustedRow struct {
	Path   string    `json:"path"`
	SHA256 string    `json:"sha256"`
	At     time.Time `json:"at"`
	State  string    `json:"state"`
}

func (t *truster) show(place layers.Place) error {
	record, err := place.ReadTrust()
	if err != nil {
		return err
	}
	list := []trustedRow{}
	rows := [][]string{{"STATE", "SHA-256", "SINCE", "PATH"}}
	for _, e := range record.Files {
		state := record.State(e)
		list = append(list, trustedRow{e.Path, e.SHA256, e.At, state})
		rows = append(rows, []string{state, e.SHA256[:min(12, len(e.SHA256))], e.At.Format(time.DateOnly), e.Path})
	}
	return t.List(t.json, list, "no project's policy is trusted", rows)
}
