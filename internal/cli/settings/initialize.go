package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/support/plainfile"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/agents/install"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/policies"
)

// projectPolicy only tightens, so that it applies without being trusted.
const projectPolicy = `# What coding agents may not do in this project without being asked, or at all.
#
# A project's policy applies as far as it tightens what each person has. What
# would loosen it has no effect until a person runs policyctl trust on exactly
# this content.
#
# A pattern is a tool and its subject; * stands for any text. Deny wins over
# ask, and ask over allow, wherever they stand.
version: 1

permissions:
  # --- Never. -----------------------------------------------------------------
  - match: shell git push --force*
    action: deny
    except: shell git push --force-with-lease*
    why: a forced push drops the commits of others; --force-with-lease does not
  - {match: read *.env, action: deny, why: it holds secrets}

  # --- Ask each time, also where a person allows it elsewhere. ----------------
  - {match: shell git push *, action: ask, why: others see what is pushed}
  - {match: write *.github/workflows/*, action: ask, why: it runs with the project's credentials}

# What agents repeat this often in a row is stopped as a loop.
doom_loop:
  threshold: 3
`

// An initializer writes a first policy.
type initializer struct {
	*console.Process
	project, user bool
	dir, pack     string
	chosen        bool // that --pack is given
}

// NewInit returns the command init.
func NewInit(p *console.Process) *cobra.Command {
	i := &initializer{Process: p}
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a first policy with comments, for you or for a project",
		Long: `Write a first policy with comments: your own (--user, the default), or a
project's (--project), which only tightens. A pack is a ready-made policy:
policyctl packs lists them.

init overwrites no file that somebody has edited: it says what the pack of --pack
would change. Your policy becomes that pack if it is another one, unedited.`,
		Example: `  policyctl init
  policyctl init --pack developer
  policyctl init --project`,
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			i.chosen = cmd.Flags().Changed("pack")
			return i.run()
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&i.user, "user", false, "write your own policy")
	flags.BoolVar(&i.project, "project", false, "write the policy of a project")
	flags.StringVar(&i.pack, "pack", "baseline", "the `PACK` to begin with")
	console.Completes(cmd, "pack", policies.Names()...)
	flags.StringVar(&i.dir, "dir", "", "the `DIRECTORY` of the project (default the working directory)")
	return cmd
}

func (i *initializer) run() error {
	switch {
	case i.user && i.project:
		return console.Usagef("both --user and --project are given: write one after the other")
	case i.dir != "" && !i.project:
		return console.Usagef("--dir is for --project: leave it out, or add --project")
	case i.project && i.pack != "baseline":
		return console.Usagef("--pack is for your own policy: leave out --project")
	case i.project:
		return i.forProject()
	}
	return i.forUser()
}

func (i *initializer) forUser() error {
	place, err := i.Policies()
	if err != nil {
		return err
	}
	if _, ok := HasPolicy(place); ok && i.chosen {
		return i.change(place)
	}
	text, err := packText(i.pack)
	if err != nil {
		return err
	}
	name := place.UserFile()
	if err := create(name, text, 0o700, 0o600); err != nil {
		return err
	}
	if hooks, differs := i.Elsewhere(place); differs {
		console.Warn(i.Stderr, "warning: ", errors.New(Differing(hooks, place)))
	}
	if err := i.wrote(name, "read it and change it, see policyctl check, then guard your agents: policyctl install"); err != nil || i.pack == "baseline" {
		return err
	}
	return i.tell()
}

// change exchanges a pack in which nothing was edited for another.
func (i *initializer) change(place layers.Place) error {
	plan := &install.Plan{}
	was, err := PlanPack(plan, place, i.pack)
	if edited, ok := errors.AsType[*EditedError](err); ok && len(edited.Lines) > 0 {
		fmt.Fprintf(i.Stderr, "What the pack %s would take away (-) and add (+):\n  %s\n", i.pack, strings.Join(edited.Lines, "\n  "))
	}
	if err != nil {
		return err
	}
	name := render.Plain(place.UserFile())
	if len(plan.Changes) == 0 {
		_, err = fmt.Fprintf(i.Stdout, "nothing to change: %s is the pack %s already\n", name, was)
		return err
	}
	for _, c := range plan.Changes {
		if _, err := c.Apply(time.Now()); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintf(i.Stdout, "change  %s: the pack %s is now %s\n", name, was, i.pack); err != nil {
		return err
	}
	return i.tell()
}

// tell says what the pack allows.
func (i *initializer) tell() error {
	readme, _ := policies.Readme(i.pack)
	_, err := fmt.Fprintf(i.Stdout, "\n%s", whatItAllows(string(readme)))
	return err
}

// whatItAllows returns the part of the README of a pack that says what the pack
// changes, as it is read on a screen.
func whatItAllows(readme string) string {
	var b strings.Builder
	for section := range strings.SplitSeq(readme, "\n## ") {
		if !strings.HasPrefix(section, "What it ") {
			continue
		}
		for line := range strings.Lines(section) {
			cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
			if len(cells) < 2 || strings.HasPrefix(line, "|-") || strings.HasPrefix(line, "| key") || strings.HasPrefix(line, "| rule") {
				continue
			}
			fmt.Fprintf(&b, "%s\n  %s\n", strings.Trim(strings.TrimSpace(cells[0]), "`"), strings.ReplaceAll(strings.TrimSpace(cells[1]), "`", ""))
		}
	}
	return b.String()
}

func (i *initializer) forProject() error {
	dir, err := i.Absolute(i.dir)
	if err != nil {
		return err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return console.Usagef("%s: there is no such directory: name that of the project with --dir", dir)
	}
	name := layers.ProjectFile(dir)
	if err := create(name, []byte(projectPolicy), 0o755, 0o644); err != nil {
		return err
	}
	return i.wrote(name, "read it and change it, see policyctl check, then commit it")
}

func (i *initializer) wrote(name, next string) error {
	_, err := fmt.Fprintf(i.Stdout, "wrote  %s\nnext   %s\n", render.Plain(name), next)
	return err
}

// create writes a new file, and the directories above it that are missing.
func create(name string, data []byte, dirMode, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(name), dirMode); err != nil {
		return fmt.Errorf("%s: the directory cannot be made: %w", filepath.Dir(name), plainfile.Bare(err))
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s: it exists and is never overwritten: edit it, or remove it first", name)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, plainfile.Bare(err))
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		os.Remove(name) // half a policy is none
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
