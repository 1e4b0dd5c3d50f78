package bundle

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/authoring/suite"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/pkg/bundle"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/rego"
)

// A view is a bundle as JSON. What is unknown is null.
type view struct {
	File      string         `json:"file"`
	Revision  string         `json:"revision"`
	Sequence  uint64         `json:"sequence"`
	Built     *time.Time     `json:"built"`
	Expires   *time.Time     `json:"expires"`
	Roots     []string       `json:"roots"`
	Policies  []policyView   `json:"policies"`
	Modules   []moduleView   `json:"modules"`
	Tests     []testView     `json:"tests"`
	Data      []string       `json:"data"`
	Size      int            `json:"size"`
	SHA256    string         `json:"sha256"`
	Signature *signatureView `json:"signature"`

	// problem is why the policies cannot be read; examples counts those of
	// their rules.
	problem  error
	examples int
}

// A policyView is a policy of a bundle: its rules, and the keys that it assigns
// beside them.
type policyView struct {
	Name  string   `json:"name"`
	Rules *int     `json:"rules"`
	Keys  []string `json:"keys"`
}

// A moduleView is a module of a bundle. Compiled says that it is made of the
// rules of the policies, or claims to be.
type moduleView struct {
	Name     string  `json:"name"`
	Package  *string `json:"package"`
	Compiled bool    `json:"compiled"`
}

// A testView is a fixture of a bundle.
type testView struct {
	Name  string `json:"name"`
	Cases *int   `json:"cases"`
}

// newView describes a bundle that was read of an archive.
func newView(file string, archive []byte, b *bundle.Bundle) *view {
	v := &view{
		File: file, Revision: b.Revision, Sequence: b.Sequence, Built: console.OrNever(b.Built), Expires: console.OrNever(b.Expires),
		Roots: append([]string{}, b.Roots...), Modules: []moduleView{}, Tests: []testView{},
		Data: append([]string{}, slices.Sorted(maps.Keys(b.Data))...),
		Size: len(archive), SHA256: b.Digest, Signature: signatureOf(archive),
	}
	v.policies(b.Policies)
	for _, m := range b.Modules {
		v.Modules = append(v.Modules, moduleView{m.Name, console.OrNull(packageOf(m.Text)), rego.IsCompiled(m.Text)})
	}
	for _, t := range b.Tests {
		row := testView{Name: t.Name}
		if f, err := suite.Parse(t.Name, []byte(t.Text)); err == nil {
			n := len(f.Cases)
			row.Cases = &n
		}
		v.Tests = append(v.Tests, row)
	}
	return v
}

// tried counts the tests that executors run: cases of fixtures, and examples of
// rules.
func (v *view) tried() int {
	n := v.examples
	for _, t := range v.Tests {
		if t.Cases != nil {
			n += *t.Cases
		}
	}
	return n
}

// policyFiles returns the policies of a bundle as files of its layer.
func policyFiles(list []bundle.File) (files []config.File) {
	for _, f := range list {
		files = append(files, config.File{Layer: config.Bundle, Name: f.Name, Data: []byte(f.Text), Admit: config.Everything})
	}
	return files
}

func (v *view) policies(list []bundle.File) {
	loaded, err := config.Load(policy.Defaults(), policyFiles(list)...)
	v.problem = err
	v.Policies = []policyView{}
	for _, f := range list {
		row := policyView{Name: f.Name, Keys: []string{}}
		if err == nil {
			n := 0
			row.Rules = &n
			for _, layer := range loaded.Rules {
				for _, r := range layer.Rules {
					if r.Origin.File == f.Name {
						n++
						v.examples += len(r.Examples.Match) + len(r.Examples.NoMatch)
					}
				}
			}
			row.Keys = otherKeys(slices.DeleteFunc(slices.Clone(loaded.Assignments), func(a config.Assignment) bool { return a.Origin.File != f.Name }))
		}
		v.Policies = append(v.Policies, row)
	}
}

// packageOf returns the package of a module as it is written, "" where it
// cannot be told. It is for showing only.
func packageOf(source string) string {
	for line := range strings.Lines(source) {
		line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
		if line == "" || line[0] == '#' {
			continue
		}
		name, ok := strings.CutPrefix(line, "package ")
		switch {
		case !ok:
			return ""
		case strings.Contains(name, `"`): // a["b c"]
			return strings.TrimSpace(name)
		}
		name, _, _ = strings.Cut(name, ";")
		return strings.Fields(name + " ?")[0]
	}
	return ""
}
