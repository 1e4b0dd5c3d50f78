package postgres

import (
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"github.com/policyctl/policyctl/internal/service/postgres/pgtest"
	"github.com/policyctl/policyctl/internal/service/sqlstore"
)

// Questions of one message have an answer each, up to one that fails.
func TestAsk(t *testing.T) {
	d, c := counted(t, pgtest.URL(t))
	refuses := errors.New("refused")
	got := make([]string, 6)
	reads := func(i int, then error) func(interface{ Scan(...any) error }) error {
		return func(from interface{ Scan(...any) error }) error {
			var text []byte
			err := from.Scan(&text)
			if got[i] = string(text); errors.Is(err, sql.ErrNoRows) {
				got[i] = "none"
			}
			return errors.Join(err, then)
		}
	}
	var all []sqlstore.Question
	for i, query := range []string{"SELECT CAST(? AS text)", "SELECT CAST(?1 AS text) WHERE false", "SELECT CAST(? AS text)", "SELECT CAST(NULL AS text) || ?", "SELECT 1 / 0 || ?", "SELECT CAST(? AS text)"} {
		var then error
		if i == 2 {
			then = refuses
		}
		all = append(all, sqlstore.Question{Statement: sqlstore.Statement{Query: query, Args: []any{fmt.Sprint("text ", i)}}, Scan: reads(i, then)})
	}
	c.take()
	var answered []int
	for i := range ask(t.Context(), d.server.readers, all) {
		answered = append(answered, i)
	}
	if sent, _ := c.take(); len(sent) != 1 {
		t.Errorf("%d messages, want 1", len(sent))
	}
	if fmt.Sprint(answered) != "[0 1 2 3]" || fmt.Sprintf("%q", got) != `["text 0" "none" "text 2" "" "" ""]` {
		t.Errorf("answered %v: %q", answered, got)
	}
	answered = nil // the connection is as good as before
	for i := range ask(t.Context(), d.server.readers, all[:2]) {
		answered = append(answered, i)
		break
	}
	for i := range ask(t.Context(), d.server.readers, all[:1]) {
		answered = append(answered, i)
	}
	if fmt.Sprint(answered) != "[0 0]" {
		t.Errorf("afterwards answered %v", answered)
	}
}
