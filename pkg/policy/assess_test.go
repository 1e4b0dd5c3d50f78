package policy

import (
	"context"
	"testing"
)

// What people are told of the risk of a line follows from its commands.
func TestAssess(t *testing.T) {
	e, err := New(Defaults(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]Risk{
		"ls -la": Low, "ls && cat README.md": Low, "make": Medium, "ls && make": Medium, "ls; rm -rf build": High,
		"git reset --hard": High, "echo 'unclosed": High,
	} {
		c := Shell(line, "/src")
		x, err := e.Explain(context.Background(), nil, c)
		if err != nil || x.Risk != want {
			t.Errorf("%q: %s, want %s (%v)", line, x.Risk, want, err)
		}
	}
	for tool, want := range map[string]Risk{"read": Low, "write": Medium} {
		x, err := e.Explain(context.Background(), nil, &Call{Tool: tool, Input: map[string]any{"file_path": "/src/a.go"}, Dir: "/src"})
		if err != nil || x.Risk != want {
			t.Errorf("%s: %s, want %s (%v)", tool, x.Risk, want, err)
		}
	}
}
