package rules

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/support/plainfile"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/authoring/claude"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/render"
)

// importer makes a policy, or approvals, of what another program decides by.
type importer struct {
	*console.Process
	output, project string
	json, strict    bool
	dry             bool
}

// importable are the sources of an import.
var importable = []string{"claude", "netclaw", "rules"}

// NewImport returns the command import.
func NewImport(p *console.Process) *cobra.Command {
	im := &importer{Process: p}
	cmd := &cobra.Command{
		Use:   "import claude|netclaw|rules [FILE]",
		Short: "Turn another program's permissions into a policy, or store its approvals",
		Long: `Turn the permissions of Claude Code, or the approval rules of a service of the
same dialect, into a policy, and print it. The standard error names everything
whose meaning changes, and how.

import claude reads a settings.json, by default ~/.claude/settings.json. If
there is no exact equivalent, the result is stricter where possible: a deny or
an ask becomes wider, an allow becomes narrower or is left out, and no
permission mode becomes one that asks less. If something still becomes looser,
its line says so. An entry that cannot be read is left out, and a denial counts as
far as it can be read. A denial of joined commands, as Bash(curl * | sh), becomes a
rule about the line. Paths relative to a project start at the directory above
.claude, or at that of --project.

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
  policyctl import claude .claude/settings.json --output policy.yaml
  policyctl import claude | policyctl eval --policy /dev/stdin 'npm test'
  policyctl import netclaw --dry-run
  sqlite3 -json app.db 'select * from approval_rules' | policyctl import rules -`,
		ValidArgs: importable,
		RunE:      im.run,
	}
	cmd.Flags().BoolVar(&im.json, "json", false, "print the policy and what changes as JSON")
	cmd.Flags().StringVarP(&im.output, "output", "o", "", "write a new `FILE` instead; one that exists is never overwritten")
	cmd.Flags().StringVar(&im.project, "project", "", "the `DIRECTORY` of the project to which settings of Claude Code belong")
	cmd.Flags().BoolVar(&im.strict, "strict", false, "fail if the meaning of a rule changes, or an approval is not imported")
	cmd.Flags().BoolVar(&im.dry, "dry-run", false, "say which approvals of netclaw would be stored, and store none")
	return cmd
}

func (im *importer) run(_ *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return console.Usagef("nothing to import: write policyctl import claude, policyctl import netclaw, or policyctl import rules FILE")
	case !slices.Contains(importable, args[0]):
		return console.Unknown("source", args[0], importable, "one of "+strings.Join(importable, ", "))
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
	source, err := im.source(args[1:])
	if err != nil {
		return err
	}
	policy, err := claude.Import(source)
	if err != nil {
		return console.Usagef("%v", err)
	}
	if im.json {
		return render.JSON(im.Stdout, importReport{string(policy.YAML()), policy.Notes})
	}
	if err := im.write(policy.YAML()); err != nil {
		return err
	}
	for _, note := range policy.Notes {
		console.Warn(im.Stderr, "", errors.New(note.String()))
	}
	return nil
}

// An importReport is what an import finds, as JSON.
type importReport struct {
	Policy string        `json:"policy"`
	Notes  []claude.Note `json:"notes"`
}

// source reads the settings.
func (im *importer) source(files []string) (claude.Source, error) {
	home := im.Getenv("HOME")
	name := filepath.Join(home, ".claude", "settings.json")
	switch {
	case len(files) > 0:
		name = files[0]
	case home == "":
		return claude.Source{}, console.Usagef("the home directory is unknown: name the settings, as in policyctl import claude .claude/settings.json")
	}
	root, err := im.root(name, home)
	if err != nil {
		return claude.Source{}, err
	}
	data, err := console.ReadUpTo(name, maxSettings)
	if err != nil {
		return claude.Source{}, fmt.Errorf("%s: %w: name the settings of Claude Code", name, err)
	}
	return claude.Source{Name: name, Data: data, Root: root}, nil
}

// maxSettings bounds a settings file.
const maxSettings = 4 << 20

// root returns the project to which settings belong: the directory above
// .claude, unless that is the home directory. "" if there is none.
func (im *importer) root(name, home string) (string, error) {
	dir := im.project
	if above, folder := filepath.Split(filepath.Dir(name)); dir == "" && folder == ".claude" {
		dir = above
		if dir == "" {
			dir = "."
		}
	}
	if dir == "" {
		return "", nil
	}
	if !filepath.IsAbs(dir) {
		wd, err := im.Getwd()
		if err != nil {
			return "", fmt.Errorf("the working directory is unknown: %w; name the project with --project", err)
		}
		dir = filepath.Join(wd, dir)
	}
	if dir = filepath.Clean(dir); dir == filepath.Clean(home) && im.project == "" {
		return "", nil
	}
	return filepath.ToSlash(dir), nil
}

// write prints the policy, or writes it to a new file.
func (im *importer) write(yaml []byte) error {
	if im.output == "" {
		_, err := im.Stdout.Write(yaml)
		return err
	}
	f, err := os.OpenFile(im.output, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s: it exists and is not overwritten: remove it, or name another with --output", im.output)
	}
	if err != nil {
		return fmt.Errorf("%s: %w: check the path of --output", im.output, plainfile.Bare(err))
	}
	if _, err = f.Write(yaml); err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("%s: %w", im.output, plainfile.Bare(err))
	}
	return nil
}
