package cli

import (
	"os"
	"regexp"
	"testing"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// The policies in the guide load, as what they are said to be.
func TestGuide(t *testing.T) {
	guide, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllSubmatch(guide, -1)
	if len(blocks) < 4 {
		t.Errorf("%d policies", len(blocks))
	}
	for _, b := range blocks {
		l, err := config.Load(policy.Defaults(), config.File{Layer: config.Managed, Name: "guide", Data: b[1], Admit: config.Everything})
		if err != nil || len(l.Warnings) > 0 {
			t.Errorf("%s%v %v", b[1], err, l.Warnings)
		}
	}
}
