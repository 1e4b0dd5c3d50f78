package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// What an index stores of a row is made before it is its turn to write: nobody waits for it.
func TestIndexesAside(t *testing.T) {
	made := make(chan string, 2)
	d := onFaulty(t, &faulty{answer: func(query string, _ []driver.Value) ([]driver.Value, error) {
		if strings.Contains(query, "requests_unread") {
			return []driver.Value{int64(7), "req_1", int64(1)}, nil
		}
		return []driver.Value{int64(7), "req_1", int64(1), "PENDING", []byte(`{"id":"req_1","version":1,"state":"PENDING","title":"found"}`)}, nil
	}})
	d.dialect.Search = Search{Put: "PUT %s", Entry: func(words string, _ []string) []any {
		made <- words
		return nil
	}}
	w := &wire{}
	d.dialect.Send = w.send
	d.turn <- struct{}{} // somebody writes
	done := make(chan error)
	go func() {
		_, err := d.indexRequests(t.Context())
		done <- err
	}()
	select {
	case words := <-made:
		if !strings.Contains(words, "found") {
			t.Errorf("words %q", words)
		}
	case <-time.After(10 * time.Second):
		t.Error("nothing is made while somebody writes")
	}
	<-d.turn
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	stored := strings.Join(w.messages, "\n")
	for _, want := range []string{"PUT requests_search", "request_facts", "DELETE FROM requests_unread"} {
		if !strings.Contains(stored, want) {
			t.Errorf("%q was not stored: %s", want, stored)
		}
	}
}

// What this process has stored lately is not read again for the index, unless it has changed
// since; what is read and damaged has an entry of nothing.
func TestIndexesFresh(t *testing.T) {
	for name, row := range map[string]struct {
		stored  int64 // the version that this process has stored, 0 for none
		text    string
		want    string // is found
		version int64  // of which it is an entry
		reads   int
	}{
		"fresh":            {3, "", "of memory", 3, 0},
		"not of here":      {0, `{"id":"req_1","version":3,"state":"PENDING","title":"of the row"}`, "of the row", 3, 1},
		"changed since":    {2, `{"id":"req_1","version":3,"state":"PENDING","title":"of the row"}`, "of the row", 3, 1},
		"damaged":          {0, `{"id":"req_2"}`, "", 3, 1},
		"damaged, of here": {2, `{"id":"req_2"}`, "", 3, 1},
	} {
		var words []string
		reads := 0
		d := onFaulty(t, &faulty{answer: func(query string, args []driver.Value) ([]driver.Value, error) {
			if strings.Contains(query, "requests_unread") {
				return []driver.Value{int64(7), "req_1", int64(3)}, nil
			}
			if reads++; len(args) != 1 || args[0] != int64(7) {
				t.Errorf("%s: reads %v", name, args)
			}
			return []driver.Value{int64(7), "req_1", int64(3), "PENDING", []byte(row.text)}, nil
		}})
		d.dialect.Search = Search{Put: "PUT %s", Entry: func(text string, _ []string) []any {
			words = append(words, text)
			return nil
		}}
		var last []any // whom the last statement but the end is about
		d.dialect.Send = func(_ context.Context, _ *sql.Conn, all []Statement, _ []any) (int, int64, error) {
			if len(all) > 1 {
				last = all[len(all)-2].Args
			}
			return len(all), 0, nil
		}
		if row.stored > 0 {
			d.fresh.remember([]*part{{made: made{found: foundOf(&approval.Request{ID: "req_1", Version: row.stored, Title: "of memory"})}}, {}})
		}
		if n, err := d.indexRequests(t.Context()); n != 1 || err != nil {
			t.Fatalf("%s: %d, %v", name, n, err)
		}
		if len(words) != 1 || !strings.Contains(words[0], row.want) || row.want == "" && strings.TrimSpace(words[0]) != "" || reads != row.reads {
			t.Errorf("%s: found %q, read %d times", name, words, reads)
		}
		if len(last) != 2 || last[0] != int64(7) || last[1] != row.version {
			t.Errorf("%s: read as %v", name, last)
		}
	}
}

