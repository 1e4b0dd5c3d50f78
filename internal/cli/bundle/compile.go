package bundle

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/rego"
)

// A compiler turns the rules of policies into Rego.
type compiler struct {
	*console.Process
	files  []string
	output string
}

// NewCompile returns the command compile.
func NewCompile(p *console.Process) *cobra.Command {
	c := &compiler{Process: p}
	cmd := &cobra.Command{
		Use:   "compile FILE…",
		Short: "Print the rules of a policy as a Rego module, for OPA",
		Long: `Print the rules of policies as one equivalent Rego module, in the package
` + rego.Package + `, for Open Policy Agent. A FILE is a policy, a directory of
policies, or builtin:NAME; several make one policy.

The document "verdict" of the module is {decision, rule, reason}, for an ask
also {ask}, and undefined where no rule matches. Its input is {record, scope,
now}: a record as rules see it, the scope {plugin, profile, integration} of
which all may be missing, and the time in RFC 3339. It needs OPA ` + rego.OldestOPA + ` or later, but not
` + rego.BrokenOPA + `, which never match a set with a reference in it, such
as input.x in {"a", input.y}: denies would be lost.

The module holds only the enabled rules of a policy; the standard error names
what it leaves out. policyctl bundle build puts the module, and the policies
themselves, into a bundle.

Exits 2 if a policy is invalid or has no rule.`,
		Example: `  policyctl compile rules.yaml -o rules.rego
  policyctl compile rules.yaml team/ > rules.rego
  opa eval -d rules.rego -i input.json data.` + rego.Package + `.verdict`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return effective.Builtin(), cobra.ShellCompDirectiveDefault
		},
		RunE: func(_ *cobra.Command, args []string) error { return c.run(args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&c.output, "output", "o", "", "write `FILE` instead; if it exists, it must hold compiled rules")
	return cmd
}

func (c *compiler) run(args []string) error {
	if len(args) == 0 {
		return console.Usagef("nothing to compile: name a policy, as in policyctl compile rules.yaml")
	}
	c.files = args
	files, unreadable := effective.OpenPolicies(c.files)
	out := console.Output{Name: c.output, What: "a module of compiled rules", Ours: isCompiledText}
	for _, f := range files {
		out.Inputs = append(out.Inputs, f.Name)
	}
	if c.output != "" {
		if err := out.Check(); err != nil {
			return err
		}
	}
	module, err := c.compile(files, unreadable)
	if err != nil {
		return err
	}
	if c.output != "" {
		return out.Write([]byte(module))
	}
	_, err = io.WriteString(c.Stdout, module)
	return err
}

func (c *compiler) compile(files []config.File, unreadable []error) (string, error) {
	loaded, err := loadAlone(c.Process, files, unreadable)
	if err != nil {
		return "", err
	}
	module, err := compiledRules(loaded)
	switch {
	case err != nil:
		return "", console.Usagef("%v", err)
	case module == "":
		return "", console.Usagef("%s: none of its rules is enabled, so the module would never answer: name a policy with rules", strings.Join(c.files, ", "))
	}
	c.leftOut(loaded)
	return module, nil
}

func isCompiledText(old []byte) bool { return rego.IsCompiled(string(old)) }

// loadAlone reads files as one policy alone, and tells people of all its
// problems. A policy that is invalid is an error.
func loadAlone(p *console.Process, files []config.File, unreadable []error) (config.Loaded, error) {
	loaded, err := config.Load(policy.Defaults(), files...)
	if err == nil {
		_, err = policy.New(loaded.Settings, policy.Options{Sources: loaded.Sources()})
	}
	err = errors.Join(append(unreadable, err)...)
	effective.Tell(p.Stderr, &layers.Policy{Loaded: loaded, Err: err})
	if err != nil {
		return config.Loaded{}, console.Exit(console.ExitUsage)
	}
	return loaded, nil
}

// compiledRules returns the module of the rules of a policy of one layer, ""
// where none is enabled.
func compiledRules(l config.Loaded) (string, error) {
	var rules []*pattern.Rule
	for _, layer := range l.Rules {
		rules = append(rules, layer.Rules...)
	}
	set := pattern.NewSet(rules)
	if len(set.Ordered()) == 0 {
		return "", nil
	}
	compiled, err := rego.Compile(set)
	if err != nil {
		return "", fmt.Errorf("the rules cannot be compiled: %w", err)
	}
	return compiled.Source, nil
}

// leftOut tells what of a policy the module does not say.
func (c *compiler) leftOut(l config.Loaded) {
	if others := otherKeys(l.Assignments); len(others) > 0 {
		console.Warn(c.Stderr, "warning: ", fmt.Errorf("the module holds only the rules, and not what the policy says by %s", strings.Join(others, ", ")))
	}
	var disabled []string
	for _, layer := range l.Rules {
		for _, r := range layer.Rules {
			if r.Disabled {
				disabled = append(disabled, r.ID)
			}
		}
	}
	if len(disabled) > 0 {
		console.Warn(c.Stderr, "warning: ", fmt.Errorf("the module leaves out what is disabled: %s", strings.Join(disabled, ", ")))
	}
}

// otherKeys returns the keys beside the rules that are assigned, each once.
func otherKeys(assigned []config.Assignment) []string {
	keys := []string{}
	for _, a := range assigned {
		if a.Path != "version" && a.Path != "rules" && !slices.Contains(keys, a.Path) {
			keys = append(keys, a.Path)
		}
	}
	return keys
}
