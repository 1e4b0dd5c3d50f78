package bundle

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/policyctl/policyctl/internal/authoring/suite"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/rules"
	"github.com/policyctl/policyctl/internal/machine/activation"
	"github.com/policyctl/policyctl/pkg/bundle"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/rego"
)

// fill checks the files and puts them into the bundle. What is wrong is told
// by the paths that people know.
func (b *builder) fill(made *bundle.Bundle, src *sources) error {
	var files []config.File
	for _, f := range src.byKind[policySource] {
		files = append(files, config.File{Layer: config.Bundle, Name: f.path, Data: f.data, Admit: config.Everything})
	}
	loaded, err := loadAlone(b.Process, files, nil)
	if err != nil {
		return err
	}
	b.leftOut(src)
	module, err := b.checked(made, src, loaded)
	if err != nil {
		return fail(b.Process, console.ExitUsage, err)
	}
	made.Policies = texted(src.byKind[policySource])
	made.Tests = texted(src.byKind[testSource])
	made.Modules = texted(src.byKind[moduleSource])
	if made.Revision == "" {
		made.Revision = contentOf(made)
	}
	if module != "" {
		made.Modules = append(made.Modules, bundle.File{Name: rulesModule, Text: module})
	}
	if len(made.Modules)+len(otherKeys(loaded.Assignments)) == 0 {
		return console.Usagef("nothing here decides a call: name policies that say something, or Rego of the package %s", rego.AdmissionPackage)
	}
	return nil
}

// checked checks what is no policy, takes the data, and compiles the rules.
func (b *builder) checked(made *bundle.Bundle, src *sources, loaded config.Loaded) (module string, err error) {
	if made.Data, err = dataOf(src.byKind[dataSource]); err != nil {
		return "", err
	}
	if err := checkRego(src.byKind[moduleSource], made.Data, loaded.Settings); err != nil {
		return "", err
	}
	if err := b.checkTests(src); err != nil {
		return "", err
	}
	return compiledRules(loaded)
}

// leftOut tells which files have no place in the bundle.
func (b *builder) leftOut(src *sources) {
	for _, f := range src.byKind[regoTestSource] {
		console.Warn(b.Stderr, "", fmt.Errorf("%s: left out: opa test runs tests in Rego, executors do not", f.path))
	}
	for _, f := range src.byKind[compiledSource] {
		console.Warn(b.Stderr, "", fmt.Errorf("%s: left out: the rules of the policies are recompiled", f.path))
	}
}

func texted(list []sourceFile) (out []bundle.File) {
	for _, f := range list {
		out = append(out, bundle.File{Name: f.name, Text: string(f.data)})
	}
	return out
}

// checkRego compiles modules under their paths, and tries them.
func checkRego(list []sourceFile, data map[string]any, s policy.Settings) error {
	var modules []rego.Module
	for _, f := range list {
		modules = append(modules, rego.Module{Name: f.path, Source: string(f.data)})
	}
	if len(modules) == 0 {
		return nil
	}
	admission, err := rego.NewAdmission(modules, data, rego.Options{})
	switch {
	case err == nil:
		return activation.TryAdmission(context.Background(), admission, s)
	case !rego.HasAdmission(modules):
		return fmt.Errorf("%s: %w", modules[0].Name, err)
	}
	return err
}

// checkTests reads fixtures under their paths.
func (b *builder) checkTests(src *sources) error {
	var problems config.Problems
	for _, t := range src.byKind[testSource] {
		f, err := suite.Parse(t.path, t.data)
		var list config.Problems
		switch {
		case err == nil:
			b.astray(f, src)
		case errors.As(err, &list):
			problems = append(problems, list...)
		default:
			return err
		}
	}
	if len(problems) > 0 {
		return problems
	}
	return nil
}

// astray tells which policies of a fixture the bundle does not hold.
func (b *builder) astray(f *suite.Fixture, src *sources) {
	for _, name := range rules.Beside(f) {
		held := slices.ContainsFunc(src.byKind[policySource], func(p sourceFile) bool {
			at, _ := b.Absolute(p.path)
			of, _ := b.Absolute(name)
			return at == of
		})
		if !held {
			console.Warn(b.Stderr, "warning: ", fmt.Errorf("%s: it tests %s, which is not in the bundle: its cases are decided under the bundle", f.Name, filepath.Clean(name)))
		}
	}
}

// contentOf names the content of a bundle: the first digits of its SHA-256.
func contentOf(b *bundle.Bundle) string {
	h := sha256.New()
	for kind, list := range [][]bundle.File{b.Policies, b.Tests, b.Modules} {
		for _, f := range list {
			fmt.Fprintf(h, "%d %q %q\n", kind, f.Name, f.Text)
		}
	}
	data, _ := json.Marshal(b.Data) // of JSON, with sorted keys
	h.Write(data)
	return fmt.Sprintf("%x", h.Sum(nil))[:12]
}
