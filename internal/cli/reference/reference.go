// Package reference writes the tables of the policy engine as pages of
// Markdown, for people who read the repository in a browser.
//
// The same tables always give the same pages, and a test compares them with
// those under docs/reference. The package holds no rule of its own, opens no
// file and decides nothing.
package reference

//go:generate go run ./gen ../../../pkg/policy/chain.go ../../../docs/reference ../../../docs/agents.md

import (
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/dangerous"
	"github.com/policyctl/policyctl/pkg/hardline"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/readonly"
	"github.com/policyctl/policyctl/pkg/rego"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// A Page is a file of the reference.
type Page struct{ Name, Text string }

// Pages returns all pages. chain is the source of pkg/policy/chain.go, where
// the reasons for the order of the stages stand; it is an error if one is
// missing.
func Pages(chain string) ([]Page, error) {
	why, err := reasons(chain, policy.Stages())
	if err != nil {
		return nil, err
	}
	input, err := inputPage(rego.InputSchema())
	if err != nil {
		return nil, err
	}
	verdict, err := verdictSchema()
	if err != nil {
		return nil, err
	}
	return []Page{
		{"admission-input.md", input.markdown()},
		{"dangerous.md", dangerousPage(dangerous.Rules()).markdown()},
		{"floor.md", floorPage(hardline.Rules()).markdown()},
		{"policy-file.md", keysPage(config.Keys()).markdown()},
		{"policy.schema.json", string(config.Schema())},
		{"readonly.md", readonlyPage(readonly.Programs()).markdown()},
		{"sensitive.md", sensitivePage(sensitive.Entries()).markdown()},
		{"syntax.md", syntaxPage(shell.Constructs()).markdown()},
		{"stages.md", stagesPage(policy.Stages(), why).markdown()},
		{"tools.md", toolsPage(policy.BuiltinTools()).markdown()},
		{"verdict.schema.json", verdict},
	}, nil
}
