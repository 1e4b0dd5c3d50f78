// Package verdicts records what the judge says of many lines, so that a change
// that must not change any verdict can be held against the record. It says
// nothing about whether a verdict is right.
package verdicts_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/trial/calm"
	"github.com/policyctl/policyctl/internal/trial/corpus"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/policies"
)

// composed is how many lines are made of those of the corpus, which has about 30,000.
const composed = 120_000

// A judgement is what each of the engines says of a line, whose bytes need not
// be text.
type judgement struct {
	Line     []byte
	Verdicts []string
}

// TestVerdicts writes the record where VERDICTS names a file that is not
// there, and compares with it where it is; LINES names files of further lines.
// Without VERDICTS a hundredth of the lines is judged twice, which must not differ.
func TestVerdicts(t *testing.T) {
	engines := newEngines(t)
	file := os.Getenv("VERDICTS")
	if file == "" {
		lines := lines(t, composed/100)
		first, second := judge(t, engines, lines), judge(t, engines, lines)
		differ(t, first, second)
		return
	}
	before, err := read(file)
	if errors.Is(err, fs.ErrNotExist) {
		write(t, file, judge(t, engines, lines(t, composed)))
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	known := make([]string, len(before))
	for i, j := range before {
		known[i] = string(j.Line)
	}
	differ(t, before, judge(t, engines, known))
}

// shown is how many differences are printed.
const shown = 200

func differ(t *testing.T, before, after []judgement) {
	t.Helper()
	found := 0
	for i, j := range before {
		for k, was := range j.Verdicts {
			if is := after[i].Verdicts[k]; is != was {
				if found++; found <= shown {
					t.Errorf("%s: %q\n\twas %s\n\tis  %s", names[k], j.Line, was, is)
				}
			}
		}
	}
	if found > 0 {
		t.Errorf("%d of %d verdicts differ", found, len(before)*len(names))
	}
}

// names are those of the policies.
var names = []string{"defaults", "yolo", "skip", "dangerous_only", "baseline", "developer"}

func newEngines(t *testing.T) []*policy.Engine {
	t.Helper()
	developer, found := policies.Lookup("developer")
	if !found {
		t.Fatal("no pack developer")
	}
	texts := map[string]string{
		"yolo": "version: 1\napprovals: {yolo: true}\n", "skip": "version: 1\napprovals: {mode: skip}\n",
		"dangerous_only": "version: 1\nsecurity: {confirm_policy: dangerous_only}\n", "baseline": string(policies.Baseline()), "developer": string(developer),
	}
	var out []*policy.Engine
	for _, name := range names {
		var files []config.File
		if text := texts[name]; text != "" {
			files = append(files, config.File{Layer: config.User, Name: name + ".yaml", Data: []byte(text), Admit: config.Everything})
		}
		loaded, err := config.Load(policy.Defaults(), files...)
		if err != nil {
			t.Fatal(err)
		}
		e, err := policy.New(loaded.Settings, policy.Options{Revision: "r", Sources: loaded.Sources(), World: calm.World{}})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// judge asks every engine about every line, on all processors.
func judge(t *testing.T, engines []*policy.Engine, lines []string) []judgement {
	t.Helper()
	out := make([]judgement, len(lines))
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				out[i].Line = []byte(lines[i])
				for _, e := range engines {
					out[i].Verdicts = append(out[i].Verdicts, verdict(e, lines[i]))
				}
			}
		})
	}
	for i := range lines {
		next <- i
	}
	close(next)
	wg.Wait()
	return out
}

func verdict(e *policy.Engine, line string) string {
	v, err := e.Decide(context.Background(), nil, calm.Call(line))
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %q %q", v.Decision, v.Stage, v.Rule, v.Why)
	if v.Span != nil {
		fmt.Fprintf(&b, " %d-%d", v.Span.From, v.Span.To)
	}
	for _, d := range v.Dangers {
		fmt.Fprintf(&b, " !%s", d.Rule)
	}
	return b.String()
}

// lines returns those of the corpus, and compositions of them.
func lines(t *testing.T, compositions int) []string {
	t.Helper()
	all, err := corpus.Lines("../../../testdata")
	for file := range strings.SplitSeq(os.Getenv("LINES"), ",") {
		if file != "" && err == nil {
			var more []string
			more, err = extra(file)
			all = append(all, more...)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(1)
	if text := os.Getenv("SEED"); text != "" {
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	r := rand.New(rand.NewPCG(seed, 0))
	out := all
	if os.Getenv("VERDICTS") == "" { // a sample of the corpus too
		out = nil
		for range compositions {
			out = append(out, all[r.IntN(len(all))])
		}
	}
	for range compositions {
		out = append(out, compose(r, all, 2))
	}
	return out
}

// extra returns the commands of a file of JSON objects, one a line.
func extra(file string) ([]string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []string
	for d := json.NewDecoder(f); d.More(); {
		var object struct{ Command string }
		if err := d.Decode(&object); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out = append(out, object.Command)
	}
	return out, nil
}

var joints = []string{"; ", " && ", " || ", " | ", "\n", " & "}

// forms are lines that hold others: %s is one, %q one that is quoted.
var forms = []string{
	"sudo %s", "env X=1 %s", "timeout 5 %s", "xargs %s", "bash -c %q", "ssh host %q", "eval %q", "( %s\n)", "{ %s\n}", "x=$(%s\n)", "echo \"$(%s\n)\"",
	"if true; then %s\nfi", "for x in a b; do %s\ndone", "while read -r x; do %s\ndone < list", "cd /tmp && %s", "X=1 %s", "%s > out.txt", "%s 2>/dev/null", "nohup %s",
	"f() { %s\n}; f", "! %s", "time %s", "find . -exec %s ';'", "docker run img %s", "cat <<'E' | sh\n%s\nE", "python3 - <<'E'\nimport os\nos.system(%q)\nE", "echo %q",
}

// compose makes a line of some of the corpus.
func compose(r *rand.Rand, all []string, depth int) string {
	pick := func() string {
		if depth > 0 && r.IntN(3) == 0 {
			return compose(r, all, depth-1)
		}
		return all[r.IntN(len(all))]
	}
	if r.IntN(2) == 0 {
		return pick() + joints[r.IntN(len(joints))] + pick()
	}
	form := forms[r.IntN(len(forms))]
	inner := pick()
	if strings.Contains(form, "%q") {
		quoted, err := syntax.Quote(inner, syntax.LangBash)
		if err != nil {
			quoted = "''"
		}
		return strings.Replace(form, "%q", quoted, 1)
	}
	return strings.Replace(form, "%s", inner, 1)
}

func read(file string) ([]judgement, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var out []judgement
	for d := json.NewDecoder(bufio.NewReader(z)); d.More(); {
		var j judgement
		if err := d.Decode(&j); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out = append(out, j)
	}
	return out, nil
}

func write(t *testing.T, file string, all []judgement) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	e := json.NewEncoder(z)
	for i := range all {
		err = errors.Join(err, e.Encode(&all[i]))
	}
	if err := errors.Join(err, z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d lines under %d policies are in %s", len(all), len(names), file)
}
