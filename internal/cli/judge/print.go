package judge

import (
	"context"
	"errors"
	"fmt"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/policy"
)

// prints shows what the admission policies print of a call that was decided. It
// decides nothing: the engine that does prints nothing.
func (e *eval) prints(ctx context.Context, engine *policy.Engine, c *policy.Call) {
	if !e.print {
		return
	}
	in, err := engine.Input(c)
	if err != nil {
		return // the answer to the call says why
	}
	for _, p := range e.Bundle.Client.Printers() {
		err := p.Print(ctx, in, func(line string) { fmt.Fprintln(e.Stderr, render.Plain(line)) })
		if err != nil {
			console.Warn(e.Stderr, "warning: ", errors.New("bundle "+p.Bundle+": it may print more than is shown: "+err.Error()))
		}
	}
}
