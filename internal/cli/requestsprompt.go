package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A turn is one request that is being asked about.
type turn struct {
	r *approval.Request
	// at is when it was shown.
	at time.Time
	// answer is what was chosen; the zero value while nothing is.
	answer approval.Answer
	// others is how many requests came meanwhile.
	others int
}

// choices are the ways to approve, by the letter that chooses them.
var choices = []struct {
	letter, word, label string
	scope               approval.Scope
}{
	{"o", "once", "[o]nce", approval.Once},
	{"c", "chat", "[c]hat", approval.ForChat},
	{"h", "here", "[h]ere", approval.Here},
	{"a", "anywhere", "[a]nywhere", approval.Anywhere},
}

// offered says whether a request can be approved for a scope.
func (t *turn) offered(s approval.Scope) bool {
	for _, o := range t.r.Offers {
		if o.Scope == s {
			return true
		}
	}
	return false
}

// prompt asks the question that is due, on a line of its own where it does not
// fit beside the id.
func (w *watcher) prompt() {
	id, text, between := render.Plain(w.turn.r.ID), w.turn.question(), "  "
	if width := w.width(); width > 0 && len(id)+len(between)+len(text) > width {
		between = "\n"
	}
	_, _ = io.WriteString(w.Stdout, id+between+text)
}

func (t *turn) question() string {
	switch {
	case t.answer.Word == approval.Rejected:
		return "reason, which the agent is told: "
	case t.answer.Word != "":
		return "comment, or Enter for none: "
	}
	var labels []string
	for _, c := range choices {
		if t.offered(c.scope) {
			labels = append(labels, c.label)
		}
	}
	return strings.Join(append(labels, "[d]eny", "[s]kip", "[?] "), " ")
}

// line takes what the person typed.
func (w *watcher) line(ctx context.Context, text string) error {
	text = strings.TrimSpace(text)
	if !isTerminal(w.Stdin) {
		w.say(text) // a terminal shows what is typed
	}
	switch {
	case w.stale:
		w.stale = false
		return nil
	case w.turn.answer.Word == "":
		w.choose(strings.ToLower(text))
		return nil
	case w.turn.answer.Word == approval.Rejected && text == "":
		w.prompt()
		return nil
	}
	w.turn.answer.Reason = text
	return w.decide(ctx)
}

// choose takes the choice.
func (w *watcher) choose(text string) {
	for _, c := range choices {
		if (text == c.letter || text == c.word) && w.turn.offered(c.scope) {
			w.turn.answer, _ = approving(string(c.scope), "") // it is one of the scopes
			w.prompt()
			return
		}
	}
	switch text {
	case "d", "deny":
		w.turn.answer.Word = approval.Rejected
	case "s", "skip":
		w.say("skipped  " + w.turn.r.ID + "  it stays pending")
		w.turn = nil
		return
	case "?":
		w.show(w.turn.r)
		w.explain()
	case "":
	default:
		w.say(fmt.Sprintf("%.40q is no choice here", text))
	}
	w.prompt()
}

// explain says what each choice does.
func (w *watcher) explain() {
	for _, o := range w.turn.r.Offers {
		for _, c := range choices {
			if c.scope != o.Scope {
				continue
			}
			stores := "stores nothing"
			if len(o.Stores) > 0 {
				stores = "stores " + strings.Join(o.Stores, "; ")
			}
			w.say("  " + c.letter + "  approve: " + scopeNames[o.Scope] + "; " + stores)
		}
	}
	w.say("  d  deny, with a reason that the agent is told")
	w.say("  s  skip: it stays pending, and ends by itself in " + left(w.turn.r, time.Now()))
}

// decide sends the answer.
func (w *watcher) decide(ctx context.Context) error {
	id := w.turn.r.ID
	r, err := w.client.Decide(ctx, id, w.turn.answer)
	var invalid *approval.ServiceError
	switch {
	case err == nil:
		w.mine[id] = true
		w.turn = nil
		w.say(id + "  " + resolution(r))
	case errors.Is(err, approval.ErrDecided) && r != nil:
		w.turn = nil
		w.say(id + "  nothing was changed, the request is over: " + resolution(r))
	case errors.Is(err, approval.ErrSelf), errors.Is(err, approval.ErrNotApprover), errors.Is(err, approval.ErrNotFound):
		w.turn = nil
		w.say(id + "  " + err.Error())
	case errors.As(err, &invalid) && invalid.Status == 401:
		return err
	default: // it was not decided, so it is asked again
		w.turn.answer = approval.Answer{}
		w.interrupt("nothing is decided yet: " + unreached(err).Error())
	}
	return nil
}
