package channel

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/service/view"
	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// errUnsure is what a person is told where the service failed them.
const errUnsure = "the service could not take this: try again, or decide on the page"

// hear takes what somebody said by a channel.
func (d *Dispatcher) hear(ctx context.Context, l *line, a Answer) Reply {
	l.deafen(nil) // it does hear
	person := l.People[a.Sender]
	if person == "" {
		return d.refuse(ctx, l, a, refused{"unknown-sender", "", "you may not answer here; whoever runs policyctl can add you to approvers.yaml"})
	}
	if !l.at(a.Place) {
		return d.refuse(ctx, l, a, refused{"foreign-place", "", "answers do not count here: use the chat to which the request was sent"})
	}
	if a.Token == "" {
		return d.written(ctx, l, a, person)
	}
	return d.pressed(ctx, l, a, person)
}

// at reports whether a place is the one where people must answer.
func (l *line) at(place string) bool {
	return l.Place == "" || place == l.Place || strings.HasSuffix(place, "/"+l.Place)
}

// pressed takes the press of a button.
func (d *Dispatcher) pressed(ctx context.Context, l *line, a Answer, person string) Reply {
	hash := sha256.Sum256([]byte(a.Token))
	p, found, err := d.o.Store.Pressed(ctx, hash)
	switch {
	case err != nil:
		return d.failed(ctx, l, "", err)
	case !found:
		return d.refuse(ctx, l, a, refused{"unknown-button", "", "this button is unknown, or its request is long over"})
	case p.Of.Channel != l.Name:
		return d.refuse(ctx, l, a, refused{"foreign-button", p.Of.Request, "this button is not one of this channel"})
	case slices.Contains(p.By, person):
		return d.again(ctx, l, p.Of.Request, person)
	}
	answer := approval.Answer{Word: p.Word, Scope: p.Scope, Reason: a.Reason}
	if p.Word == approval.ApprovedRemember {
		answer.For = approval.StoredFor
	}
	reply, final := d.decide(ctx, l, person, &said{&p.Of, answer, a.Confirmed})
	if !final {
		return reply
	}
	// A press that is lost here is harmless: the same answer again changes nothing.
	if err := d.o.Store.Press(ctx, hash, person, d.o.Now()); err != nil {
		d.o.Log.ErrorContext(ctx, "it is not kept that a button was pressed", "channel", l.Name, "error", err)
	}
	return reply
}

// written takes what somebody wrote of a request of which this channel was told.
func (d *Dispatcher) written(ctx context.Context, l *line, a Answer, person string) Reply {
	const unknown = "no request of this id was sent here"
	if a.Request == "" || len(a.Request) > approval.MaxKey {
		return Reply{Text: unknown, Refused: true}
	}
	told, err := d.o.Store.Deliveries(ctx, Filter{Request: a.Request})
	if err != nil {
		return d.failed(ctx, l, "", err)
	}
	told = slices.DeleteFunc(told, func(v Delivery) bool {
		return v.Channel != l.Name || !v.About.asks() || v.State == Due || v.State == Over
	})
	if len(told) == 0 {
		return Reply{Text: unknown, Refused: true}
	}
	answer := approval.Answer{Word: approval.Rejected, Reason: a.Reason}
	if a.Approve {
		answer = approval.Answer{Word: approval.ApprovedOnce, Scope: approval.Once, Reason: a.Reason}
	}
	reply, _ := d.decide(ctx, l, person, &said{&told[len(told)-1], answer, false})
	return reply
}

// A said is an answer to the request of a message.
type said struct {
	of     *Delivery
	answer approval.Answer
	// confirmed says that the person was asked again.
	confirmed bool
}

// held says why an answer does not approve a request that waits, nil if it may. Drivers ask
// people again; that they did is checked here, for what the request is now.
func (d *Dispatcher) held(l *line, s *said, r *approval.Request) *Reply {
	if r.State != approval.Pending || !s.answer.Word.Approves() && s.answer.Scope == "" {
		return nil
	}
	no := func(text string) *Reply {
		return &Reply{Text: strings.TrimSpace(text + " " + d.o.Link(r.ID)), Refused: true}
	}
	if s.of.About != Asking(r) {
		return new(d.unseen(r))
	}
	if why := d.unpressable(l, d.message(r)); why != "" {
		return no("approve this on its page: " + why)
	}
	if s.confirmed || confirmOf(r, s.answer.Word, s.answer.Scope) == "" {
		return nil
	}
	if view.SecondAct(r) != "" && s.answer.Word.Approves() {
		return no("nothing is decided: what is of high risk takes a second act: use the button, which asks again, or the page")
	}
	return no("nothing is decided: what stores something takes a second act: use the button, which asks again, or the page")
}

