package requests

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/service/view"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A decider decides one request.
type decider struct {
	visitor
	scope, text, as, life, revision string
	uses                            int
}

func newRequestsApprove(p *console.Process) *cobra.Command {
	d := &decider{visitor: visitor{Process: p}}
	cmd := &cobra.Command{
		Use:   "approve ID...",
		Short: "Approve requests, by default for this one call each",
		Long: `Approve one or more requests, by default for this one call each. A wider scope is
possible where policyctl requests show offers it, and stores exactly the lines
shown there, for 8 hours unless --for says otherwise, and for a number of calls
with --uses.

Each decision is printed on one line. If several people must approve, that line
says how many have and who is missing: the request waits for them. A request
that somebody else has decided stays as it is, and the exit code is 1. Agents
are denied this command.

A login ends with the command that made it. One login covers several ids;
requests watch --login covers all requests that come.`,
		Example: `  policyctl requests approve req_7XK2… --login
  policyctl requests approve req_7XK2… req_9QD4… --login
  policyctl requests approve req_7XK2… --scope session --token-file ada.token
  policyctl requests approve req_7XK2… --scope here --for today --login`,
		Args: d.args(console.SomeOf("id", "policyctl requests approve ID, as policyctl requests list shows it")),

		ValidArgsFunction: d.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			answer, err := approving(d.scope, d.text)
			if err != nil {
				return err
			}
			if answer.For, err = d.lasting(cmd.Flags().Changed("for")); err != nil {
				return err
			}
			if answer.Uses = d.uses; d.scope == string(approval.Once) && cmd.Flags().Changed("uses") {
				return console.Usagef("--uses is for what is stored: choose a --scope other than once")
			}
			if d.revision != "" && len(args) > 1 {
				return console.Usagef("--revision is that of one request: give one id")
			}
			answer.Revision = d.revision
			return d.run(cmd.Context(), args, answer)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&d.scope, "scope", string(approval.Once), "how long it holds: `SCOPE` is once, session, here or anywhere")
	console.Completes(cmd, "scope", string(approval.Once), string(approval.ForChat), string(approval.Here), string(approval.Anywhere))
	flags.StringVar(&d.life, "for", console.StoredFor, "how long what is stored holds: a `TIME` such as 30m, 8h or 7d, today, or always")
	flags.IntVar(&d.uses, "uses", 0, "for how many calls what is stored holds: a `NUMBER` up to 100 (default any number)")
	flags.StringVar(&d.text, "comment", "", "a `TEXT` that goes with the approval")
	flags.StringVar(&d.revision, "revision", "", "approve what a request asks that was asked again, by the `REVISION` that requests show prints as asked again")
	d.register(flags)
	return cmd
}

// lasting returns how long what is stored holds.
func (d *decider) lasting(given bool) (approval.Life, error) {
	if given && d.scope == string(approval.Once) {
		return 0, console.Usagef("--for is for what is stored: choose a --scope other than once")
	}
	if d.scope == string(approval.Once) {
		return 0, nil
	}
	life, err := console.Lifetime(d.life, time.Now())
	return approval.Life(life), err
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
		return a, console.Unknown("scope", scope, scopes, strings.Join(scopes, ", "))
	}
	return a, nil
}

// denials are the words of decisions that deny.
var denials = []string{string(approval.Rejected), string(approval.RequestMore), string(approval.RejectedContract)}

