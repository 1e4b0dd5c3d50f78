package lint

import (
	"fmt"
	"testing"

	"github.com/policyctl/policyctl/pkg/pattern"
)

// mixedForms are conditions of the usual forms, each with a number of its own.
var mixedForms = []string{
	`{"http.method": "DELETE", "http.host": "h%[1]d.example.com"}`,
	`{"http.url": {"startsWith": "https://h%[1]d.example.com/"}}`,
	`{"http.url": {"glob": "https://*.example.com/team-%[1]d/*"}}`,
	`{"http.method": "GET", "http.url": {"pattern": "^https://[a-z0-9.]+/team-%[1]d/[a-z]+$"}}`,
	`{"shell.program": "tool%[1]d", "shell.argv": {"contains": "--force"}}`,
	`{"file.path": {"globPath": "/srv/app%[1]d/**"}, "file.op": "write"}`,
	`{"any": [{"sql.verb": "DELETE", "sql.tables": {"contains": "t%[1]d"}}, {"sql.verb": "DROP", "sql.tables": {"contains": "t%[1]d"}}]}`,
	`{"k8s.verb": "delete", "k8s.namespace": "ns%[1]d", "not": {"k8s.resource": "pods"}}`,
}

func mixedRules(t testing.TB, n int, forms []string) []*pattern.Rule {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("r%05d %s ", i, []string{"deny", "allow"}[i%2]) + fmt.Sprintf(forms[i%len(forms)], i)
	}
	return rulesOf(t, lines...)
}

// BenchmarkLint judges rules of eight forms in turn, and of one.
func BenchmarkLint(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		for _, forms := range [][]string{mixedForms[:1], mixedForms} {
			rules := mixedRules(b, n, forms)
			b.Run(fmt.Sprintf("forms=%d/rules=%d", len(forms), n), func(b *testing.B) {
				for b.Loop() {
					Lint(rules)
				}
			})
		}
	}
}
