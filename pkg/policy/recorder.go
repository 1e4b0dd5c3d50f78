package policy

import (
	"context"
	"math/rand/v2"
	"time"
)

// A Recorder is told what an engine decides. It is called by whoever decides,
// and must be safe for concurrent use.
type Recorder interface {
	// Now is the clock by which decisions are timed.
	Now() time.Time
	// Record takes an outcome. It must not wait: the call waits for it.
	Record(o Outcome)
}

// An Outcome is a decision as it is put on record.
type Outcome struct {
	// Call is the call. It shares the arguments with that of the caller, who
	// must not change them after the decision.
	Call    Call
	Verdict Verdict
	// Time is when the decision began, and Took how long it took; 0 where that
	// is unknown.
	Time time.Time
	Took time.Duration
}

// Records reports whether a decision belongs on record: denials and asks always
// do, and what is only observed, of allows as many as [Settings.RecordAllows] says,
// chosen at random.
func (e *Engine) Records(d Decision) bool {
	return d != Allow || e.settings.Mode == Observe || e.settings.RecordAllows > 0 && rand.IntN(100) < e.settings.RecordAllows
}

// recorded decides a call, and tells the recorder.
func (e *Engine) recorded(ctx context.Context, s *Session, c *Call) (Verdict, error) {
	to := e.options.Recorder
	begin := to.Now()
	v, err := e.decide(ctx, s, c, nil, false)
	if e.Records(v.Decision) {
		to.Record(Outcome{*c, v, begin, to.Now().Sub(begin)})
	}
	return v, err
}
