package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/authoring/suite"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A checker finds what is wrong with policies.
type checker struct {
	*console.Process
	dir, layer string
	json       bool
	covers     bool
}

// NewCheck returns the command check.
func NewCheck(p *console.Process) *cobra.Command {
	c := &checker{Process: p}
	cmd := &cobra.Command{
		Use:   "check [FILE…]",
		Short: "Find the mistakes in a policy",
		Long: `Find all mistakes in the policy that applies here: in its files, in the
variables that assign keys, and in approvers.yaml beside it. FILEs are checked
alone, as one policy in the order given; for a directory, all policies and
fixtures below it. A FILE that says who approves, as approvers.yaml does, is
checked as that. - is the standard input.

An error stops the whole policy from applying, or marks an example that
contradicts its rule. A warning marks something valid that you probably did not
mean. A note names values without effect, and rules without examples. Each warning
about rules comes with a call that shows it, as a line for eval --jsonl. Exits 2 if there is an error.

A permission gets a warning if it leaves a call that its author probably meant, or
allows more than its words show: the calls are made up and judged by the policy.

--covers shows what each permission means: calls that it covers,
and calls beside them that it does not.`,
		Example: `  policyctl check
  policyctl check policy.yaml
  policyctl check ~/.config/policyctl/approvers.yaml
  policyctl check --covers policy.yaml
  policyctl check --layer project .policyctl/policy.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&c.json, "json", false, "print the problems as JSON")
	flags.BoolVar(&c.covers, "covers", false, "show calls that each permission covers, and calls that it does not")
	flags.StringVar(&c.layer, "layer", config.User, "what the FILEs may set: `LAYER` is managed, user or project")
	console.Completes(cmd, "layer", config.Managed, config.User, config.Project)
	console.Directory(cmd, &c.dir)
	return cmd
}

func (c *checker) run(cmd *cobra.Command, args []string) error {
	for flag, alone := range map[string]bool{"layer": true, "dir": false} {
		switch {
		case !cmd.Flags().Changed(flag) || alone == (len(args) > 0):
		case alone:
			return console.Usagef("--layer is for files that are named: name one, or leave it out")
		default:
			return console.Usagef("--dir is for the policy of a directory: leave the files out, or --dir")
		}
	}
	found := checkJSON{Files: append([]string{}, args...), Problems: []problemRow{}}
	find := c.applying
	if len(args) > 0 {
		find = c.files
	}
	if err := find(&found); err != nil {
		return err
	}
	if err := c.show(&found); err != nil {
		return err
	}
	if found.count("error") > 0 {
		return console.Exit(console.ExitUsage)
	}
	return nil
}

// checkJSON is what was found, as JSON.
type checkJSON struct {
	Files    []string     `json:"files"`
	Problems []problemRow `json:"problems"`
	// Permissions are shown where they are asked for.
	Permissions []extentRow `json:"permissions,omitempty"`
}

// A problemRow is a problem as JSON. What is unknown is null.
type problemRow struct {
	Level  string  `json:"level"`
	File   *string `json:"file"`
	Line   *int    `json:"line"`
	Column *int    `json:"column"`
	Text   string  `json:"text"`
	Hint   *string `json:"hint"`
	// The rest is of problems with rules and permissions alone.
	Kind  string    `json:"kind,omitempty"`
	Rules []ruleRow `json:"rules,omitempty"`
	Next  string    `json:"next,omitempty"`
	// Call is a call that shows the problem of a permission.
	Call    string   `json:"call,omitempty"`
	Witness *witness `json:"witness,omitempty"`
}

// applying checks the policy that applies in a directory.
func (c *checker) applying(found *checkJSON) error {
	place, dir, err := c.PoliciesIn(c.dir)
	if err != nil {
		return err
	}
	more, stray := c.Variables()
	l := layers.Load(place, dir, more...)
	if _, err := l.Engine(nil); err != nil {
		return err
	}
	for _, s := range l.Sources {
		found.Files = append(found.Files, s.Path)
	}
	found.errors(l.Err)
	found.problems(l.Warnings)
	if l.Err == nil {
		found.rules(l.Rules)
	}
	for _, name := range stray {
		found.add("warning", console.Straying(name))
	}
	if l.TrustErr != nil {
		found.add("warning", l.TrustErr.Error())
	}
	found.held(l.Held())
	if l.Err == nil {
		found.approvers(place, &l.Loaded)
		if err := found.doubts(l); err != nil {
			return err
		}
		return c.extents(found, &l.Settings)
	}
	return nil
}

// files checks files alone.
func (c *checker) files(found *checkJSON) error {
	layersByName := map[string]config.Admission{config.Managed: config.Everything, config.User: config.Everything, config.Project: config.Tightening}
	admit, ok := layersByName[c.layer]
	if !ok {
		return console.Unknown("layer", c.layer, []string{config.Managed, config.User, config.Project}, "one of managed, user, project")
	}
	s := &sorted{}
	found.errors(s.add(found.Files))
	found.Files = slices.Concat(s.policies, s.fixtures, s.approvers)
	found.fixtures(s.fixtures)
	if len(s.policies) == 0 && len(s.fixtures)+len(s.approvers) > 0 {
		found.approverFiles(s.approvers, &config.Loaded{})
		return nil
	}
	files, errs := effective.OpenPolicies(s.policies)
	found.errors(errors.Join(errs...))
	for i := range files {
		files[i].Layer, files[i].Admit = c.layer, admit
	}
	l, err := config.Load(policy.Defaults(), files...)
	if err == nil {
		_, err = policy.New(l.Settings, policy.Options{})
	}
	found.errors(err)
	if c.layer != config.Managed && slices.ContainsFunc(found.Problems, func(p problemRow) bool { return strings.Contains(p.Text, " is a key of the managed policy") }) {
		found.add("note", "a policy of the organisation is checked with --layer managed")
	}
	found.problems(l.Warnings)
	if err == nil {
		found.rules(l.Rules)
	}
	found.approverFiles(s.approvers, &l)
	found.held((&layers.Policy{Loaded: l}).Held())
	if err == nil {
		if err := found.doubts(&layers.Policy{Loaded: l}); err != nil {
			return err
		}
		return c.extents(found, &l.Settings)
	}
	return nil
}

// A sorted has files by what they are.
type sorted struct{ policies, fixtures, approvers []string }

// add sorts files, and what is below directories.
func (s *sorted) add(names []string) (err error) {
	for _, name := range names {
		info, missing := os.Stat(name)
		if missing != nil || !info.IsDir() {
			s.file(name)
			continue
		}
		before := s.count()
		below := s.within(name)
		if below == nil && s.count() == before {
			below = fmt.Errorf("%s: the directory holds no policy: name one whose files end in "+effective.Endings, name)
		}
		err = errors.Join(err, below)
	}
	return err
}

func (s *sorted) count() int { return len(s.policies) + len(s.fixtures) + len(s.approvers) }

// file sorts one file. What is nothing else is a policy.
func (s *sorted) file(name string) {
	switch {
	case strings.HasSuffix(name, suite.FixtureSuffix):
		s.fixtures = append(s.fixtures, name)
	case isApprovers(name):
		s.approvers = append(s.approvers, name)
	default:
		s.policies = append(s.policies, name)
	}
}

// within sorts what is below a directory.
func (s *sorted) within(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", path, plainfile.Bare(err))
		case d.IsDir() && path != dir && (d.Name() == ".git" || d.Name() == "node_modules"):
			return filepath.SkipDir
		case d.IsDir():
		case strings.HasSuffix(path, suite.FixtureSuffix), effective.IsPolicy(d.Name()):
			s.file(path)
		}
		return nil
	})
}

// fixtures checks that fixtures can be read. What they expect is for test.
func (c *checkJSON) fixtures(names []string) {
	for _, name := range names {
		data, err := console.ReadFile(name)
		if err == nil {
			_, err = suite.Parse(name, data)
		} else {
			err = fmt.Errorf("%s: %w: check its path", name, err)
		}
		c.errors(err)
	}
}

// errors adds the problems that an error joins.
func (c *checkJSON) errors(err error) {
	switch e := err.(type) {
	case nil:
	case config.Problems:
		c.problems(e)
	case *layers.Unloaded:
		row := problemRow{Level: "error", File: console.OrNull(e.Origin.File), Text: e.Text()}
		if e.Origin.Line > 0 {
			row.Line = &e.Origin.Line
		}
		c.Problems = append(c.Problems, row)
	case interface{ Unwrap() []error }:
		for _, each := range e.Unwrap() {
			c.errors(each)
		}
	default:
		c.add("error", err.Error())
	}
}

func (c *checkJSON) problems(list config.Problems) {
	for i := range list {
		p := &list[i]
		row := problemRow{Level: "error", File: console.OrNull(p.File), Text: p.Text, Hint: console.OrNull(p.Hint)}
		if p.Warning {
			row.Level = "warning"
		}
		if p.Line > 0 {
			row.Line, row.Column = &p.Line, &p.Column
		}
		c.Problems = append(c.Problems, row)
	}
}

// held adds what has no effect.
func (c *checkJSON) held(list []config.Assignment) {
	for _, a := range list {
		row := problemRow{Level: "note", File: console.OrNull(a.Origin.File), Text: a.Path + ": " + a.Held + ": not applied"}
		if a.Origin.Line > 0 {
			row.Line = &a.Origin.Line
		}
		c.Problems = append(c.Problems, row)
	}
}

func (c *checkJSON) add(level, text string) {
	c.Problems = append(c.Problems, problemRow{Level: level, Text: text})
}

func (c *checker) show(found *checkJSON) error {
	if c.json {
		return render.JSON(c.Stdout, found)
	}
	page := c.Page()
	for i := range found.Problems {
		p := &found.Problems[i]
		page.Text(p.String())
		if p.Witness == nil {
			continue
		}
		shown, err := json.Marshal(p.Witness)
		if err != nil {
			return err
		}
		page.Block("  " + render.Plain(string(shown)))
	}
	for i := range found.Permissions {
		found.Permissions[i].show(page)
	}
	page.Text(found.summary())
	return page.Close()
}

// String returns a line that editors understand.
func (p *problemRow) String() string {
	var b strings.Builder
	if p.File != nil {
		b.WriteString(*p.File)
		for _, n := range []*int{p.Line, p.Column} {
			if n != nil {
				fmt.Fprintf(&b, ":%d", *n)
			}
		}
		b.WriteString(": ")
	}
	b.WriteString(p.Level + ": " + p.Text)
	if p.Hint != nil {
		b.WriteString(" (did you mean " + *p.Hint + "?)")
	}
	if p.Next != "" {
		b.WriteString(p.others() + ": " + p.Next)
	}
	return b.String()
}

func (c *checkJSON) summary() string {
	files := console.Count(len(c.Files), "file")
	errs, warnings := c.count("error"), c.count("warning")
	switch {
	case errs+warnings > 0:
		return fmt.Sprintf("%s, %s in %s", console.Count(errs, "error"), console.Count(warnings, "warning"), files)
	case len(c.Files) == 0:
		return "no policy file is here: policyctl init writes one"
	}
	return files + ", no problems"
}

func (c *checkJSON) count(level string) (n int) {
	for _, p := range c.Problems {
		if p.Level == level {
			n++
		}
	}
	return n
}
