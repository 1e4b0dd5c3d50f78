package sqlstore

import (
	"context"
	"database/sql"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
)

// putFact stores what statistics need of a request.
var putFact = upsert("request_facts", "seq, asked, decided, state, session, rule, stage, program, decider, source")

// fact returns what stores a fact.
func fact(seq int64, f approval.Fact) Statement {
	return Statement{putFact, []any{seq, micro(f.Asked), orNull(f.Decided), string(f.State), f.Session, f.Rule, f.Stage, f.Program, f.By, f.Source}}
}

// Facts returns what statistics need of the requests since a time, the newest first,
// at most limit.
func (d *DB) Facts(ctx context.Context, since time.Time, limit int) ([]approval.Fact, error) {
	if err := catchUp(ctx, d.indexRequests); err != nil {
		return nil, err
	}
	first, err := d.firstSince(ctx, since)
	if err != nil {
		return nil, err
	}
	return list(ctx, d, scanFact, `SELECT asked, decided, state, session, rule, stage, program, decider, source
		FROM request_facts WHERE seq >= ? AND asked >= ? ORDER BY seq DESC LIMIT ?`, first, micro(since), limited(limit))
}

func scanFact(from row) (f approval.Fact, err error) {
	var asked int64
	var decided sql.NullInt64
	err = from.Scan(&asked, &decided, &f.State, &f.Session, &f.Rule, &f.Stage, &f.Program, &f.By, &f.Source)
	f.Asked, f.Decided = timeOf(asked), timeOrZero(decided)
	return f, err
}
