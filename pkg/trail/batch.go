package trail

import (
	"fmt"
	"math"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A Batch is a number of entries on their way to the log.
type Batch struct {
	// Source names from where they come: up to 64 letters, digits and hyphens.
	Source  string   `json:"source"`
	Entries []Placed `json:"entries"`
}

// A Placed is an entry with its position, a number above 0 that grows from entry
// to entry of a source. What a log has of a source up to a position, it does not
// record again.
type Placed struct {
	Position int64       `json:"position"`
	Entry    audit.Entry `json:"entry"`
}

// A Receipt is the answer to a batch.
type Receipt struct {
	// Position is how far the log has the source: every entry up to there is
	// recorded, once.
	Position int64 `json:"position"`
}

// MaxBatch bounds the entries of a batch: others who write to the log wait for all
// of it.
const MaxBatch = 200

// Check says what is wrong with a batch, and where.
func (b *Batch) Check() error {
	if !isID(b.Source) {
		return fmt.Errorf("source %q: give up to %d letters, digits and hyphens", clip.Text(b.Source, 40), maxID)
	}
	if len(b.Entries) > MaxBatch {
		return fmt.Errorf("entries: %d are more than %d", len(b.Entries), MaxBatch)
	}
	last := int64(0)
	for i := range b.Entries {
		p := &b.Entries[i]
		if p.Position <= last || p.Position == math.MaxInt64 {
			return fmt.Errorf("entries[%d].position: %d does not lie behind %d", i, p.Position, last)
		}
		if err := check(&p.Entry); err != nil {
			return fmt.Errorf("entries[%d].entry: %w", i, err)
		}
		last = p.Position
	}
	return nil
}
