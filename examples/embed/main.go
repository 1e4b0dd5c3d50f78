// Command embed shows how a program decides by policyctl before it runs a shell line. It
// runs nothing:
//
//	go run ./examples/embed 'git status && rm -rf ~'
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/world"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: embed 'LINE'")
	}
	dir, err := os.Getwd()
	if err != nil {
		log.Fatal(err)
	}
	verdict, err := decide(os.Args[1], dir)
	if err != nil {
		log.Print(err) // the verdict denies
	}
	fmt.Printf("decision   %s\nwhy        %s\nstage      %s\n", verdict.Decision, verdict.Why, verdict.Stage)
	if verdict.Decision != policy.Allow {
		fmt.Println(strings.TrimSpace("rule       " + verdict.Rule + "\nmessage    " + verdict.Message()))
	}
}

// decide returns the verdict on a line that an agent wants to run in a directory.
func decide(line, dir string) (policy.Verdict, error) {
	engine, err := policy.New(policy.Defaults(), policy.Options{World: world.New(os.Environ())})
	if err != nil {
		return policy.Verdict{}, err
	}
	call := policy.Shell(line, dir)
	call.Home = os.Getenv("HOME")
	return engine.Decide(context.Background(), policy.NewSession("example"), call)
}
