package policy_test

import (
	"context"
	"fmt"
	"log"

	"github.com/policyctl/policyctl/pkg/policy"
)

func Example() {
	engine, err := policy.New(policy.Defaults(), policy.Options{})
	if err != nil {
		log.Fatal(err)
	}
	session := policy.NewSession("chat-1")
	call := policy.Shell("git status && rm -rf ~", "/home/dev/project")
	verdict, err := engine.Decide(context.Background(), session, call)
	if err != nil {
		log.Print(err) // the verdict denies
	}
	fmt.Println(verdict.Decision, verdict.Stage, verdict.Rule)
	fmt.Println(verdict.Message())
	// Output:
	// deny hardline home-delete
	// Blocked by policy: this shell call is catastrophic, because it deletes a home directory. Nobody can approve it, so do not rephrase it and try again. Delete only the paths you created, by name, below the project directory.
}
