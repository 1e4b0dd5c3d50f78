package rules

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/support/plainfile"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/authoring/suite"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/render"
)

// A tester runs the cases of policies.
type tester struct {
	*console.Process
	effective.Flags
	dir      string
	format   string
	json     bool
	coverage bool
	least    int
	// subjects are the policies that were loaded, by their files.
	subjects map[string]*suite.Subject
	runner   *suite.Runner
}

// NewTest returns the command test.
func NewTest(p *console.Process) *cobra.Command {
	t := &tester{Process: p, subjects: make(map[string]*suite.Subject), runner: suite.NewRunner()}
	cmd := &cobra.Command{
		Use:   "test [FILE|DIRECTORY]…",
		Short: "Run the examples of rules and the cases of fixtures",
		Long: `Run the examples of rules, and the cases of fixtures: files that end in
_test.yaml. Any other FILE is a policy, whose examples it runs; for a DIRECTORY,
it runs all fixtures below it. Without an argument, it takes the policy that
applies here, with the fixtures below .policyctl.

A fixture lists calls with the expected verdict:
  policy: rules.yaml        # or a list; without it the policy that applies
  cases:
    - name: pushing by force is refused
      command: git push --force
      decision: deny
      rule: no-force-push
A case has a command, a record with a scope, or a whole call as eval --jsonl
reads it. Of decision, stage, rule and reason, only decision is required. Each
case is decided on its own, without a file system, and without a time unless its
call has one.

The exit code is 0 if all pass, 1 if a case fails or --min-coverage is not
reached, and 2 if a policy or a fixture is invalid.`,
		Example: `  policyctl test
  policyctl test rules.yaml rules_test.yaml
  policyctl test --coverage --min-coverage 80 policies/
  policyctl test --format junit > report.xml`,
		RunE: t.run,
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&t.format, "format", "text", "print the report as `FORMAT`: text, json or junit")
	console.Completes(cmd, "format", "text", "json", "junit")
	flags.BoolVar(&t.json, "json", false, "the same as --format json")
	flags.BoolVar(&t.coverage, "coverage", false, "name the rules that no case reaches")
	flags.IntVar(&t.least, "min-coverage", 0, "fail if less than `N` percent of the rules are reached")
	t.Flags.Register(cmd)
	console.Directory(cmd, &t.dir)
	return cmd
}

func (t *tester) run(cmd *cobra.Command, args []string) error {
	formats := []string{"text", "json", "junit"}
	switch {
	case !slices.Contains(formats, t.format):
		return console.Unknown("format", t.format, formats, "one of text, json, junit")
	case t.json && t.format == "junit":
		return console.Usagef("both --json and --format junit are given: leave one of them out")
	case t.json:
		t.format = "json"
	}
	if err := within("min-coverage", t.least, 0, 100); err != nil {
		return err
	}
	var err error
	if t.dir, err = t.Absolute(t.dir); err != nil {
		return err
	}
	if len(args) == 0 {
		err = t.applying(cmd.Context())
	} else {
		err = t.named(cmd.Context(), args)
	}
	if err != nil {
		return err
	}
	report := t.runner.Report()
	if err := t.show(report); err != nil {
		return err
	}
	return t.outcome(report)
}

// applying tests the policy that applies here.
func (t *tester) applying(ctx context.Context) error {
	if _, err := t.subject(nil); err != nil {
		return err
	}
	fixtures, err := below(filepath.Dir(layers.ProjectFile(t.dir)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return t.fixtures(ctx, fixtures)
}

// named tests what is named.
func (t *tester) named(ctx context.Context, args []string) error {
	var fixtures []string
	for _, name := range args {
		info, err := os.Stat(name)
		switch {
		case name == console.StandardInput:
			if _, err := t.subject([]string{name}); err != nil {
				return err
			}
		case errors.Is(err, fs.ErrNotExist):
			return console.Usagef("%s: there is no such file: name a policy, a fixture or a directory of fixtures", name)
		case err != nil:
			return fmt.Errorf("%s: %w: name a policy, a fixture or a directory of fixtures", name, plainfile.Bare(err))
		case info.IsDir():
			found, err := below(name)
			if err != nil {
				return err
			}
			if len(found) == 0 {
				return console.Usagef("%s: no file below it ends in %s: name a policy to run its examples", name, suite.FixtureSuffix)
			}
			fixtures = append(fixtures, found...)
		case strings.HasSuffix(name, suite.FixtureSuffix):
			fixtures = append(fixtures, name)
		default:
			if _, err := t.subject([]string{name}); err != nil {
				return err
			}
		}
	}
	slices.Sort(fixtures)
	return t.fixtures(ctx, slices.Compact(fixtures))
}

// below returns the fixtures below a directory.
func below(dir string) (found []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("%s: %w", path, plainfile.Bare(err))
		}
		if d.IsDir() && path != dir && (d.Name() == ".git" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, suite.FixtureSuffix) && !d.IsDir() {
			found = append(found, path)
		}
		return nil
	})
	return found, err
}

// fixtures reads all fixtures before it runs any.
func (t *tester) fixtures(ctx context.Context, names []string) error {
	var all []*suite.Fixture
	var errs []error
	for _, name := range names {
		data, err := console.ReadFile(name)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w: check its path", name, err))
			continue
		}
		f, err := suite.Parse(name, data)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all = append(all, f)
	}
	if len(errs) > 0 {
		console.Warn(t.Stderr, "", errors.Join(errs...))
		return console.Exit(console.ExitUsage)
	}
	for _, f := range all {
		s, err := t.subject(Beside(f))
		if err != nil {
			return err
		}
		t.runner.Run(ctx, f, s)
	}
	return nil
}

// Beside returns the policies of a fixture, which stand as seen from it.
func Beside(f *suite.Fixture) []string {
	var files []string
	for _, name := range f.Policies {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(f.Name), name)
		}
		files = append(files, name)
	}
	return files
}

// subject loads a policy once, and runs the examples of its rules.
func (t *tester) subject(files []string) (*suite.Subject, error) {
	key := strings.Join(files, "\x00")
	if s := t.subjects[key]; s != nil {
		return s, nil
	}
	flags := &t.Flags
	if files != nil {
		flags = t.Alone(files...)
	}
	r, err := loadRuled(t.Process, flags, t.dir)
	if err != nil {
		return nil, err
	}
	s := &suite.Subject{Engine: r.Engine, Rules: r.rules}
	t.subjects[key] = s
	t.runner.Examples(s)
	return s, nil
}

func (t *tester) show(r *suite.Report) error {
	switch t.format {
	case "json":
		return render.JSON(t.Stdout, r)
	case "junit":
		return r.JUnit(t.Stdout)
	}
	page := t.Page()
	page.Suite(r, t.coverage || t.least > 0)
	return page.Close()
}

func (t *tester) outcome(r *suite.Report) error {
	percent := r.Coverage.Percent()
	switch {
	case r.Failed > 0:
		return console.Exit(console.ExitFailure)
	case percent < t.least:
		return fmt.Errorf("%d %% of the rules are reached, and --min-coverage wants %d %%: add cases for those above", percent, t.least)
	case r.Passed == 0:
		return errors.New("there is nothing to test: no rule has examples and no fixture is named; see policyctl help test")
	}
	return nil
}
