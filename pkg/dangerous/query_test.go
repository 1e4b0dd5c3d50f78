package dangerous

import "testing"

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
		{"delete!", "WITH x AS (DELETE FROM u WHERE a RETURNING *) DELETE FROM t"},
		{"explain", "EXPLAIN DELETE FROM t"},
		{"delete!", "EXPLAIN ANALYZE DELETE FROM t"},
		{"select", "SELECT 1 -- \n"},
		{"select", "SELECT 'open ; drop table t"},
	} {
		got := ""
		for q := range queries(tt.text) {
			got += " " + q.verb
			if (q.verb == "delete" || q.verb == "update") && !q.where {
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
