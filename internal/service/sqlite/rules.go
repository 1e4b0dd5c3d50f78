package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/pkg/audit"
)

// ruleColumns are the columns of approval_rules, in the order of [values].
const ruleColumns = `id, label, scope_plugin_id, scope_profile_id, scope_integration_id, priority, enabled, dialect, source, compiled,
	decision, reason, approver_plugin_id, approver_profile_id, llm_prompt, llm_model, llm_cache_ttl_s, llm_fail_closed, timeout_ms,
	on_timeout, created_by, created_at, updated_at`

// ruleTime is how rows spell times: their order is that of the text.
const ruleTime = "2006-01-02T15:04:05.000000Z"

// Rules implements ruledb.Table.
func (d *DB) Rules(ctx context.Context) ([]ruledb.Row, error) {
	return list(ctx, d, scanRule, "SELECT "+ruleColumns+" FROM approval_rules ORDER BY priority DESC, id")
}

// PutRule implements ruledb.Table.
func (d *DB) PutRule(ctx context.Context, r ruledb.Row, log ...audit.Entry) error {
	if err := checkText("rule", "id", r.ID); err != nil || r.ID == "" {
		return errors.Join(errors.New("a rule needs an id in UTF-8"), err)
	}
	return d.write(ctx, func(t *tx) error {
		if _, err := t.exec(putRule(), values(&r)...); err != nil {
			return err
		}
		if err := t.seal(r.ID, r.Hash()); err != nil {
			return err
		}
		return t.record(log)
	})
}

// putRule returns the statement that writes a row.
func putRule() string {
	var sets, marks []string
	for column := range strings.SplitSeq(ruleColumns, ",") {
		column = strings.TrimSpace(column)
		marks = append(marks, "?")
		if column != "id" && column != "created_by" && column != "created_at" {
			sets = append(sets, column+" = excluded."+column)
		}
	}
	return "INSERT INTO approval_rules (" + ruleColumns + ") VALUES (" + strings.Join(marks, ", ") +
		") ON CONFLICT (id) DO UPDATE SET " + strings.Join(sets, ", ")
}

// DeleteRule implements ruledb.Table.
func (d *DB) DeleteRule(ctx context.Context, id, by string, at time.Time, log ...audit.Entry) (removed bool, err error) {
	err = d.write(ctx, func(t *tx) error {
		removed = false
		var r ruledb.Row
		if err := t.get(targets(&r), "DELETE FROM approval_rules WHERE id = ? RETURNING "+ruleColumns, id); errors.Is(err, sql.ErrNoRows) {
			return nil
		} else if err != nil {
			return err
		}
		removed = true
		if err := t.seal(id, ""); err != nil {
			return err
		}
		text, err := encode(r)
		if err != nil {
			return err
		}
		_, err = t.exec("INSERT INTO rule_tombstones (row, deleted_by, deleted_at) VALUES (?, ?, ?)", text, by, micro(at))
		if err != nil {
			return err
		}
		return t.record(log)
	})
	return removed && err == nil, err
}

// Tombstones implements ruledb.Table. A limit of 0 stands for
// approval.DefaultLimit.
func (d *DB) Tombstones(ctx context.Context, limit int) ([]ruledb.Tombstone, error) {
	return list(ctx, d, scanTombstone, "SELECT row, deleted_by, deleted_at FROM rule_tombstones ORDER BY seq DESC LIMIT ?", limited(limit))
}

func scanTombstone(from row) (s ruledb.Tombstone, err error) {
	var text []byte
	var at int64
	if err := from.Scan(&text, &s.DeletedBy, &at); err != nil {
		return s, err
	}
	s.DeletedAt = timeOf(at)
	if err := json.Unmarshal(text, &s.Row); err != nil {
		return s, damage("tombstone of a rule", fmt.Sprintf("deleted at %s", s.DeletedAt.Format(time.RFC3339)), err)
	}
	return s, nil
}

func scanRule(from row) (r ruledb.Row, err error) {
	err = from.Scan(targets(&r)...)
	return r, err
}

// values are what is stored of a row, in the order of [ruleColumns].
func values(r *ruledb.Row) []any {
	return []any{
		r.ID, r.Label, r.ScopePluginID, r.ScopeProfileID, r.ScopeIntegrationID, r.Priority, r.Enabled, r.Dialect, r.Source, r.Compiled,
		r.Decision, r.Reason, r.ApproverPluginID, r.ApproverProfileID, r.LLMPrompt, r.LLMModel, r.LLMCacheTTLS, r.LLMFailClosed, r.TimeoutMS,
		r.OnTimeout, r.CreatedBy, r.CreatedAt.UTC().Format(ruleTime), r.UpdatedAt.UTC().Format(ruleTime),
	}
}

// targets are where the columns of a row go, in the order of [ruleColumns].
func targets(r *ruledb.Row) []any {
	return []any{
		&r.ID, &r.Label, &r.ScopePluginID, &r.ScopeProfileID, &r.ScopeIntegrationID, &r.Priority, &r.Enabled, &r.Dialect, &r.Source, &r.Compiled,
		&r.Decision, &r.Reason, &r.ApproverPluginID, &r.ApproverProfileID, &r.LLMPrompt, &r.LLMModel, &r.LLMCacheTTLS, &r.LLMFailClosed, &r.TimeoutMS,
		&r.OnTimeout, &r.CreatedBy, (*ruleStamp)(&r.CreatedAt), (*ruleStamp)(&r.UpdatedAt),
	}
}

// A ruleStamp reads a time of a row. What is no time does not change what the
// rule means: it is the zero time.
type ruleStamp time.Time

// ruleTimes are the forms that are read: ours, and those of SQLite's functions.
var ruleTimes = []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04", time.DateOnly}

// Scan implements [sql.Scanner].
func (s *ruleStamp) Scan(from any) error {
	*s = ruleStamp{}
	if at, isTime := from.(time.Time); isTime { // what the driver makes of such a text
		*s = ruleStamp(at.UTC())
		return nil
	}
	text, ok := from.(string)
	if !ok {
		return fmt.Errorf("a time of a rule is a %T, not a text", from)
	}
	for _, form := range ruleTimes {
		if at, err := time.Parse(form, text); err == nil {
			*s = ruleStamp(at.UTC())
			return nil
		}
	}
	return nil
}
