package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/policyctl/policyctl/internal/service/ruledb"
)

// RecordCall keeps a call, and forgets what is more than is kept. It redacts
// nothing. The columns for what was decided stay empty: a preview decides anew.
func (d *DB) RecordCall(ctx context.Context, c ruledb.Recorded) error {
	if err := checkText("call", "session", c.Session); err != nil {
		return err
	}
	if !json.Valid(c.JSON) {
		return fmt.Errorf("call: %.100q is no JSON: encode the call", c.JSON)
	}
	return d.write(ctx, func(t *Tx) error {
		var id int64
		err := t.Get([]any{&id}, `INSERT INTO calls (id, time, session, call, decision, stage, rule)
			VALUES ((SELECT coalesce(max(id), 0) + 1 FROM calls), ?, ?, ?, '', '', '') RETURNING id`, micro(c.At), c.Session, string(c.JSON))
		if err != nil {
			return err
		}
		_, err = t.Exec("DELETE FROM calls WHERE id <= ?", id-int64(d.o.KeepCalls))
		return err
	})
}

// Calls returns recorded calls, the newest first; a limit of 0 stands for
// approval.DefaultLimit.
func (d *DB) Calls(ctx context.Context, limit int) ([]ruledb.Recorded, error) {
	return list(ctx, d, scanCall, "SELECT time, session, call FROM calls ORDER BY id DESC LIMIT ?", limited(limit))
}

func scanCall(from row) (c ruledb.Recorded, err error) {
	var at int64
	err = from.Scan(&at, &c.Session, (*[]byte)(&c.JSON))
	c.At = timeOf(at)
	return c, err
}
