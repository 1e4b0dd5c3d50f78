// Command policyctl answers, before a coding agent's tool call runs, whether
// it is allowed, must be asked about, or is denied, and says why:
//
//	policyctl eval 'git status && rm -rf ~'
//
// It runs nothing of what it judges and changes no file. See policyctl help.
package main

import (
	"context"
	"os"

	"github.com/policyctl/policyctl/internal/cli"
)

func main() {
	os.Exit(cli.Run(context.Background(), cli.Process{
		Args:   os.Args[1:],
		Stdin:  os.Stdin,
		Stdout: os.Stdout,
		Stderr: os.Stderr,
		Getenv: os.Getenv,
		Getwd:  os.Getwd,
	}))
}
