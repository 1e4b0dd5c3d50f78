package install

import (
	"fmt"
	"strings"
	"testing"
)

// The page about agents says what the table of agents says.
func TestPage(t *testing.T) {
	page := get(t, "../../../docs/agents.md")
	words := strings.Join(strings.Fields(page), " ")
	for _, a := range agents() {
		drops, managed := "none known", "runs"
		if len(a.drops()) > 0 {
			drops = "`" + strings.Join(a.drops(), "`, `") + "`"
		}
		if a.dropsManaged {
			managed = "does not run"
		}
		if row := fmt.Sprintf("\n| %s | %s | %s |\n", a.Title, drops, managed); !strings.Contains(page, row) {
			t.Errorf("missing:%s", row)
		}
		if tried := fmt.Sprintf("%s %s", a.Title, a.tried); !strings.Contains(words, tried) {
			t.Errorf("missing: %s", tried)
		}
		if a.needs.what != "" && !strings.Contains(words, "before "+a.needs.until.String()) {
			t.Errorf("missing: what %s needs %s for", a.Title, a.needs.until)
		}
		for _, switched := range a.switches {
			if switched.base == inProject && !strings.Contains(page, "`"+switched.file+"`") && !strings.Contains(switched.file, "settings.local.json") {
				t.Errorf("missing: %s turns hooks off", switched.file)
			}
		}
		if loc, ok := a.location(Managed, "linux"); ok && !strings.Contains(page, "install "+a.Name+" --scope managed") || !strings.Contains(page, loc.path) {
			t.Errorf("missing: the managed settings of %s", a.Title)
		}
	}
	if line := request(lookup(t, "codex"), Place{}); !strings.Contains(page, "\n"+line.line(line.Agent.events[0], short)+"\n") {
		t.Error("missing: the command line of a hook")
	}
}

func TestWindows(t *testing.T) {
	if err := (Place{OS: "windows"}).Supported(); err == nil || !strings.Contains(err.Error(), "run the agent in WSL") {
		t.Error(err)
	}
	if err := (Place{OS: "linux"}).Supported(); err != nil {
		t.Error(err)
	}
}
