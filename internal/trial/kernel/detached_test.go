//go:build linux

package kernel_test

import (
	"os"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/program"
)

// TestDetached runs each option of the table that takes an argument before
// words that would do more than read: where the table is wrong about the
// argument, the word is an option.
func TestDetached(t *testing.T) {
	need(t)
	if os.Getenv("LINES") == "" {
		t.Skip("it takes a while; it runs where LINES is set, as in .ci/run")
	}
	judge := newProver(t)
	var lines []string
	for _, l := range leaves() {
		for _, line := range detached(l) {
			if judge.proves(line) {
				lines = append(lines, line)
			}
		}
	}
	run(t, lines)
}

// detached returns the lines with options of a program and hostile words.
func detached(l leaf) []string {
	var lines []string
	for _, o := range readingOptions(l.entry) {
		if o.Takes == program.Nothing || o.TakesWords() {
			continue
		}
		for _, name := range o.Names {
			dashes := "--"
			if len(name) == 1 || l.entry.Style.OfWords() {
				dashes = "-"
			}
			for _, h := range hostile(l.program) {
				if strings.HasPrefix(h, "-") && len(h) > 2 {
					lines = append(lines, strings.Join(append(l.words[:len(l.words):len(l.words)], dashes+name, h, "f"), " "))
				}
			}
		}
	}
	return lines
}