// decide answers the request of a message for a person. It reports whether asking again is
// of no use.
func (d *Dispatcher) decide(ctx context.Context, l *line, person string, s *said) (reply Reply, final bool) {
	id, a := s.of.Request, s.answer
	r, err := d.o.Get(ctx, id)
	if err == nil {
		if no := d.held(l, s, r); no != nil {
			return *no, false
		}
		a.Revision = r.Revision // which the message shows
	}
	if err == nil {
		r, err = d.o.Decide(ctx, l.Name+":"+person, id, a)
	}
	var invalid *approval.Invalid
	switch {
	case err == nil && r.State == approval.Pending:
		return Reply{Text: counts(r)}, true
	case err == nil:
		return Reply{Text: outcomeOf(r), Done: true}, true
	case errors.Is(err, approval.ErrDecided) && r != nil:
		return Reply{Text: already(r), Done: true}, true
	case errors.Is(err, approval.ErrChanged) && r != nil:
		return d.unseen(r), false
	case errors.Is(err, approval.ErrNotApprover):
		return d.refuse(ctx, l, Answer{Sender: person}, refused{"not-approver", id, "the policy wants somebody else to decide this"}), true
	case errors.Is(err, approval.ErrNotFound):
		return Reply{Text: "this request is no longer there", Refused: true}, true
	case errors.As(err, &invalid):
		return Reply{Text: view.Plain(invalid.Text), Refused: true}, false
	}
	return d.failed(ctx, l, id, err), false
}

// unseen says that a request asks something else by now than what the message shows.
func (d *Dispatcher) unseen(r *approval.Request) Reply {
	text := "nothing is decided: the policy has changed since this was sent"
	if why := view.Plain(r.Asked.Why); why != "" {
		text += " (" + why + ")"
	}
	return Reply{Text: strings.TrimSpace(text + "; use the newer message, or the page " + d.o.Link(r.ID)), Refused: true}
}

// counts says what an answer is worth where several people must give one.
func counts(r *approval.Request) string {
	if r.Tally == nil {
		return "your answer counts, and others must answer too"
	}
	return r.Tally.Counts()
}

// again tells somebody that they have pressed a button before.
func (d *Dispatcher) again(ctx context.Context, l *line, id, person string) Reply {
	d.o.Log.WarnContext(ctx, "a button was pressed again", "channel", l.Name, "person", person, "request", id)
	r, err := d.o.Get(ctx, id)
	switch {
	case err != nil:
		return d.failed(ctx, l, id, err)
	case r.State == approval.Pending:
		return Reply{Text: "you have answered this already, and others must answer too", Refused: true}
	}
	return Reply{Text: already(r), Done: true, Refused: true}
}

// already says who was first.
func already(r *approval.Request) string {
	if r.Decision == nil || r.State == approval.Cancelled {
		return "too late: the request was withdrawn"
	}
	return "already " + outcomeOf(r)
}

// failed tells that the service failed, and the log why.
func (d *Dispatcher) failed(ctx context.Context, l *line, id string, err error) Reply {
	d.o.Log.ErrorContext(ctx, "an answer that came by a channel could not be taken", "channel", l.Name, "request", id, "error", err)
	d.o.TurnedAway()
	return Reply{Text: errUnsure, Again: true}
}

// A refused is why an answer does not count: a code, the request, and what the sender is
// told.
type refused struct{ code, request, text string }

// maxSender bounds what is kept of who sent something, in characters.
const maxSender = 100

// refuse tells a sender that they may not, and the log and the audit log who tried.
func (d *Dispatcher) refuse(ctx context.Context, l *line, a Answer, why refused) Reply {
	sender, _ := shortened(view.Plain(a.Sender), maxSender)
	place, _ := shortened(view.Plain(a.Place), maxSender)
	now := d.o.Now()
	l.mu.Lock()
	tell := l.alarm.allow(now)
	l.mu.Unlock()
	if tell {
		d.o.Log.LogAttrs(ctx, slog.LevelWarn, "an answer that came by a channel does not count",
			slog.String("channel", l.Name), slog.String("code", why.code), slog.String("sender", sender), slog.String("place", place), slog.String("request", why.request))
		d.alarm(ctx, l, now, why, map[string]string{"code": why.code, "channel": l.Name, "sender": sender, "place": place})
	}
	return Reply{Text: why.text, Refused: true}
}

// alarm has the audit log tell of a refusal.
func (d *Dispatcher) alarm(ctx context.Context, l *line, now time.Time, why refused, detail map[string]string) {
	e := audit.Entry{Time: now, Kind: audit.KindRefusal, Actor: "channel:" + l.Name, RequestID: why.request, Reason: why.text, Detail: detail}
	if err := d.o.Record(ctx, e); err != nil {
		d.o.Log.ErrorContext(ctx, "the audit log is not told of an answer that does not count", "channel", l.Name, "sender", clip.Quote(detail["sender"]), "error", err)
	}
}
