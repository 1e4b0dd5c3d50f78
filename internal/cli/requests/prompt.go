package requests

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/internal/service/view"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A turn is one request that is being asked about.
type turn struct {
	d *approval.Detail
	// alike are other requests of the same call, which were shown beside it: one
	// answer is for all of them.
	alike []*approval.Request
	// at is when it was shown.
	at time.Time
	// commenting says that the next line is a comment, which is for the answer.
	commenting bool
	reason     string
	// sure is the answer that the next line confirms, nil for none, by the words again.
	sure  *approval.Answer
	again string
	// others is how many requests came meanwhile.
	others int
}

// offered reports whether a request can be approved for a scope.
func (t *turn) offered(s approval.Scope) bool {
	return slices.ContainsFunc(t.d.Offers, func(o approval.Offer) bool { return o.Scope == s })
}

// stores says what an approval for a scope does.
func (t *turn) stores(s approval.Scope) string {
	for _, o := range t.d.Offers {
		if o.Scope == s {
			text := "approve: " + scopeText(s, approval.StoredFor) + "; stores " + strings.Join(o.Stores, "; ")
			if gain := gained(t.d, s); gain != "" {
				text += "; " + gain
			}
			return text
		}
	}
	return ""
}

// prompt asks the question that is due, on a line of its own where it does not
// fit beside the id.
func (w *watcher) prompt() {
	id, text, between := render.Plain(w.turn.d.ID), w.question(), "  "
	if width := w.Width(); width > 0 && len(id)+len(between)+len(text) > width {
		between = "\n"
	}
	_, _ = io.WriteString(w.Stdout, id+between+text)
}

func (w *watcher) question() string {
	if w.turn.commenting {
		return "comment, which the agent is told: "
	}
	if w.turn.sure != nil {
		return w.turn.again + ": to approve it all the same, type " + w.turn.again + ": "
	}
	var labels []string
	for _, k := range keys() {
		if k.hint != "" && w.offers(&k) {
			labels = append(labels, k.hint)
		}
	}
	about := ""
	if n := len(w.ring.chosen()); n > 0 {
		about = fmt.Sprintf("for %d selected: ", n)
	} else if n := len(w.turn.alike); n > 0 {
		about = fmt.Sprintf("for all %d: ", n+1)
	}
	return about + strings.Join(labels, ", ") + ": "
}

// line takes what the person typed.
func (w *watcher) line(ctx context.Context, text string) error {
	text = strings.TrimSpace(text)
	if !console.IsTerminal(w.Stdin) {
		w.say(text) // a terminal shows what is typed
	}
	switch {
	case w.stale:
		w.stale = false
		return nil
	case w.turn.commenting:
		w.turn.commenting, w.turn.reason = false, text
		w.prompt()
		return nil
	case w.turn.sure != nil:
		return w.confirm(ctx, text)
	}
	return w.press(ctx, text)
}

// confirm gives the answer that the person is to confirm, if they do.
func (w *watcher) confirm(ctx context.Context, text string) error {
	a := *w.turn.sure
	w.turn.sure = nil
	if !strings.EqualFold(text, w.turn.again) {
		w.say("not confirmed, and nothing is decided")
		w.prompt()
		return nil
	}
	return w.answer(ctx, a)
}

// second returns the words that confirm that what the next answer is for is approved, ""
// where that takes none.
func (w *watcher) second() string {
	if len(w.ring.chosen()) > 0 {
		return w.ring.second()
	}
	for _, r := range append([]*approval.Request{w.turn.d.Request}, w.turn.alike...) {
		if words := view.SecondAct(r); words != "" {
			return words
		}
	}
	return ""
}

// answer answers what was asked about: what is selected, or else the request
// that is shown and those of the same call.
func (w *watcher) answer(ctx context.Context, a approval.Answer) error {
	a.Reason = w.turn.reason
	shown := w.ring.chosen()
	if len(shown) == 0 {
		shown = []waits{{id: w.turn.d.ID, revision: w.turn.d.Revision}}
		for _, other := range w.turn.alike {
			shown = append(shown, waits{id: other.ID, revision: other.Revision})
		}
	}
	for _, s := range shown {
		a.Revision = s.revision
		if over, err := w.decide(ctx, s.id, a); !over || err != nil {
			return err
		}
		w.forget(s.id)
	}
	w.turn = nil
	return nil
}

// forget takes a request out of what waits and of what is to be answered.
func (w *watcher) forget(id string) {
	w.ring.remove(id)
	if w.turn != nil {
		w.turn.alike = slices.DeleteFunc(w.turn.alike, func(other *approval.Request) bool { return other.ID == id })
	}
}

// decide sends an answer. over says that the request needs no more of it.
func (w *watcher) decide(ctx context.Context, id string, a approval.Answer) (over bool, err error) {
	r, err := w.client.Decide(ctx, id, a)
	var answer *approval.ServiceError
	switch {
	case err == nil:
		w.mine[id] = true
		delete(w.votes, id) // how it ended is told now
		if r.Tally != nil {
			w.votes[id] = len(r.Tally.Approved)
		}
		w.say(id + "  " + decided(r))
	case errors.Is(err, approval.ErrDecided) && r != nil:
		w.say(id + "  nothing was changed, the request is over: " + resolution(r))
	case errors.Is(err, approval.ErrSelf), errors.Is(err, approval.ErrNotApprover), errors.Is(err, approval.ErrNotFound):
		w.say(id + "  " + err.Error())
	case errors.Is(err, approval.ErrChanged): // it is shown as it is now
		w.say(id + "  nothing is decided yet: " + err.Error())
		w.turn = nil
		return false, nil
	case errors.As(err, &answer) && answer.Status == 401:
		return false, err
	default: // it was not decided, so it is asked again
		w.interrupt("nothing is decided yet: " + unreached(err).Error())
		return false, nil
	}
	return true, nil
}
