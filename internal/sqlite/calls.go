package sqlite

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// A Call is a call that was decided, kept to show what a change of the rules
// would have changed.
type Call struct {
	// ID counts the calls; RecordCall sets it.
	ID   int64     `json:"id"`
	Time time.Time `json:"time"`
	// Session is that of the call.
	Session string `json:"session"`
	// Call is the call, redacted by who records it.
	Call json.RawMessage `json:"call"`
	// Decision, Stage and Rule are those of the verdict.
	Decision string `json:"decision"`
	Stage    string `json:"stage"`
	Rule     string `json:"rule"`
}

// RecordCall keeps a call, and forgets what is more than is kept. It redacts
// nothing.
func (d *DB) RecordCall(ctx context.Context, c Call) error {
	if err := checkText("call", "session", c.Session); err != nil {
		return err
	}
	if !json.Valid(c.Call) {
		return fmt.Errorf("call: %.100q is no JSON: encode the call", c.Call)
	}
	return d.write(ctx, func(t *tx) error {
		done, err := t.exec("INSERT INTO calls (time, session, call, decision, stage, rule) VALUES (?, ?, ?, ?, ?, ?)",
			micro(c.Time), c.Session, string(c.Call), c.Decision, c.Stage, c.Rule)
		if err != nil {
			return err
		}
		id, err := done.LastInsertId()
		if err != nil {
			return err
		}
		_, err = t.exec("DELETE FROM calls WHERE id <= ?", id-int64(d.o.KeepCalls))
		return err
	})
}

// Calls returns recorded calls, the newest first; a limit of 0 stands for
// approval.DefaultLimit.
func (d *DB) Calls(ctx context.Context, limit int) ([]Call, error) {
	return list(ctx, d, scanCall, "SELECT id, time, session, call, decision, stage, rule FROM calls ORDER BY id DESC LIMIT ?", limited(limit))
}

func scanCall(from row) (c Call, err error) {
	var at int64
	err = from.Scan(&c.ID, &at, &c.Session, (*[]byte)(&c.Call), &c.Decision, &c.Stage, &c.Rule)
	c.Time = timeOf(at)
	return c, err
}
