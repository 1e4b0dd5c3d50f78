package sqlstore

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// requestIn returns a request in a state as its row has it.
func requestIn(t *testing.T, state approval.State, prune func(*approval.Request)) requestRow {
	r := &approval.Request{ID: "r", Version: 3, State: state, Decision: &approval.Decision{}}
	if prune != nil {
		prune(r)
	}
	text, err := encode(r)
	if err != nil {
		t.Fatal(err)
	}
	return requestRow{"r", 3, string(state), []byte(text)}
}

// finding returns a transaction that finds a request, and of which each statement that
// changes something changes a number of rows. It notes how statements begin.
func finding(found requestRow, changed int64) (*Tx, *[]string) {
	var sent []string
	d := New(&wire{}, &Dialect{Send: func(_ context.Context, _ *sql.Conn, all []Statement, into []any) (int, int64, error) {
		for _, s := range all {
			sent = append(sent, strings.Fields(s.Query)[0])
		}
		if strings.HasPrefix(all[len(all)-1].Query, "SELECT "+requestColumns) {
			*into[0].(*string), *into[1].(*int64), *into[2].(*string), *into[3].(*[]byte) = found.id, found.version, found.state, found.text
		}
		return len(all), changed, nil
	}}, nil, Options{})
	return &Tx{d: d, ctx: context.Background(), part: &part{}}, &sent
}

// A request that another has changed since it was read is not written over.
func TestChangedBetween(t *testing.T) {
	for changed, want := range map[int64]string{0: "version 3 was changed in between", 1: "", 2: "version 3 was changed in between"} {
		tx, _ := finding(requestIn(t, approval.Denied, nil), changed)
		_, err := tx.Update("r", func(*approval.Request) ([]audit.Entry, error) { return nil, nil })
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d rows: %v", changed, err)
		}
	}
}

// What another instance has reduced meanwhile stays as it is, and counts for nobody else.
func TestReducedMeanwhile(t *testing.T) {
	mask := func(r *approval.Request) { r.Closed = new(time.Time) }
	for name, row := range map[string]struct {
		found  requestRow
		change func(*approval.Request)
		want   bool
	}{
		"whole":           {requestIn(t, approval.Denied, nil), mask, true},
		"reduced already": {requestIn(t, approval.Denied, mask), mask, false},
		"no use":          {requestIn(t, approval.Denied, nil), func(*approval.Request) {}, false},
		"damaged":         {requestRow{"r", 3, "DENIED", []byte("{")}, mask, false},
	} {
		tx, sent := finding(row.found, 1)
		got, err := tx.reduce("r", approval.Masked, row.change)
		if got != row.want || err != nil || slices.Contains(*sent, "UPDATE") != row.want {
			t.Errorf("%s: %t, %v; %v", name, got, err, *sent)
		}
	}
}
