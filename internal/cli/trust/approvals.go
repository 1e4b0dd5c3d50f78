package trust

import (
	"cmp"
	"errors"
	"fmt"
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
	"github.com/policyctl/policyctl/pkg/world"
)

// NewApprovals returns the command for what a person has approved for longer
// than once.
func NewApprovals(p *console.Process) *cobra.Command {
	return console.Family(&cobra.Command{
		Use:   "approvals",
		Short: "List, revoke and add grants: answers for longer than one call",
		Long: `List, revoke and add grants: answers that you stored for longer than one call, for
a verb in a directory or anywhere. The stage allowlist allows what approvals cover,
unless a rule says ask or deny. The stage permission_deny denies what you have
denied, also under yolo. Agents are denied revoke and trust-verb.`,
	}, newApprovalsList(p), newApprovalsRevoke(p), newTrustVerb(p))
}

// A lister shows what is approved.
type lister struct {
	*console.Process
	json bool
}

func newApprovalsList(p *console.Process) *cobra.Command {
	l := &lister{Process: p}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List what you have approved, and denied, for longer than once",
		Args:  console.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return l.run() },
	}
	cmd.Flags().BoolVar(&l.json, "json", false, "print the approvals as JSON")
	return cmd
}

func (l *lister) run() error {
	place, err := l.Policies()
	if err != nil {
		return err
	}
	entries, err := grant.NewStore(place.State, time.Now).List()
	if err != nil {
		return err
	}
	now := time.Now()
	rows := [][]string{{"EFFECT", "WHAT", "TOOL", "AUDIENCE", "SINCE", "LEFT", "BY"}}
	shown := []listed{}
	for i := range entries {
		e := &entries[i]
		if e.Ended(now) {
			continue
		}
		one := listed{cmp.Or(e.Effect, "allow"), e.Text(), *e}
		shown = append(shown, one)
		rows = append(rows, []string{one.Effect, render.Plain(strings.TrimPrefix(one.Text, "deny ")), e.Tool, e.Audience.String(), e.Created.Format(time.DateOnly), console.Left(e.Until, now), render.Plain(e.By)})
	}
	return l.List(l.json, shown, "nothing is approved or denied for longer than once", rows)
}

// A listed entry is one with its effect and its text.
type listed struct {
	Effect string `json:"effect"`
	Text   string `json:"text"`
	grant.Entry
}

// A revoker takes grants back.
type revoker struct {
	*console.Process
	audience, tool string
}

func newApprovalsRevoke(p *console.Process) *cobra.Command {
	r := &revoker{Process: p}
	cmd := &cobra.Command{
		Use:   "revoke '[deny] VERB in DIRECTORY' | '[deny] VERB anywhere'",
		Short: "Revoke a grant",
		Long: `Revoke a grant, as policyctl approvals list shows it. This revokes every approval
for the verb and the directory, for every session, and for every tool and audience
unless you name one. With deny before it, it revokes the denials instead.`,
		Example: `  policyctl approvals revoke 'deny git push --force in /home/dev/app'
  policyctl approvals revoke 'git commit in /home/dev/app'
  policyctl approvals revoke 'npm run anywhere' --audience team`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return r.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&r.audience, "audience", "", "revoke only what holds for `WHO`: personal, team or public")
	flags.StringVar(&r.tool, "tool", "", "revoke only what holds for the tool `NAME`, as the column TOOL of the list has it")
	console.CompletesWith(cmd, "tool", tables.ToolNames)
	console.Completes(cmd, "audience", "personal", "team", "public")
	return cmd
}

// only returns which grants the flags name.
func (r *revoker) only(cmd *cobra.Command) (func(*grant.Entry) bool, error) {
	var audience policy.Audience
	byAudience, byTool := cmd.Flags().Changed("audience"), cmd.Flags().Changed("tool")
	if byAudience {
		if err := audience.UnmarshalText([]byte(r.audience)); err != nil {
			return nil, console.Usagef("--audience: %v", err)
		}
	}
	if byTool && r.tool == "" {
		return nil, console.Usagef("--tool: the name is missing: policyctl approvals list shows it")
	}
	return func(e *grant.Entry) bool {
		return (!byAudience || e.Audience == audience) && (!byTool || e.Tool == ToolNamed(r.tool))
	}, nil
}

