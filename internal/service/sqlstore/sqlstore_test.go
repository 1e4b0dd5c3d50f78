package sqlstore_test

import (
	"testing"

	"github.com/policyctl/policyctl/internal/service/sqlstore"
)

// What options leave out is set, and numbers that nobody can mean are refused.
func TestComplete(t *testing.T) {
	for _, row := range []struct{ events, calls, wantEvents, wantCalls int }{
		{0, 0, sqlstore.DefaultEvents, sqlstore.DefaultCalls}, {1, 2, 1, 2}, {0, 2, sqlstore.DefaultEvents, 2}, {-1, 2, 0, 0}, {1, -1, 0, 0},
	} {
		o := sqlstore.Options{KeepEvents: row.events, KeepCalls: row.calls}
		err := o.Complete()
		if refused := row.wantEvents == 0; (err != nil) != refused || !refused && (o.KeepEvents != row.wantEvents || o.KeepCalls != row.wantCalls) {
			t.Errorf("%+v: %d and %d, %v", row, o.KeepEvents, o.KeepCalls, err)
		}
	}
}
