package record

import (
	"fmt"
	"strings"
	"testing"
)

// TestReadSQL reads statements; "?" stands for what is not known.
func TestReadSQL(t *testing.T) {
	for _, r := range []struct {
		want string
		in   sqlDialect
		text string
	}{
		{"SELECT users", postgresSQL, "select * from users"},
		{"SELECT users", postgresSQL, "SELECT * FROM Users;"},
		{"SELECT Users", postgresSQL, `SELECT * FROM "Users"`},
		{"SELECT a,b,s.b", postgresSQL, "select 1 from a, s.b where a.x in (1, 2)"},
		{"SELECT a,b", postgresSQL, "select x, y from a as q left join b on q.i = b.i order by x, y"},
		{"SELECT a,b,c", postgresSQL, "select * from (select * from a, c) q, b"},
		{"SELECT a,b", postgresSQL, "(select * from a) union select c, d from b"},
		{"SELECT t", postgresSQL, "select extract(year from d), substring(x from 2) from t"},
		{"SELECT t", postgresSQL, "select 1 from t where a is distinct from b"},
		{"SELECT t", postgresSQL, "select * from t for update"},
		{"SELECT ", postgresSQL, "select 1"},
		{"SELECT new,t + not read", postgresSQL, "select * into new from t"}, // it creates new
		{"SELECT outfile,t + not read", mysqlSQL, "select * from t into outfile '/tmp/x'"},
		{"INSERT t", postgresSQL, "insert into t (a, b) values (1, 'drop table x; delete from y')"},
		{"INSERT t,u", postgresSQL, "insert into t select a, b from u on conflict do update set a = 1"},
		{"INSERT t", mysqlSQL, "insert t values (1) on duplicate key update a=1, b=2"},
		{"REPLACE t", mysqlSQL, "replace t values (1, replace('a','b','c'))"},
		{"UPDATE t", mysqlSQL, "UPDATE `t` SET a = 1, b = 2 WHERE c = 'x''y'"},
		{"UPDATE t,u", mysqlSQL, "update t, u set t.a = u.a"},
		{"UPDATE t", postgresSQL, "update only t set a = 1"},
		{"UPDATE t,u", mysqlSQL, "update (t join u using (i)) set a = 1"},
		{"SELECT a,b,c", mysqlSQL, "select 1 from a, ((b join c))"},
		{"DELETE logs", postgresSQL, "delete from logs where a < 1"},
		{"DELETE a,b", postgresSQL, "delete from a using b where a.i = b.i"},
		{"DROP a,b", postgresSQL, "drop table if exists a, b cascade"},
		{"DROP v", postgresSQL, "drop materialized view v"},
		{"DROP ?", postgresSQL, "drop database prod"},
		{"TRUNCATE a,b", postgresSQL, "truncate table only a, b"},
		{"TRUNCATE a", mysqlSQL, "truncate a"},
		{"ALTER t", postgresSQL, "alter table t add column a int, drop column b"},
		{"CREATE t", sqliteSQL, "create table if not exists t (a, b)"},
		{"CREATE ?", postgresSQL, "create index i on t (a, b)"},
		{"SELECT 1a | DROP users", postgresSQL, `select * from "1a"; drop table users`},
		{"BEGIN  | DELETE a | COMMIT ", postgresSQL, "begin; delete from a; commit"},
		{"DELETE a", postgresSQL, "with x as (select 1) delete from a"},
		{"DELETE a,x | SELECT a,x", postgresSQL, "with x as (delete from a returning b) select * from x"},
		{"INSERT t,x", postgresSQL, "with x as (select 1) insert into t select * from x"},
		{"DELETE ? | EXPLAIN ?", postgresSQL, "explain analyze delete from a"},
		{"COPY ? | DELETE ?", postgresSQL, "copy (delete from a returning b) to stdout"},
		{"SELECT a,b", mysqlSQL, "select * from a straight_join b"},
		{"MERGE t,u", postgresSQL, "merge into t using u on t.i = u.i when matched then delete"},
		{"PRAGMA ", sqliteSQL, "pragma user_version"},
		{"", postgresSQL, ""},
		{"", postgresSQL, " ; "},
		{"SELECT t", postgresSQL, "select 'a' 'b' from t"},
		// What databases, or their settings, read in different ways.
		{"not read", postgresSQL, "select 1 # 2; drop table users"},
		{"not read", mysqlSQL, "select 1 # x"},
		{"not read", postgresSQL, "select 1 -- x\n; drop table t"},
		{"not read", mysqlSQL, "select /*! 1; drop table t */ 1"},
		{"not read", mysqlSQL, `select 'a\'; drop table t; select 'b'`},
		{"not read", postgresSQL, `select E'a\'; drop table t'`},
		{"not read", postgresSQL, "do $$ begin delete from t; end $$"},
		{"not read", postgresSQL, "select `a`"},
		{"not read", sqliteSQL, "select * from [a; drop table b]"},
		{"not read", postgresSQL, "select 'open"},
		{"SELECT  + not read", postgresSQL, "select (1"},
		{"not read", postgresSQL, "frobnicate t"},
		{"not read", sqliteSQL, ".dump"},
		{"not read", mysqlSQL, "delimiter //"},
		{"not read", postgresSQL, "prepare p as delete from t"},
		{"SELECT  + not read", postgresSQL, "select 1; execute p"},
	} {
		if got := describeSQL(r.in, r.text); got != r.want {
			t.Errorf("%s\n\tgot  %s\n\twant %s", r.text, got, r.want)
		}
	}
}

func describeSQL(in sqlDialect, text string) string {
	list, ok := readSQL(in, text)
	var out []string
	for _, s := range list {
		tables := strings.Join(s.tables, ",")
		if !s.known {
			tables = "?"
		}
		out = append(out, fmt.Sprintf("%s %s", s.verb, tables))
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

func FuzzReadSQL(f *testing.F) {
	for _, seed := range []string{"select * from a, b", "with x as (delete from a) select 1", "drop table a.b.c", "(((", "from from from ,,, (a", "a.", "'"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, in := range []sqlDialect{postgresSQL, mysqlSQL, sqliteSQL} {
			if list, _ := readSQL(in, text); len(list) > len(text)+1 {
				t.Errorf("%d statements of %d bytes", len(list), len(text))
			}
		}
	})
}
