package grant_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/world"
)

// A person answers an ask with "always, in this directory".
func Example() {
	state, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(state)
	ctx, store, links := context.Background(), grant.NewStore(state, time.Now), world.New(nil)
	engine := func() *policy.Engine { // a new one when the store has changed
		entries, err := store.List()
		if err != nil {
			log.Print(err) // the store is empty
		}
		e, err := policy.New(policy.Defaults(), policy.Options{World: links, Grants: grant.NewSet(entries, links, time.Now)})
		if err != nil {
			log.Fatal(err)
		}
		return e
	}
	call := policy.Shell("npm test", "/home/dev/project")

	asked, err := engine().Explain(ctx, nil, call)
	if err != nil {
		log.Fatal(err)
	}
	entries, why := grant.Propose(&asked, grant.Here, links)
	if len(entries) == 0 {
		log.Fatal(why)
	}
	for i := range entries {
		fmt.Println("approve", entries[i].Text()) // shown before the person says yes
		entries[i].By = "dialog"
	}
	if _, err := store.Add(entries...); err != nil {
		log.Fatal(err)
	}
	v, err := engine().Decide(ctx, nil, call)
	fmt.Println(asked.Decision, "then", v.Decision, err)
	// Output:
	// approve npm test in /home/dev/project
	// ask then allow <nil>
}

// A program that keeps approvals elsewhere says what is wrong with one before
// it is kept: a set passes over entries that are not valid.
func ExampleEntry_Validate() {
	e := grant.Entry{Verb: "npm test && rm", Tool: "shell", Scope: grant.Anywhere}
	fmt.Println(e.Validate())
	// Output: "npm test && rm" is not a verb: write a program and its sub-command, such as "git commit"
}
