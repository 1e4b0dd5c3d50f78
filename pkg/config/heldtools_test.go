package config_test

import (
	"testing"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A tool that is held back leaves no trace: a file after it that names the same
// tool is read as if it were the first, and changes no other tool.
func TestHeldTools(t *testing.T) {
	file := func(layer, name, text string, admit config.Admission) config.File {
		return config.File{Layer: layer, Name: name, Data: []byte("version: 1\n" + text), Admit: admit}
	}
	loaded, err := config.Load(policy.Defaults(),
		file(config.Project, "outer", "tools: {mine: {kind: read, risk: low}}\n", config.Tightening),
		file(config.Project, "middle", "tools: {other: {kind: other, risk: high}}\n", config.Trusted),
		file(config.Project, "inner", "tools: {mine: {kind: read, risk: low}}\n", config.Tightening),
		file(config.Flag, "flag", "tools: {mine: {kind: search, aliases: [find_it]}}\n", config.Everything))
	if err != nil {
		t.Fatal(err)
	}
	risks := map[string]policy.Risk{}
	for _, tool := range loaded.Settings.Tools {
		risks[tool.Name] = tool.Risk
	}
	if len(loaded.Settings.Tools) != 2 || risks["other"] != policy.High || loaded.Settings.Tools[1].Name != "mine" {
		t.Errorf("%+v", loaded.Settings.Tools)
	}
}
