package script_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/script"
	"github.com/policyctl/policyctl/internal/program"
)

// A source is a program that a line carries.
type source struct {
	text     string
	language program.Language
}

// agentScripts returns the programs that the scripts of agents carry: each file
// holds these behind lines "==== NAME".
func agentScripts(t testing.TB) (out []source) {
	files, err := filepath.Glob("../../testdata/agent-scripts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts:", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for part := range strings.SplitSeq("\n"+string(data), "\n==== ") {
			_, text, _ := strings.Cut(part, "\n")
			line := eval.Read(text, eval.Env{Home: "/home/dev", Dir: "/home/dev/project"})
			for i := range line.Commands {
				for _, code := range line.Commands[i].Code() {
					out = append(out, source{code.Text, line.Commands[i].Args.Program.Language})
				}
			}
		}
	}
	return out
}

// BenchmarkScripts reads all that agents send, once an operation.
func BenchmarkScripts(b *testing.B) {
	all, size := agentScripts(b), 0
	for _, s := range all {
		size += len(s.text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range all {
			script.Read(s.text, s.language, script.Env{Home: "/home/dev"})
		}
	}
}
