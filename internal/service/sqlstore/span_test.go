package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A search by time looks at the records of that time and of a minute around it, however long
// the log is, and tells what went wrong while it looked for them.
func TestAuditSpan(t *testing.T) {
	noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) } // of record 1 is minute 1
	const last = 1000
	for name, row := range map[string]struct {
		f    audit.Filter
		gone int64
		want span
	}{
		"all":             {audit.Filter{}, 0, span{1, math.MaxInt64}},
		"behind a cut":    {audit.Filter{}, 9, span{10, math.MaxInt64}},
		"after":           {audit.Filter{After: 20}, 9, span{21, math.MaxInt64}},
		"after, cut":      {audit.Filter{After: 5}, 9, span{10, math.MaxInt64}},
		"before":          {audit.Filter{Before: 20}, 0, span{1, 20}},
		"from":            {audit.Filter{From: at(300)}, 0, span{299, math.MaxInt64}},
		"from, cut":       {audit.Filter{From: at(300)}, 400, span{401, math.MaxInt64}},
		"to":              {audit.Filter{To: at(300)}, 0, span{1, 301}},
		"from to":         {audit.Filter{From: at(200), To: at(300)}, 0, span{199, 301}},
		"to, before":      {audit.Filter{To: at(300), Before: 250}, 0, span{1, 250}},
		"from the future": {audit.Filter{From: at(2 * last)}, 0, span{last + 1, math.MaxInt64}},
		"to the future":   {audit.Filter{To: at(2 * last)}, 0, span{1, last + 1}},
	} {
		asks, most := 0, math.MaxInt
		f := &faulty{answer: func(query string, args []driver.Value) ([]driver.Value, error) {
			if asks++; asks > most {
				return nil, errNo
			}
			n := row.gone
			if strings.Contains(query, "max(seq)") {
				n = last
			}
			if len(args) == 2 {
				n = int64(number(at(int(args[0].(int64))).Format(SecondForm) < args[1].(string)))
			}
			return []driver.Value{n}, nil
		}}
		d := onFaulty(t, f)
		got, err := d.auditSpan(t.Context(), &row.f)
		if err != nil || got != row.want {
			t.Errorf("%s: %v, %v, want %v", name, got, err, row.want)
		}
		if asks > 25 {
			t.Errorf("%s: asked %d times", name, asks)
		}
		for all := asks; all > 0; all-- {
			asks, most = 0, all-1
			if _, err := d.auditSpan(t.Context(), &row.f); !errors.Is(err, errNo) {
				t.Errorf("%s: question %d fails, and the error is %v", name, all, err)
			}
		}
	}
}

// A record that was cut off since it was read is not read into the index.
func TestIndexesNoneCut(t *testing.T) {
	for gone, want := range map[int64]int{6: 1, 7: 0, 8: 0} {
		d := onFaulty(t, &faulty{answer: func(query string, _ []driver.Value) ([]driver.Value, error) {
			if strings.Contains(query, "max(seq)") {
				return []driver.Value{int64(7), int64(8)}, nil
			}
			return []driver.Value{int64(7), []byte("{}")}, nil
		}})
		d.dialect.Search = Search{Put: "PUT %s", Entry: func(string, []string) []any { return nil }}
		puts := 0
		d.dialect.Send = func(_ context.Context, _ *sql.Conn, all []Statement, into []any) (int, int64, error) {
			for _, s := range all {
				if s.Query == "PUT audit_search" && s.Args[0] == int64(7) {
					puts++
				}
			}
			if len(into) == 1 {
				*into[0].(*int64) = gone
			}
			return len(all), 0, nil
		}
		if n, err := d.indexRecords(t.Context()); n != 1 || err != nil || puts != want {
			t.Errorf("cut behind record %d: %d read, %v, and %d in the index, want %d", gone, n, err, puts, want)
		}
	}
}

