package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/policyctl/policyctl/internal/service/ruledb"
)

// RecordCalls keeps calls, all or none, and forgets what is more than is kept. It redacts
// nothing. The columns for what was decided stay empty: a preview decides anew.
func (d *DB) RecordCalls(ctx context.Context, all ...ruledb.Recorded) error {
	for i := range all {
		if err := checkText("call", "session", all[i].Session); err != nil {
			return err
		}
		if !json.Valid(all[i].JSON) {
			return fmt.Errorf("call: %.100q is no JSON: encode the call", all[i].JSON)
		}
	}
	return d.write(ctx, func(t *Tx) error {
		for i := range all {
			t.Later(`INSERT INTO calls (id, time, session, call, decision, stage, rule)
				VALUES ((SELECT coalesce(max(id), 0) + 1 FROM calls), ?, ?, ?, '', '', '')`, micro(all[i].At), all[i].Session, string(all[i].JSON))
		}
		t.Later("DELETE FROM calls"+UpTo+"(SELECT max(id) FROM calls) - ?", int64(d.o.KeepCalls))
		return nil
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
