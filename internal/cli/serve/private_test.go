package serve

import (
	"slices"
	"testing"

	"github.com/policyctl/policyctl/internal/cli/console"
)

// The passwords of the database are as private as the database: hooks ask about who reads
// them. Those of another program are not the service's.
func TestPrivatePasswords(t *testing.T) {
	for _, row := range []struct {
		database string
		want     bool
	}{{"postgres://policyctl@db/policyctl", true}, {"/srv/approval.db", false}} {
		t.Setenv("PGPASSFILE", "/etc/policyctl/pgpass")
		s := &serve{Process: &console.Process{}, Database: Database{path: row.database}, path: "/srv/approval.db", key: SigningKey{file: "/srv/receipts.key"}}
		if got := slices.Contains(s.private(), "/etc/policyctl/pgpass"); got != row.want {
			t.Errorf("%s: %v", row.database, s.private())
		}
	}
}
