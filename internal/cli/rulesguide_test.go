package cli_test

import (
	"bytes"
	"os"
	"regexp"
	"testing"

	"github.com/policyctl/policyctl/internal/authoring/suite"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// The policies and the fixtures in the guide to rules are valid.
func TestRulesGuide(t *testing.T) {
	guide, err := os.ReadFile("../../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllSubmatch(guide, -1)
	if len(blocks) < 4 {
		t.Errorf("%d blocks", len(blocks))
	}
	for _, b := range blocks {
		if bytes.Contains(b[1], []byte("cases:")) {
			if _, err := suite.Parse("guide", b[1]); err != nil {
				t.Errorf("%s%v", b[1], err)
			}
			continue
		}
		l, err := config.Load(policy.Defaults(), config.File{Layer: config.User, Name: "guide", Data: b[1], Admit: config.Everything})
		if err != nil || len(l.Warnings) > 0 {
			t.Errorf("%s%v %v", b[1], err, l.Warnings)
		}
	}
}

// The guide to rules names every field of every facet.
func TestRulesGuideIsWhole(t *testing.T) {
	guide, err := os.ReadFile("../../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, facet := range record.Facets() {
		fields, _ := record.Fields(facet)
		for _, f := range fields {
			row := regexp.MustCompile("(?m)^\\|[^|]*`" + facet + "`[^|]*\\|.*`" + f.Name + "`.*\\|$")
			if !row.Match(guide) {
				t.Errorf("the guide does not name %s.%s", facet, f.Name)
			}
		}
	}
}
