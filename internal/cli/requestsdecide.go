package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/pkg/approval"
)

// A decider decides one request.
type decider struct {
	visitor
	scope, text, as string
}

func newRequestsApprove(p *Process) *cobra.Command {
	d := &decider{visitor: visitor{Process: p}}
	cmd := &cobra.Command{
		Use:   "approve ID...",
		Short: "Approve requests, by default for this one call each",
		Long: `Approve one or more requests, by default for this one call each. A wider scope is
possible where policyctl requests show offers it, and stores exactly the lines
shown there.

What was decided is printed in one line each. A request that somebody else has
decided stays as it is, and the exit code is 1. Agents are denied this command.

A login ends with the command that made it. One login serves several ids, and
requests watch --login all that come.`,
		Example: `  policyctl requests approve req_7XK2… --login
  policyctl requests approve req_7XK2… req_9QD4… --login
  policyctl requests approve req_7XK2… --scope here --token-file ada.token`,
		Args: d.args(someOf("id", "policyctl requests approve ID, as policyctl requests list shows it")),

		ValidArgsFunction: d.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			answer, err := approving(d.scope, d.text)
			if err != nil {
				return err
			}
			return d.run(cmd.Context(), args, answer)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&d.scope, "scope", string(approval.Once), "how long it stands: `SCOPE` is once, session, here or anywhere")
	flags.StringVar(&d.text, "comment", "", "a `TEXT` that goes with it")
	d.register(flags)
	return cmd
}

// scopes are the names of scopes.
var scopes = []string{string(approval.Once), string(approval.ForChat), string(approval.Here), string(approval.Anywhere)}

// approving returns the answer that approves for a scope.
func approving(scope, comment string) (approval.Answer, error) {
	a := approval.Answer{Word: approval.ApprovedRemember, Scope: approval.Scope(scope), Reason: comment}
	switch a.Scope {
	case approval.Once:
		a.Word = approval.ApprovedOnce
	case approval.ForChat, approval.Here, approval.Anywhere:
	default:
		return a, unknown("scope", scope, scopes, strings.Join(scopes, ", "))
	}
	return a, nil
}

// denials are the words of decisions that deny.
var denials = []string{string(approval.Rejected), string(approval.RequestMore), string(approval.RejectedContract)}

func newRequestsDeny(p *Process) *cobra.Command {
	d := &decider{visitor: visitor{Process: p}}
	cmd := &cobra.Command{
		Use:   "deny ID... --reason TEXT",
		Short: "Deny requests, with a reason that their agents are told",
		Example: `  policyctl requests deny req_7XK2… --reason 'the branch is frozen until Monday' --token-file ada.token
  policyctl requests deny req_7XK2… --as request_more --reason 'which database is it?' --login`,
		Args: d.args(someOf("id", "policyctl requests deny ID --reason TEXT")),

		ValidArgsFunction: d.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.TrimSpace(d.text) == "" {
				return usagef("--reason is missing: tell the agent why, and what to do instead")
			}
			if !slices.Contains(denials, d.as) {
				return unknown("word", d.as, denials, strings.Join(denials, ", "))
			}
			return d.run(cmd.Context(), args, approval.Answer{Word: approval.Word(d.as), Reason: d.text})
		},
	}
	cmd.Flags().StringVar(&d.text, "reason", "", "a `TEXT` that the agent is told")
	cmd.Flags().StringVar(&d.as, "as", string(approval.Rejected), "what the denial means: `WORD` is rejected, request_more or rejected_contract")
	d.register(cmd.Flags())
	return cmd
}

// run decides requests with one login, and goes on after one that fails.
func (d *decider) run(ctx context.Context, ids []string, a approval.Answer) error {
	if err := d.mayDecide(); err != nil {
		return err
	}
	if err := d.visit(ctx); err != nil {
		return err
	}
	defer d.leave(ctx)
	var errs []error
	for _, id := range ids {
		errs = append(errs, d.decide(ctx, id, a))
	}
	return errors.Join(errs...)
}

func (d *decider) decide(ctx context.Context, id string, a approval.Answer) error {
	r, err := d.client.Decide(ctx, id, a)
	switch {
	case errors.Is(err, approval.ErrDecided) && r != nil:
		return fmt.Errorf("nothing was changed, the request is over: %s", resolution(r))
	case err != nil:
		return unreached(err)
	}
	return d.writeLine(resolution(r))
}

// resolution says in one line how a request ended: what, where, and what was
// saved.
func resolution(r *approval.Request) string {
	parts := []string{ended(r), r.Title}
	if r.Dir != "" {
		parts = append(parts, "in "+r.Dir)
	}
	d := r.Decision
	if d == nil {
		return strings.Join(parts, "  ")
	}
	parts = append(parts, "by "+d.By)
	switch {
	case len(d.Saved) > 0:
		parts = append(parts, "saved "+strings.Join(d.Saved, "; "))
	case d.Word.Approves():
		parts = append(parts, "nothing saved")
	}
	if d.Reason != "" {
		parts = append(parts, "reason: "+d.Reason)
	}
	if d.Notice != "" {
		parts = append(parts, "notice: "+d.Notice)
	}
	return strings.Join(parts, "  ")
}

// refusals are the words of decisions that deny, and do not only that.
var refusals = map[approval.Word]string{
	approval.RequestMore: "more is asked for", approval.RejectedContract: "the contract is rejected",
}

// ended names the end of a request.
func ended(r *approval.Request) string {
	name := strings.ToLower(strings.ReplaceAll(string(r.State), "_", " "))
	if r.State == approval.Approved && r.Decision != nil {
		return name + " (" + scopeNames[r.Decision.Scope] + ")"
	}
	if r.Decision != nil && refusals[r.Decision.Word] != "" {
		return name + " (" + refusals[r.Decision.Word] + ")"
	}
	return name
}
