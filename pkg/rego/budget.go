package rego

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/policyctl/policyctl/internal/support/cputime"
)

// patience is how many times its deadline an evaluation may take by the wall,
// where other programs have the processor.
const patience = 10

// stride is how many steps of an evaluation pass between two looks at the
// clocks: a look takes some 0.3 µs, and a step about as long.
const stride = 64

// A budget bounds the evaluation of one call by the processor time that its
// thread takes, where that is known, and by the time that passes. OPA asks it
// at each step, on the goroutine that made it. It implements topdown.Cancel.
type budget struct {
	ctx   context.Context
	limit time.Duration
	used  time.Duration // of the thread, at the beginning
	began time.Time
	steps uint
	// err says why the evaluation ends, nil where it goes on.
	err error
}

// spend returns a budget, and locks the goroutine to its thread until done.
func spend(ctx context.Context, limit time.Duration) *budget {
	runtime.LockOSThread()
	return &budget{ctx: ctx, limit: limit, used: cputime.Used(), began: time.Now()}
}

func (b *budget) done() { runtime.UnlockOSThread() }

// Cancel does nothing: who waits for the evaluation ends its context.
func (b *budget) Cancel() {}

// Cancelled reports whether the evaluation is to end.
func (b *budget) Cancelled() bool {
	b.steps++
	if b.err == nil && b.steps%stride == 1 {
		b.err = b.look()
	}
	return b.err != nil
}

// look compares the clocks with the limits.
func (b *budget) look() error {
	if err := b.ctx.Err(); err != nil {
		return err
	}
	if b.steps == 1 {
		return nil
	}
	used, passed := cputime.Used()-b.used, time.Since(b.began)
	if used <= b.limit && passed <= patience*b.limit {
		return nil
	}
	return &lateError{limit: b.limit, used: used, passed: passed}
}

// A lateError says that an evaluation took longer than its deadline.
type lateError struct {
	limit, used, passed time.Duration
	// count says how often that happens.
	count string
}

func (e *lateError) Error() string {
	switch {
	case e.used <= e.limit:
		return fmt.Sprintf("the evaluation waited for a processor for more than %v and had %v of its time%s: give the machine less to do, or raise admission.deadline_ms",
			patience*e.limit, e.used.Round(time.Millisecond), e.count)
	case cputime.Known:
		return fmt.Sprintf("the evaluation took more than %v of processor time%s: make the rules cheaper, or raise admission.deadline_ms", e.limit, e.count)
	}
	return fmt.Sprintf("the evaluation took longer than %v%s: make the rules cheaper, or raise admission.deadline_ms", e.limit, e.count)
}

// A tally counts evaluations, and those that were late, in this process.
type tally struct {
	since     time.Time
	all, late atomic.Int64
}

// String says how often evaluations were late.
func (t *tally) String() string {
	all, late := t.all.Load(), t.late.Load()
	if all == 1 {
		return ", the first and only one of this process"
	}
	return fmt.Sprintf(", as did %d of %d of this process since %s", late, all, t.since.UTC().Format(time.RFC3339))
}
