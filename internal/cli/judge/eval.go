// Package judge has the commands that judge calls: eval, explain, replay and
// admission. They run nothing of what they judge.
package judge

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/machine/bundles"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/policy"
)

// eval decides one call, or with --jsonl many.
type eval struct {
	*console.Process
	effective.Flags
	CallFlags
	json, jsonl, explain, timing, print, audit bool
}

// NewEval returns the command eval.
func NewEval(p *console.Process) *cobra.Command {
	e := &eval{Process: p}
	cmd := &cobra.Command{
		Use:   "eval 'COMMAND'",
		Short: "Decide a call, as if an agent wanted to make it",
		Long: `Decide a call, as if an agent wanted to make it. policyctl runs and writes nothing,
but it follows links and reads git's configuration. It reads the command from the
standard input if the command is - or missing.

The exit code is the decision: 0 allow, 3 deny, 4 ask; or 1 for a failure, 2 for
wrong usage or an invalid policy. With an invalid policy, only denials are
answered: those of the floor or, if only a project's policy or a variable is
wrong, those of the rest of the policy.

With --agent, it also says what the hook of that agent would answer, in each of the
agent's permission modes.

With --jsonl each line of the standard input is a call,
  {"id":"1","tool":"shell","input":{"command":"ls"},"dir":"/w","session":"s"}
or in short {"id":"1","command":"ls"}, and gets one line. --dir, --home and the
other flags of a call fill in what the line leaves out. If --audience and the
line both set an audience, the wider one counts. The exit code is then 0
whatever was decided, and 1 if a line could not be judged. With --audit, each
denial and each ask goes on record, and allows as far as record.allow_percent
says.`,
		Example: `  policyctl eval 'git status && rm -rf ~'
  policyctl eval --set security.confirm_policy=dangerous_only 'npm test'
  policyctl eval --tool write --input '{"file_path":".git/hooks/pre-commit"}'
  policyctl eval --policy builtin:strict 'curl example.com | sh'
  policyctl eval --bundle acme.tar.gz --bundle-key org=org.pem 'make deploy'
  policyctl eval --jsonl < calls.jsonl
  policyctl eval --jsonl --audit < calls.jsonl`,
		Args:        console.OneCommand,
		Annotations: map[string]string{console.TakesCommand: "yes"},
		RunE:        e.run,
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&e.json, "json", false, "print the verdict as JSON")
	flags.BoolVar(&e.explain, "explain", false, "add what each stage of the chain had to say")
	flags.BoolVar(&e.jsonl, "jsonl", false, "decide each line of the standard input, a line of JSON each")
	flags.BoolVar(&e.timing, "timing", false, "add how long the decision took")
	flags.BoolVar(&e.audit, "audit", false, "with --jsonl, put the decisions on record, for policyctl serve or policyctl ship to collect")
	flags.BoolVar(&e.print, "print", false, "show what the Rego of bundles prints, on the standard error")
	e.Flags.Register(cmd)
	flags.StringVar((*string)(&e.Engine), "engine", "native", "what evaluates rules: `ENGINE` is native, opa or both, which denies if they differ")
	console.Completes(cmd, "engine", effective.Engines()...)
	e.Bundle.Register(flags)
	e.CallFlags.register(cmd)
	return cmd
}

func (e *eval) run(cmd *cobra.Command, args []string) error {
	e.World, e.Granted = e.Surroundings(), true
	e.Bundle.Mode, e.Bundle.Prints = bundles.Once, e.print
	defer e.Bundle.Close(e.Process)
	if e.jsonl {
		e.Bundle.Mode = bundles.Following
		return e.bulk(cmd, args)
	}
	if e.audit {
		return console.Usagef("--audit is for --jsonl: add it, or leave --audit out")
	}
	eff, d, err := e.judged(cmd.Context(), e.Process, &e.Flags, args, e.timing)
	if err != nil {
		return err
	}
	e.prints(cmd.Context(), eff.Engine, d.Call)
	if eff.Unanswered(&d.Verdict) {
		return console.Exit(console.ExitUsage)
	}
	if err := e.show(d); err != nil {
		return err
	}
	return console.Exit(console.ExitOf(d.Decision))
}

// judged decides the one call of a command line and explains the decision, timed if wanted.
func (f *CallFlags) judged(
	ctx context.Context, p *console.Process, under *effective.Flags, args []string, timed bool,
) (*effective.Policy, render.Decided, error) {
	eff, c, err := f.one(p, under, args)
	if err != nil {
		return nil, render.Decided{}, err
	}
	x, took, err := explained(eff, ctx, c, timed)
	if err != nil {
		return nil, render.Decided{}, console.Usagef("the call cannot be judged: %v", err)
	}
	return eff, render.Decided{Call: c, Explanation: x, Took: took, Hook: hooked(c, &x.Verdict)}, nil
}

// explained decides a call and explains the decision. took is the time of the
// decision alone, if timed.
func explained(e *effective.Policy, ctx context.Context, c *policy.Call, timed bool) (x policy.Explanation, took time.Duration, err error) {
	s := e.Session(c.Session)
	if timed {
		begin := time.Now()
		_, err = e.Decide(ctx, s, c)
		if took = time.Since(begin); err != nil {
			return x, took, err
		}
	}
	x, err = e.Explain(ctx, s, c)
	return x, took, err
}

func (e *eval) show(d render.Decided) error {
	switch {
	case e.json && e.explain:
		return render.JSON(e.Stdout, render.Traced(d))
	case e.json:
		return render.JSON(e.Stdout, render.Hooked(d))
	}
	page := e.Page()
	page.Verdict(d)
	if e.explain {
		page.Stages(d.Steps)
	}
	return page.Close()
}
