//go:build linux

// Package kernel holds the test that runs what is proved to only read and lets
// the kernel judge it.
//
// Lines come from the examples of the table, from the corpus of lines that
// agents run, and from a sampler that draws programs, options and operands of
// the table at random. Lines that the engine proves run under strace in
// namespaces of their own, without rights and without a network; a system call
// that writes, signals, connects, or runs what the line does not name fails
// the test. The package does not judge what a line reads, nor programs that
// are not installed.
package kernel_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/readonly"
)

// sampled is how many random lines run where LINES is not set.
const sampled = 300

// TestExamples runs the examples of the table.
func TestExamples(t *testing.T) {
	need(t)
	var lines []string
	for _, e := range readonly.Programs() {
		lines = append(lines, examples(e)...)
	}
	run(t, lines)
}

// examples returns the proved examples of an entry and those below it.
func examples(e *program.Program) []string {
	lines := e.Reads.Proved
	for _, s := range program.Readers(e.Subs) {
		lines = append(lines, examples(s)...)
	}
	return lines
}

// TestAgentLines runs the lines of a working day, and those that look around.
func TestAgentLines(t *testing.T) {
	seed.Slow(t)
	need(t)
	run(t, append(corpus(t, "../../../testdata/agent-lines.txt"), corpus(t, "../../../testdata/looks.txt")...))
}

// TestHelp runs NAME --help and NAME --version for every program that the
// shell's grammar knows.
func TestHelp(t *testing.T) {
	need(t)
	var lines []string
	for name := range strings.FieldsSeq(program.Names(func(*program.Program) bool { return true })) {
		lines = append(lines, name+" --help", name+" --version")
	}
	run(t, lines)
}

// usual are the programs that agents look around with most and that Debian
// has; where fewer are judged, the judgement says little.
const usual = "[ awk base64 basename cat cd cmp column comm cut date df diff dirname du echo egrep false fdfind fgrep file find fold free git grep head hexdump hostname id jq ls lsof " +
	"mawk md5sum nice nl nproc od paste pgrep printf ps pwd readlink realpath rev rg sed seq sha256sum sleep sort stat stdbuf strings tail test timeout tr tree true type uname uniq uptime wc which whoami xargs xxd"

// TestUsual shows that the machine has the usual programs and that the table
// has them too.
func TestUsual(t *testing.T) {
	need(t)
	for name := range strings.FieldsSeq(usual) {
		if !program.Has(name, func(p *program.Program) bool { return p.Reads != nil }) {
			t.Errorf("%s is not in the table of what only reads", name)
		}
		if !installed(name) && os.Getenv("CI") != "" {
			t.Errorf("%s is not installed; .ci/run must install it", name)
		}
	}
}

// TestSuspects runs lines that a proof once let pass, or that look like them,
// in each shell. Those that are not proved any more do not run.
func TestSuspects(t *testing.T) {
	seed.Slow(t)
	need(t)
	var lines []string
	for _, line := range suspects {
		for range shells {
			lines = append(lines, line)
		}
	}
	run(t, lines)
}

// TestSample runs random lines. SEED and LINES choose others and more.
func TestSample(t *testing.T) {
	need(t)
	number, count := seed.Count(t, "SEED", 1), seed.Count(t, "LINES", sampled)
	fmt.Printf("kernel: SEED=%d LINES=%d\n", number, count)
	s := &sampler{Rand: rand.New(rand.NewPCG(uint64(number), 0)), programs: leaves()}
	judge := newProver(t)
	var lines []string
	seen := make(map[string]bool)
	for tries := 0; len(lines) < count; tries++ {
		if tries > 200*count {
			t.Fatalf("only %d of %d lines drawn are proved; widen the tables of sample_test.go", len(lines), tries)
		}
		line := s.line(2)
		if !seen[line] && judge.proves(line) && installed(line) {
			lines = append(lines, line)
		}
		seen[line] = true
	}
	run(t, lines)
}
