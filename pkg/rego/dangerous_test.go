//go:build !race

package rego

import (
	"testing"

	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// Rules on dangerous patterns say the same of real calls in all three ways,
// also where a word that is unknown may add a pattern.
func TestDangerous(t *testing.T) {
	e, err := policy.New(policy.Defaults(), policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ids := func(list ...string) document.Node {
		out := listNode()
		for _, id := range list {
			out.Items = append(out.Items, textNode(id))
		}
		return out
	}
	field := func(operator string, argument document.Node) document.Node {
		return mapNode("shell.dangerous", mapNode(operator, argument))
	}
	certain, uncertain := 0, 0
	for _, when := range []document.Node{
		field("contains", textNode("git-push-force")), field("in", ids("git-push-force", "git-push-delete")), field("notContains", textNode("git-push-force")),
		mapNode("shell.dangerous", ids()), mapNode("not", mapNode("shell.dangerous", ids())), mapNode("shell.dangerous", ids("rm-recursive", "rm-force")), field("exists", boolNode(true)),
		mapNode("shell.program", textNode("git"), "shell.dangerous", mapNode("contains", textNode("git-push-force"))), mapNode("shell.dangerous", textNode("sudo")),
	} {
		for _, verb := range []pattern.Verb{pattern.Deny, pattern.RequireHuman, pattern.Allow} {
			c := compared{t: t, set: pattern.NewSet([]*pattern.Rule{rule(t, "r", verb, when)})}
			c.compile()
			for _, line := range []string{
				"git push -fu", "git push", "git push $X", "git $X", "$X push", "ls $X", "rm -rf a", "rm -rf $X", "sudo git push -f", "cp a $X", "echo a > $X", "if ; then", `eval "$X"`, "git push --delete a b",
			} {
				in, err := e.Input(policy.Shell(line, "/w"))
				if err != nil {
					t.Fatal(err)
				}
				parts, err := record.Derive(in, record.Everything)
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range parts {
					if c.compare(p.Record, pattern.Scope{}, &pattern.Input{}).Certain {
						certain++
					} else {
						uncertain++
					}
				}
			}
		}
	}
	if certain < 100 || uncertain < 50 {
		t.Errorf("%d were certain and %d not", certain, uncertain)
	}
}