func (r *revoker) run(cmd *cobra.Command, args []string) error {
	p := r.Process
	only, err := r.only(cmd)
	if err != nil {
		return err
	}
	place, err := p.Policies()
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return console.Usagef("what to revoke is missing: write 'VERB in DIRECTORY' or 'VERB anywhere', as policyctl approvals list shows it")
	}
	if strings.HasPrefix(args[0], "req_") {
		return console.Usagef("%s is a request: write policyctl requests revoke %s to take its approval back", args[0], strings.Join(args, " "))
	}
	text, effect := strings.Join(args, " "), ""
	if rest, denial := strings.CutPrefix(text, grant.Denies+" "); denial {
		text, effect = rest, grant.Denies
	}
	verb, dirs, err := approved(p, text, place)
	if err != nil {
		return err
	}
	removed, err := grant.NewStore(place.State, time.Now).Remove(func(e *grant.Entry) bool {
		return e.Effect == effect && e.Verb == verb && slices.Contains(dirs, e.Dir) && (e.Scope == grant.Anywhere) == (e.Dir == "") && only(e)
	})
	switch {
	case err != nil:
		return err
	case len(removed) == 0 && effect != "":
		return errors.New("it is not denied: see policyctl approvals list")
	case len(removed) == 0:
		return errors.New("it is not approved: see policyctl approvals list")
	}
	for i := range removed {
		if _, err := fmt.Fprintf(p.Stdout, "revoked  %s\n", render.Plain(removed[i].Text())); err != nil {
			return err
		}
	}
	Misplaced(p, place, "repeat it")
	return nil
}

// approved reads "VERB in DIRECTORY" or "VERB anywhere", for which the
// directory is "". A directory is meant as it is written too, since what was
// approved there may have become a link or be gone.
func approved(p *console.Process, text string, place layers.Place) (verb string, dirs []string, err error) {
	if verb, ok := strings.CutSuffix(text, " anywhere"); ok && verb != "" && !strings.Contains(verb, " in ") {
		return verb, []string{""}, nil
	}
	verb, dir, ok := strings.Cut(text, " in ")
	if !ok || verb == "" || dir == "" {
		return "", nil, console.Usagef("%q is neither 'VERB in DIRECTORY' nor 'VERB anywhere': policyctl approvals list shows what can be revoked", text)
	}
	written, err := p.Absolute(AtHome(dir, place))
	if err != nil {
		return "", nil, err
	}
	dirs = []string{written}
	if real, ok := world.New(nil).RealPath(written); ok && real != written {
		dirs = append(dirs, real)
	}
	return verb, dirs, nil
}

// AtHome puts the home directory in the place of ~.
func AtHome(dir string, place layers.Place) string {
	if dir == "~" || strings.HasPrefix(dir, "~/") {
		return place.Home + dir[1:]
	}
	return dir
}

// directoryAt returns an absolute directory after every link, because entries
// name no other; ~ is the home directory.
func directoryAt(p *console.Process, dir string, place layers.Place) (string, error) {
	dir, err := p.Absolute(AtHome(dir, place))
	if err != nil {
		return "", err
	}
	real, ok := world.New(nil).RealPath(dir)
	if !ok {
		return "", fmt.Errorf("%s: where it leads is unknown", dir)
	}
	return real, nil
}

// Misplaced warns where hooks of agents look elsewhere.
func Misplaced(p *console.Process, place layers.Place, advice string) {
	if hooks, differs := p.Elsewhere(place); differs && hooks.State != place.State {
		console.Warn(p.Stderr, "warning: ", fmt.Errorf("this applies to policyctl only: agent hooks read %s/%s, so %s without XDG_STATE_HOME and with your own HOME", hooks.State, grant.File, advice))
	}
}
