package settings

import (
	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/rego"
)

// NewSchema returns the command schema.
func NewSchema(p *console.Process) *cobra.Command {
	return console.Family(&cobra.Command{
		Use:   "schema COMMAND",
		Short: "Print a JSON Schema: of policy files, or of what Rego sees",
		Example: `  policyctl schema policy > policy.schema.json
  policyctl schema input > input.json
  opa check --strict --schema input.json admission/`,
	},
		newSchemaOf(p, "policy", "Print the JSON Schema of policy files, for editors", config.Schema),
		newSchemaOf(p, "input", "Print the JSON Schema of the input of admission policies, for opa check", rego.InputSchema),
	)
}

func newSchemaOf(p *console.Process, name, short string, text func() []byte) *cobra.Command {
	return &cobra.Command{
		Use:   name,
		Short: short,
		Args:  console.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := p.Stdout.Write(text())
			return err
		},
	}
}
