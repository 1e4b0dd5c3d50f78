package policy_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/policy"
	"mvdan.cc/sh/v3/syntax"
)

// A corpusLine is one line of a file in testdata: what the default policy
// says of a command.
type corpusLine struct {
	id, want, command string
	zsh               bool
}

func corpus(t testing.TB) []corpusLine {
	t.Helper()
	files, err := filepath.Glob("../../testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus:", err)
	}
	var out []corpusLine
	for _, f := range files {
		if f != historyFile && f != selfFile {
			out = append(out, corpusFile(t, f)...)
		}
	}
	if raceEnabled { // which looks for races and not for verdicts, at ten times the cost
		for i := range len(out) / 5 {
			out[i] = out[5*i]
		}
		out = out[:len(out)/5]
	}
	return out
}

// historyFile holds lines without ids and verdicts.
const historyFile = "../../testdata/history.txt"

// history returns the lines of a developer's shell history.
func history(t testing.TB) []string {
	t.Helper()
	b, err := os.ReadFile(historyFile)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}

func corpusFile(t testing.TB, name string) []corpusLine {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []corpusLine
	zsh := false
	for sc := bufio.NewScanner(f); sc.Scan(); {
		line := sc.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			if line != "" {
				zsh = strings.HasPrefix(line, "# zsh")
			}
			continue
		}
		parts := strings.SplitN(line, " · ", 4)
		if len(parts) != 4 {
			t.Fatalf("%s: malformed line %q", name, line)
		}
		command := parts[3]
		if escaped, ok := strings.CutPrefix(command, "$ "); ok {
			command = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r").Replace(escaped)
		}
		out = append(out, corpusLine{parts[0], parts[1] + " " + parts[2], command, zsh})
	}
	return out
}

func TestCorpus(t *testing.T) {
	e := engine(t, "", nil)
	for _, l := range corpus(t) {
		if v := decide(t, e, nil, call(l.command)); brief(v) != l.want {
			t.Errorf("%s: got %s (%s: %s), want %s: %s", l.id, brief(v), v.Rule, v.Why, l.want, l.command)
		}
	}
}

// TestDecideAtOnce decides the corpus in goroutines that share an engine, or at least the
// tables and the caches of all engines: each says what one alone does.
func TestDecideAtOnce(t *testing.T) {
	shared, lines := engine(t, "", nil), corpus(t)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			e := shared
			if i > 1 {
				e = engine(t, "", nil)
			}
			for j := range lines {
				l := lines[(i+j)%len(lines)]
				v, err := e.Decide(t.Context(), nil, call(l.command))
				if err != nil || brief(v) != l.want {
					t.Errorf("%s: got %s (%s: %s, %v), want %s: %s", l.id, brief(v), v.Rule, v.Why, err, l.want, l.command)
				}
			}
		})
	}
	all.Wait()
}

// TestHistoryNeverTripsTheFloor decides what a developer types on ordinary
// days.
func TestHistoryNeverTripsTheFloor(t *testing.T) {
	e := engine(t, "", nil)
	lines := history(t)
	seen := make(map[string]bool, len(lines))
	for _, line := range lines {
		if v := decide(t, e, nil, call(line)); v.Stage == policy.StageHardline {
			t.Errorf("%s (%s): %s", v.Rule, v.Why, line)
		}
		if seen[line] {
			t.Errorf("the line appears twice: %s", line)
		}
		seen[line] = true
	}
	if len(seen) < 500 {
		t.Errorf("the history has %d lines, want at least 500", len(seen))
	}
}

// TestCorpusBash shows that bash itself can read every line. It only checks
// the syntax: no line ever runs.
func TestCorpusBash(t *testing.T) {
	seed.Slow(t)
	bash, err := exec.LookPath("bash")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	var lines []corpusLine
	for _, l := range append(corpus(t), corpusFile(t, selfFile)...) {
		if !l.zsh && !strings.Contains(l.command, "\r") {
			lines = append(lines, l)
		}
	}
	for some := range slices.Chunk(lines, 64) {
		// Each in a subshell of its own, and behind it what is a comment unless the
		// line has left a quotation open.
		var text strings.Builder
		for _, l := range some {
			text.WriteString("(\n" + l.command + "\n)\n# ' )\" )\n")
		}
		if out, err := bashReads(t, bash, text.String()); err == nil && len(out) == 0 {
			continue
		}
		for _, l := range some {
			if out, err := bashReads(t, bash, l.command+"\n"); err != nil {
				t.Errorf("%s: %v %s: %s", l.id, err, out, l.command)
			}
		}
	}
	if out, err := bashReads(t, bash, strings.Join(history(t), "\n")+"\n"); err != nil {
		t.Errorf("the history: %v %s", err, out)
	}
}

