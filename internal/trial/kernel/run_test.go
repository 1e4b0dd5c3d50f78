//go:build linux

package kernel_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/policyctl/policyctl/internal/trial/seed"
)

const (
	batchSize = 48 // a multiple of the number of shells
	workers   = 2
)

// An outcome is what became of lines.
type outcome struct {
	ran, slow  int
	violations []violation
}

// part returns a tenth of lines, all where LINES says how many more to draw.
func part(t *testing.T, lines []string) []string {
	t.Helper()
	if os.Getenv("LINES") != "" {
		return lines
	}
	chosen := seed.Share(t)
	return slices.DeleteFunc(slices.Clone(lines), func(string) bool { return !chosen() })
}

// run runs the lines that are proved, a part of them, and fails the test on a
// violation.
func run(t *testing.T, lines []string) {
	t.Helper()
	lines = part(t, lines)
	judge, lacking := newProver(t), make(map[string]bool)
	var proved []string
	skipped := 0
	for _, line := range lines {
		if !judge.proves(line) {
			continue
		}
		if list := absent(line); len(list) > 0 {
			skipped++
			for _, name := range list {
				lacking[name] = true
			}
			continue
		}
		proved = append(proved, line)
	}
	o := runAll(t, proved)
	t.Logf("%d lines ran, %d of them too long; %d name programs that are not installed: %s", o.ran, o.slow, skipped, strings.Join(slices.Sorted(maps.Keys(lacking)), " "))
	report(t, o.violations)
	if o.slow > 5+o.ran/50 {
		t.Errorf("%d of %d lines took more than %d s; a sample must be quick", o.slow, o.ran, seconds)
	}
}

// report fails the test, with the first call of each name that a program of a
// line made.
func report(t *testing.T, violations []violation) {
	t.Helper()
	seen := make(map[string]bool)
	for _, v := range violations {
		name, _, _ := strings.Cut(v.call, "(")
		if key := v.line + "\x00" + v.program + "\x00" + name; !seen[key] {
			seen[key] = true
			t.Error(v)
		}
	}
}

// runAll runs lines in batches, each worker in a playground of its own.
func runAll(t *testing.T, lines []string) outcome {
	t.Helper()
	var (
		mu    sync.Mutex
		wg    sync.WaitGroup
		total outcome
	)
	batches := make(chan []string, len(lines)/batchSize+1)
	for batch := range slices.Chunk(lines, batchSize) {
		batches <- batch
	}
	close(batches)
	for range workers {
		home := newPlayground(t)
		wg.Go(func() {
			for batch := range batches {
				o := runBatch(t, home, batch)
				mu.Lock()
				total.ran += o.ran
				total.slow += o.slow
				total.violations = append(total.violations, o.violations...)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return total
}

// runBatch runs lines one after another.
func runBatch(t *testing.T, home string, lines []string) outcome {
	o := outcome{ran: len(lines)}
	before := snapshot(t, home)
	tr, err := traced(home, lines)
	if err != nil {
		t.Errorf("running lines: %v", err)
		return o
	}
	if list := tr.lost(); len(list) > 0 {
		t.Errorf("of the processes %d, the first of which made the call %v, the parents are unknown", list, tr[list[0]].calls[0])
	}
	for n, line := range lines {
		o.violations = append(o.violations, tr.judge(n, line)...)
		if tr.slow(n) {
			o.slow++
			t.Logf("%q took more than %d s", line, seconds)
		}
		if len(tr.tree(n)) < 2 {
			t.Errorf("%q did not run", line)
		}
	}
	if after := snapshot(t, home); !maps.Equal(before, after) && len(o.violations) == 0 {
		o.violations = culprits(t, lines, changed(before, after))
	}
	return o
}

// culprits runs each line of a batch that changed files on its own.
func culprits(t *testing.T, lines []string, change string) []violation {
	if len(lines) == 1 {
		return []violation{{lines[0], "some program", change}}
	}
	for _, line := range lines {
		if o := runBatch(t, newPlayground(t), []string{line}); len(o.violations) > 0 {
			return o.violations
		}
	}
	return []violation{{strings.Join(lines, "; "), "some program", change}}
}

// changed names the files in which two snapshots differ.
func changed(before, after map[string]string) string {
	list := []string{"the files that changed are:"}
	for path, held := range after {
		if before[path] != held {
			list = append(list, path)
		}
	}
	for path := range before {
		if _, ok := after[path]; !ok {
			list = append(list, path)
		}
	}
	return strings.Join(list, " ")
}
