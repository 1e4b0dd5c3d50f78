package rules

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/authoring/exchange"
	"github.com/policyctl/policyctl/internal/authoring/foreign"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/pkg/pattern"
)

// An exporter prints rules for another program.
type exporter struct {
	*console.Process
	effective.Flags
	dir, format, output string
	strict, formatted   bool
}

// NewExport returns the command export.
func NewExport(p *console.Process) *cobra.Command {
	e := &exporter{Process: p}
	cmd := &cobra.Command{
		Use:   "export [AGENT] [FILE…]",
		Short: "Print a policy for an agent, or rules as rows, JSON or YAML",
		Long: `Print what an agent's own permissions can say of FILEs, or of the policy that
applies here, as a file of that agent:
` + agentForms() + `
The file never allows more than the policy. The standard error names each
permission that the agent cannot say, and how others differ; what is refused and
cannot be said is enforced by policyctl's hook alone. With --strict, a refusal
that the agent cannot say makes the export fail.

Without AGENT, print the rules for a service of the same dialect:
  rows   the rows of its table approval_rules, as sqlite3 -json prints them
  api    a list of the bodies of POST /api/rules
  yaml   a policyctl policy with only the rules
Rules that the service cannot evaluate are exported disabled, because they would
never match there, or always. The standard error names each rule whose meaning
changes, and how; with --strict, such a rule makes the export fail.`,
		Example: `  policyctl export claude
  policyctl export codex policy.yaml --output policy.rules
  policyctl export rules.yaml > rows.json
  policyctl export --format api | jq -c '.[]'`,
		ValidArgs: foreign.Names(),
		RunE: func(cmd *cobra.Command, args []string) error {
			e.formatted = cmd.Flags().Changed("format")
			return e.run(args)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&e.format, "format", "rows", "print the rules as `FORMAT`: rows, api or yaml")
	console.Completes(cmd, "format", "rows", "api", "yaml")
	flags.BoolVar(&e.strict, "strict", false, "fail if the meaning of a rule changes, or an agent cannot say a refusal")
	flags.StringVarP(&e.output, "output", "o", "", "write a new `FILE` instead; one that exists is never overwritten")
	e.Flags.Register(cmd)
	console.Directory(cmd, &e.dir)
	return cmd
}

func (e *exporter) run(args []string) error {
	if len(args) > 0 {
		a := foreign.Named(args[0])
		if a != nil && e.formatted {
			return console.Usagef("--format is for rules: an agent has one form, so leave it out")
		}
		if a != nil {
			return e.agent(a, args[1:])
		}
		if !isPolicyFile(args[0]) {
			return console.Unknown("agent", args[0], foreign.Names(), "one of "+strings.Join(foreign.Names(), ", ")+", or a file")
		}
	}
	formats := []string{"rows", "api", "yaml"}
	if !slices.Contains(formats, e.format) {
		return console.Unknown("format", e.format, formats, "one of rows, api, yaml")
	}
	r, err := e.load(args)
	if err != nil {
		return err
	}
	if err := oneSet(r.rules); err != nil {
		return err
	}
	result := &exchange.Result{Rules: r.rules}
	if e.format == "yaml" {
		return e.print(result.YAML())
	}
	result = exchange.Export(r.rules)
	tell(e.Process, result.Notes)
	if err := result.Strict(); e.strict && err != nil {
		return console.Usagef("%v", err)
	}
	return e.print(result.JSON(exchange.Format(e.format), time.Now()))
}

// load reads files as one policy, or without any the policy that applies.
func (e *exporter) load(files []string) (*ruleset, error) {
	dir, err := e.Absolute(e.dir)
	if err != nil {
		return nil, err
	}
	flags := &e.Flags
	if len(files) > 0 {
		flags = e.Alone(files...)
	}
	return loadRuled(e.Process, flags, dir)
}

// agentForms lists the agents and what is printed for each.
func agentForms() string {
	var b strings.Builder
	for _, a := range foreign.Agents {
		fmt.Fprintf(&b, "  %-9s %s\n", a.Name, a.Written)
	}
	return b.String()
}

// agent prints a policy as the permissions of an agent.
func (e *exporter) agent(a *foreign.Agent, files []string) error {
	r, err := e.load(files)
	if err != nil {
		return err
	}
	var rules []foreign.Rule
	for _, rule := range r.rules {
		if !rule.Disabled {
			rules = append(rules, foreign.Rule{ID: rule.ID, Refuses: rule.Decision.Verb != pattern.Allow})
		}
	}
	text, notes := a.Write(&r.Settings, rules)
	for _, note := range notes {
		console.Warn(e.Stderr, "", errors.New(note.String()))
	}
	if n := foreign.Unenforced(notes); e.strict && n > 0 {
		return console.Usagef("%s cannot say %s: nothing is exported", a.Title, console.Count(n, "refusal"))
	}
	return e.print(text, nil)
}

// oneSet refuses rules of several layers: each layer answers on its own, which
// one list of rules cannot say.
func oneSet(rules []*pattern.Rule) error {
	var names []string
	for _, r := range rules {
		if !slices.Contains(names, r.Origin.Layer) {
			names = append(names, r.Origin.Layer)
		}
	}
	if len(names) > 1 {
		return console.Usagef("the rules of the layers %s are separate sets: export their files one by one", strings.Join(names, " and "))
	}
	return nil
}

func (e *exporter) print(data []byte, err error) error {
	if err != nil {
		return err
	}
	write := func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
	if e.output == "" {
		return write(e.Stdout)
	}
	return console.WriteNew("output", e.output, 0o644, write)
}
