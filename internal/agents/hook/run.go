package hook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// DefaultWait is how long a hook waits for a decision where nobody has said
// more, and Margin what it then has left to answer. Together they are shorter
// than the shortest time that an agent gives a hook which says nothing about
// it (Copilot CLI: 30 seconds).
const (
	DefaultWait = 20 * time.Second
	Margin      = 5 * time.Second
)

// MaxEvent bounds an event, in bytes.
const MaxEvent = 8 << 20

// A Host is the process around a hook. Stdin, Stdout, Stderr and Decide must
// be set. The process must ignore SIGPIPE, or it dies where a write should
// fail.
type Host struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Getenv reads the environment; nil stands for an empty one.
	Getenv func(string) string
	// Wait is how long a decision may be waited for: shorter by more than
	// Margin than the agent waits for the hook. Where it is given, an agent
	// that does not tell whether a person is there is waited for too. Zero
	// stands for DefaultWait.
	Wait time.Duration
	// Timeout must end before that of the agent, after which the call runs.
	// Zero stands for Wait and Margin; to decide never takes more than
	// DefaultWait and Margin.
	Timeout time.Duration
	// Decide answers a call. It is also told of events with NewTurn set; what
	// it returns for them is not used. An error denies.
	Decide func(context.Context, *Event) (policy.Verdict, error)
	// Refer takes an ask to somebody who may decide; nil where nobody can be
	// reached. It must return soon after ctx is done. An error denies.
	Refer func(context.Context, Ask) (Outcome, error)
	// Told is called with what the agent was told about a call, and must not take
	// long; nil where nobody wants to know. It is not called where another program
	// has answered.
	Told func(*Event, Outcome)
}

// The exit codes that an agent sees. Every agent takes any answer with 0, and
// refuses with 2 if there is a reason on standard error.
const (
	exitAnswered = 0
	exitRefused  = 2
)

// Run answers one event and returns the exit code. It returns when the
// timeout ends or ctx is done, whatever Decide does; the process must then
// exit.
func Run(ctx context.Context, a *Agent, h Host) (code int) {
	defer func() {
		if p := recover(); p != nil {
			code = h.block(a, failed(&panicked{p}))
		}
	}()
	wait := cmp.Or(h.Wait, DefaultWait)
	until := time.Now().Add(wait)
	whole, end := context.WithTimeout(ctx, cmp.Or(h.Timeout, wait+Margin))
	defer end()
	timeout := cmp.Or(h.Timeout, min(wait, DefaultWait)+Margin)
	ctx, cancel := context.WithTimeout(whole, timeout)
	defer cancel()

	e, err := await(ctx, func() (*Event, error) { return h.read(a) })
	if err != nil {
		return h.refuse(a, e, a.unread(e, err, timeout))
	}
	if !e.decidable && !e.NewTurn {
		return exitAnswered
	}
	v, err := await(ctx, func() (policy.Verdict, error) { return h.Decide(ctx, e) })
	if err != nil {
		return h.refuse(a, e, undecided(v, err, timeout))
	}
	if asked, ok := h.refers(a, e, &v); ok {
		return h.refer(whole, a, Ask{e, asked, e.raw, until})
	}
	return h.print(a, e, v)
}

// await returns what f returns, or an error when f panics or ctx is done
// first.
func await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				r = result{err: &fault{&panicked{p}}}
			}
			done <- r
		}()
		r.value, r.err = f()
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, &fault{ended(ctx)}
	}
}

// A stop says that the hook was told to end before it could answer, or that
// its agent is gone. It is no failure: a person who presses Esc does that.
type stop struct{ error }

func (s *stop) Unwrap() error { return s.error }

// ended says why a context is done.
func ended(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return ctx.Err()
	}
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return &stop{cause}
	}
	return &stop{errors.New("the hook was told to end")}
}

// A fault is a failure of policyctl itself.
type fault struct{ error }

func (f *fault) Unwrap() error { return f.error }

// read reads the event. What is too long is read to its end, since an agent
// may take a broken pipe for a hook without opinion.
func (h *Host) read(a *Agent) (*Event, error) {
	data, err := io.ReadAll(io.LimitReader(h.Stdin, MaxEvent+1))
	if err != nil {
		return nil, fmt.Errorf("standard input cannot be read: %w", err)
	}
	if len(data) <= MaxEvent {
		e, err := a.Read(data, h.Getenv)
		if e != nil {
			e.raw = data
		}
		return e, err
	}
	e := &Event{Name: eventName(data, a.keys().event)}
	if _, err := io.Copy(io.Discard, h.Stdin); err != nil {
		return e, fmt.Errorf("standard input cannot be read: %w", err)
	}
	return e, fmt.Errorf("the event is longer than %d MiB: split the call", MaxEvent>>20)
}

