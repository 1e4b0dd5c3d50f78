package postgres_test

import (
	"testing"

	"github.com/policyctl/policyctl/internal/service/postgres"
	"github.com/policyctl/policyctl/internal/service/postgres/pgtest"
	"github.com/policyctl/policyctl/internal/service/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Place {
		url := pgtest.URL(t)
		return func(o storetest.Options) storetest.Store {
			return open(t, url, options(o))
		}
	})
}

func TestTold(t *testing.T) {
	url := pgtest.URL(t)
	storetest.Told(t, func(o storetest.Options) storetest.Store { return open(t, url, options(o)) })
}

func options(o storetest.Options) postgres.Options {
	return postgres.Options{Notify: o.Notify, Others: o.Others, KeepEvents: o.KeepEvents, KeepCalls: o.KeepCalls}
}

// open opens a database.
func open(t testing.TB, url string, o postgres.Options) *postgres.DB {
	t.Helper()
	d, err := postgres.Open(t.Context(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
