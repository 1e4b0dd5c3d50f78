// Policyctl-hook answers the hooks of coding agents. It is what
// "policyctl install" registers: the part of policyctl that an agent starts
// for every call, and nothing else.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	_ "time/tzdata" // rules name time zones, which not every machine has

	"github.com/policyctl/policyctl/internal/guard"
	"github.com/policyctl/policyctl/internal/hook"
)

func main() { os.Exit(run(os.Args[1:])) }

// run answers one event. Whatever is wrong refuses the call: agents read exit
// code 2 with a reason on standard error as no.
func run(args []string) int {
	signal.Ignore(syscall.SIGPIPE)
	agent, err := parse(args)
	if err != nil {
		fmt.Fprintln(os.Stderr, "policyctl-hook: "+err.Error())
		return 2
	}
	g, err := guard.New()
	if err != nil {
		fmt.Fprintln(os.Stderr, "policyctl-hook: "+err.Error())
		return 2
	}
	if g.Place.MentionsBundles() {
		// What bundles need is not linked here. Where policyctl cannot be
		// started, the policy does not apply, and says why.
		handOver(agent.Name)
	}
	return hook.Run(context.Background(), agent, hook.Host{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Decide: g.Decide,
	})
}

// handOver becomes the policyctl beside this program; it returns where that
// cannot be started.
func handOver(agent string) {
	self, err := os.Executable()
	if err != nil {
		return
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return
	}
	tool := filepath.Join(filepath.Dir(self), "policyctl"+filepath.Ext(self))
	_ = syscall.Exec(tool, []string{tool, "hook", agent}, os.Environ())
}

func parse(args []string) (*hook.Agent, error) {
	names := strings.Join(hook.Names(), ", ")
	if len(args) != 1 {
		return nil, fmt.Errorf("name one agent whose event is on standard input: %s", names)
	}
	agent, ok := hook.Lookup(args[0])
	if !ok {
		return nil, fmt.Errorf("no agent is called %q: one of %s", args[0], names)
	}
	return agent, nil
}
