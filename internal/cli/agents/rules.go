package agents

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/policyctl/policyctl/internal/agents/install"
	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/internal/authoring/foreign"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A bypass is a mode of an agent that asks nobody, and the step that could take it over.
type bypass struct {
	agent *install.Agent
	mode  string
	step  int
	file  string
}

// takeOver plans files of the person's policy with what the agents' own settings say.
func (s *setup) takeOver(agents []*install.Agent) error {
	place, err := s.Policies()
	if err != nil {
		return err
	}
	for _, a := range agents {
		sources := foreign.FoundOf(a.Name, s.Getenv("HOME"), "")
		if len(sources) == 0 {
			continue
		}
		what, file := a.Title+"'s rules", filepath.Join(place.More(), a.Name+".yaml")
		old, err := os.ReadFile(file)
		if !errors.Is(err, fs.ErrNotExist) && !draft.Unedited(old) {
			s.add(what, "stay as you have edited them: "+file, nil, nil)
			continue
		}
		p, notes, err := foreign.Read(withBypass(sources, draft.HasYolo(old))...)
		if errors.Is(err, draft.ErrNothing) || err == nil && p.Empty() {
			continue
		}
		plan := &install.Plan{}
		if err == nil {
			err = s.write(place, plan, file, p)
		}
		switch {
		case err != nil:
			s.add(what, "cannot be taken over", nil, err)
			continue
		case len(plan.Changes) == 0:
			s.add(what, "hold for every agent already: "+counts(p), nil, nil)
			continue
		}
		if n := changed(notes); n > 0 {
			note := fmt.Sprintf("not all of it has the same meaning here: policyctl import %s says what is stricter or left out (%d)", a.Name, n)
			plan.Notes = append(plan.Notes, note)
		}
		if p.Bypass != "" && !p.Yolo {
			plan.Notes = append(plan.Notes, a.Title+" asks nothing ("+p.Bypass+"); policyctl asks all the same, unless you choose yolo")
			s.bypass = append(s.bypass, bypass{a, p.Bypass, len(s.steps), file})
		}
		s.add(what, "hold for every agent: "+counts(p), plan, nil)
	}
	return nil
}

// withBypass says whether a mode that asks nobody is taken over.
func withBypass(sources []foreign.Source, yes bool) []foreign.Source {
	for i := range sources {
		sources[i].Bypass = yes
	}
	return sources
}

// write plans a file of the person's policy. One with which the policy would be invalid is
// never written, since nothing would be allowed until somebody had removed it.
func (s *setup) write(place layers.Place, plan *install.Plan, file string, p *draft.Policy) error {
	texts := maps.Clone(s.texts)
	texts[file] = draft.Marked(p.Beside())
	if err := place.Would(texts); err != nil {
		return err
	}
	s.texts = texts
	return plan.Write(file, string(texts[file]))
}

// changed returns how many entries become something else than they were.
func changed(notes []draft.Note) (n int) {
	for _, note := range notes {
		if !strings.HasPrefix(note.Entry, "all rules of ") && !strings.HasPrefix(note.Entry, "calls that ") {
			n++
		}
	}
	return n
}

// counts says how much a policy denies, asks about and allows.
func counts(p *draft.Policy) string {
	var list []string
	for _, kind := range []struct {
		action policy.Decision
		noun   string
	}{{policy.Deny, "denial"}, {policy.Ask, "ask"}, {policy.Allow, "permission"}} {
		n := 0
		for _, permission := range p.Permissions {
			if permission.Action == kind.action {
				n++
			}
		}
		if n > 0 {
			list = append(list, console.Count(n, kind.noun))
		}
	}
	if len(p.Rules) > 0 {
		list = append(list, console.Count(len(p.Rules), "rule"))
	}
	if p.Edits != "" {
		list = append(list, "edits in the project")
	}
	if len(list) == 0 {
		return "how tools are treated"
	}
	return strings.Join(list, ", ")
}

// askBypass asks whether a mode of an agent that asks nobody is to be policyctl's too.
func (s *setup) askBypass(in *bufio.Reader) error {
	place, err := s.Policies()
	if err != nil {
		return err
	}
	for _, b := range s.bypass {
		fmt.Fprintf(s.Stderr, "%s asks nothing (%s). Shall policyctl ask nothing either, of any agent, and only deny? [y]es, [N]o: ", b.agent.Title, b.mode)
		answer, err := in.ReadString('\n')
		if a := strings.ToLower(strings.TrimSpace(answer)); err != nil || a != "y" && a != "yes" {
			continue
		}
		p, _, err := foreign.Read(withBypass(foreign.FoundOf(b.agent.Name, s.Getenv("HOME"), ""), true)...)
		if err != nil {
			return err
		}
		plan := &install.Plan{}
		if err := s.write(place, plan, b.file, p); err != nil {
			return err
		}
		s.steps[b.step].plan = plan
	}
	return nil
}
