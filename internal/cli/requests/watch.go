package requests

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/service/view"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A watcher shows requests as they come, and has a person decide them.
type watcher struct {
	visitor
	// may says that the person may decide.
	may bool
	// mine are requests that were decided here.
	mine map[string]bool
	// votes say how many votes were told here, of requests that several must approve.
	votes map[string]int
	// ring are the requests that wait.
	ring ring
	// turn is the request that is being asked about, nil for none.
	turn *turn
	// stale says that the next line was meant for a turn that is over.
	stale bool
	lost  bool
}

func newRequestsWatch(p *console.Process) *cobra.Command {
	w := &watcher{visitor: visitor{Process: p}, mine: map[string]bool{}, votes: map[string]int{}}
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Show requests as they come, and decide them at this terminal",
		Long: `Show requests as they come, and decide them at this terminal, one after the
other. Answer with a letter and Enter: a approves this one call, s for this
chat, d denies, and c takes a comment for the agent first. To approve always,
type the whole word: here or anywhere; to deny always, type it behind d, as in
d here. Enter alone decides nothing. You can
choose only what is offered, and you see what it stores first. What is of high
risk is approved when you type high risk after your choice.

j leaves a request pending and goes to the next one, k goes back, x selects some to
answer with one a or d, /text shows only requests with the text in their line, and ?
explains. Requests of the same call, whoever asks, are one question with one answer.

When a request is decided elsewhere or expires, watch says so and withdraws the
question. It then ignores the next line, which may have been meant for that request.
Without the right to decide, watch only shows requests.

watch ends with the input. If the input is not a terminal, --login reads the URL
from its first line, and the lines after it are answers. Agents are denied this
command.`,
		Example: `  policyctl requests watch --login
  policyctl requests watch --token-file ada.token`,
		Args: w.args(console.NoArgs),
		RunE: console.UntilStopped(w.run),
	}
	w.register(cmd.Flags())
	return cmd
}

