package settings

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/agents/state"
	"github.com/policyctl/policyctl/internal/cli/bundle"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/bundles"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/machine/spool"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/internal/support/rendezvous"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A stater shows what applies and what is broken.
type stater struct {
	*console.Process
	dir  string
	json bool
}

// NewStatus returns the command status.
func NewStatus(p *console.Process) *cobra.Command {
	s := &stater{Process: p}
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show which policies apply here, how each agent is guarded, and what is broken",
		Long: `Show which policies apply here, which of their settings have no effect, which
variables assign keys, the state of the bundles, and what is broken, such as a
channel that is down. Of each agent on this machine, show its version, whether it
asks policyctl, since when, its last call, and what could slip by. status asks the
servers of bundles for updates, the agents for their versions, and the approval
service of this machine for its channels. Exits 1 if something is broken.`,
		Args: console.NoArgs,
		RunE: func(*cobra.Command, []string) error { return s.run() },
	}
	cmd.Flags().BoolVar(&s.json, "json", false, "print the status as JSON")
	console.Directory(cmd, &s.dir)
	return cmd
}

// statusJSON is the status as JSON.
type statusJSON struct {
	Valid    bool         `json:"valid"`
	Observes bool         `json:"observes"`
	Revision *string      `json:"revision"`
	Files    []fileRow    `json:"files"`
	Problems []problemRow `json:"problems"`
	Bundles  []bundle.Row `json:"bundles"`
	// Agents are those of the machine.
	Agents    []agentRow `json:"agents"`
	Variables []string   `json:"variables"`
	// Waiting is how many decisions wait to be recorded in an audit log.
	Waiting int `json:"waiting"`
	// Broken are further things that a person must see to, and Warnings what
	// may surprise.
	Broken   []string `json:"broken"`
	Warnings []string `json:"warnings"`
}

func (s *stater) run() error {
	place, dir, err := s.PoliciesIn(s.dir)
	if err != nil {
		return err
	}
	out, err := s.look(place, dir)
	if err != nil {
		return err
	}
	if s.json {
		err = render.JSON(s.Stdout, out)
	} else {
		err = s.show(out)
	}
	if err == nil && (!out.Valid || len(out.Broken) > 0) {
		return console.Exit(console.ExitFailure)
	}
	return err
}

func (s *stater) look(place layers.Place, dir string) (*statusJSON, error) {
	more, stray := s.Variables()
	client := bundles.New(bundles.Fetching, place.State, place.Home)
	defer client.Close() // which follows nothing
	place.Bundler = client
	l := layers.Load(place, dir, more...)
	if _, err := l.Engine(nil); err != nil {
		return nil, err
	}
	var found checkJSON
	found.errors(l.Err)
	found.problems(l.Warnings)
	found.held(l.Held())
	out := &statusJSON{
		Valid: l.Err == nil, Observes: l.Settings.Mode == policy.Observe, Revision: console.OrNull(l.Revision), Files: fileRows(l.Sources),
		Problems: append([]problemRow{}, found.Problems...), Variables: []string{}, Broken: []string{}, Warnings: []string{},
	}
	out.bundles(client)
	for _, f := range more {
		out.Variables = append(out.Variables, f.Name)
	}
	for _, name := range stray {
		out.Warnings = append(out.Warnings, console.Straying(name))
	}
	if hooks, differs := s.Elsewhere(place); differs {
		out.Warnings = append(out.Warnings, Differing(hooks, place))
	}
	if l.TrustErr != nil {
		out.Broken = append(out.Broken, l.TrustErr.Error())
	}
	out.record(place.State)
	out.aside(place.State)
	out.approvals(place.State)
	out.channels(place.State)
	return out, out.agents(s.Process)
}

// bundles adds the bundles, and what of them a person must see to.
func (o *statusJSON) bundles(c *bundles.Client) {
	o.Bundles = bundle.Rows(c, time.Now())
	for i := range o.Bundles {
		b := &o.Bundles[i]
		if old := b.Old(); old != "" {
			o.Warnings = append(o.Warnings, old+": "+bundle.KeepCurrent)
		}
		switch {
		case b.Broken():
			o.Broken = append(o.Broken, "the bundle "+b.Name+" allows nothing: see bundles and problems")
		case b.Error != nil:
			o.Broken = append(o.Broken, "bundle "+b.Name+": the last attempt failed: "+*b.Error)
		}
	}
}

// record adds what is missing in the record of decisions.
func (o *statusJSON) record(dir string) {
	s := spool.Verdicts(dir)
	if missing := s.Missing(); missing != "" {
		o.Warnings = append(o.Warnings, "the record of decisions has gaps: "+missing)
	}
	if n, err := s.Waiting(); err != nil {
		o.Broken = append(o.Broken, "the record of decisions cannot be read: "+err.Error())
	} else {
		o.Waiting = n
	}
}

