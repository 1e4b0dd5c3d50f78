//go:build linux

package shells_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/trial/seed"
)

const (
	sampled = 300 // lines where LINES is not set
	batch   = 500 // lines between two states
	wanted  = 62  // of a hundred lines, those that must be proved or covered if possible
	tries   = 60  // to draw such a line
	kept    = 40  // differences that are minimised and shown
)

// A finding is a line with a difference.
type finding struct {
	Line     string // minimised
	From     string // as drawn
	Position int
	difference
}

// A state is how far a run is.
type state struct {
	Seed     uint64
	Position int // lines judged
	// Proved and Covered count lines for which no shell was named, Read those
	// that were either, for some shell.
	Proved, Covered, Read   int
	Unreadable, Late, Asked int
	Seconds                 float64
	Findings                []finding
	Slipped                 []string // lines with a catastrophe that were only asked about
}

// TestSample judges random lines. SEED and LINES choose others and more; with
// STATE, a file, a run goes on where it stopped.
func TestSample(t *testing.T) {
	if os.Getenv("TRIALS") == "later" {
		t.Skip("TRIALS=later: .ci/run runs it with more lines")
	}
	need(t)
	s := state{Seed: seed.New(t)}
	file, count := os.Getenv("STATE"), seed.Count(t, "LINES", sampled)
	if data, err := os.ReadFile(file); err == nil {
		must(t, json.Unmarshal(data, &s))
	} else if !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	fmt.Printf("shells: SEED=%d LINES=%d, from line %d\n", s.Seed, count, s.Position)
	c := newCrew(t)
	for s.Position < count {
		c.batch(t, &s, min(batch, count-s.Position))
		if file != "" {
			data, err := json.MarshalIndent(s, "", "\t")
			must(t, err)
			must(t, os.WriteFile(file, data, 0o644))
			fmt.Println(s.summary())
		}
	}
	fmt.Println(s.summary())
	for _, f := range s.Findings {
		t.Errorf("SEED=%d line %d: %q\n\tdrawn: %q\n\t%s", s.Seed, f.Position, f.Line, f.From, &f.difference)
	}
	if 2*s.Read < s.Position {
		t.Errorf("only %d of %d lines are proved or covered", s.Read, s.Position)
	}
}

func (s *state) summary() string {
	return fmt.Sprintf("shells: %d lines, %d proved and %d covered in all shells, %d either or in some shell, %d unreadable, %d without end, %d catastrophes only asked about, %.0f s, %d differences",
		s.Position, s.Proved, s.Covered, s.Read, s.Unreadable, s.Late, s.Asked, s.Seconds, len(s.Findings))
}

// A crew judges lines side by side.
type crew struct {
	*bench
	judges  []*judge
	corpora []string
}

func newCrew(t testing.TB) *crew {
	c := &crew{bench: newBench(t), corpora: corpora(t)}
	names := recorders()
	for i := range runtime.GOMAXPROCS(0) {
		c.judges = append(c.judges, &judge{c.bench, start(t, i, names)})
	}
	return c
}

// recorders are the names of programs that any line may use.
func recorders() []string {
	list := []string{"false", "curl", "rm", "mkfs.ext4", "dd", "shutdown", "reboot", "wipefs", "kill", "chmod", "p", "go", "make", "npm", "sudo", "env", "xargs", "timeout"}
	for _, form := range slices.Concat(readers, listed) {
		list = append(list, filepath.Base(strings.Fields(form)[0]))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// drawn returns a line whatever becomes of it.
func (c *crew) drawn(seed uint64, position int) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, uint64(position))), corpora: c.corpora}
	return strings.ReplaceAll(g.candidate(), "\x00", "")
}

// line returns the line at a position.
func (c *crew) line(seed uint64, position int) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, uint64(position))), corpora: c.corpora}
	must, call := g.chance(wanted), ""
	if g.chance(30) {
		call = g.pick(callShells)
	}
	line := g.candidate()
	for try := 0; must && try < tries && !c.proves(line, call) && !c.covers(line, call); try++ {
		line = g.candidate()
	}
	return strings.ReplaceAll(line, "\x00", "")
}

// batch judges the next lines.
func (c *crew) batch(t testing.TB, s *state, n int) {
	var (
		mu sync.Mutex
		wg sync.WaitGroup
	)
	began, positions := time.Now(), make(chan int, n)
	for i := range n {
		positions <- s.Position + i
	}
	close(positions)
	for _, j := range c.judges {
		wg.Go(func() {
			for position := range positions {
				line := c.line(s.Seed, position)
				g, err := j.judge(line)
				if err != nil {
					t.Errorf("%q: %v", line, err)
					return
				}
				mu.Lock()
				s.note(g, line, position)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	s.Position += n
	slices.SortFunc(s.Findings, func(a, b finding) int { return cmp.Compare(a.Position, b.Position) })
	for i := range s.Findings {
		if f := &s.Findings[i]; f.Line == "" && i < kept {
			f.Line = c.judges[0].minimise(f.From, &f.difference)
		}
	}
	s.Seconds += time.Since(began).Seconds()
}

// note counts a judgement.
func (s *state) note(g *judgement, line string, position int) {
	for _, c := range []struct {
		to *int
		is bool
	}{{&s.Proved, g.Proved}, {&s.Covered, g.Covered}, {&s.Read, g.Read}, {&s.Unreadable, g.Unreadable}, {&s.Late, g.Late}} {
		if c.is {
			*c.to++
		}
	}
	if len(g.Asked) > 0 {
		s.Asked++
		s.Slipped = append(s.Slipped, line)
	}
	if len(g.Differences) > 0 {
		s.Findings = append(s.Findings, finding{From: line, Position: position, difference: g.Differences[0]})
	}
}

// minimise takes away from a line whatever its difference does not need.
func (j *judge) minimise(line string, as *difference) string {
	differs := func(line string) bool {
		g, err := j.judge(line)
		return err == nil && slices.ContainsFunc(g.Differences, func(d difference) bool { return d.Law == as.Law && d.Shell == as.Shell && d.Call == as.Call })
	}
	if !differs(line) {
		return line // it depends on when what happens
	}
	tokens := split(line)
	for size := max(1, len(tokens)/2); size > 0; size /= 2 {
		for i := 0; i+size <= len(tokens); {
			if less := slices.Delete(slices.Clone(tokens), i, i+size); differs(strings.Join(less, "")) {
				tokens = less
			} else {
				i++
			}
		}
	}
	line = strings.Join(tokens, "")
	for i := 0; i < len(line); {
		if less := line[:i] + line[i+1:]; differs(less) {
			line = less
		} else {
			i++
		}
	}
	return line
}

// corpora returns the lines of the corpora, tamed.
func corpora(t testing.TB) []string {
	var list []string
	for _, name := range []string{"agent-lines", "looks", "history", "bypasses"} {
		f, err := os.Open("../../../testdata/" + name + ".txt")
		must(t, err)
		for scan := bufio.NewScanner(f); scan.Scan(); {
			text := scan.Text()
			if parts := strings.SplitN(text, " · ", 4); len(parts) == 4 {
				text = parts[3]
			}
			if escaped, ok := strings.CutPrefix(text, "$ "); ok {
				text = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r").Replace(escaped)
			}
			if text != "" && text[0] != '#' {
				list = append(list, tame(text))
			}
		}
		f.Close()
	}
	return list
}
