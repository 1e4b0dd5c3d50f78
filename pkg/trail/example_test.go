package trail_test

import (
	"context"
	"fmt"

	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/trail"
)

// An engine hands over what it denies and asks about, and a queue makes entries of
// it for who keeps them.
func Example() {
	queue := trail.NewQueue(1024, trail.From{Actor: "service:builder", Via: "builder"}, func(batch []audit.Entry) error {
		for _, e := range batch {
			fmt.Println(e.Decision, e.Reason, e.Rule, string(e.Arguments))
		}
		return nil
	})
	engine, err := policy.New(policy.Defaults(), policy.Options{Recorder: queue})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, command := range []string{"rm -rf /", "ls", "TOKEN=ghp_Zq1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2aXy make"} {
		if _, err := engine.Decide(context.Background(), nil, policy.Shell(command, "/srv")); err != nil {
			fmt.Println(err)
		}
	}
	if err := queue.Close(context.Background()); err != nil {
		fmt.Println(err)
	}
	fmt.Println(queue.Dropped(), "dropped")
	// Output:
	// deny hardline root-delete {"command":"rm -rf /"}
	// ask none  {"command":"TOKEN=[redacted github-token] make"}
	// 0 dropped
}