// Records that this process has stored lately are not read again, if they are all that the
// next part of the index needs.
func TestIndexesFreshRecords(t *testing.T) {
	for name, row := range map[string]struct {
		first, last int64
		known       []int64
		want        string
		reads       int
	}{
		"all are fresh":      {5, 7, []int64{5, 6, 7}, "5 6 7", 0},
		"the first is not":   {5, 7, []int64{6, 7}, "99", 1},
		"the last is not":    {5, 7, []int64{5, 6}, "99", 1},
		"no others are read": {6, 6, []int64{5, 6, 7}, "6", 0},
		"there is none":      {8, 7, []int64{5, 6, 7}, "", 0},
	} {
		reads := 0
		d := onFaulty(t, &faulty{answer: func(query string, args []driver.Value) ([]driver.Value, error) {
			if strings.Contains(query, "max(seq)") {
				return []driver.Value{row.first, row.last + 1}, nil
			}
			if reads++; args[0] != row.first || args[1] != int64(indexPart) {
				t.Errorf("%s: reads %v", name, args)
			}
			return []driver.Value{int64(99), []byte("no JSON")}, nil
		}})
		for _, seq := range row.known {
			d.fresh.remember([]*part{{made: made{records: []*audit.Record{{Seq: seq}}}}})
		}
		all, err := d.unreadRecords(t.Context())
		var got []string
		for _, r := range all {
			got = append(got, fmt.Sprint(r.Seq))
		}
		if err != nil || strings.Join(got, " ") != row.want || reads != row.reads {
			t.Errorf("%s: %v, %v, read %d times", name, got, err, reads)
		}
	}
}

// A part of the index has no more than so many records.
func TestIndexesInParts(t *testing.T) {
	d := onFaulty(t, &faulty{answer: func(string, []driver.Value) ([]driver.Value, error) {
		return []driver.Value{int64(1), int64(indexPart + 11)}, nil
	}})
	for seq := range int64(indexPart + 10) {
		d.fresh.remember([]*part{{made: made{records: []*audit.Record{{Seq: seq + 1}}}}})
	}
	if all, err := d.unreadRecords(t.Context()); err != nil || len(all) != indexPart {
		t.Errorf("%d records, %v", len(all), err)
	}
}

// A cell is a row of a record and its number.
type cell struct {
	seq  int64
	text string
}

func (c cell) Scan(into ...any) error {
	*into[0].(*int64), *into[1].(*[]byte) = c.seq, []byte(c.text)
	return nil
}

// Of a record that is damaged nothing is found, also not what stands before the damage.
func TestIndexesNothingDamaged(t *testing.T) {
	for text, want := range map[string]string{`{"kind":"request","actor":"token:a"}`: "request", `{"kind":"request","actor":7}`: "", "no JSON": ""} {
		if r, err := scanUnread(cell{7, text}); err != nil || r.Seq != 7 || r.Kind != want {
			t.Errorf("%s: %+v, %v", text, r, err)
		}
	}
}

// There is more to index as long as requests or records fill a part.
func TestIndexesMore(t *testing.T) {
	for records, want := range map[int64]bool{0: false, indexPart - 1: false, indexPart: true, indexPart + 9: true} {
		d := onFaulty(t, &faulty{answer: func(query string, _ []driver.Value) ([]driver.Value, error) {
			if strings.Contains(query, "requests_unread") {
				return nil, nil
			}
			return []driver.Value{int64(1), records + 1}, nil
		}})
		d.dialect.Search = Search{Put: "PUT %s", Entry: func(string, []string) []any { return nil }}
		d.dialect.Send = new(wire).send
		for seq := range records {
			d.fresh.remember([]*part{{made: made{records: []*audit.Record{{Seq: seq + 1}}}}})
		}
		if more, err := d.Index(t.Context()); more != want || err != nil {
			t.Errorf("of %d records: more %t, %v", records, more, err)
		}
	}
}
