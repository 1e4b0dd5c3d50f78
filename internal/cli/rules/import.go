package rules

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/internal/authoring/foreign"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/render"
)

// importer makes a policy, or approvals, of what another program decides by.
type importer struct {
	*console.Process
	output, project string
	json, strict    bool
	dry, bypass     bool
}

// importable returns the sources of an import.
func importable() []string { return append(foreign.Names(), "netclaw", "rules") }

// NewImport returns the command import.
func NewImport(p *console.Process) *cobra.Command {
	im := &importer{Process: p}
	cmd := &cobra.Command{
		Use:   "import AGENT|netclaw|rules [FILE]",
		Short: "Turn another program's permissions into a policy, or store its approvals",
		Long: `Turn the permissions of an agent, or the approval rules of a service of the same
dialect, into a policy, and print it. The standard error names everything whose
meaning changes, and how.

import AGENT reads FILE, or the files of yours that the agent has:
` + files() + `
If there is no exact equivalent, the result is stricter where possible: a deny or
an ask becomes wider, an allow becomes narrower or is left out, and no permission
mode becomes one that asks less, but that a mode which allows edits in a project
allows them there. If something still becomes looser, its line says so. An entry
that cannot be read is left out, and a denial counts as far as it can be read. A
denial of joined commands, as Bash(curl * | sh), becomes a rule about the line.
Paths relative to a project start at the directory of --project, or at that to
which the place of FILE belongs. With --bypass, a mode of your own that asks
nobody turns yolo on.

import rules reads the rows of the table approval_rules, as sqlite3 -json or
sqlite3 -header -csv prints them, or the JSON of the HTTP API; - is the standard
input. A rule that policyctl cannot express is imported disabled, with its
condition in a comment. With --strict, such a rule or any other change makes the
import fail.

import netclaw stores the approvals of netclaw, by default those in
~/.netclaw/config/tool-approvals.json, as policyctl approvals trust-verb stores
them: a verb in its directory, or anywhere. The standard error names what cannot
be approved here; with --strict, nothing is stored in that case. Agents are
denied import netclaw.`,
		Example: `  policyctl import claude
  policyctl import codex .codex/rules/default.rules --output policy.yaml
  policyctl import claude | policyctl eval --policy /dev/stdin 'npm test'
  policyctl import netclaw --dry-run
  sqlite3 -json app.db 'select * from approval_rules' | policyctl import rules -`,
		ValidArgs: importable(),
		RunE:      im.run,
	}
	cmd.Flags().BoolVar(&im.json, "json", false, "print the policy and what changes as JSON")
	cmd.Flags().StringVarP(&im.output, "output", "o", "", "write `FILE` instead; if it exists, it must hold an import that nobody has edited")
	cmd.Flags().StringVar(&im.project, "project", "", "the `DIRECTORY` of the project to which settings of an agent belong")
	cmd.Flags().BoolVar(&im.bypass, "bypass", false, "turn yolo on if a mode of your own settings asks nobody")
	cmd.Flags().BoolVar(&im.strict, "strict", false, "fail if the meaning of a rule changes, or an approval is not imported")
	cmd.Flags().BoolVar(&im.dry, "dry-run", false, "say which approvals of netclaw would be stored, and store none")
	return cmd
}

// files lists the agents and the files of a user that each has.
func files() string {
	var b strings.Builder
	for _, a := range foreign.Agents {
		user, _ := a.Files()
		fmt.Fprintf(&b, "  %-9s %s\n", a.Name, strings.Join(user, ", "))
	}
	return b.String()
}

func (im *importer) run(_ *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return console.Usagef("nothing to import: write policyctl import claude, or another of %s", strings.Join(importable(), ", "))
	case !slices.Contains(importable(), args[0]):
		return console.Unknown("source", args[0], importable(), "one of "+strings.Join(importable(), ", "))
	case im.json && im.output != "":
		return console.Usagef("--json prints, --output writes: leave one of them out")
	case len(args) > 2:
		return console.Usagef("import %s takes one file, not %d: import them one by one", args[0], len(args)-1)
	case args[0] == "netclaw":
		return im.netclaw(args[1:])
	case im.dry:
		return console.Usagef("--dry-run is for import netclaw: the others store nothing")
	case args[0] == "rules":
		return im.rules(args[1:])
	case im.strict:
		return console.Usagef("--strict is for import rules and import netclaw: leave it out")
	}
	return im.agent(foreign.Named(args[0]), args[1:])
}

// agent imports the settings of an agent.
func (im *importer) agent(a *foreign.Agent, files []string) error {
	sources, err := im.sources(a, files)
	if err != nil {
		return err
	}
	policy, notes, err := foreign.Read(sources...)
	if err != nil {
		return console.Usagef("%v", err)
	}
	if im.json {
		return render.JSON(im.Stdout, importReport{string(policy.YAML()), notes})
	}
	if err := im.write(policy.YAML()); err != nil {
		return err
	}
	for _, note := range notes {
		console.Warn(im.Stderr, "", errors.New(note.String()))
	}
	return nil
}

// write prints the policy, or writes it to a file, which may be there if nobody has edited
// what an import wrote.
func (im *importer) write(policy []byte) error {
	if im.output == "" {
		_, err := im.Stdout.Write(policy)
		return err
	}
	out := console.Output{Name: im.output, What: "an import that nobody has edited", Ours: draft.Unedited}
	if err := out.Check(); err != nil {
		return err
	}
	return out.Write(draft.Marked(policy))
}

// An importReport is what an import finds, as JSON.
type importReport struct {
	Policy string       `json:"policy"`
	Notes  []draft.Note `json:"notes"`
}

// sources returns the settings of an agent: the file that is named, or those of the user.
func (im *importer) sources(a *foreign.Agent, files []string) ([]foreign.Source, error) {
	home := im.Getenv("HOME")
	if len(files) == 0 && home == "" {
		_, project := a.Files()
		example := strings.ReplaceAll(project[0], "*", "default")
		return nil, console.Usagef("the home directory is unknown: name the settings, as in policyctl import %s %s", a.Name, example)
	}
	sources := foreign.FoundOf(a.Name, home, "")
	for _, name := range files {
		sources = []foreign.Source{{Agent: a.Name, Path: name}}
	}
	if len(sources) == 0 {
		user, _ := a.Files()
		return nil, fmt.Errorf("%s has no settings in %s: name a file", a.Title, strings.Join(user, " or "))
	}
	for i := range sources {
		s := &sources[i]
		root, err := im.root(a, s.Path, home)
		if err != nil {
			return nil, err
		}
		s.Root, s.Bypass = root, im.bypass
		if s.Data, err = console.ReadUpTo(s.Path, maxSettings); err != nil {
			return nil, fmt.Errorf("%s: %w: name the settings of %s", s.Path, err, a.Title)
		}
		if s.Data == nil {
			s.Data = []byte{}
		}
	}
	return sources, nil
}

// maxSettings bounds a settings file.
const maxSettings = 4 << 20

// root returns the project to which settings belong, "" if there is none.
func (im *importer) root(a *foreign.Agent, name, home string) (string, error) {
	path := name
	if im.project != "" {
		path = im.project
	}
	if !filepath.IsAbs(path) {
		wd, err := im.Getwd()
		if err != nil {
			return "", fmt.Errorf("the working directory is unknown: %w; name the project with --project", err)
		}
		path = filepath.Join(wd, path)
	}
	if im.project != "" {
		return filepath.ToSlash(filepath.Clean(path)), nil
	}
	root := a.RootOf(path, home)
	if root == filepath.ToSlash(filepath.Clean(home)) {
		return "", nil
	}
	return root, nil
}
