package main

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/policyctl/policyctl/internal/agents/guard"
	"github.com/policyctl/policyctl/internal/cli"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/world"
)

var update = flag.Bool("update", false, "rewrite the expected outputs in the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"policyctl": isolated, "sign-receipt": signReceipt})
}

// isolated is main with a home directory that the scripts choose.
func isolated() {
	p := process()
	p.Guard = func() (*guard.Guard, error) {
		place := layers.Fixed(os.Getenv("HOME"), "")
		place.Managed = ""
		return &guard.Guard{Place: place, Environ: os.Environ(), World: world.New(os.Environ()), Now: time.Now}, nil
	}
	p.Place = func() (layers.Place, error) {
		place := layers.Chosen(os.Getenv("HOME"), os.Getenv)
		place.Managed = os.Getenv("TEST_MANAGED")
		return place, nil
	}
	os.Exit(cli.Run(context.Background(), p))
}

func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d scripts, %v", len(files), err)
	}
	files = slices.DeleteFunc(files, func(file string) bool { return !*update && !seed.Drawn(file) })
	testscript.Run(t, testscript.Params{
		Files:               files,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", "/home/dev")
			e.Setenv("GORACE", "atexit_sleep_ms=0")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "repeat": repeat,
		},
	})
}

// exits runs a program that must exit with a code:
//
//	exits CODE PROGRAM ARGUMENT…
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var e *exec.ExitError
		if !errors.As(err, &e) {
			ts.Fatalf("%v", err)
		}
		got = e.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// repeat appends a text to a file, so many times:
//
//	repeat FILE COUNT TEXT
func repeat(ts *testscript.TestScript, _ bool, args []string) {
	count, err := strconv.Atoi(args[1])
	ts.Check(err)
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	ts.Check(err)
	_, err = f.WriteString(strings.Repeat(strings.ReplaceAll(args[2], `\n`, "\n"), count))
	ts.Check(err)
	ts.Check(f.Close())
}
