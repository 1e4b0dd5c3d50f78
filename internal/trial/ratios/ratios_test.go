// Package ratios holds what a decision takes against what reading the line
// with the shell's parser alone takes, on lines and scripts as agents send
// them. Ratios of one run say the same on a slow machine.
package ratios_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/support/cputime"
	"github.com/policyctl/policyctl/pkg/policy"
)

const testdata = "../../../testdata/"

// lines returns the lines of agents without scripts.
func lines(t testing.TB) (out []string) {
	data, err := os.ReadFile(testdata + "agent-lines.txt")
	if err != nil {
		t.Fatal(err)
	}
	unescape := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r")
	for line := range strings.Lines(string(data)) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), " · ", 4)
		if strings.HasPrefix(line, "#") || len(parts) != 4 {
			continue
		}
		command, escaped := strings.CutPrefix(parts[3], "$ ")
		if escaped {
			command = unescape.Replace(command)
		}
		out = append(out, command)
	}
	return out
}

// scripts returns the lines of agents that carry one: each file holds them
// behind lines "==== NAME".
func scripts(t testing.TB) (out []string) {
	files, err := filepath.Glob(testdata + "agent-scripts/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for part := range strings.SplitSeq("\n"+string(data), "\n==== ") {
			if _, text, ok := strings.Cut(part, "\n"); ok {
				out = append(out, strings.TrimSuffix(text, "\n"))
			}
		}
	}
	return out
}

func engine(t testing.TB) *policy.Engine {
	e, err := policy.New(policy.Defaults(), policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func call(command string) *policy.Call {
	c := policy.Shell(command, "/home/dev/project")
	c.Home = "/home/dev"
	return c
}

// What agents write in a working day is denied by nobody.
func TestHarmless(t *testing.T) {
	e := engine(t)
	all := scripts(t)
	if len(all) < 500 {
		t.Errorf("only %d scripts", len(all))
	}
	for _, command := range all {
		v, err := e.Decide(context.Background(), nil, call(command))
		if err != nil || v.Decision == policy.Deny {
			t.Errorf("%v by %s %s: %s (%v)\n%s", v.Decision, v.Stage, v.Rule, v.Why, err, command)
		}
	}
}

// times are what two ways to look at a line take, at the best.
type times struct{ parse, decide time.Duration }

func measure(t *testing.T, e *policy.Engine, command string) times {
	const rounds = 7
	best, made := times{time.Hour, time.Hour}, call(command)
	for range rounds {
		start := time.Now()
		_, _ = syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
		parsed := time.Now()
		if _, err := e.Decide(context.Background(), nil, made); err != nil {
			t.Fatal(err)
		}
		best = times{min(best.parse, parsed.Sub(start)), min(best.decide, time.Since(parsed))}
	}
	return best
}

// A bound is what the ratios of a sample must not pass: several times what they
// are, so that noise does not reach it and another algorithm does.
type bound struct{ p50, p99 float64 }

// TestRatios prints the table of docs/performance.md.
func TestRatios(t *testing.T) {
	if cputime.Slower > 1 {
		t.Skip("the race detector slows one more than the other")
	}
	e := engine(t)
	plain, carrying := lines(t), scripts(t)
	for _, sample := range []struct {
		name     string
		commands []string
		bound    bound
	}{
		{"lines", plain, bound{15, 30}},
		{"scripts", carrying, bound{15, 30}},
		{"all", slices.Concat(plain, carrying), bound{15, 30}},
	} {
		var parse, decide []time.Duration
		for _, command := range sample.commands {
			took := measure(t, e, command)
			parse, decide = append(parse, took.parse), append(decide, took.decide)
			if len(command) <= 8<<10 && took.decide > 20*time.Millisecond {
				t.Errorf("%v for %.80q…", took.decide, command)
			}
		}
		slices.Sort(parse)
		slices.Sort(decide)
		n := len(parse)
		row := func(at int) string {
			return fmt.Sprintf("%8.1f %9.1f %6.1f", micros(parse[at]), micros(decide[at]), float64(decide[at])/float64(parse[at]))
		}
		t.Logf("%s (%d): parse µs, decide µs, ratio\np50  %s\np99  %s\nmax  %s\nallocations of a decision: %d",
			sample.name, n, row(n/2), row(n*99/100), row(n-1), allocations(e, sample.commands))
		for _, b := range []struct {
			at   int
			most float64
		}{{n / 2, sample.bound.p50}, {n * 99 / 100, sample.bound.p99}} {
			if got := float64(decide[b.at]) / float64(parse[b.at]); got > b.most {
				t.Errorf("%s: a decision takes %.1f times what its parser does, at most %.0f is expected", sample.name, got, b.most)
			}
		}
	}
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// allocations returns the mean of a decision.
func allocations(e *policy.Engine, commands []string) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, command := range commands {
		_, _ = e.Decide(context.Background(), nil, call(command))
	}
	runtime.ReadMemStats(&after)
	return (after.Mallocs - before.Mallocs) / uint64(len(commands))
}
