package command

import (
	"slices"
	"testing"

	"github.com/policyctl/policyctl/internal/program"
)

func TestSaved(t *testing.T) {
	for _, row := range []struct {
		name, text string
		want       []string
	}{
		{"sqlite3", ".output a b", []string{"a"}},
		{"sqlite3", ".backup main 'a b'", []string{"main", "a b"}},
		{"sqlite3", "select 1;\n  .once a\nselect 2", []string{"a"}},
		{"sqlite3", "VACUUM INTO 'a'", []string{"a"}},
		{"sqlite3", "attach 'a' as x; delete from x.t", []string{"a"}},
		{"sqlite3", "attach 'a' as x; select * from x.t", nil},
		{"sqlite3", "select writefile('a', t.b) from t", []string{"a"}},
		{"sqlite3", "insert into t values ('.output a')", nil},
		{"sqlite3", "select 1 .output a", nil},
		{"psql", `select 1 \g a`, []string{"a"}},
		{"psql", `\copy (select 1) to 'a' csv`, []string{"a"}},
		{"psql", "copy t from 'a'", nil},
		{"psql", "select 'copy t to ''a'''", nil},
		{"mysql", "select 1 into outfile 'a'", []string{"a"}},
		{"vim", "w! a", []string{"a"}},
		{"vim", "1,$w >> a", []string{"a"}},
		{"vim", "set nu | write ++bin a", []string{"a"}},
		{"vim", "%s/w a/b/", nil},
		{"vim", "wq", nil},
		{"gdb", "dump binary memory a 0 1", []string{"a"}},
		{"gdb", "set logging file a", []string{"a"}},
		{"gdb", "x/s dump", nil},
	} {
		if got := saved(row.text, program.Find(row.name).Saves); !slices.Equal(got, row.want) {
			t.Errorf("%s %q: %q, want %q", row.name, row.text, got, row.want)
		}
	}
}

func TestWithoutInserts(t *testing.T) {
	for text, want := range map[string]string{
		"a\nw x\n.\nw y\n":      "a\nw y\n",
		"/p/i\n!rm\n.\nq\n":     "/p/i\nq\n",
		"w data\n!ls\n":         "w data\n!ls\n",
		"1,2c\r\nx\r\n.\r\nw\n": "1,2c\r\nw\n",
	} {
		if got := withoutInserts(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
