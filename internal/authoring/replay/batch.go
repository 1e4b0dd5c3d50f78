package replay

import (
	"context"
	"runtime"
	"sync"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A job is an event with what is found out of it.
type job struct {
	event
	verdict policy.Verdict
	err     error
	// heads are what asks in a call that asks, and allowedBy are the permissions
	// that would allow it.
	heads     []head
	allowedBy []*candidate
}

// A batch works on events on all processors: on those of one thread in their
// order, on others at once. What was found is told in the order of the events,
// so that a report does not depend on the processors.
type batch struct {
	work func(context.Context, *job)
	tell func(context.Context, *job)
	// alone says that no event depends on another of its thread.
	alone bool
	jobs  []job
	size  int // in bytes of the recordings
}

// Bounds of what waits.
const (
	maxJobs      = 512
	maxJobsBytes = 8 << 20
)

func (b *batch) add(ctx context.Context, e *event) {
	b.jobs = append(b.jobs, job{event: *e})
	if b.size += e.size; len(b.jobs) >= maxJobs || b.size >= maxJobsBytes {
		b.flush(ctx)
	}
}

// flush finishes what waits, also where the context has ended: it was read
// before.
func (b *batch) flush(ctx context.Context) {
	ctx = context.WithoutCancel(ctx)
	groups := make(chan []*job, len(b.jobs))
	for _, g := range b.threads() {
		groups <- g
	}
	close(groups)
	var running sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		running.Go(func() {
			for g := range groups {
				for _, j := range g {
					b.work(ctx, j)
				}
			}
		})
	}
	running.Wait()
	for i := range b.jobs {
		b.tell(ctx, &b.jobs[i])
	}
	clear(b.jobs)
	b.jobs, b.size = b.jobs[:0], 0
}

// threads returns the events by thread. One without a thread is alone.
func (b *batch) threads() [][]*job {
	var groups [][]*job
	at := make(map[string]int)
	for i := range b.jobs {
		j := &b.jobs[i]
		if g, known := at[j.thread]; known && j.thread != "" && !b.alone {
			groups[g] = append(groups[g], j)
			continue
		}
		at[j.thread] = len(groups)
		groups = append(groups, []*job{j})
	}
	return groups
}
