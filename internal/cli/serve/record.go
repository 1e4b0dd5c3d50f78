package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/policyctl/policyctl/internal/machine/collector"
	"github.com/policyctl/policyctl/internal/machine/spool"
	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/trail"
)

// recording bounds the decisions that wait to be written to the spool, and
// recordTime how long the end of the service waits for them.
const (
	recording  = 4096
	recordTime = 5 * time.Second
)

// record returns what puts the decisions of the service on record, and the spool of
// this machine, into which they go like those of hooks.
func (s *serve) record(r *instance) (func(context.Context, *backend.Decided), *spool.Spool, error) {
	place, err := s.Policies()
	if err != nil {
		return nil, nil, err
	}
	into := spool.Verdicts(place.State)
	told := ""
	queue := trail.NewQueue(recording, trail.From{}, func(batch []audit.Entry) error {
		var err error
		for i := range batch {
			err = errors.Join(err, collector.Put(into, &batch[i]))
		}
		if err != nil && err.Error() != told {
			told = err.Error()
			r.log.Error("decisions are missing on record", "error", err)
		}
		return err
	})
	r.ends = append(r.ends, func() error {
		ctx, stop := context.WithTimeout(context.Background(), recordTime)
		defer stop()
		err := queue.Close(ctx)
		if n := queue.Dropped(); n > 0 {
			err = errors.Join(err, fmt.Errorf("%d decisions are not on record: they came too fast, or could not be written", n))
		}
		return err
	})
	return func(ctx context.Context, d *backend.Decided) {
		if d.Records {
			who, _ := auth.FromContext(ctx)
			queue.Put(trail.From{Actor: cmp.Or(who.Name, "service"), Via: "service"}, policy.Outcome{Call: *d.Call, Verdict: *d.Verdict, Time: d.Call.Time, Took: d.Took})
		}
	}, into, nil
}

// collect has the decisions of this machine recorded while the service runs. Those
// of another spool come over the network.
func (r *instance) collect(b *backend.Backend, from *spool.Spool) {
	keep := func(ctx context.Context, batch trail.Batch) (int64, error) {
		at, err := b.Collect(ctx, Owner(), batch)
		var invalid *approval.Invalid
		if errors.As(err, &invalid) {
			err = &collector.Refused{Err: err}
		}
		return at, err
	}
	r.during(func(ctx context.Context) {
		collector.Follow(ctx, from, keep, func(err error) {
			if err == nil {
				r.log.Info("the decisions of this machine are recorded again")
				return
			}
			r.log.Error("the decisions of this machine are not recorded: they stay in "+from.Dir()+" until they are", "error", err)
		})
	})
}
