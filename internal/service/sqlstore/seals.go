package sqlstore

import (
	"context"

	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/pkg/audit"
)

// Seals implements ruledb.Table.
func (d *DB) Seals(ctx context.Context) (map[string]string, error) {
	rows, err := list(ctx, d, func(from row) (s [2]string, err error) {
		return s, from.Scan(&s[0], &s[1])
	}, "SELECT id, hash FROM rule_seals")
	if err != nil {
		return nil, err
	}
	seals := make(map[string]string, len(rows))
	for _, s := range rows {
		seals[s[0]] = s[1]
	}
	return seals, nil
}

// Seal implements ruledb.Table.
func (d *DB) Seal(ctx context.Context, id, hash string, by *ruledb.Change, log ...audit.Entry) error {
	return d.write(ctx, func(t *Tx) error {
		if err := t.seal(id, hash); err != nil {
			return err
		}
		if by != nil {
			if err := t.keepChange(by); err != nil {
				return err
			}
		}
		return t.Record(log)
	})
}

// seal remembers the hash of a rule, and forgets it for "".
func (t *Tx) seal(id, hash string) error {
	if hash == "" {
		_, err := t.Exec("DELETE FROM rule_seals WHERE id = ?", id)
		return err
	}
	_, err := t.Exec(upsert("rule_seals", "id, hash"), id, hash)
	return err
}
