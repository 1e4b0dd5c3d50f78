package sql_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/support/sql"
)

// TestRead reads statements; "?" stands for what is unknown.
func TestRead(t *testing.T) {
	for _, r := range []struct {
		want string
		in   sql.Dialect
		text string
	}{
		{"SELECT users", sql.Postgres, "select * from users"},
		{"SELECT users", sql.Postgres, "SELECT * FROM Users;"},
		{"SELECT Users", sql.Postgres, `SELECT * FROM "Users"`},
		{"SELECT a,b,s.b", sql.Postgres, "select 1 from a, s.b where a.x in (1, 2)"},
		{"SELECT a,b", sql.Postgres, "select x, y from a as q left join b on q.i = b.i order by x, y"},
		{"SELECT a,b,c", sql.Postgres, "select * from (select * from a, c) q, b"},
		{"SELECT a,b", sql.Postgres, "(select * from a) union select c, d from b"},
		{"SELECT t", sql.Postgres, "select extract(year from d), substring(x from 2) from t"},
		{"SELECT t", sql.Postgres, "select 1 from t where a is distinct from b"},
		{"SELECT t", sql.Postgres, "select * from t for update"},
		{"SELECT ", sql.Postgres, "select 1"},
		{"SELECT new,t + not read", sql.Postgres, "select * into new from t"}, // it creates new
		{"SELECT outfile,t + not read", sql.MySQL, "select * from t into outfile '/tmp/x'"},
		{"INSERT t", sql.Postgres, "insert into t (a, b) values (1, 'drop table x; delete from y')"},
		{"INSERT t,u", sql.Postgres, "insert into t select a, b from u on conflict do update set a = 1"},
		{"INSERT t", sql.MySQL, "insert t values (1) on duplicate key update a=1, b=2"},
		{"REPLACE t", sql.MySQL, "replace t values (1, replace('a','b','c'))"},
		{"UPDATE t", sql.MySQL, "UPDATE `t` SET a = 1, b = 2 WHERE c = 'x''y'"},
		{"UPDATE t,u", sql.MySQL, "update t, u set t.a = u.a"},
		{"UPDATE t", sql.Postgres, "update only t set a = 1"},
		{"UPDATE t,u", sql.MySQL, "update (t join u using (i)) set a = 1"},
		{"SELECT a,b,c", sql.MySQL, "select 1 from a, ((b join c))"},
		{"DELETE logs", sql.Postgres, "delete from logs where a < 1"},
		{"DELETE a,b", sql.Postgres, "delete from a using b where a.i = b.i"},
		{"DROP a,b", sql.Postgres, "drop table if exists a, b cascade"},
		{"DROP v", sql.Postgres, "drop materialized view v"},
		{"DROP ?", sql.Postgres, "drop database prod"},
		{"TRUNCATE a,b", sql.Postgres, "truncate table only a, b"},
		{"TRUNCATE a", sql.MySQL, "truncate a"},
		{"ALTER t", sql.Postgres, "alter table t add column a int, drop column b"},
		{"CREATE t", sql.SQLite, "create table if not exists t (a, b)"},
		{"CREATE ?", sql.Postgres, "create index i on t (a, b)"},
		{"SELECT 1a | DROP users", sql.Postgres, `select * from "1a"; drop table users`},
		{"BEGIN  | DELETE a | COMMIT ", sql.Postgres, "begin; delete from a; commit"},
		{"DELETE a", sql.Postgres, "with x as (select 1) delete from a"},
		{"DELETE a,x | SELECT a,x", sql.Postgres, "with x as (delete from a returning b) select * from x"},
		{"INSERT t,x", sql.Postgres, "with x as (select 1) insert into t select * from x"},
		{"DELETE ? | EXPLAIN ?", sql.Postgres, "explain analyze delete from a"},
		{"COPY ? | DELETE ?", sql.Postgres, "copy (delete from a returning b) to stdout"},
		{"SELECT a,b", sql.MySQL, "select * from a straight_join b"},
		{"MERGE t,u", sql.Postgres, "merge into t using u on t.i = u.i when matched then delete"},
		{"PRAGMA ", sql.SQLite, "pragma user_version"},
		{"", sql.Postgres, ""},
		{"", sql.Postgres, " ; "},
		{"SELECT t", sql.Postgres, "select 'a' 'b' from t"},
		// What databases, or their settings, read in different ways.
		{"not read", sql.Postgres, "select 1 # 2; drop table users"},
		{"not read", sql.MySQL, "select 1 # x"},
		{"not read", sql.Postgres, "select 1 -- x\n; drop table t"},
		{"not read", sql.MySQL, "select /*! 1; drop table t */ 1"},
		{"not read", sql.MySQL, `select 'a\'; drop table t; select 'b'`},
		{"not read", sql.Postgres, `select E'a\'; drop table t'`},
		{"not read", sql.Postgres, "do $$ begin delete from t; end $$"},
		{"not read", sql.Postgres, "select `a`"},
		{"not read", sql.SQLite, "select * from [a; drop table b]"},
		{"not read", sql.Postgres, "select 'open"},
		{"SELECT  + not read", sql.Postgres, "select (1"},
		{"not read", sql.Postgres, "frobnicate t"},
		{"not read", sql.SQLite, ".dump"},
		{"not read", sql.MySQL, "delimiter //"},
		{"not read", sql.Postgres, "prepare p as delete from t"},
		{"SELECT  + not read", sql.Postgres, "select 1; execute p"},
	} {
		if got := describe(r.in, r.text); got != r.want {
			t.Errorf("%s\n\tgot  %s\n\twant %s", r.text, got, r.want)
		}
	}
}

func describe(in sql.Dialect, text string) string {
	list, ok := sql.Read(in, text)
	var out []string
	for _, s := range list {
		tables := strings.Join(s.Tables, ",")
		if !s.Known {
			tables = "?"
		}
		out = append(out, fmt.Sprintf("%s %s", s.Verb, tables))
	}
	switch said := strings.Join(out, " | "); {
	case ok:
		return said
	case said == "":
		return "not read"
	default:
		return said + " + not read"
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{"select * from a, b", "with x as (delete from a) select 1", "drop table a.b.c", "(((", "from from from ,,, (a", "a.", "'"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, in := range []sql.Dialect{sql.Postgres, sql.MySQL, sql.SQLite} {
			if list, _ := sql.Read(in, text); len(list) > len(text)+1 {
				t.Errorf("%d statements of %d bytes", len(list), len(text))
			}
		}
	})
}
