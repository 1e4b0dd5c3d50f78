package rego_test

import (
	"context"
	"fmt"
	"log"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/rego"
)

// An organisation's Rego takes part in the chain.
func ExampleNewAdmission() {
	source, err := rego.NewAdmission([]rego.Module{{Name: "org.rego", Source: `package policyctl.admission

import rego.v1

deny contains {"id": "no-deploy", "reason": "deployments run in the pipeline", "command": command.index} if {
	some command in input.commands
	command.program == "make"
	some word in command.words
	word.text == "deploy"
}
`}}, nil, rego.Options{})
	if err != nil {
		log.Fatal(err)
	}
	engine, err := policy.New(policy.Defaults(), policy.Options{Sources: []policy.Source{source}})
	if err != nil {
		log.Fatal(err)
	}
	v, err := engine.Decide(context.Background(), nil, policy.Shell("ls; make deploy", "/home/dev/project"))
	fmt.Println(v.Decision, v.Rule, v.Why, err)
	// Output: deny no-deploy deployments run in the pipeline <nil>
}

// What an organisation's own build checks its Rego with is what policyctl
// evaluates: no network, no clock that is not handed in, no environment.
func ExampleCapabilities() {
	module := `package org

import rego.v1

deny if http.send({"method": "get", "url": "https://example.com"}).status_code == 200
`
	compiler := ast.NewCompiler().WithCapabilities(rego.Capabilities())
	compiler.Compile(map[string]*ast.Module{"org.rego": ast.MustParseModule(module)})
	for _, err := range compiler.Errors {
		fmt.Println(err.Message)
	}
	// Output: undefined function http.send
}
