package activation

import (
	"github.com/policyctl/policyctl/pkg/bundle"
	"github.com/policyctl/policyctl/pkg/rego"
)

// Printer returns what shows the prints of the admission policy of a bundle,
// nil for a bundle that has none.
func Printer(b *bundle.Bundle) (*rego.Printer, error) {
	modules := written(b)
	if !rego.HasAdmission(modules) {
		return nil, nil
	}
	return rego.NewPrinter(modules, b.Data)
}

// written returns the modules that the organisation wrote, without those of
// compiled rules.
func written(b *bundle.Bundle) []rego.Module {
	var out []rego.Module
	for _, m := range b.Modules {
		if !rego.IsCompiled(m.Text) {
			out = append(out, rego.Module{Name: m.Name, Source: m.Text})
		}
	}
	return out
}
