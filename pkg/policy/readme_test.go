package policy_test

import (
	"os"
	"strings"
	"testing"
)

// TestReadme shows that the code in the README is that of the example, which
// compiles and runs.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, code, ok := strings.Cut(string(readme), "```go\n")
	code, _, closed := strings.Cut(code, "```")
	if !ok || !closed {
		t.Fatal("the README has no Go code")
	}
	indented := ""
	for line := range strings.Lines(code) {
		if strings.TrimSpace(line) != "" {
			line = "\t" + line
		}
		indented += line
	}
	if !strings.Contains(string(example), indented) {
		t.Errorf("the README's code is not in example_test.go:\n%s", indented)
	}
}
