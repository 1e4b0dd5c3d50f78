package lint

import (
	"testing"

	"github.com/policyctl/policyctl/pkg/pattern"
)

func TestWitnesses(t *testing.T) {
	for _, row := range []struct {
		want int
		rule string
	}{
		{2, `a deny {"http.method": "GET", "any": [{"http.host": "a.example"}, {"http.host": "b.example"}]}`},
		{3, `a deny {"any": [{"verb": "x"}, {"verb": "y"}, {"verb": "z"}, {"verb": "w"}]}`},
		{1, `a deny {"slack.ip": {"cidr": "10.0.0.0/8"}}`},
		{1, `a deny {"http.headers.\"x-a.b\"": "c", "http.headers": {"exists": true}}`},
		{0, `a deny {"verb": "x", "not": {"verb": "x"}}`},
		{0, `a deny {"time": {"days": ["sat"]}}`},
	} {
		r := rulesOf(t, row.rule)[0]
		seen := map[string]bool{}
		for _, record := range Witnesses(&r.When, 3) {
			if r.When.Eval(record, &pattern.Input{}) != pattern.True {
				t.Errorf("%s: %s is no witness", row.rule, witnessText(record))
			}
			seen[witnessText(record)] = true
		}
		if len(seen) != row.want {
			t.Errorf("%s: got %d witnesses, want %d", row.rule, len(seen), row.want)
		}
	}
}
