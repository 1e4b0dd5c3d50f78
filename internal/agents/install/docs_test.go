package install

import (
	"strings"
	"testing"
)

// The page about agents says what the table of agents says.
func TestPage(t *testing.T) {
	page := get(t, "../../../docs/agents.md")
	words := strings.Join(strings.Fields(page), " ")
	for _, a := range agents() {
		if !strings.Contains(page, "**"+a.Title) && a.Name != "kilo" && a.Name != "auggie" && a.Name != "qoder" && a.Name != "windsurf" {
			t.Errorf("missing: what is special about %s", a.Title)
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
