//go:build linux

package kernel_test

import (
	"bufio"
	"context"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A prover is the engine under its default policy.
type prover struct{ engine *policy.Engine }

// An ownWorld knows the playground and its repository, which names no program.
type ownWorld struct{}

func (ownWorld) GitPrograms(dir string) ([]string, bool) {
	return nil, dir == "/home/dev/project" || strings.HasPrefix(dir, "/home/dev/project/")
}

func (w ownWorld) GitDirs(dir string) ([]string, bool) {
	_, ok := w.GitPrograms(dir)
	return []string{"/home/dev/project/.git"}, ok
}

func (ownWorld) RealPath(path string) (string, bool) { return path, true }

func (ownWorld) Below(string, func(string, fs.FileMode) error) bool { return false }

func (ownWorld) Links(string) ([]string, bool) { return nil, true }

func newProver(t *testing.T) *prover {
	e, err := policy.New(policy.Defaults(), policy.Options{World: ownWorld{}})
	must(t, err)
	return &prover{e}
}

// proves reports whether the engine allows a line because it only reads.
func (p *prover) proves(line string) bool {
	c := policy.Shell(line, "/home/dev/project")
	c.Home = "/home/dev"
	v, err := p.engine.Decide(context.Background(), nil, c)
	return err == nil && v.Decision == policy.Allow && v.Stage == policy.StageReadonly
}

// corpus returns the commands of a corpus file.
func corpus(t *testing.T, name string) []string {
	f, err := os.Open(name)
	must(t, err)
	defer f.Close()
	var lines []string
	for scan := bufio.NewScanner(f); scan.Scan(); {
		parts := strings.SplitN(scan.Text(), " · ", 4)
		if len(parts) < 4 {
			continue
		}
		line := parts[3]
		if escaped, ok := strings.CutPrefix(line, "$ "); ok {
			line = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r").Replace(escaped)
		}
		lines = append(lines, line)
	}
	return lines
}