func (w *watcher) run(ctx context.Context) error {
	if err := w.visit(ctx); err != nil {
		return err
	}
	defer w.leave(ctx)
	if err := w.introduce(ctx); err != nil {
		return unreached(err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	notices := make(chan notice)
	f := &follow{client: w.client}
	go f.run(ctx, func(n notice) {
		select {
		case notices <- n:
		case <-ctx.Done():
		}
	})
	in := &lineReader{from: w.Stdin, terminal: console.IsTerminal(w.Stdin)}
	if w.may {
		in.begin(ctx)
	}
	return w.loop(ctx, notices, in)
}

// introduce finds out what the caller may do, and says so.
func (w *watcher) introduce(ctx context.Context) error {
	var who struct {
		Identity string   `json:"identity"`
		Scopes   []string `json:"scopes"`
	}
	if err := w.client.Do(ctx, http.MethodGet, "/v1/whoami", nil, &who); err != nil {
		return err
	}
	w.may = slices.Contains(who.Scopes, "approve")
	if !w.may {
		console.Warn(w.Stderr, "", fmt.Errorf("%s may look but not decide: to decide, give --login, which asks for the URL that policyctl serve printed, or --token-file", who.Identity))
	}
	w.say("watching as " + who.Identity)
	return nil
}

// loop answers what the service says and what the person types.
func (w *watcher) loop(ctx context.Context, notices <-chan notice, in *lineReader) error {
	for {
		if err := w.next(ctx); err != nil {
			return err
		}
		if line, ok := in.take(w.turn != nil || w.stale, w.since()); ok {
			if err := w.line(ctx, line); err != nil {
				return err
			}
			continue
		}
		select {
		case <-ctx.Done():
			return nil
		case n := <-notices:
			if err := w.notice(ctx, n); err != nil {
				return err
			}
		case line, more := <-in.lines():
			if !more {
				w.say("")
				return in.err
			}
			in.hold(line)
		}
	}
}

// since is when the request was shown that is being asked about.
func (w *watcher) since() time.Time {
	if w.turn == nil {
		return time.Time{}
	}
	return w.turn.at
}

// notice takes in what the stream says.
func (w *watcher) notice(ctx context.Context, n notice) error {
	switch {
	case n.err != nil:
		return fmt.Errorf("the events cannot be followed: %w", n.err)
	case n.lost && !w.lost:
		w.lost = true
		w.interrupt("the service does not answer; trying again")
	case n.began:
		if w.lost {
			w.interrupt("the service answers again")
		}
		w.lost = false
		return w.pending(ctx)
	case n.event != nil:
		return w.event(ctx, n.event)
	}
	return nil
}

// pending adds all requests that wait, the oldest first, and withdraws the
// question about one that does not wait any more.
func (w *watcher) pending(ctx context.Context) error {
	f := approval.Filter{States: []approval.State{approval.Pending}, Limit: approval.MaxLimit}
	var all []*approval.Request
	for {
		list, err := w.client.List(ctx, f)
		if err != nil {
			return w.survivable(err)
		}
		all = append(all, list...)
		if len(list) < f.Limit {
			break
		}
		f.Before = list[len(list)-1].ID
	}
	for _, r := range slices.Backward(all) {
		if !w.mine[r.ID] {
			w.add(r.ID, r.Title)
		}
	}
	if w.turn != nil && !slices.ContainsFunc(all, func(r *approval.Request) bool { return r.ID == w.turn.d.ID }) {
		return w.over(ctx, w.turn.d.ID, "")
	}
	return nil
}

// survivable passes on an error that does not go away by itself.
func (w *watcher) survivable(err error) error {
	if refused(err) {
		return err
	}
	w.interrupt(err.Error())
	return nil
}

func (w *watcher) event(ctx context.Context, e *approval.Event) error {
	switch {
	case e.State == approval.Pending && w.mine[e.RequestID]: // which has the person's vote
		w.tellVotes(e)
		return nil
	case e.State == approval.Pending:
		if w.ring.find(e.RequestID) >= 0 {
			w.tellVotes(e)
		}
		w.add(e.RequestID, e.Title)
		return nil
	}
	return w.over(ctx, e.RequestID, e.State)
}

// tellVotes tells how many have approved a request, where that is new here.
func (w *watcher) tellVotes(e *approval.Event) {
	if e.Approved == 0 || w.votes[e.RequestID] == e.Approved {
		return
	}
	w.votes[e.RequestID] = e.Approved
	of := ""
	if e.Quorum > 1 {
		of = fmt.Sprintf(" of %d", e.Quorum)
	}
	w.interrupt(fmt.Sprintf("%s  %d%s have approved", e.RequestID, e.Approved, of))
}

// add puts a request into the ring, once.
func (w *watcher) add(id, title string) {
	if !w.ring.add(id, title) || w.turn == nil {
		return
	}
	switch w.turn.others++; {
	case w.turn.others <= maxTold:
		w.interrupt("waiting next  " + id + "  " + title)
	case w.turn.others == maxTold+1:
		w.interrupt("more are waiting; each is shown in its turn")
	}
}

// maxTold is how many requests are announced during a question: more of them
// would push what it is about out of sight.
const maxTold = 5

// over tells that a request came to a state, or on; "" for the one that it has.
func (w *watcher) over(ctx context.Context, id string, state approval.State) error {
	w.forget(id)
	if w.mine[id] && w.votes[id] == 0 && (state == approval.Approved || state == approval.Denied) {
		return nil // it was told when it was decided
	}
	r, err := w.client.Get(ctx, id)
	if err != nil {
		return w.survivable(err)
	}
	if state != "" {
		r.State = state
	}
	if w.turn == nil || w.turn.d.ID != id {
		w.interrupt(id + "  " + resolution(r))
		return nil
	}
	w.turn, w.stale = nil, true
	w.say("")
	w.say(id + "  " + resolution(r))
	w.say("the question is withdrawn; press Enter to go on")
	return nil
}

// next asks about the next request, if nothing is being asked.
func (w *watcher) next(ctx context.Context) error {
	for w.turn == nil && !w.stale {
		one := w.due()
		if one == nil {
			return nil
		}
		d, err := w.client.Show(ctx, one.id)
		if err != nil && !errors.Is(err, approval.ErrNotFound) {
			if !refused(err) {
				return nil // the stream tells when the service is back
			}
			return err
		}
		if err != nil || d.State != approval.Pending {
			w.ring.remove(one.id)
			continue
		}
		one.seen, one.again, one.revision = true, view.SecondAct(d.Request), d.Revision
		alike := w.alike(ctx, d.Request)
		w.show(d, alike)
		if w.may {
			w.turn = &turn{d: d, alike: alike, at: time.Now()}
			w.prompt()
		}
	}
	return nil
}

// due returns the request whose turn it is, nil for none. Who may not decide is
// shown each once.
func (w *watcher) due() *waits {
	if !w.may {
		return w.ring.unseen()
	}
	one := w.ring.current()
	if one == nil && w.ring.filter != "" {
		if len(w.ring.list) > 0 {
			w.say("nothing more has " + w.ring.filter + " in its line; all are shown again")
		}
		w.ring.filter = ""
		one = w.ring.current()
	}
	return one
}

// alike returns the other requests of the same call that the same rule asks
// about, as many as one answer may be for.
func (w *watcher) alike(ctx context.Context, r *approval.Request) (others []*approval.Request) {
	if r.Alike == "" || !w.may {
		return nil
	}
	list, err := w.client.List(ctx, approval.Filter{States: []approval.State{approval.Pending}, Alike: r.Alike})
	if err != nil {
		return nil // each is asked about by itself
	}
	for _, other := range slices.Backward(list) {
		if other.ID != r.ID && other.Alike == r.Alike && asksAlike(r, other) {
			others = append(others, other)
		}
	}
	return others
}

// asksAlike reports whether the same is asked about two requests of one call,
// with the same ways to answer.
func asksAlike(a, b *approval.Request) bool {
	sameOffer := func(x, y approval.Offer) bool { return x.Scope == y.Scope && slices.Equal(x.Stores, y.Stores) }
	return a.Asked.Stage == b.Asked.Stage && a.Asked.Rule == b.Asked.Rule && a.Asked.Why == b.Asked.Why && a.OnTimeout == b.OnTimeout &&
		slices.EqualFunc(a.Offers, b.Offers, sameOffer) && slices.EqualFunc(a.Denials, b.Denials, sameOffer)
}

func (w *watcher) show(d *approval.Detail, alike []*approval.Request) {
	w.say("")
	page := w.Sheet()
	showRequest(page, d, time.Now())
	if len(alike) > 0 {
		page.Heading("The same call, answered with this one")
		var rows [][]string
		for _, r := range alike {
			rows = append(rows, []string{"  " + r.ID, "by " + r.Submitter, "session " + console.OrNone(r.Session), "agent " + console.OrNone(r.Agent)})
		}
		page.Table(rows)
	}
	_ = page.Close() // who does not see it does not answer
	w.say("")
}

// say writes a line.
func (w *watcher) say(text string) { _ = w.WriteLine(text) }

// interrupt writes a line in the middle of a question, and the question again.
func (w *watcher) interrupt(text string) {
	if w.turn == nil {
		w.say(text)
		return
	}
	_, _ = io.WriteString(w.Stdout, "\n")
	w.say(text)
	w.prompt()
}
