package sqlstore

import (
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// maxFresh is of how many requests and records what was stored is remembered.
const maxFresh = 4096

// A fresh is what this process has stored lately: the indexes of the search need not read
// that again.
type fresh struct {
	requests *lru.Cache[string, *found]
	records  *lru.Cache[int64, *audit.Record]
}

func newFresh() fresh {
	return fresh{newCache[string, *found](maxFresh), newCache[int64, *audit.Record](maxFresh)}
}

// newCache returns an empty cache, or panics for a size below one.
func newCache[K comparable, V any](size int) *lru.Cache[K, V] {
	c, err := lru.New[K, V](size)
	if err != nil {
		panic(err)
	}
	return c
}

// remember takes up what parts have stored.
func (f *fresh) remember(parts []*part) {
	for _, p := range parts {
		if p.found != nil {
			f.requests.Add(p.found.id, p.found)
		}
		for _, r := range p.records {
			f.records.Add(r.Seq, r)
		}
	}
}

// A found is what is found of a request as it was at a version.
type found struct {
	id      string
	version int64
	words   string
	marks   []mark
	fact    approval.Fact
}

// foundOf returns what is found of a request.
func foundOf(r *approval.Request) *found {
	return &found{r.ID, r.Version, r.Words(), requestMarks(r), r.Fact()}
}
