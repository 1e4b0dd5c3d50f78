//go:build linux

// Run tries coding agents as they are published: it installs a client from npm,
// installs policyctl's hook for it, has a stand-in model make calls, and looks
// at what has really happened. It prints a table in Markdown, and exits 1 where
// a cell is not what the agent's row expects. No model and no network is used
// after the clients are there.
//
//	go run ./test/agents/run claude codex
//
// It needs root, npm and namespaces. The agents run as a user without rights,
// in a home directory and a /tmp of their own, and see the loopback alone.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	cache := flag.String("cache", "/var/cache/policyctl-agents", "the `DIRECTORY` that keeps the clients")
	record := flag.String("record", "", "also write what the hooks are sent to this `DIRECTORY`")
	only := flag.String("only", "", "try these `SCENARIOS` alone, by name, with commas between them")
	flag.DurationVar(&patience, "patience", patience, "how long a client may `TAKE` for one run")
	inside := flag.String("inside", "", "for the program itself: the agent of this namespace")
	mcp := flag.Bool("mcp", false, "for the program itself: be the server of tools")
	flag.Parse()
	var err error
	switch {
	case *mcp:
		err = serveTools()
	case *inside != "":
		err = tryInside(*inside, *only)
	default:
		err = tryAll(flag.Args(), *cache, *record, *only)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "run:", err)
		os.Exit(1)
	}
}

// tryAll tries agents one after another and prints the table.
func tryAll(names []string, cache, record, only string) error {
	if len(names) == 0 {
		return fmt.Errorf("name an agent: %s", strings.Join(known(), ", "))
	}
	work, err := os.MkdirTemp("", "agents-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := build(work); err != nil {
		return err
	}
	if record != "" {
		if record, err = filepath.Abs(record); err != nil {
			return err
		}
	}
	var tried []outcome
	for _, name := range names {
		a, ok := lookup(name)
		if !ok {
			return fmt.Errorf("there is no row for %q, only for %s", name, strings.Join(known(), ", "))
		}
		o, err := try(a, cache, work, record, only)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		tried = append(tried, o)
	}
	fmt.Print(table(tried))
	return surprises(tried)
}

// build makes the programs under test, and this one, for the namespace.
func build(work string) error {
	for _, p := range []string{"./cmd/policyctl", "./cmd/policyctl-hook", "./test/agents/run"} {
		cmd := exec.Command("go", "build", "-o", work+"/", p)
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("go build %s, in the root of the repository: %w", p, err)
		}
	}
	return nil
}

// An outcome is what an agent has done.
type outcome struct {
	Name    string
	Version string
	Cells   map[string]string
}

// try installs a client and tries it in namespaces of its own.
func try(a agent, cache, work, record, only string) (outcome, error) {
	o := outcome{Name: a.name}
	clients, err := fetch(a, cache)
	if err != nil {
		return o, err
	}
	o.Version = version(clients.client, a.pkg)
	cmd := exec.Command("unshare", "--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child",
		filepath.Join(work, "run"), "-inside", a.name, "-only", only, "-patience", patience.String())
	cmd.Env = append(os.Environ(), "WORK="+work, "CLIENT="+clients.client, "NODE="+clients.node, "RECORD="+record)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return o, err
	}
	if err := json.Unmarshal(out, &o.Cells); err != nil {
		return o, fmt.Errorf("what the namespace printed: %w", err)
	}
	return o, nil
}

// surprises is an error that names each cell that its row does not expect.
func surprises(tried []outcome) error {
	var found []error
	for _, o := range tried {
		a, _ := lookup(o.Name)
		for _, s := range scenarios() {
			got, tried := o.Cells[s.name]
			if want := a.expects(s); tried && got != want {
				found = append(found, fmt.Errorf("%s, %s: %s, not %s", o.Name, s.name, got, want))
			}
		}
	}
	return errors.Join(found...)
}
