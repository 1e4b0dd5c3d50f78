package rules

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/authoring/exchange"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/pkg/pattern"
)

// An exporter prints rules for another program.
type exporter struct {
	*console.Process
	effective.Flags
	dir, format string
	strict      bool
}

// NewExport returns the command export.
func NewExport(p *console.Process) *cobra.Command {
	e := &exporter{Process: p}
	cmd := &cobra.Command{
		Use:   "export [FILE…]",
		Short: "Print rules as database rows, as API JSON, or as YAML",
		Long: `Print the rules of FILEs, or of the policy that applies here, for a service of
the same dialect:
  rows   the rows of its table approval_rules, as sqlite3 -json prints them
  api    a list of the bodies of POST /api/rules
  yaml   a policyctl policy with only the rules
Rules that the service cannot evaluate are exported disabled, because they would
never match there, or always. The standard error names each rule whose meaning
changes, and how; with --strict, such a rule makes the export fail.`,
		Example: `  policyctl export rules.yaml > rows.json
  policyctl export --format api | jq -c '.[]'`,
		RunE: func(_ *cobra.Command, args []string) error { return e.run(args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&e.format, "format", "rows", "print the rules as `FORMAT`: rows, api or yaml")
	console.Completes(cmd, "format", "rows", "api", "yaml")
	flags.BoolVar(&e.strict, "strict", false, "fail if the meaning of a rule changes")
	e.Flags.Register(cmd)
	console.Directory(cmd, &e.dir)
	return cmd
}

func (e *exporter) run(args []string) error {
	formats := []string{"rows", "api", "yaml"}
	if !slices.Contains(formats, e.format) {
		return console.Unknown("format", e.format, formats, "one of rows, api, yaml")
	}
	dir, err := e.Absolute(e.dir)
	if err != nil {
		return err
	}
	flags := &e.Flags
	if len(args) > 0 {
		flags = e.Alone(args...)
	}
	r, err := loadRuled(e.Process, flags, dir)
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
	_, err = e.Stdout.Write(data)
	return err
}
