package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/pkg/audit"
)

// ruleColumns are the columns of approval_rules, in the order of [values].
const ruleColumns = `id, label, scope_plugin_id, scope_profile_id, scope_integration_id, priority, enabled, dialect, source, compiled,
	decision, reason, approver_plugin_id, approver_profile_id, llm_prompt, llm_model, llm_cache_ttl_s, llm_fail_closed, timeout_ms,
	on_timeout, created_by, created_at, updated_at, approver_any, cases, updated_by`

// ruleTime is how rows spell times: their order is that of the text.
const ruleTime = "2006-01-02T15:04:05.000000Z"

// Rules implements ruledb.Table.
func (d *DB) Rules(ctx context.Context) ([]ruledb.Row, error) {
	return list(ctx, d, scanRule, "SELECT "+ruleColumns+" FROM approval_rules ORDER BY priority DESC, id")
}

// Rule implements ruledb.Table.
func (d *DB) Rule(ctx context.Context, id string) (ruledb.Row, bool, error) {
	r, err := one(ctx, d, scanRule, "SELECT "+ruleColumns+" FROM approval_rules WHERE id = ?", id)
	if errors.Is(err, sql.ErrNoRows) {
		return ruledb.Row{}, false, nil
	}
	return r, err == nil, err
}

// saying is a condition on rows that say a text.
func saying() string {
	row := "lower(concat_ws('\n', " + strings.ReplaceAll(ruleColumns, "compiled,", "") + "))"
	return "replace(" + row + ", lower(?1), '') <> " + row
}

// Search implements ruledb.Table.
func (d *DB) Search(ctx context.Context, s ruledb.Search) (rows []ruledb.Row, found, all int, err error) {
	counts, err := one(ctx, d, func(from row) (n [2]int, err error) { return n, from.Scan(&n[0], &n[1]) },
		"SELECT count(*) FILTER (WHERE ?1 = '' OR "+saying()+"), count(*) FROM approval_rules", s.Text)
	if err != nil {
		return nil, 0, 0, err
	}
	rows, err = list(ctx, d, scanRule, "SELECT "+ruleColumns+" FROM approval_rules WHERE (?1 = '' OR "+saying()+")"+
		" AND (?2 = '' OR (-priority, id) > (SELECT -priority, id FROM approval_rules WHERE id = ?2)) ORDER BY priority DESC, id LIMIT ?3",
		s.Text, s.After, limited(s.Limit))
	return rows, counts[0], counts[1], err
}

// ChangeRules implements ruledb.Table.
func (d *DB) ChangeRules(ctx context.Context, changes []ruledb.Change, log ...audit.Entry) error {
	return d.write(ctx, func(t *Tx) error {
		for i := range changes {
			if err := t.changeRule(&changes[i]); err != nil {
				return err
			}
		}
		return t.Record(log)
	})
}

func (t *Tx) changeRule(c *ruledb.Change) error {
	if err := checkText("rule", "id", c.Rule); err != nil || c.Rule == "" {
		return errors.Join(errors.New("a rule needs an id in UTF-8"), err)
	}
	var now ruledb.Row
	err := t.Get(targets(&now), "SELECT "+ruleColumns+" FROM approval_rules WHERE id = ?", c.Rule)
	stands := err == nil
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if stands != (c.Before != nil) || stands && now.Hash() != c.Before.Hash() {
		stale := &ruledb.Stale{ID: c.Rule}
		if stands {
			stale.Now = &now
		}
		return stale
	}
	hash := ""
	if c.After == nil {
		_, err = t.Exec("DELETE FROM approval_rules WHERE id = ?", c.Rule)
	} else {
		hash = c.After.Hash()
		_, err = t.Exec(upsert("approval_rules", ruleColumns), values(c.After)...)
	}
	if err != nil {
		return err
	}
	if err := t.seal(c.Rule, hash); err != nil {
		return err
	}
	return t.keepChange(c)
}