func bashReads(t *testing.T, bash, text string) ([]byte, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "lines")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return exec.Command(bash, "-n", file).CombinedOutput()
}

// wrappings are ways of writing a line that must never loosen its verdict.
var wrappings = []struct{ name, before, after string }{
	{"list", "", "; ls"},
	{"subshell", "(", "\n)"},
	{"pipe", "", " | ls"},
	{"piped", "ls | ", ""},
	{"piped group", "ls | { ", "\n}"},
	{"if", "if true; then ", "\nfi"},
	{"time", "time ", ""},
	{"group", "{ ", "\n}"},
}

// TestWrappingNeverLoosens wraps every line of the corpus: in each way with FULL.
func TestWrappingNeverLoosens(t *testing.T) {
	e, chosen := engine(t, "", nil), seed.Share(t)
	for _, l := range corpus(t) {
		plain := decide(t, e, nil, call(l.command))
		if isSimple(l.command) {
			// timeout 0 sets no limit: another one ends what never would.
			for _, before := range []string{"sudo ", "env ", "nice -n 5 ", "timeout 0 ", "sudo -u root -- "} {
				if !chosen() {
					continue
				}
				if v := decide(t, e, nil, call(before+l.command)); v.Decision > plain.Decision {
					t.Errorf("%s: %s became %s: %s", l.id, brief(plain), brief(v), before+l.command)
				}
			}
		}
		if q, err := syntax.Quote(l.command, syntax.LangBash); err == nil {
			for _, before := range []string{"bash -c ", "sudo sh -c ", "env bash -lc ", "eval ", "timeout 5 bash -c "} {
				if !chosen() {
					continue
				}
				if before == "sudo sh -c " && (l.id == "steers-17" || l.id == "reach-53") {
					continue // sudo hands on none of the variables that they take from their surroundings
				}
				if v := decide(t, e, nil, call(before+q)); v.Decision > plain.Decision {
					t.Errorf("%s: %s became %s: %s", l.id, brief(plain), brief(v), before+q)
				}
			}
		}
		for _, w := range wrappings {
			if !chosen() {
				continue
			}
			if strings.ContainsAny(l.command, "\n#") && w.after != "" && !strings.HasPrefix(w.after, "\n") {
				continue
			}
			binds := strings.Contains(l.command, "=") || strings.HasPrefix(l.command, "readarray ") || strings.HasPrefix(l.command, "mapfile ")
			if strings.HasPrefix(w.name, "piped") && binds && strings.Contains(l.command, ";") {
				continue // what the first command binds is gone with the pipeline
			}
			line := w.before + l.command + w.after
			if read := eval.Read(line, eval.Env{}); read.Problem != nil && read.Problem.Code == "syntax" {
				continue // the line cannot be written like this
			}
			v := decide(t, e, nil, call(line))
			if v.Decision > plain.Decision {
				t.Errorf("%s in %s: %s became %s: %s", l.id, w.name, brief(plain), brief(v), line)
			}
		}
	}
}

// isSimple reports whether a line is one simple command that runs a program, so
// that a wrapper may stand before it.
func isSimple(line string) bool {
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil || len(file.Stmts) != 1 || file.Stmts[0].Background || file.Stmts[0].Negated {
		return false
	}
	c, ok := file.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 || len(c.Assigns) > 0 {
		return false
	}
	switch c.Args[0].Lit() {
	case "", "cd", "eval", "exec", "source", ".", "trap", "command", "builtin", "set", "read", "alias", "export":
		return false
	}
	return true
}

func FuzzDecide(f *testing.F) {
	for _, l := range corpus(f) {
		f.Add(l.command)
	}
	for _, line := range history(f) {
		f.Add(line)
	}
	plain := engine(f, "deny shell git push *|ask shell npm *|allow shell go test *", nil)
	loose := engine(f, "allow shell *|allow *", func(s *policy.Settings) { s.Yolo = true })
	f.Fuzz(func(t *testing.T, command string) {
		ctx := context.Background()
		v, err := plain.Decide(ctx, nil, call(command))
		if err != nil {
			t.Fatal(err)
		}
		if v.Why == "" || v.Stage == policy.StageNone {
			t.Fatalf("a verdict without a reason: %+v", v)
		}
		if v.Span != nil && (v.Span.From < 0 || v.Span.From > v.Span.To || v.Span.To > len(command)) {
			t.Fatalf("the span %v lies outside of the command", *v.Span)
		}
		l, err := loose.Decide(ctx, nil, call(command))
		if err != nil {
			t.Fatal(err)
		}
		if v.Stage == policy.StageHardline && l.Stage != policy.StageHardline {
			t.Fatalf("yolo and an allow lifted the floor: %s", brief(l))
		}
	})
}