func newRequestsDeny(p *console.Process) *cobra.Command {
	d := &decider{visitor: visitor{Process: p}}
	var of sessionDenier
	cmd := &cobra.Command{
		Use:   "deny ID... | --session ID",
		Short: "Deny requests, or all those of a session",
		Long: `Deny one or more requests. The agent learns the reason, or that there is none.

With --scope, deny the same from now on: in this session, here or anywhere, without
an end unless --for sets one. It stores exactly the line that policyctl requests
show shows, and denies that however it is spelled, also under yolo. policyctl
approvals revoke ends it.

With --session, deny all pending and later requests of a session, for the time of
--for or until policyctl requests revoke --session ends it. The denial outlives the
session, because the agent could start it again. Calls that the policy allows need
no approval and still run.`,
		Example: `  policyctl requests deny req_7XK2… --login
  policyctl requests deny req_7XK2… --reason 'the branch is frozen until Monday' --token-file ada.token
  policyctl requests deny req_7XK2… --as request_more --reason 'which database is it?' --login
  policyctl requests deny req_7XK2… --scope here --login
  policyctl requests deny --session 4f0c… --for 1h --reason 'it runs wild' --login`,
		Args: d.args(of.args("policyctl requests deny ID")),

		ValidArgsFunction: d.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(denials, d.as) {
				return console.Unknown("word", d.as, denials, strings.Join(denials, ", "))
			}
			if of.session == "" {
				answer, err := d.denying(of.time)
				if err != nil {
					return err
				}
				return d.run(cmd.Context(), args, answer)
			}
			if d.scope != "" {
				return console.Usagef("--scope is for single requests: leave it out beside --session")
			}
			if d.as != denials[0] {
				return console.Usagef("--as is for single requests: leave it out beside --session")
			}
			return d.visiting(cmd.Context(), func(ctx context.Context) error { return of.deny(ctx, &d.visitor, d.text) })
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&d.text, "reason", "", "a `TEXT` for the agent")
	flags.StringVar(&d.as, "as", denials[0], "what the denial means: `WORD` is rejected, request_more or rejected_contract")
	console.Completes(cmd, "as", denials...)
	flags.StringVar(&d.scope, "scope", "", "deny the same from now on: `SCOPE` is session, here or anywhere")
	console.Completes(cmd, "scope", string(approval.ForChat), string(approval.Here), string(approval.Anywhere))
	flags.StringVar(&d.revision, "revision", "", "with --scope, of a request that was asked again: the `REVISION` that requests show prints")
	flags.StringVar(&of.session, "session", "", "deny all requests of one session, by its `ID`")
	flags.DurationVar(&of.time, "for", 0, "how long what --scope or --session denies stays denied: a `TIME` such as 30m or 8h (default without an end)")
	d.register(flags)
	return cmd
}

// denying returns the answer that denies, for how long the flags say.
func (d *decider) denying(life time.Duration) (approval.Answer, error) {
	a := approval.Answer{Word: approval.Word(d.as), Reason: d.text, Scope: approval.Scope(d.scope), For: approval.Life(life), Revision: d.revision}
	switch {
	case d.scope == "" && life != 0:
		return a, console.Usagef("--for is for what lasts: give --scope or --session with it")
	case d.scope == "":
		return a, nil
	case !slices.Contains(scopes[1:], d.scope):
		return a, console.Unknown("scope", d.scope, scopes[1:], strings.Join(scopes[1:], ", "))
	case d.as != denials[0]:
		return a, console.Usagef("--as %s is for one call: leave --scope out", d.as)
	}
	return a, nil
}

