package postgres_test

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/policyctl/policyctl/internal/service/postgres"
	"github.com/policyctl/policyctl/internal/service/postgres/pgtest"
	"github.com/policyctl/policyctl/internal/service/storetest"
)

// BenchmarkDurable compares durable creates with inserts by the bare driver, on a server
// that waits for its disk.
func BenchmarkDurable(b *testing.B) {
	c := pgtest.Start(b, "fsync=on", "max_connections=100")
	own, other := c.URL(b), c.URL(b)
	pool, err := pgxpool.New(b.Context(), other+"&pool_max_conns=64")
	if err != nil {
		b.Fatal(err)
	}
	defer pool.Close()
	if _, err := pool.Exec(b.Context(), "CREATE TABLE requests (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE, document text NOT NULL)"); err != nil {
		b.Fatal(err)
	}
	d := open(b, own, postgres.Options{})
	defer shut(b, d)
	storetest.Durable(b, func(id, document string) error {
		_, err := pool.Exec(b.Context(), "INSERT INTO requests (id, document) VALUES ($1, $2)", id, document)
		return err
	}, d)
}
