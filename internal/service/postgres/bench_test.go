package postgres_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/postgres"
	"github.com/policyctl/policyctl/internal/service/postgres/pgtest"
	"github.com/policyctl/policyctl/internal/service/storetest"
	"github.com/policyctl/policyctl/pkg/audit"
)

// What a durable record costs, by writers and instances that take turns. The cluster of the
// tests does not wait for its disk, so these are the costs of the turns and the way there.
func BenchmarkRecord(b *testing.B) {
	for _, row := range []struct{ instances, writers int }{{1, 1}, {1, 16}, {1, 64}, {2, 32}, {4, 16}} {
		b.Run(fmt.Sprintf("instances=%d/writers=%d", row.instances, row.writers), func(b *testing.B) {
			url := pgtest.URL(b)
			var next atomic.Int64
			var all sync.WaitGroup
			var stores []*postgres.DB
			for range row.instances {
				d := open(b, url, postgres.Options{})
				defer shut(b, d)
				stores = append(stores, d)
			}
			b.ResetTimer()
			for _, d := range stores {
				for range row.writers {
					all.Go(func() {
						for next.Add(1) <= int64(b.N) {
							if err := d.Record(b.Context(), audit.Entry{Time: time.Now(), Kind: audit.KindLogin, Actor: "service"}); err != nil {
								b.Error(err)
								return
							}
						}
					})
				}
			}
			all.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}

// Who looks at the record of decisions waits for a page, however many there are.
func BenchmarkVerdicts(b *testing.B) {
	url := pgtest.URL(b)
	d := open(b, url, postgres.Options{})
	defer shut(b, d)
	storetest.Verdicts(b, d, func() { pgtest.SQL(b, url, "VACUUM ANALYZE") }) // which the server does by itself now and then
	b.Logf("the database has %s", pgtest.SQL(b, url, "SELECT pg_size_pretty(pg_database_size(current_database()))"))
}
