package bundle

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/agents/install"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/layers"
)

// Keeper returns the job that keeps the bundles of a place current.
func Keeper(p *console.Process, place layers.Place, every time.Duration) *install.Keeper {
	config := p.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(config) {
		config = filepath.Join(place.Home, ".config")
	}
	k := &install.Keeper{
		System: runtime.GOOS, Root: os.Geteuid() == 0, UID: os.Getuid(),
		Home: place.Home, Config: config, State: place.State, Every: every,
	}
	if k.Root {
		k.Forms = filepath.Join(place.Managed, "forms")
	}
	return k
}

var keeperHost = install.KeeperHost{
	Has: func(name string) bool {
		_, err := exec.LookPath(name)
		return err == nil
	},
	Run: func(ctx context.Context, args []string) error {
		out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput()
		if text := strings.TrimSpace(string(out)); err != nil && text != "" {
			return fmt.Errorf("%s (%w)", text, err)
		}
		return err
	},
}

// install installs the job, or shows it.
func (s *syncer) install(ctx context.Context) error {
	k, err := s.job()
	if err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	if k.Program, err = install.TrustedProgram(program, os.Geteuid()); err != nil {
		return err
	}
	if err := k.Check(); err != nil {
		return err
	}
	if s.dryRun {
		for _, f := range k.Files() {
			fmt.Fprintf(s.Stdout, "would write %s:\n\n%s\n", f.Path, f.Text)
		}
		s.steps("would run:", k.Start())
		return nil
	}
	left, err := k.Install(ctx, keeperHost)
	if err != nil {
		return err
	}
	for _, f := range k.Files() {
		fmt.Fprintln(s.Stdout, "wrote", f.Path)
	}
	if len(left) > 0 {
		s.steps("not started: "+left[0].Args[0]+" is not there; to start it, run:", left)
		return nil
	}
	fmt.Fprintf(s.Stdout, "policyctl bundle sync --once runs every %d minutes\n", s.every/time.Minute)
	return nil
}

// uninstall takes the job away, or says what it would.
func (s *syncer) uninstall(ctx context.Context) error {
	k, err := s.job()
	switch {
	case err != nil:
		return err
	case !k.Installed():
		fmt.Fprintln(s.Stdout, "no job keeps the bundles current")
		return nil
	case s.dryRun:
		before, after := k.Stop()
		for _, f := range k.Files() {
			fmt.Fprintln(s.Stdout, "would remove", f.Path)
		}
		s.steps("would run:", append(before, after...))
		return nil
	}
	removed, err := k.Uninstall(ctx, keeperHost)
	for _, path := range removed {
		fmt.Fprintln(s.Stdout, "removed", path)
	}
	return err
}

func (s *syncer) job() (*install.Keeper, error) {
	place, err := s.Policies()
	if err != nil {
		return nil, err
	}
	k := Keeper(s.Process, place, s.every)
	return k, k.Check()
}

func (s *syncer) steps(title string, steps []install.Step) {
	fmt.Fprintln(s.Stdout, title)
	for _, step := range steps {
		fmt.Fprintln(s.Stdout, "  "+step.String())
	}
}
