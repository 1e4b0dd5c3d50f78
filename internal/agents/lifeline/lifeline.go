// Package lifeline tells a hook that waits when to stop: at any signal that
// would end or halt the process, and when the agent is gone. A hook that dies
// without an answer is no hook to most agents, which then run the call; one
// that outlives its agent keeps a question open that nobody has any more.
//
// The package answers nothing and takes nothing back: it ends a context.
package lifeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"time"
)

// beat is how often the hook looks whether its agent is still there, and soon
// when it waits: most hooks have answered by then.
const (
	beat = 200 * time.Millisecond
	soon = 20 * time.Millisecond
)

// errGone is the cause where the agent is gone.
var errGone = errors.New("the agent is gone")

// Watch returns a context that ends when the process is told to stop or when
// the agent is gone: its parent has ended, or nobody reads stdout any more.
// [context.Cause] says which. stdout may be nil.
//
// Signals stay caught after stop, so that none keeps the process from giving
// its answer; it must then exit. SIGPIPE and SIGXFSZ are ignored: writing fails
// instead, and what was decided stands.
func Watch(ctx context.Context, stdout *os.File) (watched context.Context, stop func()) {
	watched, cancel := context.WithCancelCause(ctx)
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, ending...)
	ignore()
	waits := sync.OnceFunc(func() { signal.Notify(caught, waking()...) })
	watched = context.WithValue(watched, waiting{}, waits)
	parent := os.Getppid()
	go func() {
		select {
		case <-watched.Done():
			return
		case s := <-caught:
			cancel(ended(s))
		case <-time.After(soon):
			waits()
		}
		tick := time.NewTicker(beat)
		defer tick.Stop()
		for {
			select {
			case <-watched.Done():
				return
			case s := <-caught:
				cancel(ended(s))
			case <-tick.C:
				if os.Getppid() != parent || stdout != nil && closed(stdout) {
					cancel(errGone)
				}
			}
		}
	}()
	return watched, func() { cancel(context.Canceled) }
}

// A waiting is the key of what makes a hook catch the signals that only one
// that waits catches.
type waiting struct{}

// Wait is called with the context of [Watch], or one of it, before the hook waits
// for somebody: from then on every signal that can be caught ends it with an
// answer.
func Wait(ctx context.Context) {
	if waits, ok := ctx.Value(waiting{}).(func()); ok {
		waits()
	}
}

func ended(s os.Signal) error { return fmt.Errorf("the hook was ended by the signal %q", s) }
