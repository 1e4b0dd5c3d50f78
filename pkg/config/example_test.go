package config_test

import (
	"context"
	"fmt"
	"log"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A policy file with permissions and rules becomes an engine.
func Example() {
	file := config.File{Layer: config.User, Name: "policy.yaml", Admit: config.Everything, Data: []byte(`version: 1
permissions:
  shell git push *: ask
rules:
  - id: no-deploy
    when: {shell.program: make, shell.argv: {in: [deploy]}}
    decision: deny
    reason: deployments run in the pipeline
`)}
	loaded, err := config.Load(policy.Defaults(), file)
	if err != nil {
		log.Fatal(err) // all that is wrong, with places
	}
	engine, err := policy.New(loaded.Settings, policy.Options{Sources: loaded.Sources(), Revision: loaded.Revision})
	if err != nil {
		log.Fatal(err)
	}
	session := policy.NewSession("chat-1")
	for _, command := range []string{"git push origin main", "make deploy", "make deploy || ls"} {
		v, err := engine.Decide(context.Background(), session, policy.Shell(command, "/home/dev/project"))
		if err != nil {
			log.Print(err) // the verdict denies
		}
		fmt.Println(v.Decision, v.Rule, v.Origin)
	}
	// Output:
	// ask shell git push * policy.yaml:3
	// deny no-deploy policy.yaml:5
	// deny no-deploy policy.yaml:5
}
