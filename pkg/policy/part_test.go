package policy_test

import (
	"context"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A countingWorld counts how often it is asked about the configuration of git.
type countingWorld struct {
	testWorld
	asked *int
}

func (w countingWorld) GitPrograms(dir string) ([]string, bool) {
	*w.asked++
	return w.testWorld.GitPrograms(dir)
}

// TestOneProof shows that a command is proved once for all that asks about it:
// the stage of proofs, the risk of the ask and, in an explanation, its trace.
func TestOneProof(t *testing.T) {
	asked := 0
	e, err := policy.New(policy.Defaults(), policy.Options{World: countingWorld{testWorld{top: project}, &asked}})
	if err != nil {
		t.Fatal(err)
	}
	c := call("git log --oneline && make")
	if v, err := e.Decide(context.Background(), nil, c); err != nil || v.Decision != policy.Ask || v.Risk != policy.Medium || asked != 1 {
		t.Errorf("%s of risk %s, %v: %d proofs", brief(v), v.Risk, err, asked)
	}
	asked = 0
	if x, err := e.Explain(context.Background(), nil, c); err != nil || len(x.Commands) != 2 || x.Commands[0].NotProved != "" || asked != 1 {
		t.Errorf("%+v, %v: %d proofs", x.Commands, err, asked)
	}
}
