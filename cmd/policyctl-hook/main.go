// Policyctl-hook answers the hooks of coding agents. It is what
// "policyctl install" registers: the part of policyctl that an agent starts
// for every call, and nothing else.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // rules name time zones, which not every machine has

	"github.com/policyctl/policyctl/internal/agents/guard"
	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/agents/lifeline"
	"github.com/policyctl/policyctl/internal/machine/forms"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/support/release"
)

func main() {
	// One event ends before a collection of garbage would pay.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(memory)
	os.Exit(run(os.Args[1:]))
}

// usage is for people: agents start the hook as install has registered it.
const usage = `usage: policyctl-hook AGENT [--wait DURATION]

Answer one event of a coding agent, on the standard input, in the agent's own
form. "policyctl install" registers this command in the settings of an agent.

Agents:
%s

  --wait DURATION   how long to wait for an approval, such as 580s
  --version         print the version

See "policyctl help hook" and "policyctl help install".
`

// listed writes names in lines for a terminal.
func listed(names []string) string {
	const perLine = 6
	var lines []string
	for few := range slices.Chunk(names, perLine) {
		lines = append(lines, "  "+strings.Join(few, " "))
	}
	return strings.Join(lines, "\n")
}

// memory is where garbage is collected after all.
const memory = 128 << 20

// run answers one event. Whatever is wrong refuses the call: agents read exit
// code 2 with a reason on standard error as no.
func run(args []string) int {
	if len(args) == 1 && (args[0] == "--version" || args[0] == "version") {
		fmt.Println("policyctl-hook " + release.Of())
		return 0
	}
	if len(args) == 1 && slices.Contains([]string{"--help", "-h", "help"}, args[0]) {
		fmt.Printf(usage, listed(hook.Names()))
		return 0
	}
	ctx, stop := lifeline.Watch(context.Background(), os.Stdout) // first: nothing ends the hook without an answer
	defer stop()
	agent, wait, err := parse(args)
	if err != nil {
		fmt.Fprintln(os.Stderr, "policyctl-hook: "+err.Error())
		return 2
	}
	g, err := guard.New()
	if err != nil {
		fmt.Fprintln(os.Stderr, "policyctl-hook: "+err.Error())
		return 2
	}
	if !formed(g) {
		// What bundles need is not linked here. Where policyctl cannot be
		// started, the policy does not apply, and says why.
		handOver(agent.Name, wait)
		g.Place.Bundler = nil
	}
	r := &relay{agent: agent.Name, guard: g}
	code := hook.Run(ctx, agent, hook.Host{
		Stdin: os.Stdin, Stdout: guard.Output(os.Stdout), Stderr: os.Stderr, Getenv: os.Getenv, Wait: wait,
		Decide: g.Decide, Refer: r.refer, Told: g.Told,
	})
	settle(g)
	return code
}

// settling bounds how long a hook that has answered waits for the disk.
const settling = 2 * time.Second

// settle says what the decision log lost. The answer stands.
func settle(g *guard.Guard) {
	ctx, cancel := context.WithTimeout(context.Background(), settling)
	defer cancel()
	if err := g.Settle(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "policyctl-hook: "+err.Error())
	}
}

// formed has a guard read forms, and reports whether it can decide by them
// whatever the policy subscribes to.
func formed(g *guard.Guard) bool {
	store := forms.New(g.Place.Managed, g.Place.State)
	g.Place.Forms = store
	if !g.Place.MentionsBundles() {
		return true
	}
	client := forms.NewClient(store, g.Place.State, g.Place.Home)
	place := g.Place
	place.Bundler = client.Peek()
	layers.Load(place, "")
	g.Place.Bundler = client
	return !client.Missing()
}

func parse(args []string) (*hook.Agent, time.Duration, error) {
	names := strings.Join(hook.Names(), ", ")
	var wait time.Duration
	if len(args) == 3 && args[1] == "--wait" {
		var err error
		if wait, err = time.ParseDuration(args[2]); err != nil {
			return nil, 0, fmt.Errorf("--wait %q is not a duration such as 580s", args[2])
		}
		if err := hook.CheckWait(wait); err != nil {
			return nil, 0, fmt.Errorf("--wait %s: %w", args[2], err)
		}
		args = args[:1]
	}
	if len(args) != 1 {
		return nil, 0, errors.New("name one agent whose event is on standard input: " + names)
	}
	agent, ok := hook.Lookup(args[0])
	if !ok {
		return nil, 0, fmt.Errorf("no agent is called %q: one of %s", args[0], names)
	}
	return agent, wait, nil
}
