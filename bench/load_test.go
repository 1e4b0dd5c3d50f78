package bench

import (
	"fmt"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// BenchmarkLoad reads 10,000 mixed rules from four files, strictly, and makes
// their set.
func BenchmarkLoad(b *testing.B) {
	var files []config.File
	for i := range 4 {
		files = append(files, config.File{Layer: config.User, Name: fmt.Sprintf("rules-%d.yaml", i), Data: rulesFile(2500*i, 2500)})
	}
	b.ReportAllocs()
	for b.Loop() {
		loaded, err := config.Load(policy.Settings{}, files...)
		if err != nil {
			b.Fatal(err)
		}
		for _, layer := range loaded.Rules {
			pattern.NewSet(layer.Rules)
		}
	}
}

func rulesFile(from, n int) []byte {
	var data strings.Builder
	data.WriteString("version: 1\nrules:\n")
	for i := from; i < from+n; i++ {
		fmt.Fprintf(&data, "- id: rule-%d\n  priority: 10\n  when: %s\n  decision: deny\n  reason: it is a benchmark\n", i, yamlRule(mixed.of(i), i))
	}
	return []byte(data.String())
}

func yamlRule(s shape, i int) string {
	switch {
	case s == equality:
		return fmt.Sprintf("{http.method: DELETE, http.host: %s}", host(i))
	case s == regex:
		return fmt.Sprintf("{http.url: {pattern: '%s'}}", expression(i))
	case byPrefix(i):
		return fmt.Sprintf("{http.url: {startsWith: '%s'}}", start(i))
	}
	return fmt.Sprintf("{http.url: {glob: '%s'}}", stars(i))
}
