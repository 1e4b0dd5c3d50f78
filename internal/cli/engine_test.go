package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/authoring/suite"
	"github.com/policyctl/policyctl/internal/cli"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/policies"
)

// firstLines returns the first line of each family of the corpus, as calls of
// sessions of their own.
func firstLines(t *testing.T) (calls []string) {
	t.Helper()
	files, err := filepath.Glob("../../testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus: ", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for line := range strings.Lines(string(data)) {
			fields := strings.SplitN(strings.TrimSuffix(line, "\n"), " · ", 4)
			family := fields[0][:max(0, strings.LastIndexByte(fields[0], '-'))]
			if len(fields) < 4 || line[0] == '#' || seen[family] {
				continue
			}
			seen[family] = true
			command, escaped := strings.CutPrefix(fields[3], "$ ")
			if escaped {
				command = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "\r", `\\`, `\`).Replace(command)
			}
			call, err := json.Marshal(map[string]string{"id": fields[0], "session": fields[0], "command": command})
			if err != nil {
				t.Fatal(err)
			}
			calls = append(calls, string(call))
		}
	}
	return calls
}

// packCalls returns the calls of the tests of a pack.
func packCalls(t *testing.T, pack string) (calls []string) {
	t.Helper()
	name := "../../policies/" + pack + "/policy_test.yaml"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	fixture, err := suite.Parse(name, data)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range fixture.Cases {
		id := fmt.Sprint(pack, i)
		call, err := json.Marshal(map[string]any{"id": id, "session": id, "tool": c.Call.Tool, "input": c.Call.Input, "dir": c.Call.Dir})
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, string(call))
	}
	return calls
}

// answers returns what an engine answers to calls, a line each.
func answers(t *testing.T, engine, pack string, calls []string) []string {
	t.Helper()
	var out, problems bytes.Buffer
	p := process(strings.NewReader(strings.Join(calls, "\n")), &out,
		"eval", "--jsonl", "--no-config", "--policy", "builtin:"+pack, "--engine", engine, "--home", "/home/dev", "--dir", "/home/dev/project")
	p.Stderr = &problems
	if code := cli.Run(t.Context(), p); code == console.ExitUsage {
		t.Fatalf("%s by %s: exit code %d: %s", pack, engine, code, problems.String())
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != len(calls) {
		t.Fatalf("%s by %s: %d answers to %d calls: %.500s", pack, engine, len(lines), len(calls), problems.String())
	}
	return lines
}

// Whatever evaluates the rules of the packs, the answers are the same.
func TestEnginesAgree(t *testing.T) {
	seed.Slow(t)
	corpus := firstLines(t)
	for _, pack := range policies.Names() {
		own := packCalls(t, pack)
		calls := append(own, corpus...)
		native, opa, both := answers(t, "native", pack, calls), answers(t, "opa", pack, calls), answers(t, "both", pack, calls)
		ruled := 0
		for i, call := range calls {
			if native[i] != opa[i] || native[i] != both[i] {
				t.Errorf("%s: %s\nnative %s\nopa    %s\nboth   %s", pack, call, native[i], opa[i], both[i])
			}
			if strings.Contains(native[i], `"source":"builtin:`) {
				ruled++
			}
		}
		if text, _ := policies.Lookup(pack); bytes.Contains(text, []byte("\nrules:")) && ruled < len(own)/2 {
			t.Errorf("%s decided %d of its own %d calls only: the test compares too little", pack, ruled, len(own))
		}
	}
}
