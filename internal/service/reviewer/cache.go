package reviewer

import (
	"crypto/sha256"
	"encoding/json"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// maxCached bounds the verdicts that are remembered.
const maxCached = 1000

// A cached is a verdict that has approved a call.
type cached struct {
	verdict
	model string
	at    time.Time
}

// A cache remembers what has approved a call, for exact repeats under the same policy.
// It has no denials: they are rare, and a person may have said otherwise since.
type cache struct {
	most time.Duration
	lru  *expirable.LRU[[sha256.Size]byte, cached]
}

func newCache(most time.Duration) *cache {
	if most == 0 {
		return &cache{}
	}
	return &cache{most, expirable.NewLRU[[sha256.Size]byte, cached](maxCached, nil, most)}
}

// get returns a verdict that is younger than the rule has it.
func (c *cache) get(key [sha256.Size]byte, life time.Duration, now time.Time) (cached, bool) {
	if c.lru == nil || life <= 0 {
		return cached{}, false
	}
	found, ok := c.lru.Get(key)
	age := now.Sub(found.at)
	return found, ok && age >= 0 && age < min(life, c.most)
}

func (c *cache) put(key [sha256.Size]byte, life time.Duration, v cached) {
	if c.lru != nil && life > 0 {
		c.lru.Add(key, v)
	}
}

// keyOf is what a verdict is remembered under: all that the model saw and that decides
// whether it is asked.
func (r *Reviewer) keyOf(q *approval.Request, f *Facts, model string) ([sha256.Size]byte, error) {
	hash, err := approval.HashOf(f.Call)
	if err != nil {
		return [sha256.Size]byte{}, err
	}
	text, err := json.Marshal(struct {
		System, Reviewer, URL, Model, Prompt, Why, Said, Revision, Submitter, Hash string
		Risk                                                                       string
		Scope                                                                      policy.Scope
		Records                                                                    json.RawMessage
		Files                                                                      []approval.File
		Repository                                                                 *approval.Repository
	}{
		system, r.o.Name, r.o.URL, model, q.Asked.Prompt, q.Asked.Why, q.Said, f.Revision, q.Submitter, hash, f.Risk, f.Call.Scope, f.Records,
		q.Asked.Files, q.Asked.Repository,
	})
	return sha256.Sum256(text), err
}
