package settings

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/agents/install"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/decisions"
	"github.com/policyctl/policyctl/internal/cli/serve"
	"github.com/policyctl/policyctl/internal/render"
)

// agentRow is how an agent is guarded, as JSON.
type agentRow struct {
	Agent   string  `json:"agent"`
	Version *string `json:"version"`
	// Guarded is managed where the hook runs however the agent is started, user where the
	// user can leave it out, and no where the agent asks nobody.
	Guarded string `json:"guarded"`
	// Since is the first call on record, or else when the settings were changed last, and
	// LastCall the last call on record.
	Since    *time.Time `json:"since"`
	LastCall *time.Time `json:"last_call"`
	// Problems are what keeps the hook from guarding, and LeftOutBy the ways to start the
	// agent without it.
	Problems  []string `json:"problems"`
	LeftOutBy []string `json:"left_out_by"`

	title string
}

// agentsTime bounds how long all agents may take to say their versions.
const agentsTime = 15 * time.Second

// agents adds the agents of the machine, and how each is guarded.
func (o *statusJSON) agents(p *console.Process) error {
	dir, err := p.Getwd()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), agentsTime)
	defer cancel()
	place := install.Place{Home: p.Getenv("HOME"), Dir: dir, Getenv: p.Getenv, IsRoot: os.Geteuid() == 0}
	found := install.Found(place, exec.LookPath)
	states := make([]install.State, len(found))
	var wg sync.WaitGroup
	for i, a := range found {
		wg.Go(func() {
			states[i] = install.StateOf(ctx, a, place, install.Host{Run: install.Shell, Version: install.Version})
		})
	}
	wg.Wait()
	first, last := calls(ctx, p)
	o.Agents = make([]agentRow, len(states))
	for i := range states {
		o.Agents[i] = rowOf(&states[i], first, last)
	}
	return nil
}

// rowOf returns the row of an agent.
func rowOf(s *install.State, first, last map[string]time.Time) agentRow {
	row := agentRow{
		Agent: s.Name, title: s.Title, Version: console.OrNull(s.Version), Guarded: "no",
		Problems: append([]string{}, s.Problems...), LeftOutBy: append([]string{}, s.Drops...),
	}
	if len(s.Scopes) == 0 {
		return row
	}
	row.Guarded = "user"
	if s.Held {
		row.Guarded = "managed"
	}
	since := s.Changed
	if at, ok := first[s.Name]; ok && at.Before(since) {
		since = at
	}
	row.Since = &since
	if at, ok := last[s.Name]; ok {
		row.LastCall = &at
	}
	return row
}

// calls returns when each agent made its first and its last call that is on record;
// those of doctor are none. What cannot be read is none either: log says why.
func calls(ctx context.Context, p *console.Process) (first, last map[string]time.Time) {
	first, last = make(map[string]time.Time), make(map[string]time.Time)
	log, err := decisions.Open(ctx, p, &serve.Database{})
	if err != nil {
		return first, last
	}
	defer log.Close()
	list, err := log.Newest(ctx, decisions.Query{})
	if err != nil {
		return first, last
	}
	for _, r := range list { // the newest first
		if install.IsTrial(r.Session) {
			continue
		}
		at := decisions.At(r)
		if _, known := last[r.Agent]; !known {
			last[r.Agent] = at
		}
		first[r.Agent] = at
	}
	return first, last
}

// showAgents writes how each agent is guarded, and what could still slip by.
func (o *statusJSON) showAgents(page *render.Page) {
	page.Heading("Agents")
	if len(o.Agents) == 0 {
		page.Block("none was found that policyctl can guard")
		return
	}
	rows := [][]string{{"AGENT", "VERSION", "GUARDED", "SINCE", "LAST CALL"}}
	var slips []string
	for _, a := range o.Agents {
		version := "-"
		if a.Version != nil {
			version = *a.Version
		}
		rows = append(rows, []string{a.title, version, guarded(a.Guarded), day(a.Since), day(a.LastCall)})
		for _, problem := range a.Problems {
			slips = append(slips, a.title+": "+problem)
		}
		switch {
		case a.Guarded == "no":
			slips = append(slips, a.title+" asks nobody: policyctl install "+a.Agent)
		case len(a.LeftOutBy) > 0:
			slips = append(slips, a.title+" can be started without the hook: "+strings.Join(a.LeftOutBy, ", "))
		}
	}
	page.Table(rows)
	section(page, "What could slip by", slips)
}

func guarded(how string) string {
	switch how {
	case "managed":
		return "yes"
	case "user":
		return "unless the user leaves it out"
	}
	return "no"
}

// day writes a time to the minute, "-" for none.
func day(at *time.Time) string {
	if at == nil {
		return "-"
	}
	return at.Local().Format("2006-01-02 15:04")
}
