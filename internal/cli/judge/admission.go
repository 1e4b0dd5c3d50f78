package judge

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/machine/bundles"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/rego"
)

// NewAdmission returns the command admission.
func NewAdmission(p *console.Process) *cobra.Command {
	return console.Family(&cobra.Command{
		Use:   "admission COMMAND",
		Short: "Show what an admission policy in Rego sees of a call",
		Long: `Show what an organisation's Rego, the package ` + rego.AdmissionPackage + `,
sees of a call.`,
		Example: `  policyctl admission input 'curl https://example.com > "$OUT"'`,
	}, newAdmissionInput(p))
}

// admissionInput prints the input of admission policies.
type admissionInput struct {
	*console.Process
	effective.Flags
	CallFlags
	jsonl bool
}

func newAdmissionInput(p *console.Process) *cobra.Command {
	a := &admissionInput{Process: p}
	cmd := &cobra.Command{
		Use:   "input 'COMMAND'",
		Short: "Print the input that an admission policy sees of a call",
		Long: `Print the input that an admission policy sees of a call, as JSON that opa eval
takes with -i. Name the call as for eval; policyctl never runs it. It reads the
command from the standard input if the command is - or missing.

Null stands for what is unknown; in a list it means that there may be more. The
policy that applies counts too: its tools, and what it calls dangerous. If an
allow is about a program that is called by its path, policyctl asks a second
time, with that path in program.

If the policy is invalid, it prints no input and exits 2.

With --jsonl each line of the standard input is a call as eval --jsonl takes it,
and gets one line: its input, or {"id","error"} for one that cannot be read.

policyctl schema input describes each field.`,
		Example: `  policyctl admission input 'curl https://example.com > "$OUT"'
  policyctl admission input --tool write --input '{"file_path":"a.txt"}'
  policyctl admission input 'make deploy' > input.json
  opa eval -d admission/ -i input.json data.` + rego.AdmissionPackage,
		Args:        console.OneCommand,
		Annotations: map[string]string{console.TakesCommand: "yes"},
		RunE:        a.run,
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&a.jsonl, "jsonl", false, "print the input of each line of the standard input, a line of JSON each")
	a.Flags.Register(cmd)
	a.Bundle.Register(flags)
	a.CallFlags.register(cmd)
	return cmd
}

func (a *admissionInput) run(cmd *cobra.Command, args []string) error {
	a.World, a.Granted = a.Surroundings(), true
	a.Bundle.Mode = bundles.Once
	defer a.Bundle.Close(a.Process)
	if a.jsonl {
		return a.bulk(cmd, args)
	}
	eff, c, err := a.one(a.Process, &a.Flags, args)
	if eff != nil && eff.Broken {
		return console.Exit(console.ExitUsage) // the judge would be shown something else
	}
	if err != nil {
		return err
	}
	input, err := regoInput(eff.Engine, c)
	if err != nil {
		return err
	}
	return render.JSON(a.Stdout, input)
}

// bulk prints the inputs of the calls on the standard input.
func (a *admissionInput) bulk(cmd *cobra.Command, args []string) error {
	b := newBulk(a.Process, &a.CallFlags)
	b.judge = func(_ context.Context, e *policy.Engine, c *policy.Call) (any, error) { return regoInput(e, c) }
	return b.run(cmd, args, &a.Flags)
}

// regoInput returns what an admission policy is shown of a call by an engine.
func regoInput(e *policy.Engine, c *policy.Call) (map[string]any, error) {
	in, err := e.Input(c)
	if err != nil {
		return nil, console.Usagef("the call cannot be judged: %v", err)
	}
	input, err := rego.Input(in)
	if err != nil {
		return nil, console.Usagef("the call cannot be shown to an admission policy, which denies it: %v", err)
	}
	return input, nil
}
