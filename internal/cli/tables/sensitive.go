package tables

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// sensitivePaths shows the table of sensitive paths, and which of its entries
// hold a path.
type sensitivePaths struct {
	*console.Process
	json bool
}

// NewSensitive returns the command sensitive.
func NewSensitive(p *console.Process) *cobra.Command {
	t := &sensitivePaths{Process: p}
	cmd := &cobra.Command{
		Use:   "sensitive [PATH|ENTRY]",
		Short: "List the sensitive paths, show an entry, or say which one holds a path",
		Long: `List the sensitive paths, show an entry, or say which entry holds a path: a secret
must not leak, and a trigger makes other programs run something later.

policyctl judges a path by its text: it opens no file and follows no link. If a
path has the name of an entry, write it with its directory, as in ./netrc. For a
pattern in quotes, such as '.en*', it shows what the pattern may match.`,
		Example: `  policyctl sensitive
  policyctl sensitive ssh-key
  policyctl sensitive ~/.ssh/id_rsa`,
		Args:              console.AtMostOne,
		ValidArgsFunction: completeSensitive,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return t.list()
			}
			return t.look(args[0])
		},
	}
	cmd.Flags().BoolVar(&t.json, "json", false, "print the entries as JSON")
	return cmd
}

// completeSensitive completes entries, and leaves files to the shell.
func completeSensitive(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return entryIDs(), cobra.ShellCompDirectiveDefault
}

func entryIDs() []string {
	var ids []string
	for _, e := range sensitive.Entries() {
		ids = append(ids, e.ID)
	}
	return ids
}

func (t *sensitivePaths) list() error {
	if t.json {
		return render.JSON(t.Stdout, sensitiveRows(sensitive.Entries()))
	}
	rows := [][]string{{"NAME", "ROLE", "PATHS"}}
	for _, e := range sensitive.Entries() {
		rows = append(rows, []string{e.ID, e.Role.String(), firstOf(e.Patterns)})
	}
	return t.PrintTable(rows)
}

// look shows the entry with a name, or those that hold a path.
func (t *sensitivePaths) look(arg string) error {
	table := sensitive.Entries()
	if i := slices.IndexFunc(table, func(e sensitive.Entry) bool { return e.ID == arg }); i >= 0 {
		return t.show(&table[i])
	}
	if strings.TrimSpace(arg) == "" {
		return console.Usagef("the path is empty: name a path, or an entry of policyctl sensitive")
	}
	held := t.holders(arg)
	near := console.Nearest(arg, entryIDs())
	if near != "" && len(held) == 0 && !strings.ContainsAny(arg, `/\.~*?[`) {
		return console.Usagef("unknown entry %q: did you mean %s? For a path write ./%s", arg, near, arg)
	}
	return t.say(arg, held)
}

// firstOf returns the first of many patterns, and how many more there are.
func firstOf(patterns []string) string {
	const most = 3
	text := strings.Join(patterns[:min(most, len(patterns))], "  ")
	if more := len(patterns) - most; more > 0 {
		text += fmt.Sprintf("  and %d more", more)
	}
	return text
}

// holders returns the entries that hold a path, or that a pattern may reach,
// as seen from the working directory: at most one for each role.
func (t *sensitivePaths) holders(path string) (held []*sensitive.Entry) {
	home := t.Getenv("HOME")
	dir, err := t.Getwd()
	if err != nil {
		dir = "" // a directory that is unknown
	}
	for _, role := range []sensitive.Role{sensitive.Secret, sensitive.Trigger, sensitive.Project} {
		e, ok := sensitive.FindIn(dir, path, home, role)
		if !ok && isPattern(path) {
			e, ok = sensitive.MayFind(patternIn(dir, path), home, role)
		}
		if ok && !slices.Contains(held, e) {
			held = append(held, e)
		}
	}
	return held
}

func isPattern(path string) bool { return strings.ContainsAny(path, "*?[") }

// patternIn returns a pattern as seen from a directory.
func patternIn(dir, pattern string) string {
	if dir == "" || pattern[0] == '/' || pattern[0] == '~' {
		return pattern
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir) + "/" + pattern
}

// show writes one entry with its examples.
func (t *sensitivePaths) show(e *sensitive.Entry) error {
	if t.json {
		return render.JSON(t.Stdout, sensitiveRows([]sensitive.Entry{*e})[0])
	}
	rows := summary(e)
	for _, f := range []struct {
		name   string
		values []string
	}{{"paths", e.Patterns}, {"except", e.Except}, {"matches", e.Hit}, {"not", e.Miss}} {
		for i, v := range f.values {
			if i > 0 {
				f.name = ""
			}
			rows = append(rows, console.Labelled(f.name, v))
		}
	}
	return t.write(rows)
}

// say writes which entries hold a path.
func (t *sensitivePaths) say(path string, held []*sensitive.Entry) error {
	if t.json {
		var entries []sensitive.Entry
		for _, e := range held {
			entries = append(entries, *e)
		}
		return render.JSON(t.Stdout, heldPath{path, sensitiveRows(entries)})
	}
	name := "path"
	if isPattern(path) {
		name = "pattern"
	}
	rows := [][]string{console.Labelled(name, path)}
	for _, e := range held {
		rows = append(rows, summary(e)...)
	}
	if len(held) == 0 {
		rows = append(rows, console.Labelled("entry", "none: the path is not known to be sensitive"))
	}
	return t.write(rows)
}

func (t *sensitivePaths) write(rows [][]string) error {
	return t.PrintTable(rows)
}

func summary(e *sensitive.Entry) [][]string {
	return [][]string{console.Labelled("entry", e.ID), console.Labelled("role", e.Role.String()), console.Labelled("why", e.Why)}
}

// A heldPath is a path with the entries that hold it, as JSON.
type heldPath struct {
	Path    string         `json:"path"`
	Entries []sensitiveRow `json:"entries"`
}

// A sensitiveRow is an entry as JSON.
type sensitiveRow struct {
	ID     string   `json:"id"`
	Role   string   `json:"role"`
	Why    string   `json:"why"`
	Paths  []string `json:"paths"`
	Except []string `json:"except"`
	Hit    []string `json:"hit"`
	Miss   []string `json:"miss"`
}

func sensitiveRows(entries []sensitive.Entry) []sensitiveRow {
	out := make([]sensitiveRow, len(entries))
	for i, e := range entries {
		out[i] = sensitiveRow{e.ID, e.Role.String(), e.Why, e.Patterns, append([]string{}, e.Except...), e.Hit, e.Miss}
	}
	return out
}
