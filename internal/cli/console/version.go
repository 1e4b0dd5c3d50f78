package console

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/render"
)

// A build is what the binary knows of itself.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// NewVersion returns the command version.
func NewVersion(p *Process) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  NoArgs,
		RunE: func(*cobra.Command, []string) error {
			b := NewBuild()
			if asJSON {
				return render.JSON(p.Stdout, b)
			}
			return b.print(p)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the version as JSON")
	return cmd
}

// PrintVersion prints the version on a line.
func (p *Process) PrintVersion() error { return NewBuild().print(p) }

func (b build) print(p *Process) error {
	_, err := fmt.Fprintf(p.Stdout, "policyctl %s (%s, %s)\n", b.Version, b.Go, b.Platform)
	return err
}

// NewBuild returns what the running binary knows of itself.
func NewBuild() build {
	b := build{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			b.Commit = s.Value
		}
	}
	return b
}