// keepChange stores what a rule was and is, and sets the id of the change.
func (t *Tx) keepChange(c *ruledb.Change) error {
	var rows [2]any
	for i, r := range []*ruledb.Row{c.Before, c.After} {
		if r == nil {
			continue
		}
		text, err := encode(r)
		if err != nil {
			return err
		}
		rows[i] = text
	}
	return t.Get([]any{&c.ID}, "INSERT INTO rule_changes (rule, actor, time, before, after) VALUES (?, ?, ?, ?, ?) RETURNING seq",
		c.Rule, c.By, micro(c.At), rows[0], rows[1])
}

// changeColumns are those of a change, in the order of [scanChange].
const changeColumns = "seq, rule, actor, time, before, after"

// Changes implements ruledb.Table. A limit of 0 stands for approval.DefaultLimit.
func (d *DB) Changes(ctx context.Context, rule string, before int64, limit int) ([]ruledb.Change, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	if rule == "" {
		return list(ctx, d, scanChange, "SELECT "+changeColumns+" FROM rule_changes WHERE seq < ? ORDER BY seq DESC LIMIT ?", before, limited(limit))
	}
	return list(ctx, d, scanChange, "SELECT "+changeColumns+" FROM rule_changes WHERE rule = ? AND seq < ? ORDER BY seq DESC LIMIT ?", rule, before, limited(limit))
}

// Change implements ruledb.Table.
func (d *DB) Change(ctx context.Context, id int64) (ruledb.Change, error) {
	c, err := one(ctx, d, scanChange, "SELECT "+changeColumns+" FROM rule_changes WHERE seq = ?", id)
	if errors.Is(err, sql.ErrNoRows) {
		err = ruledb.ErrNoChange
	}
	return c, err
}

func scanChange(from row) (c ruledb.Change, err error) {
	var rows [2][]byte
	var at int64
	if err := from.Scan(&c.ID, &c.Rule, &c.By, &at, &rows[0], &rows[1]); err != nil {
		return c, err
	}
	c.At = timeOf(at)
	for i, into := range []**ruledb.Row{&c.Before, &c.After} {
		if rows[i] == nil {
			continue
		}
		if err := json.Unmarshal(rows[i], into); err != nil {
			return c, damage("change of a rule", fmt.Sprint(c.ID), err)
		}
	}
	return c, nil
}

// Tombstones implements ruledb.Table. A limit of 0 stands for
// approval.DefaultLimit.
func (d *DB) Tombstones(ctx context.Context, limit int) ([]ruledb.Tombstone, error) {
	deleted, err := list(ctx, d, scanChange, "SELECT "+changeColumns+" FROM rule_changes WHERE after IS NULL AND before IS NOT NULL ORDER BY seq DESC LIMIT ?", limited(limit))
	var out []ruledb.Tombstone
	for _, c := range deleted {
		out = append(out, ruledb.Tombstone{Row: *c.Before, DeletedBy: c.By, DeletedAt: c.At})
	}
	return out, err
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
		r.ApproverAny, r.Cases, r.UpdatedBy,
	}
}

// targets are where the columns of a row go, in the order of [ruleColumns].
func targets(r *ruledb.Row) []any {
	return []any{
		&r.ID, &r.Label, &r.ScopePluginID, &r.ScopeProfileID, &r.ScopeIntegrationID, &r.Priority, &r.Enabled, &r.Dialect, &r.Source, &r.Compiled,
		&r.Decision, &r.Reason, &r.ApproverPluginID, &r.ApproverProfileID, &r.LLMPrompt, &r.LLMModel, &r.LLMCacheTTLS, &r.LLMFailClosed, &r.TimeoutMS,
		&r.OnTimeout, &r.CreatedBy, (*ruleStamp)(&r.CreatedAt), (*ruleStamp)(&r.UpdatedAt), &r.ApproverAny, &r.Cases, &r.UpdatedBy,
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
