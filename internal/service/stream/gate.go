package stream

import (
	"context"
	"time"
)

// A gate lets few at a time read the log, so that those who come back from far
// away leave the machine to those who decide.
type gate struct {
	turns chan struct{}
	// rest is how many times as long as a turn took the gate stays shut behind
	// it: who passes has one part in rest+1 of a processor.
	rest time.Duration
}

func newGate(turns int, rest time.Duration) *gate {
	return &gate{turns: make(chan struct{}, turns), rest: rest}
}

// pass waits for a turn. leave ends it.
func (g *gate) pass(ctx context.Context) (leave func(), err error) {
	select {
	case g.turns <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	began := time.Now()
	return func() {
		if g.rest == 0 {
			<-g.turns
			return
		}
		time.AfterFunc(g.rest*time.Since(began), func() { <-g.turns })
	}, nil
}