// unread is the denial for an event that could not be read. One without a name that is
// known is the fault of who has set up the hook, and not of the call.
func (a *Agent) unread(e *Event, err error, timeout time.Duration) policy.Verdict {
	var f *fault
	switch {
	case errors.As(err, &f):
		return undecided(policy.Verdict{}, err, timeout)
	case e == nil:
		return failed(err)
	case a.events.kind(e.Name) == unknown:
		return policy.Fault(err.Error(), err.Error())
	}
	return policy.Verdict{Why: err.Error()}
}

// undecided is the denial for a call that could not be decided: that of the
// engine, if it gave one.
func undecided(v policy.Verdict, err error, timeout time.Duration) policy.Verdict {
	var told *stop
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		slow := fmt.Sprintf("it did not decide within %s, for the machine or its disk is too slow", timeout)
		return policy.Fault(slow, slow)
	case errors.As(err, &told):
		return stopped(told)
	case v.Decision == policy.Deny && v.Why != "":
		return v
	}
	return failed(err)
}

// stopped is the denial of a hook that was told to end.
func stopped(told *stop) policy.Verdict {
	return policy.Verdict{Reason: policy.ReasonTimedOut, Why: told.Error() + " before anybody decided"}
}

// failed is the denial of a hook that failed itself: neither what the model writes nor
// what a person decides would change it. The model reads no text of an error but that
// of the system, since a policy that cannot be read may be quoted there.
func failed(err error) policy.Verdict {
	told := "the user sees why"
	var number syscall.Errno
	var died *panicked
	switch {
	case errors.As(err, &number):
		told = number.Error()
	case errors.As(err, &died):
		told = "it panicked"
	}
	return policy.Fault(err.Error(), told)
}

// A panicked error is what somebody panicked with.
type panicked struct{ with any }

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.with) }

// refuse denies. Only an event that asked can be given an answer; for one
// that is unknown the exit code must do.
func (h *Host) refuse(a *Agent, e *Event, v policy.Verdict) int {
	kind := unknown
	if e != nil {
		kind = a.events.kind(e.Name)
	}
	if v.IsFault() && !a.answers.notice && (kind == before || kind == prompt) {
		fmt.Fprintln(h.Stderr, printable("policyctl: "+v.Why)) // where the agent shows no notice
	}
	switch kind {
	case silent, turn:
		fmt.Fprintln(h.Stderr, h.reason(v))
		return exitAnswered
	case unknown:
		h.tell(&Event{Call: policy.Call{Agent: a.Name}}, &v)
		return h.block(a, v)
	}
	return h.print(a, e, v)
}

// print answers an event.
func (h *Host) print(a *Agent, e *Event, v policy.Verdict) int {
	if answer := a.Answer(e, &v); answer != nil {
		if err := h.write(answer); err != nil {
			v = failed(err)
			h.tell(e, &v)
			return h.refused(v)
		}
	}
	say, said := a.settle(e, &v)
	h.tell(e, said)
	if say == deny && a.answers.form == formExit {
		fmt.Fprintln(h.Stderr, a.reason(e, say, said))
		return exitRefused
	}
	return exitAnswered
}

// write writes an answer in one piece.
func (h *Host) write(answer []byte) error {
	if _, err := h.Stdout.Write(append(answer, '\n')); err != nil {
		return fmt.Errorf("standard output cannot be written: %w", err)
	}
	return nil
}

// tell says what the agent was told.
func (h *Host) tell(e *Event, v *policy.Verdict) {
	if h.Told == nil {
		return
	}
	out := e.outcome
	out.Verdict = *v
	h.Told(e, out)
}

// block refuses where there is no event to answer: by the exit code, which all agents
// heed but those that want to be told to cancel.
func (h *Host) block(a *Agent, v policy.Verdict) int {
	if a.answers.form == formCancel {
		if h.write(a.write("", before, deny, h.reason(v), "")) == nil {
			return exitAnswered
		}
	}
	return h.refused(v)
}

// refused refuses by the exit code.
func (h *Host) refused(v policy.Verdict) int {
	fmt.Fprintln(h.Stderr, h.reason(v))
	return exitRefused
}

// reason is what agents pass on to the model.
func (h *Host) reason(v policy.Verdict) string { return printable(v.Message()) }
