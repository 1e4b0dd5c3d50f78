package agents

import (
	"context"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/agents/guard"
	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/agents/lifeline"
	"github.com/policyctl/policyctl/internal/agents/referral"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/bundles"
	"github.com/policyctl/policyctl/internal/machine/forms"
)

// A hookEvent is one event of an agent.
type hookEvent struct {
	*console.Process
	agent *hook.Agent
	wait  time.Duration
	// decided says that policyctl-hook has decided the event, and hands it over
	// because its answer is ask.
	decided bool
}

// NewHook returns the command hook.
func NewHook(p *console.Process) *cobra.Command {
	h := &hookEvent{Process: p}
	cmd := &cobra.Command{
		Use:   "hook AGENT",
		Short: "Answer one event of an agent's hook",
		Long: `Read one event of an agent's hook from the standard input and print the answer
in the agent's own form: ` + strings.Join(hook.Names(), ", ") + `. "policyctl install"
registers this command if the smaller policyctl-hook is not beside policyctl.

If the policy answers ask and the agent cannot ask, the hook asks the approval
service, if one runs or the policy names one, and waits for the answer.

Any failure denies the call. The environment only tightens the policy, and the
home directory comes from the user database.`,
		Example:   `  policyctl hook claude < event.json`,
		ValidArgs: hook.Names(),
		Args:      exactlyOneAgent,
		RunE: func(cmd *cobra.Command, args []string) error {
			return h.run(cmd.Context(), args[0], cmd.Flags().Changed("wait"))
		},
	}
	flags := cmd.Flags()
	flags.DurationVar(&h.wait, "wait", 0, "how long to wait for a decision: `DURATION`, more than 5s shorter than the agent waits (default 20s)")
	flags.BoolVar(&h.decided, "decided", false, "the event was decided by policyctl-hook")
	_ = flags.MarkHidden("decided") // an error means that there is no such flag
	return cmd
}

func (h *hookEvent) run(ctx context.Context, name string, waits bool) error {
	var ok bool
	if h.agent, ok = hook.Lookup(name); !ok {
		return console.Unknown("agent", name, hook.Names(), "one of "+strings.Join(hook.Names(), ", "))
	}
	if err := hook.CheckWait(h.wait); waits && err != nil {
		return console.Usagef("--wait %s: %v", h.wait, err)
	}
	stdout, _ := h.Stdout.(*os.File)
	ctx, stop := lifeline.Watch(ctx, stdout)
	defer stop()
	g, err := h.Guard()
	if err != nil {
		return console.Usagef("%v", err) // agents read it as no
	}
	store := forms.New(g.Place.Managed, g.Place.State)
	client := bundles.New(bundles.Offline, g.Place.State, g.Place.Home)
	client.KeepForms(store)
	g.Place.Bundler, g.Place.Forms = client, store
	code := hook.Run(ctx, h.agent, h.host(g))
	settle(h.Stderr, g)
	return console.Exit(code)
}

// settling bounds how long a hook that has answered waits for the disk.
const settling = 2 * time.Second

// settle says what the decision log lost. The answer stands.
func settle(stderr io.Writer, g *guard.Guard) {
	ctx, cancel := context.WithTimeout(context.Background(), settling)
	defer cancel()
	if err := g.Settle(ctx); err != nil {
		console.Warn(stderr, "warning: ", err)
	}
}

func (h *hookEvent) host(g *guard.Guard) hook.Host {
	clerk := &referral.Clerk{Guard: g, Now: g.Now}
	host := hook.Host{
		Stdin: h.Stdin, Stdout: guard.Output(h.Stdout), Stderr: h.Stderr, Getenv: h.Getenv, Wait: h.wait,
		Decide: g.Decide, Told: g.Told,
		Refer: func(ctx context.Context, in hook.Ask) (hook.Outcome, error) {
			lifeline.Wait(ctx)
			return clerk.Refer(ctx, in)
		},
	}
	if h.decided {
		host.Decide = g.Review
	}
	return host
}

func exactlyOneAgent(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return console.Usagef("name one agent: %s", strings.Join(hook.Names(), ", "))
	}
	return nil
}
