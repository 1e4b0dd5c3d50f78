// Package siblings tests that a fact which is known in one spelling is known in
// those beside it: it takes the lines of the corpus and of the rules, spells the
// same act in other ways, and demands the same decision. It does not say whether
// the decision about the first spelling is right.
package siblings_test

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/policyctl/policyctl/internal/trial/calm"
	"github.com/policyctl/policyctl/internal/trial/corpus"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/dangerous"
	"github.com/policyctl/policyctl/pkg/hardline"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/policies"
)

// names are those of the policies under which every line is judged.
var names = [...]string{"defaults", "yolo", "everything", "developer"}

// texts are the policies: the first has none, and the last is the pack's.
var texts = [len(names)]string{1: "version: 1\napprovals: {yolo: true}\n", 2: "version: 1\npermissions: [{match: shell *, action: allow}]\n"}

func newEngines(t *testing.T) (engines [len(names)]*policy.Engine) {
	t.Helper()
	developer, found := policies.Lookup("developer")
	if !found {
		t.Fatal("no pack developer")
	}
	for i, text := range texts {
		if names[i] == "developer" {
			text = string(developer)
		}
		var files []config.File
		if text != "" {
			files = append(files, config.File{Layer: config.User, Name: names[i] + ".yaml", Data: []byte(text), Admit: config.Everything})
		}
		loaded, err := config.Load(policy.Defaults(), files...)
		if err != nil {
			t.Fatal(err)
		}
		engines[i], err = policy.New(loaded.Settings, policy.Options{Revision: "r", Sources: loaded.Sources(), World: calm.World{}})
		if err != nil {
			t.Fatal(err)
		}
	}
	return engines
}

// A ruling is what an engine says of a line.
type ruling struct {
	decision policy.Decision
	stage    policy.Stage
	rule     string
}

// String returns the decision, the stage and the rule.
func (r ruling) String() string {
	return strings.TrimSpace(r.decision.String() + " " + r.stage.String() + " " + r.rule)
}

// rulings are those of all engines.
type rulings [len(names)]ruling

func judge(engines *[len(names)]*policy.Engine, line string) (out rulings) {
	for i, e := range engines {
		v, err := e.Decide(context.Background(), nil, calm.Call(line))
		if err != nil {
			v = policy.Verdict{Rule: err.Error()}
		}
		out[i] = ruling{v.Decision, v.Stage, v.Rule}
	}
	return out
}

// each calls a function for every number below n, on all processors.
func each(n int, do func(i int)) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

// longest is the length of a line from which it is no base: what is long repeats
// what is short.
const longest = 200

// bases returns the lines that are spelled in other ways, each once.
func bases(t *testing.T) []string {
	t.Helper()
	all, err := corpus.Lines("../../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range slices.Concat(hardline.Rules(), dangerous.Rules()) {
		all = append(append(all, r.Hit...), r.Miss...)
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(line string) bool {
		return len(line) > longest || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' })
	})
}
