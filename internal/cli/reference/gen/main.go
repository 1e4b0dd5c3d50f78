// Command gen writes the pages of the reference; go generate runs it:
//
//	go run ./gen CHAIN FOLDER AGENTS
//
// CHAIN is the source file of the chain, and AGENTS the page about agents, in which a
// table is written anew. It removes no page.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/policyctl/policyctl/internal/cli/reference"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "gen: %v\n", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return errors.New("wrong arguments: write go run ./gen CHAIN FOLDER AGENTS")
	}
	chain, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	pages, err := reference.Pages(string(chain))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(args[1], 0o755); err != nil {
		return err
	}
	for _, p := range pages {
		if err := os.WriteFile(filepath.Join(args[1], p.Name), []byte(p.Text), 0o644); err != nil {
			return err
		}
	}
	agents, err := os.ReadFile(args[2])
	if err != nil {
		return err
	}
	page, err := reference.Agents(string(agents))
	if err != nil {
		return err
	}
	return os.WriteFile(args[2], []byte(page), 0o644)
}
