package hook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// An Ask is a call that awaits a decision which the agent cannot get for the
// hook.
type Ask struct {
	Event *Event
	// Verdict asks.
	Verdict policy.Verdict
	// Raw is the event as the agent sent it.
	Raw []byte
	// Until is when to give up.
	Until time.Time
}

// An Outcome is what became of an ask.
type Outcome struct {
	// Verdict allows or denies. One that asks says that nobody could be
	// reached: the agent gets the answer that it gets without anybody.
	Verdict policy.Verdict
	// Note tells people what they should know beside it, "" for nothing.
	Note string
	// By is who decided, Request the request that was made of the ask, and Receipt
	// the id of the receipt that was used for it; all are "" where nobody was asked.
	By, Request, Receipt string
	// Answered says that another program has answered the event: Printed is
	// passed on as it is, with Code as the exit code.
	Answered bool
	Printed  []byte
	Code     int
}

// refers reports whether somebody else is to be asked, and about what: where the
// hook could only deny, where the agent shows a dialog meanwhile or afterwards,
// and, if it was told how long to wait, where the agent does not tell whether
// a person is there.
func (h *Host) refers(a *Agent, e *Event, v *policy.Verdict) (policy.Verdict, bool) {
	asked := v
	if a.isTyped(e, v) {
		asked = typedAsk(v)
	}
	if h.Refer == nil || asked.Decision != policy.Ask || e.tool.asks || a.leaves(e, asked) {
		return *v, false
	}
	switch say, _ := a.settle(e, asked); say {
	case deny, nothing:
		return *asked, true
	case ask:
		return *asked, h.Wait > 0 && a.tellsNothing
	}
	return *v, false
}

// refer has somebody else decide, and answers with what came of it. It lets
// what it started end, also where the agent has lost patience.
func (h *Host) refer(ctx context.Context, a *Agent, in Ask) int {
	deadline, _ := ctx.Deadline()
	watchdog, cancel := context.WithDeadline(context.WithoutCancel(ctx), deadline)
	defer cancel()
	e := in.Event
	var out Outcome
	done := make(chan error, 1)
	go func() {
		var err error
		out, err = await(watchdog, func() (Outcome, error) { return h.Refer(ctx, in) })
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil {
			return h.refuse(a, e, unsettled(err))
		}
	case <-ctx.Done():
		return h.abandon(ctx, a, e, func() {
			select {
			case <-done:
			case <-watchdog.Done():
			}
		})
	}
	if out.Answered {
		return h.relay(out)
	}
	v := out.Verdict
	if v.Reason == policy.ReasonTimedOut && v.Decision == policy.Deny && a.asksItself(e) {
		out.Note = v.Why
		v = in.Verdict // the dialog stays
	}
	e.settled, e.outcome = v.Decision != policy.Ask, out
	if out.Note != "" {
		v.Notes = append(v.Notes[:len(v.Notes):len(v.Notes)], out.Note)
		fmt.Fprintln(h.Stderr, printable("policyctl: "+out.Note))
	}
	return h.print(a, e, v)
}

// abandon denies at once, since whoever ends a hook may not wait for it. Then
// it lets the request be taken back, if there is time.
func (h *Host) abandon(ctx context.Context, a *Agent, e *Event, settle func()) int {
	why := ended(ctx)
	code := h.refuse(a, e, unsettled(why))
	if !errors.Is(why, context.DeadlineExceeded) {
		settle()
	}
	return code
}

// asksItself reports whether the agent asks a person, or refuses, if the hook has
// no answer.
func (a *Agent) asksItself(e *Event) bool {
	say, _ := a.settle(e, &policy.Verdict{Decision: policy.Ask})
	return say != deny
}

// unsettled is the denial for an ask of which nothing came.
func unsettled(err error) policy.Verdict {
	if errors.Is(err, context.DeadlineExceeded) {
		return policy.Verdict{Reason: policy.ReasonTimedOut, Why: "nobody decided in time"}
	}
	var told *stop
	if errors.As(err, &told) {
		return stopped(told)
	}
	return failed(err)
}

// relay passes the answer of another program on.
func (h *Host) relay(out Outcome) int {
	if len(out.Printed) > 0 {
		if _, err := h.Stdout.Write(out.Printed); err != nil {
			return h.refused(failed(fmt.Errorf("standard output cannot be written: %w", err)))
		}
	}
	return out.Code
}

// The bounds of what a hook may be told to wait.
const (
	MinWait = time.Second
	MaxWait = 24 * time.Hour
)

// CheckWait says what is wrong with a time to wait.
func CheckWait(wait time.Duration) error {
	if wait < MinWait || wait > MaxWait {
		return fmt.Errorf("it must be between %s and %s", MinWait, MaxWait)
	}
	return nil
}
