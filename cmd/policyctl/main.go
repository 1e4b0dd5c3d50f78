// Command policyctl answers, before a coding agent's tool call runs, whether
// it is allowed, must be asked about, or is denied, and says why:
//
//	policyctl eval 'git status && rm -rf ~'
//
// It runs nothing of what it judges. See policyctl help.
package main

import (
	"context"
	"os"
	_ "time/tzdata" // rules name time zones, which not every machine has

	"github.com/policyctl/policyctl/internal/agents/guard"
	"github.com/policyctl/policyctl/internal/cli"
	"github.com/policyctl/policyctl/internal/cli/console"
)

func main() { os.Exit(cli.Run(context.Background(), process())) }

func process() console.Process {
	return console.Process{
		Args:    os.Args[1:],
		Stdin:   os.Stdin,
		Stdout:  os.Stdout,
		Stderr:  os.Stderr,
		Getenv:  os.Getenv,
		Getwd:   os.Getwd,
		Environ: os.Environ,
		Guard:   guard.New,
	}
}
