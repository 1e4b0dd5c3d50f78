package channel

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/policyctl/policyctl/internal/service/view"
	"github.com/policyctl/policyctl/pkg/approval"
)

// sendTime is how long a service has to take a message.
const sendTime = 30 * time.Second

// ask tells a channel that a request waits.
func (d *Dispatcher) ask(ctx context.Context, l *line, v Delivery) error {
	r, err := d.o.Get(ctx, v.Request)
	switch {
	case errors.Is(err, approval.ErrNotFound), errors.Is(err, approval.ErrAltered), errors.Is(err, approval.ErrDamaged):
		return d.over(ctx, v)
	case err != nil:
		return err
	case r.State != approval.Pending, v.About != Asking(r): // another delivery tells what it asks now
		return d.over(ctx, v)
	}
	m := d.message(r)
	m.ID = v.ID
	tokens := d.buttons(l, m, r)
	v.State, v.Tries = Sending, v.Tries+1
	// It is stored before it is sent: who begins anew knows that it may have arrived.
	if ok, err := d.stored(ctx, v, Due, tokens...); err != nil || !ok {
		return err
	}
	var ref string
	err = d.within(ctx, func(ctx context.Context) (err error) {
		ref, err = l.Driver.Post(ctx, m)
		return err
	})
	l.note(d.o.Now(), err)
	switch {
	case err == nil:
		v.State, v.Ref, v.Problem = Sent, ref, ""
	case refusal(err) != nil:
		v.State, v.Problem = Failed, problemOf(err)
	case doubtful(err) && !l.Driver.Repeats():
		v.State, v.Problem = Uncertain, problemOf(err)
	default:
		v.State, v.Problem, v.Next = Due, problemOf(err), d.o.Now().Add(max(pauseOf(err), d.backoff(v.Tries-1)))
	}
	d.say(ctx, l, &v, err)
	if err := d.keep(ctx, v); err != nil || v.State != Sent || v.About == AboutAsk {
		return err
	}
	return d.replace(ctx, l, r, v)
}

// replace has the messages that asked before say that a newer one asks, without buttons. That
// is a courtesy: nothing of theirs answers it any more.
func (d *Dispatcher) replace(ctx context.Context, l *line, r *approval.Request, by Delivery) error {
	all, err := d.o.Store.Deliveries(ctx, Filter{Request: by.Request})
	if err != nil {
		return err
	}
	for i := range all {
		if o := &all[i]; o.Channel == by.Channel && o.ID != by.ID && o.About.asks() && o.State == Sent {
			m := d.message(r)
			m.ID, m.Head, m.Outcome, m.Replaced = o.ID, "[ASKED AGAIN]", "the policy has changed, and a newer message asks", true
			d.say(ctx, l, o, d.within(ctx, func(ctx context.Context) error { return l.Driver.Amend(ctx, o.Ref, m) }))
		}
	}
	return nil
}

// maxOutcome is how long it is tried to tell how a request ended.
const maxOutcome = 24 * time.Hour

// outcome has a message say how its request ended.
func (d *Dispatcher) outcome(ctx context.Context, l *line, v Delivery) error {
	all, err := d.o.Store.Deliveries(ctx, Filter{Request: v.Request})
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(o Delivery) bool { return o.Channel != v.Channel || !o.About.asks() || o.State != Sent })
	if len(all) == 0 || d.o.Now().Sub(v.Created) > maxOutcome {
		return d.over(ctx, v)
	}
	r, err := d.o.Get(ctx, v.Request)
	switch {
	case errors.Is(err, approval.ErrNotFound), errors.Is(err, approval.ErrAltered), errors.Is(err, approval.ErrDamaged):
		return d.over(ctx, v)
	case err != nil:
		return err
	}
	m := d.message(r)
	m.ID = v.ID
	v.State, v.Tries = Sending, v.Tries+1
	if ok, err := d.stored(ctx, v, Due); err != nil || !ok {
		return err
	}
	for i := range all {
		one := *m
		one.Replaced = i < len(all)-1
		err = d.within(ctx, func(ctx context.Context) error { return l.Driver.Amend(ctx, all[i].Ref, &one) })
		if one.Replaced {
			d.say(ctx, l, &all[i], err)
		}
	}
	l.note(d.o.Now(), err)
	switch {
	case err == nil:
		v.State, v.Problem = Sent, ""
	case refusal(err) != nil:
		v.State, v.Problem = Failed, problemOf(err)
	default:
		v.State, v.Problem, v.Next = Due, problemOf(err), d.o.Now().Add(max(pauseOf(err), d.backoff(v.Tries-1)))
	}
	d.say(ctx, l, &v, err)
	return d.keep(ctx, v)
}

