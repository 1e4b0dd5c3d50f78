package backend

import (
	"context"
	"slices"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/trail"
)

// Collect puts the decisions of a batch on record, in the name of who brings it,
// and returns how far the log has their source then. What it has already is not
// recorded again. A batch that is not as it must be is refused whole.
func (b *Backend) Collect(ctx context.Context, who string, in trail.Batch) (position int64, err error) {
	if err := in.Check(); err != nil {
		return 0, &approval.Invalid{Text: err.Error()}
	}
	now := b.Now()
	in.Entries = slices.Clone(in.Entries)
	for i := range in.Entries {
		in.Entries[i].Entry = trail.Collected(in.Entries[i].Entry, who, in.Source, now)
	}
	return b.Data.Collect(ctx, who, in)
}
