package approval_test

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"os/exec"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// An executor runs what its policy allows, and what a person approves at a
// service whose keys it has pinned.
func ExampleGate() {
	engine, err := policy.New(policy.Defaults(), policy.Options{})
	if err != nil {
		log.Fatal(err)
	}
	service, err := approval.NewClient("https://approval.example.com", os.Getenv("APPROVAL_TOKEN"))
	if err != nil {
		log.Fatal(err)
	}
	pinned, err := os.ReadFile("/etc/agent/approval-keys.json") // a JWK set
	if err != nil {
		log.Fatal(err)
	}
	var keys approval.Keys
	if err := json.Unmarshal(pinned, &keys); err != nil {
		log.Fatal(err)
	}
	gate := &approval.Gate{Engine: func() *policy.Engine { return engine }, Desk: service, Keys: keys}

	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute) // how long the agent waits
	defer cancel()
	call := policy.Shell("make release", "/home/dev/project")
	run, err := gate.Authorize(ctx, policy.NewSession("chat-1"), call)
	if err != nil {
		log.Print(err) // nothing may run
	}
	if !run.Allowed {
		log.Fatal(run.Verdict.Message())
	}
	done := approval.Execution{Outcome: approval.Executed}
	cmd := exec.Command("bash", "-c", "make release")
	cmd.Dir = call.Dir
	if err := cmd.Run(); err != nil {
		done = approval.Execution{Outcome: approval.Failed, Detail: err.Error()}
	}
	if err := run.Report(context.Background(), done); err != nil {
		log.Print(err)
	}
}

// A program that embeds the service, and runs what it approves, needs no HTTP
// between the two.
func ExampleService_Desk() {
	var store approval.Store // of the embedding program; see the package for what it must keep
	ctx := context.Background()
	service, err := approval.NewService(ctx, approval.Options{Store: store})
	if err != nil {
		log.Fatal(err)
	}
	engine, err := policy.New(policy.Defaults(), policy.Options{})
	if err != nil {
		log.Fatal(err)
	}
	gate := &approval.Gate{Engine: func() *policy.Engine { return engine }, Desk: service.Desk("agent:build"), Keys: service.Keys()}
	run, err := gate.Authorize(ctx, policy.NewSession("chat-1"), policy.Shell("make release", "/home/dev/project"))
	if err != nil || !run.Allowed {
		log.Fatal(run.Verdict.Message(), err)
	}
}
