package settings

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/authoring/learn"
	"github.com/policyctl/policyctl/internal/authoring/replay"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/cli/judge"
	"github.com/policyctl/policyctl/internal/cli/serve"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A learner proposes permissions, and writes those that are accepted.
type learner struct {
	*console.Process
	effective.Flags
	judge.CallFlags
	database serve.Database
	accept   []string
	file     string
	least    int
	json     bool
}

// NewLearn returns the command learn.
func NewLearn(p *console.Process) *cobra.Command {
	l := &learner{Process: p}
	cmd := &cobra.Command{
		Use:   "learn [RECORDING…]",
		Short: "Propose the permissions that would have answered for you",
		Long: `Propose the smallest permissions that would have given answers that people gave
at least three times, and write those that you accept into your policy.

learn reads what people approved and denied from the audit log of the approval
service, or from recordings: an exported audit log, or transcripts of Claude
Code below ~/.claude/projects, in which a call that ran counts as approved and
one that you rejected as denied. policyctl help replay says what a recording is.

Each permission is shown with the answers that it would have given, the other
recorded calls that it would answer too, calls that it would newly allow, and one
that it does not match. learn proposes none that would answer a recorded call
differently from a person, or would allow what is dangerous or sensitive. Where an
option makes a command dangerous, a permission that asks about it comes along. Nothing changes before --accept,
which adds the permission to the end of those in your policy file and keeps its
comments. An agent cannot accept one: the floor denies it.`,
		Example: `  policyctl learn
  policyctl learn ~/.claude/projects
  policyctl learn --accept 'shell npm run *' ~/.claude/projects`,
		RunE: func(cmd *cobra.Command, args []string) error { return l.run(cmd.Context(), args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&l.accept, "accept", nil, "write the proposed permission `MATCH` into the policy; may repeat")
	flags.StringVar(&l.file, "file", "", "write into the policy in `FILE` instead of yours")
	flags.IntVar(&l.least, "least", 3, "how many answers a permission must have given: `N`")
	flags.BoolVar(&l.json, "json", false, "print the proposals as JSON")
	l.database.Register(flags)
	l.Flags.Register(cmd)
	l.RegisterPlaces(flags)
	return cmd
}

func (l *learner) run(ctx context.Context, args []string) error {
	if l.least < 1 {
		return console.Usagef("--least %d: give a number above 0", l.least)
	}
	if err := l.Resolve(l.Process); err != nil {
		return err
	}
	l.World, l.Flags.Project = l.Surroundings(), l.CallFlags.Project
	local, err := judge.NewLocal(l.Process, &l.Flags, l.Dir)
	if err != nil {
		return err
	}
	if local.Here.Broken {
		return console.Exit(console.ExitUsage)
	}
	tools := local.Here.Settings.Tools
	inputs, missing, done, err := l.inputs(ctx, args)
	if err != nil {
		return err
	}
	defer done()
	calls, problems := replay.Answers(ctx, inputs, replay.Options{Complete: l.Complete, Tools: tools})
	out := &learn.Report{Calls: len(calls), Problems: slices.Concat([]replay.Problem{}, missing, problems)}
	for i := range calls {
		if calls[i].Answer != replay.Unknown {
			out.Answered++
		}
	}
	out.Proposals, out.Refused, err = learn.Propose(ctx, calls, learn.Options{
		Policy: local.Policy(), Tools: tools, Least: l.least, With: local.With,
	})
	if err != nil {
		return err
	}
	if len(l.accept) > 0 {
		return l.write(out.Proposals)
	}
	if err := l.Show(l.json, out, func(page *render.Page) { page.Learnt(out, l.least) }); err != nil {
		return err
	}
	if err := judge.Unread(out.Problems); err != nil || len(calls) > 0 || len(args) == 0 {
		return err
	}
	return judge.ErrNoCalls
}

// inputs returns the recordings that are named, or the audit log.
func (l *learner) inputs(ctx context.Context, args []string) (list []replay.Input, missing []replay.Problem, done func(), err error) {
	if len(args) > 0 {
		list, missing = (&judge.Recorded{Process: l.Process}).Inputs(args)
		return list, missing, func() {}, nil
	}
	db, err := l.database.Open(ctx, l.Process)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%w; or name recordings, such as policyctl learn ~/.claude/projects", err)
	}
	out, in := io.Pipe()
	go func() { in.CloseWithError(audit.WriteJSONL(in, serve.Records(ctx, db))) }()
	return []replay.Input{replay.Stream("audit log", out)}, nil, func() {
		out.Close()
		db.Close() // it was only read
	}, nil
}

// write adds the permissions that are accepted to the policy.
func (l *learner) write(proposals []learn.Proposal) error {
	s := &setter{Process: l.Process, dir: l.Dir, file: l.file}
	name, layer, text, err := s.target()
	if err != nil {
		return err
	}
	var added []learn.Proposal
	for _, match := range l.accept {
		i := slices.IndexFunc(proposals, func(p learn.Proposal) bool { return p.Match == match })
		if i < 0 {
			return console.Usagef("nothing was written: %q is not proposed; policyctl learn lists what is", match)
		}
		if text, err = permitAll(text, &proposals[i]); err != nil {
			return fmt.Errorf("%s: nothing was written: %w", name, err)
		}
		added = append(added, proposals[i])
	}
	if err := s.save(name, layer, text); err != nil {
		return err
	}
	for _, p := range added {
		for _, one := range permissionsOf(&p) {
			if _, err := fmt.Fprintf(l.Stdout, "added  %s: %s\n", render.Plain(one.Match), one.Action); err != nil {
				return err
			}
		}
	}
	return nil
}

// permissionsOf returns the permissions of a proposal in the order in which they are written.
func permissionsOf(p *learn.Proposal) []policy.Permission {
	list := []policy.Permission{{Match: p.Match, Action: p.Action}}
	for _, match := range p.Asks {
		list = append(list, policy.Permission{Match: match, Action: policy.Ask})
	}
	return list
}

// permitAll returns the text of a policy that has the permissions of a proposal more.
func permitAll(text []byte, p *learn.Proposal) (_ []byte, err error) {
	for _, one := range permissionsOf(p) {
		if text, err = permit(text, one.Match, one.Action); err != nil {
			return nil, err
		}
	}
	return text, nil
}
