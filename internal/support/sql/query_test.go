package sql_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/support/sql"
)

func TestQueries(t *testing.T) {
	for _, tt := range []struct {
		want string // the verbs, with ! where all rows are meant
		text string
	}{
		{"", ""},
		{"", " ; -- nothing"},
		{"select", "SELECT 1"},
		{"select delete!", "select 1; delete from t"},
		{"delete", "DELETE FROM t WHERE a = 'x;y'"},
		{"delete", "DELETE FROM t WHERE 1=1 AND a = 2"},
		{"delete!", "DELETE FROM t WHERE 1=1"},
		{"delete!", "DELETE FROM t WHERE TRUE;"},
		{"delete!", "DELETE FROM t -- WHERE a = 1"},
		{"delete!", "DELETE FROM t USING (SELECT a FROM u WHERE b) x"},
		{"update!", "UPDATE t SET a = 'where b'"},
		{"update", "UPDATE t SET a = (SELECT 1) WHERE b"},
		{"select", `SELECT "drop", 'it''s', E'\';drop table t' FROM t`},
		{"select", "SELECT $$ ; drop table t $$, $a$ ; drop $a$"},
		{"drop", "/* a */ DROP TABLE t"},
		{"drop", "/*!50000 DROP TABLE t */"},
		{"drop", "\\c app\nDROP TABLE t"},
		{"drop", ".bail on\nDROP TABLE t;"},
		{"delete delete!", "WITH x AS (DELETE FROM u WHERE a RETURNING *) DELETE FROM t"},
		{"delete! select", "WITH x AS (DELETE FROM t RETURNING *) SELECT 1"},
		{"delete! select", "with x as materialized(delete from only t returning (a)) select (1) where b"},
		{"delete! select", "WITH x AS ( /* a */ DELETE FROM t WHERE true RETURNING * ) SELECT 1"},
		{"delete! update! select", "WITH x AS (DELETE FROM t RETURNING *), y AS (UPDATE u SET a = 1 RETURNING *) SELECT 1"},
		{"delete! with with", "WITH x AS (WITH y AS (DELETE FROM t) TABLE y) TABLE x; WITH"},
		{"delete! copy", "COPY (DELETE FROM t RETURNING a) TO STDOUT"},
		{"delete! insert", "INSERT INTO u SELECT a FROM (DELETE t OUTPUT deleted.a) x"},
		{"delete! select", "EXPLAIN (ANALYZE, BUFFERS) WITH x AS (DELETE FROM t) SELECT 1"},
		{"delete! with drop", "WITH x AS (DELETE FROM t; DROP TABLE u"},
		{"delete select", "WITH x AS (DELETE FROM t WHERE (a) RETURNING *) SELECT 1"},
		{"update select", "WITH x AS (UPDATE t SET a = (1) WHERE b RETURNING *) SELECT 1"},
		{"delete! delete", "WITH x AS (DELETE FROM t USING (SELECT 1 WHERE a) y) DELETE FROM u WHERE a IN (SELECT 1)"},
		{"select", "WITH x AS (SELECT 'delete from t') SELECT (delete), (update) FROM x"},
		{"insert", "INSERT INTO t (delete, a) SELECT a FROM b"},
		{"insert", "INSERT INTO t (update) VALUES (1) ON CONFLICT (update) DO UPDATE SET a = 1"},
		{"explain", "EXPLAIN WITH x AS (DELETE FROM t RETURNING *) SELECT 1"},
		{"delete!", "DELETE FROM t WHERE 1=1 RETURNING a"},
		{"delete", "DELETE FROM t WHERE a = 1 RETURNING a"},
		{"delete!", "DELETE FROM t OUTPUT deleted.a WHERE 1=1"},
		{"delete!", "EXPLAIN (ANALYZE) DELETE FROM t"},
		{"explain", "EXPLAIN (COSTS OFF) DELETE FROM t"},
		{"explain", "EXPLAIN DELETE FROM t"},
		{"delete!", "EXPLAIN ANALYZE DELETE FROM t"},
		{"select", "SELECT 1 -- \n"},
		{"select", "SELECT 'open ; drop table t"},
	} {
		got := ""
		for _, q := range sql.Queries(tt.text) {
			got += " " + strings.ToLower(q.Verb)
			if (q.Verb == "DELETE" || q.Verb == "UPDATE") && !q.Where {
				got += "!"
			}
		}
		if len(got) > 0 {
			got = got[1:]
		}
		if got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}
