package ruledb

import (
	"context"
	"encoding/json"

	"github.com/policyctl/policyctl/pkg/audit"
)

// foreign is who writes to the table where it was not this service.
const foreign = "another program"

// notice records rows that were written, changed or deleted by another program
// than the service, once each: nobody put them on record. A rule counts when it
// is on record.
func (r *Rules) notice(ctx context.Context, rows []Row) error {
	seals, err := r.table.Seals(ctx)
	if err != nil {
		return err
	}
	for i := range rows {
		row := &rows[i]
		known, sealed := seals[row.ID]
		delete(seals, row.ID)
		hash := row.Hash()
		switch {
		case known == hash:
			continue
		case sealed && known == "": // from before there were seals
			err = r.table.Seal(ctx, row.ID, hash, nil)
		default:
			err = r.sealForeign(ctx, row.ID, row)
		}
		if err != nil {
			return err
		}
	}
	for id := range seals {
		if err := r.sealForeign(ctx, id, nil); err != nil {
			return err
		}
	}
	return nil
}

// sealForeign puts on record what another program made of a rule: a row, or nil.
func (r *Rules) sealForeign(ctx context.Context, id string, row *Row) error {
	last, err := r.table.Changes(ctx, id, 0, 1)
	if err != nil {
		return err
	}
	c := Change{Rule: id, At: r.moment(), By: foreign, After: row}
	if len(last) > 0 {
		c.Before = last[0].After
	}
	hash := ""
	if row != nil {
		hash = row.Hash()
	}
	return r.table.Seal(ctx, id, hash, &c, r.noticed(id, row))
}

// noticed is the record of a row that another program wrote, nil for one that
// it deleted.
func (r *Rules) noticed(id string, row *Row) audit.Entry {
	e := audit.Entry{
		Time: r.moment(), Kind: audit.KindRule, Actor: foreign,
		Detail: map[string]string{"id": id, "action": "deleted", "by": "noticed in the database"},
	}
	if row == nil {
		return e
	}
	e.Detail["action"], e.Detail["decision"], e.Detail["after"] = "written", row.Decision, row.Hash()
	text, err := json.Marshal(map[string]json.RawMessage{"after": json.RawMessage(row.says())})
	if err != nil {
		panic(err) // it is made of JSON
	}
	e.Arguments = text
	return e
}