func newRequestsRevoke(p *console.Process) *cobra.Command {
	d := &decider{visitor: visitor{Process: p}}
	var of sessionDenier
	cmd := &cobra.Command{
		Use:   "revoke ID... | --session ID",
		Short: "Take back unused approvals, or the denial of a session",
		Long: `Take back one or more unused approvals: the call may no longer run, and its agent
learns that. If an approval was used already, revoke says so and exits 1. Grants
that an approval stored stay until policyctl approvals revoke ends them; the
printed line names them.

With --session, end the denial of a session.`,
		Example: `  policyctl requests revoke req_7XK2… --reason 'the wrong branch' --login
  policyctl requests revoke --session 4f0c… --token-file ada.token`,
		Args: d.args(of.args("policyctl requests revoke ID")),
		RunE: func(cmd *cobra.Command, args []string) error {
			return d.visiting(cmd.Context(), func(ctx context.Context) error {
				if of.session != "" {
					return of.release(ctx, &d.visitor)
				}
				return each(args, func(id string) error { return d.revoke(ctx, id) })
			})
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&d.text, "reason", "", "a `TEXT` for the agent")
	flags.StringVar(&of.session, "session", "", "end the denial of one session, by its `ID`")
	d.register(flags)
	return cmd
}

// run decides requests with one login, and goes on after one that fails.
func (d *decider) run(ctx context.Context, ids []string, a approval.Answer) error {
	return d.visiting(ctx, func(ctx context.Context) error {
		return each(ids, func(id string) error { return d.decide(ctx, id, a) })
	})
}

// visiting does something as somebody who may decide.
func (d *decider) visiting(ctx context.Context, do func(context.Context) error) error {
	if err := d.mayDecide(); err != nil {
		return err
	}
	if err := d.visit(ctx); err != nil {
		return err
	}
	defer d.leave(ctx)
	return do(ctx)
}

// each does something for each id, and returns all errors.
func each(ids []string, do func(id string) error) error {
	var errs []error
	for _, id := range ids {
		errs = append(errs, do(id))
	}
	return errors.Join(errs...)
}

func (d *decider) decide(ctx context.Context, id string, a approval.Answer) error {
	r, err := d.client.Decide(ctx, id, a)
	switch {
	case errors.Is(err, approval.ErrChanged) && r != nil && r.Revision != "":
		return fmt.Errorf("nothing was changed, the policy asks something else now: %s: look at it with policyctl requests show %s, and approve it with --revision %s if that is what you mean", view.Plain(r.Asked.Why), id, r.Revision)
	case errors.Is(err, approval.ErrDecided) && r != nil:
		hint := ""
		if unused := r.State == approval.Approved && r.Receipt != nil && r.Receipt.Consumed == nil; unused && !a.Word.Approves() {
			hint = "; policyctl requests revoke takes the approval back"
		}
		return fmt.Errorf("nothing was changed, the request is over: %s%s", resolution(r), hint)
	case err != nil:
		return unreached(err)
	}
	return d.WriteLine(decided(r))
}

// decided says what an answer has come to: that it is one vote of several, or how the
// request ended.
func decided(r *approval.Request) string {
	if r.State == approval.Pending && r.Tally != nil {
		return strings.Join([]string{"pending", r.Title, r.Tally.Counts()}, "  ")
	}
	return resolution(r)
}

// revoke takes one approval back.
func (d *decider) revoke(ctx context.Context, id string) error {
	r, err := d.client.Revoke(ctx, id, d.text)
	switch {
	case errors.Is(err, approval.ErrConsumed):
		return fmt.Errorf("%s: nothing was changed, the approval has already been used", id)
	case errors.Is(err, approval.ErrNotApproved) && r != nil:
		return fmt.Errorf("nothing was changed, there is no approval to take back: %s", resolution(r))
	case err != nil:
		return unreached(err)
	}
	return d.WriteLine(resolution(r))
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
		if r.Tally != nil {
			parts = append(parts, r.Tally.Text())
		}
		return strings.Join(parts, "  ")
	}
	if v := r.Revocation; v != nil {
		parts = append(parts, "by "+v.By)
		if v.Reason != "" {
			parts = append(parts, "reason: "+v.Reason)
		}
		if len(d.Saved) > 0 {
			parts = append(parts, "what it saved stays: "+strings.Join(d.Saved, "; "))
		}
		return strings.Join(parts, "  ")
	}
	parts = append(parts, "by "+d.Who())
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
		return name + " (" + scopeText(r.Decision.Scope, r.Decision.For) + ")"
	}
	if d := r.Decision; d != nil && d.Word == approval.Rejected && d.Scope != "" {
		return name + " (" + scopeText(d.Scope, d.For) + ")"
	}
	if r.Decision != nil && refusals[r.Decision.Word] != "" {
		return name + " (" + refusals[r.Decision.Word] + ")"
	}
	return name
}
