package backend

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"

	"github.com/policyctl/policyctl/internal/support/shelf"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Counts keeps how often calls were made in the store of a service, so that its instances
// count together and a restart forgets nothing. It is safe for concurrent use.
type Counts struct {
	// Shelf returns the place of a document that the instances share.
	Shelf func(name string) shelf.Shelf
}

// shelves is over how many documents the counts are spread: writers of one wait for one
// another.
const shelves = 256

// Count is the Count of [policy.Options].
func (c *Counts) Count(ctx context.Context, name string, t *policy.Tally) (before int, err error) {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // a hash takes everything
	at := c.Shelf(fmt.Sprintf("rates %d", h.Sum32()%shelves))
	named := *t
	named.Key = name + "\x00" + t.Key
	count := func(text []byte) ([]byte, error) {
		var w policy.Windows
		if text != nil {
			if err := json.Unmarshal(text, &w); err != nil {
				return nil, fmt.Errorf("the counts of calls cannot be read: %w", err)
			}
		}
		before = w.Count(&named)
		return json.Marshal(&w)
	}
	if t.Add {
		err = at.Change(ctx, count)
		return before, err
	}
	text, err := at.Look(ctx)
	if err == nil {
		_, err = count(text)
	}
	return before, err
}
