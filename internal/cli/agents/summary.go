package agents

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/agents/install"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/pkg/policy"
)

// look runs what doctor runs, says what it finds, and ends with what holds from now on.
func (s *setup) look(cmd *cobra.Command) error {
	if s.json {
		return nil
	}
	var names []string
	for _, a := range s.agents {
		names = append(names, a.Name)
	}
	findings, err := examine(s.Process, cmd, names)
	if err != nil {
		return err
	}
	if err := s.verdict(findings); err != nil {
		return err
	}
	if slices.ContainsFunc(findings, isProblem) {
		return console.Exit(console.ExitFailure)
	}
	return nil
}

// verdict writes the findings that matter, and three lines.
func (s *setup) verdict(findings []install.Finding) error {
	place, err := s.Policies()
	if err != nil {
		return err
	}
	inForce := layers.Load(place, "").Settings
	var rows [][2]string
	notes, well := 0, 0
	for _, f := range findings {
		switch f.Level {
		case install.OK:
			well++
		case install.Note:
			notes++
		default:
			rows = append(rows, [2]string{string(f.Level), f.Check + ": " + f.Text}, [2]string{"", "next: " + f.Next})
		}
	}
	checked := console.Count(well, "check") + " passed"
	if notes > 0 {
		checked += "; policyctl doctor shows " + console.Count(notes, "note")
	}
	page := s.Page()
	page.Entries(append(rows, [][2]string{
		{"doctor", checked},
		{"stopped", stopped(&inForce)},
		{"let through", letThrough(&inForce)},
		{"undo", "policyctl uninstall, which leaves your policy as it is"},
	}...))
	return page.Close()
}

// stopped says what is denied from now on.
func stopped(p *policy.Settings) string {
	text := "what cannot be undone, such as rm -rf ~"
	if n := count(p, policy.Deny); n > 0 {
		text += ", and what your policy denies (" + console.Count(n, "denial") + ")"
	}
	return text
}

// letThrough says what runs without a question.
func letThrough(p *policy.Settings) string {
	if p.Mode == policy.Observe {
		return "everything else, and recorded, since the policy observes: policyctl observe report says what it would do"
	}
	if p.Yolo {
		return "everything else, since yolo is on"
	}
	list := []string{"what only reads"}
	if p.AutoAllowWorkspace {
		list = append(list, "changes to files of the project")
	}
	if len(p.ProjectCommands) > 0 {
		list = append(list, "the project's own commands")
	}
	if n := count(p, policy.Allow); n > 0 {
		list = append(list, "what your policy allows ("+console.Count(n, "permission")+")")
	}
	text := list[0]
	for i, item := range list[1:] {
		if text += ", "; i == len(list)-2 {
			text += "and "
		}
		text += item
	}
	return text + "; the rest asks"
}

// count returns how many permissions of a policy have an action.
func count(p *policy.Settings, d policy.Decision) (n int) {
	for _, permission := range p.Permissions {
		if permission.Action == d {
			n++
		}
	}
	return n
}
