package agents

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/agents/install"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/observe"
	"github.com/policyctl/policyctl/internal/cli/settings"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/policies"
)

// A setup makes every agent of the machine ask policyctl, and gives the person a policy.
type setup struct {
	*installer
	yes  bool
	pack string
	// observe has the policy of the person only observe.
	observe bool
	rules   bool // take over what the agents themselves allow, ask about and deny
	steps   []step
	agents  []*install.Agent  // that will have the hook
	texts   map[string][]byte // of files of the policy, as they are planned
	bypass  []bypass
}

// A step is one thing that a setup does, or leaves as it is.
type step struct {
	what string // an agent, its rules, or the policy
	does string
	plan *install.Plan
	err  error
	hook bool // that it is about a hook
}

func (s *setup) add(what, does string, plan *install.Plan, err error) {
	s.steps = append(s.steps, step{what: what, does: does, plan: plan, err: err})
}

// run shows what would change, asks once, changes it, and looks whether it works.
func (s *setup) run(cmd *cobra.Command) error {
	if err := s.survey(cmd); err != nil {
		return err
	}
	if err := s.showSteps(); err != nil {
		return err
	}
	if s.dryRun || len(s.agents) == 0 || len(s.changes()) == 0 {
		return errors.Join(s.differences(), s.failed())
	}
	if err := s.confirm(); err != nil {
		return err
	}
	if err := s.apply(); err != nil {
		return err
	}
	return errors.Join(s.look(cmd), s.failed())
}

// survey finds the agents, and plans what to do about each and about the policy.
func (s *setup) survey(cmd *cobra.Command) error {
	s.trust = false // it follows from the answer
	s.texts = make(map[string][]byte)
	r, err := s.request([]string{install.Names()[0]})
	if err != nil {
		return err
	}
	found := install.Found(r.Place, exec.LookPath)
	if len(found) == 0 {
		return console.Usagef("no agent was found that policyctl can guard: install one of %s first, or name one, as in policyctl install %s",
			strings.Join(install.Names(), ", "), install.Names()[0])
	}
	p, err := s.program(cmd, r.Place)
	if err != nil {
		return err
	}
	if len(p.copies.Changes) > 0 {
		s.add("programs", "are copied, since npm may remove what npx has fetched", p.copies, nil)
	}
	for _, a := range found {
		r.Agent, r.Trust = a, a.NeedsTrust()
		s.guard(cmd, r, p)
	}
	for i := range s.steps {
		s.steps[i].hook = true
	}
	if r.Scope != install.User {
		return nil
	}
	if err := s.policy(); err != nil {
		return err
	}
	if s.observe {
		if err := s.observing(); err != nil {
			return err
		}
	}
	if !s.rules {
		return nil
	}
	return s.takeOver(found)
}

// observing plans that the policy of the person only observes.
func (s *setup) observing() error {
	place, err := s.Policies()
	if err != nil {
		return err
	}
	plan := &install.Plan{}
	if err := observe.Plan(plan, place); err != nil {
		return err
	}
	s.add("observe", "lets every call run that the floor does not stop, until policyctl observe stop", plan, nil)
	return nil
}

// guard plans the hook of an agent.
func (s *setup) guard(cmd *cobra.Command, r install.Request, p program) {
	if !r.Agent.Has(r.Scope, r.Place) {
		s.add(r.Agent.Title, "has no "+string(r.Scope)+" settings that hold against its user: left as it is", nil, nil)
		return
	}
	plan, err := s.plan(cmd, r, p)
	switch {
	case err != nil:
		s.add(r.Agent.Title, "cannot be guarded", nil, err)
		return
	case len(plan.Changes) == 0:
		s.add(r.Agent.Title, "asks policyctl already", nil, nil)
	case r.Trust:
		s.add(r.Agent.Title, "asks policyctl before each call, and trusts that hook", plan, nil)
	default:
		s.add(r.Agent.Title, "asks policyctl before each call", plan, nil)
	}
	s.agents = append(s.agents, r.Agent)
}

