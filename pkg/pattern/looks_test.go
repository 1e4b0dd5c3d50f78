package pattern

import (
	"testing"

	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// Nobody looks for dangerous patterns where no rule names them.
func TestDangerousIsLazy(t *testing.T) {
	e, err := policy.New(policy.Defaults(), policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := e.Input(policy.Shell("rm -rf a", "/w"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []struct {
		when document.Node
		want bool
	}{
		{keyed("shell.program", asText("rm")), false},
		{keyed("sensitivity", asText("destructive"), "shell.writes", keyed("contains", asText("/w/a"))), false},
		{keyed("not", keyed("shell.dangerous", asText("sudo"))), true},
	} {
		when, problems := CompileWhen(r.when)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		parts, err := record.Derive(in, NewSource(NewSet([]*Rule{{ID: "r", When: when}})).needs)
		if err != nil {
			t.Fatal(err)
		}
		if _, got := parts[0].Record.Facets["shell"]["dangerous"]; got != r.want {
			t.Errorf("%v: looked for is %v, want %v", r.when, got, r.want)
		}
	}
}