// within gives a driver its time.
func (d *Dispatcher) within(ctx context.Context, do func(context.Context) error) error {
	ctx, stop := context.WithTimeout(ctx, sendTime)
	defer stop()
	return safely(func() error { return do(ctx) })
}

// say has the log tell what went wrong.
func (d *Dispatcher) say(ctx context.Context, l *line, v *Delivery, err error) {
	if err != nil && ctx.Err() == nil {
		d.o.Log.WarnContext(ctx, "a channel was not told", "channel", l.Name, "request", v.Request, "about", string(v.About), "state", string(v.State), "tries", v.Tries, "error", err)
	}
}

func refusal(err error) *Refusal {
	r, _ := errors.AsType[*Refusal](err)
	return r
}

// maxProblem bounds what is kept of an error, in characters.
const maxProblem = 300

// problemOf is what is kept of an error.
func problemOf(err error) string {
	text, _ := shortened(view.Plain(err.Error()), maxProblem)
	return text
}

// doubtful reports whether a message may have arrived of which an error tells: the
// connection stood, and no answer came.
func doubtful(err error) bool {
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return false
	}
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return false
	}
	if _, ok := errors.AsType[*Pause](err); ok {
		return false
	}
	timed, ok := errors.AsType[net.Error](err)
	return ok && timed.Timeout() || slices.ContainsFunc([]error{
		context.DeadlineExceeded, context.Canceled, io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE,
	}, func(known error) bool { return errors.Is(err, known) })
}

// buttons gives a message its ways to answer, and returns the tokens behind them. What one
// press may not approve has the page behind its button.
func (d *Dispatcher) buttons(l *line, m *Message, r *approval.Request) (tokens []Token) {
	add := func(label string, style Style, word approval.Word, scope approval.Scope) {
		secret, t := newToken(m.ID, word, scope)
		tokens = append(tokens, t)
		m.Buttons = append(m.Buttons, Button{Label: label, Style: style, Token: secret, Confirm: confirmOf(r, word, scope)})
	}
	page := func(label string, style Style) {
		if m.Link != "" {
			m.Buttons = append(m.Buttons, Button{Label: label, Style: style, URL: m.Link})
		}
	}
	m.Held = d.unpressable(l, m)
	tap := m.Held == ""
	if tap {
		add("Approve once", Primary, approval.ApprovedOnce, approval.Once)
	} else {
		page("Review to approve", Primary)
	}
	add("Deny", Danger, approval.Rejected, "")
	if tap {
		if storesOf(r) != "" {
			add("Approve for "+view.ScopeName(approval.ForChat), Plain, approval.ApprovedRemember, approval.ForChat)
		}
		if storedBy(r.Denials, approval.Here) != "" {
			add(view.DenialName(approval.Here), Plain, approval.Rejected, approval.Here)
		}
		page("Open the page", Plain)
	}
	return tokens
}

// confirmOf is the sentence that asks again before an answer counts, "" where that is not
// needed: an answer that stores something, and one that approves what takes a second act.
func confirmOf(r *approval.Request, word approval.Word, scope approval.Scope) string {
	var parts []string
	if again := view.SecondAct(r); again != "" && word.Approves() {
		parts = append(parts, "This is of "+again+": approve it all the same?")
	}
	if word == approval.ApprovedRemember {
		parts = append(parts, "For "+timeLeft(time.Duration(approval.StoredFor))+", "+view.ScopeName(scope)+" may do this without asking: "+storesOf(r)+".")
	}
	if word == approval.Rejected && scope != "" {
		stored := strings.TrimPrefix(storedBy(r.Denials, scope), "deny ")
		parts = append(parts, "From now on this is denied, also where nothing would ask: "+stored+". Deny it always?")
	}
	return strings.Join(parts, " ")
}

// unpressable says why one press may not approve what a message tells of, "" where it
// may. What is cut nobody has seen; of low risk is also what they have not.
func (d *Dispatcher) unpressable(l *line, m *Message) string {
	switch {
	case d.o.NeedsPasskey(m.Risk):
		return "it takes a passkey, which only the page asks for"
	case !l.within(m.Risk):
		return l.tooRisky(m.Risk)
	case m.Note != "" && m.Risk != risks[0]:
		return notWhole
	}
	return ""
}

// notWhole says why nothing of a message approves of which a part is not shown.
const notWhole = "it is not shown whole here"

// tooRisky says why one press at a channel does not approve what is of some risk, by the
// setting that says so.
func (c *Channel) tooRisky(risk string) string {
	of := "this is of " + risk + " risk"
	if risk == "" {
		of = "the risk of this is unknown"
	}
	if !slices.Contains(risks, c.OneTap) {
		return "no press of a button approves here (one_tap: " + Taps()[0] + ")"
	}
	return "one press approves up to " + c.OneTap + " risk here (one_tap), and " + of
}
