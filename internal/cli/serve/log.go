package serve

import (
	"context"
	"iter"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/pkg/audit"
)

// AuditPage is how many records of the audit log are read at once.
const AuditPage = 1000

// A Log is an audit log that is read by pages.
type Log interface {
	Audit(ctx context.Context, after int64, limit int) ([]*audit.Record, error)
	backend.Base
}

// Records yields the log of a database from where it begins, up to its last row: what a
// record says of its own place may be a lie. Where what comes next is cut off meanwhile,
// the error is [backend.ErrCut].
func Records(ctx context.Context, db Log) iter.Seq2[*audit.Record, error] {
	return func(yield func(*audit.Record, error) bool) {
		for at := int64(0); ; {
			page, err := db.Audit(ctx, at, AuditPage)
			if cut := backend.CutMeanwhile(ctx, db, at, page); cut != nil {
				yield(nil, cut)
				return
			}
			for _, r := range page {
				at = max(at+1, r.Seq)
				if !yield(r, nil) {
					return
				}
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if len(page) == 0 {
				return
			}
		}
	}
}
