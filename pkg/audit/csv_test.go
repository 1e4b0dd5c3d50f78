package audit

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCSV(t *testing.T) {
	e := full()
	e.Reason = "a \"b\", c;d\né"
	e.ExecutionResult = "=HYPERLINK(\"http://example.com\")"
	e.Actor = "token:" + secret
	r := next(t, nil, e)
	least := next(t, r, Entry{Time: noon, Kind: KindLogin, Actor: "uid:0"})
	var b strings.Builder
	if err := WriteCSV(&b, each([]*Record{r, least})); err != nil {
		t.Fatal(err)
	}
	want := `"seq","time","kind","actor","request_id","tool","arguments","session","agent","dir","decision","decided_by",` +
		`"decided_at","reason","rule","stage","revision","request_hash","execution_result","detail","redacted","prev","hash"` + "\r\n" +
		`"1","2026-03-01T11:00:00.123456Z","decision","token:[redacted github-token]","6f1c2c4e-2b1f-4a53-9d3e-0f4f0c6f2d11",` +
		`"shell","{""command"":""git push && echo <ok>"",""timeout"":120}","s-1","claude-code","/home/ann/src/app","approved_once",` +
		`"token:phone","2026-03-01T11:01:00.123456Z","a ""b"", c;d` + "\n" + `é","ask-push","ask_rules",` +
		`"` + strings.Repeat("0a1b2c3d", 8) + `","` + strings.Repeat("4e5f6071", 8) + `","'=HYPERLINK(""http://example.com"")",` +
		`"{""channel"":""telegram"",""uses"":""1""}","[""/actor github-token""]","` + genesis() + `","` + r.Hash + `"` + "\r\n" +
		`"2","2026-03-01T11:00:00.123456Z","login","uid:0","","","","","","","","","","","","","","","","","","` + r.Hash + `","` + least.Hash + `"` + "\r\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
	rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil || len(rows) != 3 || rows[1][13] != e.Reason {
		t.Errorf("another reader: %v, %q", err, rows)
	}
}

func TestFormulas(t *testing.T) {
	rows := []struct{ want, in string }{
		{"'=1+1", "=1+1"}, {"'+1", "+1"}, {"'-1", "-1"}, {"'@SUM(A1)", "@SUM(A1)"}, {"'\t=1", "\t=1"}, {"'\tx", "\tx"},
		{"'\rx", "\rx"}, {"'\nx", "\nx"}, {"'＝1", "＝1"}, {"'＠x", "＠x"}, {"' =1", " =1"}, {"'\u00a0\u200b@x", "\u00a0\u200b@x"},
		{"''=1", "'=1"}, {"''", "'"}, {"' 'x", " 'x"},
		{"", ""}, {" ", " "}, {"a=1", "a=1"}, {"1-2", "1-2"}, {"git commit -m x", "git commit -m x"}, {"  two", "  two"},
	}
	for _, row := range rows {
		if got := harmless(row.in); got != row.want {
			t.Errorf("%q became %q, not %q", row.in, got, row.want)
		}
	}
}

// A number is an argument too, and every column is guarded.
func TestEveryCellIsGuarded(t *testing.T) {
	e := full()
	e.Arguments = json.RawMessage("-5")
	for _, f := range e.texts() {
		if f.at != "/kind" {
			*f.value = "=1"
		}
	}
	row, err := next(t, nil, e).row()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := WriteCSV(&b, each([]*Record{next(t, nil, e)})); err != nil {
		t.Fatal(err)
	}
	if len(row) != len(columns) || strings.Contains(b.String(), `"=`) || strings.Contains(b.String(), `"-`) || strings.Count(b.String(), `"'`) != 15 {
		t.Errorf("%d cells in %s", len(row), b.String())
	}
}
