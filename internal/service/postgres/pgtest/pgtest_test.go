package pgtest_test

import (
	"testing"

	"github.com/policyctl/policyctl/internal/service/postgres/pgtest"
	"github.com/policyctl/policyctl/internal/trial/seed"
)

func TestX(t *testing.T) {
	seed.Slow(t)
	c := pgtest.Start(t)
	c.SQL(t, "postgres", "create role low login")
	t.Log(c.SQL(t, "postgres", "set role low; select system_identifier from pg_control_system(); select timeline_id from pg_control_checkpoint(); select pg_walfile_name(pg_current_wal_insert_lsn()); set tcp_user_timeout=5000; set tcp_keepalives_idle=5; set client_connection_check_interval='2s'; set idle_in_transaction_session_timeout='10s'; set lock_timeout='4s'"))
	s := c.Standby(t)
	s.Promote(t)
	t.Log(s.SQL(t, "postgres", "set role low; select system_identifier from pg_control_system(); select timeline_id from pg_control_checkpoint(); select pg_walfile_name(pg_current_wal_insert_lsn()),pg_is_in_recovery(), current_setting('transaction_read_only')"))
	c.Kill(t)
	c.Up(t)
	t.Log(pgtest.URL(t))
}