// aside adds the sessions that could not be read.
func (o *statusJSON) aside(dir string) {
	files, err := state.New(dir, time.Now).Aside()
	for _, name := range files {
		o.Broken = append(o.Broken, name+": a session that could not be read, so that its loops were forgotten: look at it, then remove it")
	}
	if err != nil {
		o.Broken = append(o.Broken, "the sessions cannot be read: "+err.Error())
	}
}

// approvals adds the stored approvals that cannot be used.
func (o *statusJSON) approvals(dir string) {
	store := grant.NewStore(dir, time.Now)
	if _, err := store.List(); err != nil {
		var aside *grant.AsideError
		if !errors.As(err, &aside) {
			o.Broken = append(o.Broken, err.Error()+": no stored approval counts")
		}
	}
	files, err := store.Aside()
	for _, name := range files {
		o.Broken = append(o.Broken, name+": stored approvals that could not be used, and are no longer applied: look at them, then remove the file and approve again")
	}
	if err != nil {
		o.Broken = append(o.Broken, "the stored approvals cannot be read: "+err.Error())
	}
}

// channelsTime is how long the service of this machine may take to say how its channels
// fare.
const channelsTime = 2 * time.Second

// channels adds what is wrong with the channels of the service of this machine, if it
// runs.
func (o *statusJSON) channels(dir string) {
	service, found, err := rendezvous.Read(dir)
	if err != nil || !found {
		return
	}
	client, err := approval.NewClient(service.Address(), "")
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), channelsTime)
	defer cancel()
	var list struct {
		Channels []struct{ Name, Down string } `json:"channels"`
		Problems []string                      `json:"problems"`
	}
	if client.Do(ctx, http.MethodGet, "/v1/channels", nil, &list) != nil {
		return // policyctl serve health says why
	}
	o.Broken = append(o.Broken, list.Problems...)
	for _, c := range list.Channels {
		if c.Down != "" {
			o.Broken = append(o.Broken, "the channel "+c.Name+" is down: "+c.Down)
		}
	}
}

// Differing says what hooks do otherwise.
func Differing(hooks, place layers.Place) string {
	switch place.Config {
	case hooks.Config:
		return fmt.Sprintf("hooks of agents keep their state in %s, not in %s: they heed neither HOME nor XDG_STATE_HOME", hooks.State, place.State)
	case hooks.Shadow:
		return fmt.Sprintf("agent hooks apply %s only as far as it tightens: in full, they apply %s", place.UserFile(), hooks.UserFile())
	}
	return fmt.Sprintf("hooks of agents do not read %s: they apply %s, because they do not heed HOME", place.UserFile(), hooks.UserFile())
}

func (s *stater) show(o *statusJSON) error {
	page := s.Page()
	page.Table(o.summary())
	page.Heading("Files")
	if len(o.Files) == 0 {
		page.Block("none: policyctl init writes one")
	} else {
		page.Table(fileTable(o.Files))
	}
	if len(o.Bundles) > 0 {
		page.Heading("Bundles")
		page.Table(bundle.Table(o.Bundles))
	}
	o.showAgents(page)
	var problems, held []string
	for i := range o.Problems {
		if p := &o.Problems[i]; p.Level == "note" {
			held = append(held, p.String())
		} else {
			problems = append(problems, p.String())
		}
	}
	section(page, "Problems", problems)
	section(page, "Held back", held)
	section(page, "Broken", o.Broken)
	section(page, "Warnings", o.Warnings)
	return page.Close()
}

func (o *statusJSON) summary() [][]string {
	policy, revision, variables := "valid", "-", "none assigns a key"
	if o.Revision != nil {
		revision = (*o.Revision)[:12]
	}
	switch {
	case o.Valid:
	case o.Revision != nil:
		policy = "invalid: what its other layers deny stays denied and everything else asks"
	default:
		policy = "invalid: only the floor denies and everything else asks"
	}
	if len(o.Variables) > 0 {
		variables = strings.Join(o.Variables, ", ") + "; for hooks only what tightens counts"
	}
	if o.Observes {
		policy += ", and only observes: policyctl observe report says what it would do"
	}
	rows := [][]string{console.Labelled("policy", policy), console.Labelled("revision", revision), console.Labelled("variables", variables)}
	if o.Waiting > 0 {
		rows = append(rows, console.Labelled("record", waiting(o.Waiting)+" for policyctl serve, or for policyctl ship; policyctl log shows what was decided"))
	}
	return rows
}

func waiting(n int) string {
	if n == 1 {
		return "1 decision waits"
	}
	return fmt.Sprintf("%d decisions wait", n)
}

// section writes lines below a heading, if there are any.
func section(page *render.Page, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	page.Heading(title)
	for _, line := range lines {
		page.Text(line)
	}
}
