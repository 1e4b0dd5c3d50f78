package bundles

import (
	"context"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/machine/activation"
	"github.com/policyctl/policyctl/pkg/bundle"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/rego"
)

// A Printer shows the prints of the admission policy of one bundle.
type Printer struct {
	// Bundle is the name of the subscription.
	Bundle string
	rego   *rego.Printer
	err    error // why there is none
}

// KeepPrints has the client keep what shows prints, which costs a compilation
// for each bundle that it activates. Call it before [Client.Bundles].
func (c *Client) KeepPrints() { c.prints = true }

// Printers returns what shows the prints of the bundles that were activated,
// by their names.
func (c *Client) Printers() []Printer {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []Printer
	for _, e := range c.entries {
		if p := e.printer.Load(); p != nil {
			out = append(out, *p)
		}
	}
	slices.SortFunc(out, func(a, b Printer) int { return strings.Compare(a.Bundle, b.Bundle) })
	return out
}

// Print gives each line that the policy prints of a call to out. The error
// says why there may be more.
func (p Printer) Print(ctx context.Context, in *policy.Input, out func(line string)) error {
	if p.err != nil {
		return p.err
	}
	return p.rego.Print(ctx, in, out)
}

// keepPrinter keeps what shows the prints of a bundle that was activated. An
// error is one of the prints alone.
func (c *Client) keepPrinter(e *entry, b *bundle.Bundle) {
	if !c.prints {
		return
	}
	p, err := activation.Printer(b)
	if p == nil && err == nil {
		e.printer.Store(nil)
		return
	}
	e.printer.Store(&Printer{e.source.Name, p, err})
}
