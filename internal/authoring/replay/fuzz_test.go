package replay_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/authoring/replay"
	"github.com/policyctl/policyctl/pkg/policy"
)

// FuzzRun shows that no recording stops a replay, and that the numbers of its
// report agree with each other.
func FuzzRun(f *testing.F) {
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		f.Fatal(err, files)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	strict, err := policy.New(policy.Settings{}, policy.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o := replay.Options{Policy: replay.Policy{Engine: strict}}
		r, err := replay.Run(context.Background(), []replay.Input{replay.Stream("r", strings.NewReader(text))}, o)
		if err != nil {
			t.Fatal(err)
		}
		stages := 0
		for _, s := range r.Stages {
			stages += s.Count
		}
		d := r.Decisions
		if d.Allow+d.Ask+d.Deny != r.Calls || stages != r.Calls || r.Files.Read != 1 {
			t.Errorf("%d calls, %+v, %d by stage", r.Calls, d, stages)
		}
	})
}
