package postgres_test

import (
	"testing"

	"github.com/policyctl/policyctl/internal/service/postgres"
	"github.com/policyctl/policyctl/internal/service/postgres/pgtest"
	"github.com/policyctl/policyctl/internal/service/storetest"
)

// Whoever may make functions in a schema of the search_path could have the service run
// them, in place of those of the server: such a database is refused.
func TestShadows(t *testing.T) {
	c := pgtest.Start(t)
	c.SQL(t, "postgres", "CREATE DATABASE x; CREATE ROLE eve LOGIN")
	c.SQL(t, "x", "CREATE SCHEMA own; CREATE TABLE own.ran (who text); GRANT USAGE ON SCHEMA own TO PUBLIC; GRANT INSERT ON own.ran TO PUBLIC")
	c.SQL(t, "x", "GRANT CREATE ON SCHEMA public TO PUBLIC")
	refused(t, c.To("x", "postgres"), "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
	c.SQL(t, "x", `SET ROLE eve; CREATE FUNCTION public.pg_advisory_xact_lock(integer) RETURNS void LANGUAGE plpgsql AS
		$$ BEGIN INSERT INTO own.ran VALUES (current_user); END $$`)
	c.SQL(t, "x", "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
	refused(t, c.To("x", "postgres"), `has a function "pg_advisory_xact_lock"`)

	// In a schema behind that of the tables it is not found.
	c.SQL(t, "x", "CREATE SCHEMA tables")
	d := open(t, c.To("x", "postgres")+"&search_path=tables,public", postgres.Options{})
	storetest.Fill(t, "", d)
	shut(t, d)
	if got := c.SQL(t, "x", "SELECT count(*) FROM own.ran"); got != "0" {
		t.Errorf("eve's function ran %s times", got)
	}
	c.SQL(t, "x", "DROP FUNCTION public.pg_advisory_xact_lock(integer)")
	shut(t, open(t, c.To("x", "postgres"), postgres.Options{}))
}