// policy plans the policy of the person.
func (s *setup) policy() error {
	place, err := s.Policies()
	if err != nil {
		return err
	}
	if hooks, differs := s.Elsewhere(place); differs {
		s.add("note", settings.Differing(hooks, place), nil, nil)
	}
	if was, ok := settings.HasPolicy(place); ok && s.pack == "" {
		does := "stays as it is: " + place.UserFile()
		if was != "" {
			does += ", the pack " + was
		}
		s.add("policy", does, nil, nil)
		return nil
	}
	if s.pack == "" {
		s.pack = usualPack
	}
	plan := &install.Plan{}
	was, err := settings.PlanPack(plan, place, s.pack)
	if _, edited := errors.AsType[*settings.EditedError](err); edited {
		s.add("policy", "stays as it is", nil, err)
		return nil
	}
	if err == nil {
		s.texts[place.UserFile()], _ = policies.Lookup(s.pack)
	}
	switch {
	case err != nil:
		return err
	case len(plan.Changes) == 0:
		s.add("policy", "is the pack "+s.pack+" already", nil, nil)
	case was == "":
		s.add("policy", "the pack "+s.pack, plan, nil)
	default:
		s.add("policy", "the pack "+s.pack+" in place of "+was, plan, nil)
	}
	return nil
}

// usualPack is for a person who has no policy yet.
const usualPack = "developer"

// changes returns all changes of the steps.
func (s *setup) changes() (all []install.Change) {
	for _, st := range s.steps {
		if st.plan != nil {
			all = append(all, st.plan.Changes...)
		}
	}
	return all
}

// failed returns an error if a step cannot be done.
func (s *setup) failed() error {
	if slices.ContainsFunc(s.steps, func(st step) bool { return st.err != nil }) {
		return console.Exit(console.ExitFailure)
	}
	return nil
}

// showSteps writes what each step does and in which files, for people.
func (s *setup) showSteps() error {
	if s.json && (s.yes || s.dryRun) {
		return nil // the changes follow
	}
	var rows [][2]string
	for _, st := range s.steps {
		rows = append(rows, [2]string{st.what, st.does})
		if st.err != nil {
			rows = append(rows, [2]string{"", st.err.Error()})
		}
		if st.plan == nil {
			continue
		}
		for _, c := range st.plan.Changes {
			rows = append(rows, [2]string{"", c.Action() + " " + c.Path()})
		}
		for _, n := range st.plan.Notes {
			rows = append(rows, [2]string{"", "note: " + n})
		}
	}
	page := s.Page()
	if s.dryRun { // the differences can be piped into a file or a pager
		page = render.NewPage(s.Stderr)
	}
	page.Entries(rows)
	return page.Close()
}

// differences writes what each file would gain and lose.
func (s *setup) differences() error {
	if s.json {
		return s.showAll(nil)
	}
	for _, c := range s.changes() {
		if _, err := io.WriteString(s.Stdout, plainLines(c.Diff())); err != nil {
			return err
		}
	}
	return nil
}

// confirm asks the person, once.
func (s *setup) confirm() error {
	switch {
	case s.yes:
		return nil
	case !console.IsTerminal(s.Stdin):
		return console.Usagef("there is no terminal to ask on: repeat the command with --yes to make these changes, or with --dry-run to see them in full")
	}
	in := bufio.NewReader(s.Stdin)
	for {
		fmt.Fprint(s.Stderr, "\nMake these changes? [y]es, [n]o, [d]ifferences, [o]nly the hooks: ")
		answer, err := in.ReadString('\n')
		switch strings.ToLower(strings.TrimSpace(answer)) {
		case "y", "yes":
			return s.askBypass(in)
		case "o", "only":
			s.steps = slices.DeleteFunc(s.steps, func(st step) bool { return !st.hook })
			return nil
		case "d", "diff", "differences":
			err = errors.Join(err, s.differences())
		case "n", "no", "":
			return errNothing
		}
		if err != nil {
			return errNothing
		}
	}
}

var errNothing = errors.New("nothing was changed")

// apply makes the changes. What failed half-way says so: what is done stays done, and a
// second run goes on from there.
func (s *setup) apply() error {
	backups := make(map[string]*string)
	for i, c := range s.changes() {
		backup, err := c.Apply(time.Now())
		switch {
		case err != nil && i == 0:
			return fmt.Errorf("%w: nothing was changed", err)
		case err != nil:
			return fmt.Errorf("%w; the files before it are changed: policyctl uninstall undoes that", err)
		}
		if backup != "" {
			backups[c.Path()] = &backup
		}
	}
	if s.json {
		return s.showAll(backups)
	}
	return nil
}

// showAll prints the changes as JSON, with the copies that were kept.
func (s *setup) showAll(backups map[string]*string) error {
	done, notes := []changeJSON{}, []string{}
	for _, st := range s.steps {
		if st.err != nil {
			notes = append(notes, st.what+": "+st.err.Error())
		}
		if st.plan == nil {
			continue
		}
		for _, c := range st.plan.Changes {
			done = append(done, changeJSON{c.Path(), c.Action(), backups[c.Path()], c.Diff()})
		}
		for _, n := range st.plan.Notes {
			notes = append(notes, st.what+": "+n)
		}
	}
	return s.show(done, notes, "")
}
