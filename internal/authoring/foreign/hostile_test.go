package foreign_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/authoring/foreign"
)

// TestHostile shows that settings nested without end are an error, and end no process.
func TestHostile(t *testing.T) {
	for _, row := range []struct{ agent, name, text string }{
		{"opencode", "opencode.json", `{"permission":` + strings.Repeat("[", 1<<20)},
		{"cursor", "cli.json", strings.Repeat(`{"a":`, 1<<19)},
		{"qwen", "settings.json", `{"permissions":` + strings.Repeat("[", 1<<20)},
		{"copilot", "settings.json", `{"allowedUrls":` + strings.Repeat("[", 1<<20)},
		{"gemini", "settings.json", `{"tools":` + strings.Repeat("[", 1<<20)},
		{"gemini", "a.toml", "x = " + strings.Repeat("[", 1<<20)},
		{"codex", "config.toml", "x = " + strings.Repeat("[", 1<<20)},
		{"codex", "a.rules", "prefix_rule(pattern=" + strings.Repeat("[", 1<<19)},
		{"codex", "a.rules", strings.Repeat("x", 1<<21)},
	} {
		if _, _, err := foreign.Read(foreign.Source{Agent: row.agent, Path: row.name, Data: []byte(row.text)}); err == nil {
			t.Errorf("%s %s: no error", row.agent, row.name)
		}
	}
}
