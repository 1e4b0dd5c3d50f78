package record_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/record"
)

// TestCatalogue shows that the facets have the fields that rules are promised.
func TestCatalogue(t *testing.T) {
	for facet, fields := range map[string]string{
		"http": "method url host path status headers body", "ws": "url direction", "sse": "url direction", "llm": "provider model",
		"sql": "verb tables database", "ssh": "host user command", "k8s": "verb resource namespace name cluster",
		"shell": "program argv command dir writes reads hosts dangerous line", "file": "path op", "mcp": "server tool",
	} {
		have, ok := record.Fields(facet)
		if !ok {
			t.Errorf("%s is not well-known", facet)
		}
		for _, name := range strings.Fields(fields) {
			if !slices.ContainsFunc(have, func(f record.Field) bool { return f.Name == name && f.Meaning != "" }) {
				t.Errorf("%s.%s is missing", facet, name)
			}
		}
	}
	if fields, ok := record.Fields("slack"); ok || fields != nil {
		t.Error("slack is well-known")
	}
	for _, s := range record.Schemas() {
		if s.Label == "" || s.Description == "" || !slices.Contains(s.Facets, s.Primary) {
			t.Errorf("%s: %+v", s.Type, s)
		}
		for _, f := range s.Facets {
			if !slices.Contains(record.Facets(), f) {
				t.Errorf("%s: no facet %s", s.Type, f)
			}
		}
	}
}

func TestCatalogueJSON(t *testing.T) {
	var all struct{ Schemas []map[string]any }
	if err := json.Unmarshal(record.Catalogue(), &all); err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(all.Schemas[0])
	want := `{"defaultSensitivity":"mutate","description":"One simple command of a shell line.","facets":["shell","file","http","ssh","sql","k8s","tool"],"label":"Shell command","pluginId":"policyctl","primary":"shell","type":"shell.exec"}`
	if err != nil || string(got) != want {
		t.Errorf("got %s %v\nwant %s", got, err, want)
	}
}
