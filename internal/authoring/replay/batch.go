package replay

import (
	"context"
	"runtime"
	"slices"
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

// A batch works on events on all processors, while the next are read: on those
// of one thread in their order, on others at once. What was found is told in the
// order of the events, by who adds them, so that a report does not depend on the
// processors.
type batch struct {
	work func(context.Context, *job)
	tell func(context.Context, *job)
	// alone says that no event depends on another of its thread.
	alone bool
	jobs  []job
	size  int // in bytes of the recordings
	// begun are the events that are worked on.
	begun   []job
	running sync.WaitGroup
}

// Bounds of what waits, and of what is worked on.
const (
	maxJobs      = 2048
	maxJobsBytes = 8 << 20
)

func (b *batch) add(ctx context.Context, e *event) {
	b.jobs = append(b.jobs, job{event: *e})
	if b.size += e.size; len(b.jobs) >= maxJobs || b.size >= maxJobsBytes {
		b.begin(ctx)
	}
}

// flush finishes what waits, also where the context has ended: it was read
// before.
func (b *batch) flush(ctx context.Context) {
	b.begin(ctx)
	b.finish(ctx)
}

// begin starts the work on what waits once that on what was begun is done.
func (b *batch) begin(ctx context.Context) {
	b.finish(ctx)
	ctx = context.WithoutCancel(ctx)
	b.jobs, b.begun, b.size = b.begun[:0], b.jobs, 0
	groups := make(chan []*job, len(b.begun))
	for _, g := range threads(b.begun, b.alone) {
		groups <- g
	}
	close(groups)
	for range runtime.GOMAXPROCS(0) {
		b.running.Go(func() {
			for g := range groups {
				for _, j := range g {
					b.work(ctx, j)
				}
			}
		})
	}
}

// finish waits for what was begun, and tells what was found.
func (b *batch) finish(ctx context.Context) {
	b.running.Wait()
	for i := range b.begun {
		b.tell(context.WithoutCancel(ctx), &b.begun[i])
	}
	clear(b.begun)
	b.begun = b.begun[:0]
}

// threads returns the events by thread, the longest first, so that the last to
// be worked on are short. One without a thread is alone.
func threads(jobs []job, alone bool) [][]*job {
	var groups [][]*job
	at := make(map[string]int)
	for i := range jobs {
		j := &jobs[i]
		if g, known := at[j.thread]; known && j.thread != "" && !alone {
			groups[g] = append(groups[g], j)
			continue
		}
		at[j.thread] = len(groups)
		groups = append(groups, []*job{j})
	}
	slices.SortStableFunc(groups, func(a, b []*job) int { return len(b) - len(a) })
	return groups
}
