package foreign

import (
	"context"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/world"
)

// A shop is a world in which a few files lie in the project.
type shop struct{ *world.World }

func (shop) Below(dir string, visit func(path string, typ fs.FileMode) error) bool {
	for _, name := range []string{"/home/dev/shop/.env", "/home/dev/shop/secrets/key", "/home/dev/shop/src/a.go"} {
		if strings.HasPrefix(name, strings.TrimSuffix(dir, "/")+"/") && visit(name, 0) != nil {
			break
		}
	}
	return true
}

// root is the project to which imported settings belong.
const root = "/home/dev/shop"

// read returns what a file of an agent becomes.
func read(t testing.TB, agent, name, data string) *draft.Policy {
	t.Helper()
	p, _, err := Read(Source{Agent: agent, Path: name, Data: []byte(data), Root: root, Scope: Project})
	if err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return p
}

// engine loads a policy as a person would, without a warning but of what the
// person wrote bare.
func engine(t testing.TB, yaml []byte) *policy.Engine {
	t.Helper()
	l, err := config.Load(policy.Defaults(), config.File{Layer: "policy", Name: "imported", Data: yaml, Admit: config.Everything})
	warnings := slices.DeleteFunc(l.Warnings, func(w config.Problem) bool { return strings.Contains(w.Error(), "without arguments alone") })
	if err != nil || len(warnings) > 0 {
		t.Fatalf("%v %v\n%s", err, warnings, yaml)
	}
	e, err := policy.New(l.Settings, policy.Options{Revision: l.Revision, World: shop{world.New(nil)}, Sources: l.Sources()})
	if err != nil {
		t.Fatalf("%v\n%s", err, yaml)
	}
	return e
}

// fields are the arguments of tools.
var fields = map[string]string{"Bash": "command", "WebFetch": "url", "Glob": "path", "Grep": "path", "LS": "path", "WebSearch": "query"}

// asked returns a call from "TOOL VALUE": of Bash a command, of WebFetch a URL,
// of others a path.
func asked(text string) *policy.Call {
	tool, value, _ := strings.Cut(text, " ")
	field := fields[tool]
	switch {
	case strings.Contains(tool, "_") || tool == "Task" || tool == "skill":
		field = "x"
	case field == "":
		field = "file_path"
	}
	c := &policy.Call{Tool: tool, Input: map[string]any{field: value}, Dir: root, Home: "/home/dev"}
	if tool == "Glob" || tool == "Grep" {
		c.Input["pattern"] = "x"
	}
	return c
}

func answer(t testing.TB, e *policy.Engine, text string) string {
	t.Helper()
	v, err := e.Decide(context.Background(), nil, asked(text))
	if err != nil {
		t.Fatal(err)
	}
	return v.Decision.String()
}

func notesOf(notes []draft.Note) string {
	var b strings.Builder
	for _, n := range notes {
		b.WriteString(n.String() + "\n")
	}
	return b.String()
}
