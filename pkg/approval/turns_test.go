package approval

import (
	"fmt"
	"sync"
	"testing"
)

// Few of as many sessions as ask at once wait for one another.
func TestTurns(t *testing.T) {
	const sessions = 64
	var all turns
	locks := make(map[*sync.Mutex]bool)
	for i := range sessions {
		l := all.of(fmt.Sprint("token:agent", i), fmt.Sprint("session-", i))
		if l != all.of(fmt.Sprint("token:agent", i), fmt.Sprint("session-", i)) {
			t.Fatal("a session has two locks")
		}
		locks[l] = true
	}
	if len(locks) < sessions-sessions/10 {
		t.Errorf("%d sessions share %d locks", sessions, len(locks))
	}
}
