// Package settings has the commands that show which policies apply, check them and
// write the first one: config, status, check, schema and init. It changes no policy that
// is there.
package settings

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/inforce"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/config"
)

// NewConfig returns the command config.
func NewConfig(p *console.Process) *cobra.Command {
	return console.Family(&cobra.Command{
		Use:   "config COMMAND",
		Short: "Show the values in force and where they come from, or set one",
	}, newConfigShow(p), newConfigGet(p), newConfigSet(p), newConfigPath(p), newConfigSchema(p))
}

func newConfigSchema(p *console.Process) *cobra.Command {
	return newSchemaOf(p, "schema", "Print the JSON Schema of policy files, for editors", config.Schema)
}

// paths lists the files that a policy may stand in.
type paths struct {
	*console.Process
	dir  string
	json bool
}

func newConfigPath(p *console.Process) *cobra.Command {
	l := &paths{Process: p}
	cmd := &cobra.Command{
		Use:   "path",
		Short: "List the files that can hold a policy, lowest layer first",
		Args:  console.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return l.run() },
	}
	cmd.Flags().BoolVar(&l.json, "json", false, "print the files as JSON")
	console.Directory(cmd, &l.dir)
	return cmd
}

func (l *paths) run() error {
	place, dir, err := l.PoliciesIn(l.dir)
	if err != nil {
		return err
	}
	trust, _ := place.ReadTrust() // status tells what is wrong with it
	files := fileRows(place.Files(dir, trust))
	if l.json {
		return render.JSON(l.Stdout, files)
	}
	return l.PrintTable(fileTable(files))
}

// A fileRow is a policy file as JSON.
type fileRow struct {
	Layer string `json:"layer"`
	Path  string `json:"path"`
	// State is found, missing or unreadable.
	State  string  `json:"state"`
	Digest *string `json:"sha256"`
	// Trust is null for files that need none.
	Trust   *string `json:"trust"`
	Problem *string `json:"problem"`
}

func fileRows(files []layers.Source) []fileRow {
	out := make([]fileRow, len(files))
	for i := range files {
		s := &files[i]
		out[i] = fileRow{Layer: s.Layer, Path: s.Path, State: "found", Digest: console.OrNull(s.Digest), Trust: console.OrNull(inforce.Trust(s))}
		switch {
		case s.Err == layers.ErrAbsent:
			out[i].State, out[i].Trust = "missing", nil
		case s.Err != nil:
			out[i].State, out[i].Problem = "unreadable", console.OrNull(s.Err.Error())
		}
	}
	return out
}

func fileTable(files []fileRow) [][]string {
	rows := [][]string{{"LAYER", "STATE", "SHA-256", "PATH"}}
	for _, f := range files {
		state, digest := f.State, "-"
		if f.Trust != nil && f.Problem == nil {
			state = *f.Trust
		}
		if f.Digest != nil {
			digest = (*f.Digest)[:12]
		}
		path := f.Path
		if f.Problem != nil {
			path += ": " + *f.Problem
		}
		rows = append(rows, []string{f.Layer, state, digest, path})
	}
	return rows
}

// inSection reports whether a key is meant by its name or that of a section.
func inSection(path, name string) bool {
	return path == name || strings.HasPrefix(path, name+".")
}
