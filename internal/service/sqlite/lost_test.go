package sqlite_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/internal/service/storetest"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A log of which all behind a cut are gone says so, to who reads where it ends and to who
// would go on with it: nothing is stored then.
func TestLostLog(t *testing.T) {
	path := newPath(t)
	d := open(t, path, sqlite.Options{})
	defer shut(t, d)
	r, e := storetest.Typical("a")
	if err := d.Record(t.Context(), e, e, e, e); err != nil {
		t.Fatal(err)
	}
	run(t, path, "DROP TRIGGER audit_keeps; INSERT INTO audit_base VALUES (1, 3, '', ''); DELETE FROM audit")
	_, head := d.AuditHead(t.Context())
	_, _, created := d.Create(t.Context(), r, e)
	for name, err := range map[string]error{"the head": head, "a record": d.Record(t.Context(), e), "a request": created} {
		var broken *audit.Broken
		if !errors.As(err, &broken) || broken.Seq != 4 || !strings.Contains(err.Error(), "cut off behind record 3") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for query, want := range map[string]string{"SELECT count(*) FROM audit": "0", "SELECT count(*) FROM requests": "0", "SELECT count(*) FROM events": "0"} {
		if got := answer(t, path, query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}
