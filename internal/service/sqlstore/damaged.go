package sqlstore

import (
	"fmt"
	"sync"

	"github.com/policyctl/policyctl/pkg/approval"
)

// maxDamaged bounds the damaged rows that are remembered as told.
const maxDamaged = 1000

// A damageLog holds the rows that were found damaged. The zero value is ready.
type damageLog struct {
	mu   sync.Mutex
	told map[string]bool
}

// damage is the error of a row that cannot be read.
func damage(what, id string, why any) error {
	return fmt.Errorf("the %s %q: %w: %v", what, id, approval.ErrDamaged, why)
}

// tellDamaged tells of a damaged row, once.
func (d *DB) tellDamaged(err error) {
	d.damaged.mu.Lock()
	defer d.damaged.mu.Unlock()
	text := err.Error()
	if d.damaged.told[text] || len(d.damaged.told) == maxDamaged {
		return
	}
	if d.damaged.told == nil {
		d.damaged.told = make(map[string]bool)
	}
	d.damaged.told[text] = true
	if d.o.Damaged != nil {
		d.o.Damaged(d.engine.Explain(err))
	}
}

// Damaged returns how many damaged rows were found since the database was
// opened.
func (d *DB) Damaged() int {
	d.damaged.mu.Lock()
	defer d.damaged.mu.Unlock()
	return len(d.damaged.told)
}
