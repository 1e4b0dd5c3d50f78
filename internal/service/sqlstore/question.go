package sqlstore

import (
	"context"
	"time"
)

// mostAsked bounds how many questions one message has.
const mostAsked = 32

// askTime is how long a question waits for those before it. Then it is asked by itself, on
// another connection: one that takes long holds up no other.
const askTime = 100 * time.Millisecond

// A Question is a query for one row, and what reads that row.
type Question struct {
	Statement
	Scan func(row) error
}

// An asking is a question that waits for others to be asked with. Where it was not
// answered when it is done, it is to be asked by itself.
type asking struct {
	Question
	err      error
	answered bool
	done     chan struct{}
}

// ask asks a question with others that wait, in one message: the way to a database costs
// more than most answers.
func (d *DB) ask(ctx context.Context, q Question) error {
	if d.dialect.Ask != nil {
		if a := d.share(ctx, q); a.answered {
			return a.err
		}
	}
	return q.Scan(d.row(ctx, q.Query, q.Args))
}

// share has a question asked with others. It may come back without an answer.
func (d *DB) share(ctx context.Context, q Question) *asking {
	a := &asking{Question: q, done: make(chan struct{})}
	d.asks.add(a)
	late := time.NewTimer(askTime)
	defer late.Stop()
	select {
	case <-a.done: // in the message of another
		return a
	case d.askTurn <- struct{}{}:
		d.leadAsking(a)
		return a
	case <-late.C:
	case <-ctx.Done():
	}
	if !d.asks.drop(a) {
		<-a.done
	}
	return a
}

// leadAsking asks what waits, until a has been asked.
func (d *DB) leadAsking(a *asking) {
	defer func() { <-d.askTurn }()
	for {
		select {
		case <-a.done:
			return
		default:
			gather(&d.asks, mostAsked)
			d.askTogether(d.asks.take(mostAsked))
		}
	}
}

// askTogether asks questions in one message. To one alone that is no help, and it is left.
func (d *DB) askTogether(all []*asking) {
	defer func() {
		for _, a := range all {
			close(a.done)
		}
	}()
	if len(all) < 2 {
		return
	}
	questions := make([]Question, len(all))
	for i, a := range all {
		questions[i] = Question{a.Statement, func(from row) error {
			a.err = a.Scan(from)
			return a.err
		}}
	}
	ctx, stop := d.patiently(context.Background())
	defer stop()
	for i := range d.dialect.Ask(ctx, d.readers, questions) {
		all[i].answered = true
	}
}