// A page is filled from the rows nearest to where it begins, and from the others only where
// these are too few.
func TestPaged(t *testing.T) {
	for name, row := range map[string]struct {
		of     span
		oldest bool
		near   int64
		finds  []int // at each question
		fails  int   // the question that fails: 1 for where the index ends, 0 for none
		want   string
	}{
		"near is enough":      {span{0, 1000}, false, 10, []int{3}, 0, "91-101 of 3 by s.k DESC"},
		"near is too few":     {span{0, 1000}, false, 10, []int{1, 2}, 0, "91-101 of 3 by s.k DESC, 1-91 of 2 by s.k + 0 DESC"},
		"oldest first":        {span{0, 1000}, true, 10, []int{0, 3}, 0, "1-11 of 3 by s.k, 11-101 of 3 by s.k + 0"},
		"oldest, in a span":   {span{50, 70}, true, 10, []int{2, 1}, 0, "50-60 of 3 by s.k, 60-70 of 1 by s.k + 0"},
		"newest, in a span":   {span{50, 70}, false, 10, []int{2, 1}, 0, "60-70 of 3 by s.k DESC, 50-60 of 1 by s.k + 0 DESC"},
		"all is near":         {span{95, 1000}, false, 10, []int{1}, 0, "95-101 of 3 by s.k DESC"},
		"all is near, oldest": {span{95, 1000}, true, 10, []int{1}, 0, "95-101 of 3 by s.k"},
		"one is far":          {span{90, 1000}, false, 10, []int{1, 1}, 0, "91-101 of 3 by s.k DESC, 90-91 of 2 by s.k + 0 DESC"},
		"in order":            {span{0, 1000}, false, 0, []int{1}, 0, "0-1000 of 3 by s.k DESC"},
		"in order, oldest":    {span{0, 1000}, true, 0, []int{1}, 0, "0-1000 of 3 by s.k"},
		"no index":            {span{0, 1000}, false, 10, nil, 1, ""},
		"near fails":          {span{0, 1000}, false, 10, nil, 2, "91-101 of 3 by s.k DESC"},
		"far fails":           {span{0, 1000}, false, 10, []int{1}, 3, "91-101 of 3 by s.k DESC, 1-91 of 2 by s.k + 0 DESC"},
	} {
		var asked []string
		d := onFaulty(t, &faulty{answer: func(string, []driver.Value) ([]driver.Value, error) {
			if row.fails == 1 {
				return nil, errNo
			}
			return []driver.Value{int64(1), int64(101)}, nil
		}})
		d.dialect.Search = Search{Key: "k", Near: row.near}
		all, err := paged(t.Context(), d, "t", row.of, row.oldest, 3, func(of span, limit int, order string) ([]int, error) {
			asked = append(asked, fmt.Sprintf("%d-%d of %d by %s", of.first, of.end, limit, order))
			if row.fails == len(asked)+1 {
				return nil, errNo
			}
			return slices.Repeat([]int{len(asked)}, row.finds[len(asked)-1]), nil
		})
		found := 0
		for _, n := range row.finds {
			found += n
		}
		if got := strings.Join(asked, ", "); got != row.want || len(all) != found || !slices.IsSorted(all) || errors.Is(err, errNo) != (row.fails > 0) {
			t.Errorf("%s: asks %s and finds %v, %v, want %s", name, got, all, err, row.want)
		}
	}
}

// A search that takes too long says what to do; a caller who has no more time is told that.
func TestSoon(t *testing.T) {
	forever := func(ctx context.Context) (int, error) { <-ctx.Done(); return 7, ctx.Err() }
	for name, row := range map[string]struct {
		patience time.Duration
		search   func(context.Context) (int, error)
		found    int
		err      string
	}{
		"found":        {time.Minute, func(context.Context) (int, error) { return 7, nil }, 7, "<nil>"},
		"fails":        {time.Minute, func(context.Context) (int, error) { return 0, errNo }, 0, "no"},
		"takes long":   {time.Minute, forever, 0, "text: the search takes more than 2s: add a word, a date or another filter"},
		"nobody waits": {time.Second, forever, 7, "context deadline exceeded"},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithTimeout(t.Context(), row.patience)
			defer stop()
			found, err := soon(ctx, row.search)
			var invalid *approval.Invalid
			if found != row.found || fmt.Sprint(err) != row.err || errors.As(err, &invalid) != strings.HasPrefix(row.err, "text") {
				t.Errorf("%s: %d, %v", name, found, err)
			}
		})
	}
}
