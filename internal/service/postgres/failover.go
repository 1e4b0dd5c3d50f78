package postgres

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/policyctl/policyctl/internal/service/sqlstore"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// here names the server that keeps the requests: a replica that was promoted and a
// recovery up to a time have another timeline, a copied cluster another identifier, and
// restored tables another number.
const here = `SELECT s.place, (SELECT system_identifier FROM pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) || '/' || s.tableoid::text,
	coalesce((SELECT min(id) FROM events), 0), coalesce((SELECT max(id) FROM events), 0), (SELECT coalesce(max(epoch), 0) FROM switches) FROM policyctl_store AS s`

// minJump is by how much ids of events rise at least when another server took over: by
// more than it can lack.
const minJump = 1_000_000

// settle looks, in a transaction of its own, whether another server has taken over or one
// has lost what this process has seen, and if so sees to what that means.
func (s *server) settle(t *sqlstore.Tx) error {
	begin(t)
	var stored, now string
	var first, last, epoch int64
	if err := t.Get([]any{&stored, &now, &first, &last, &epoch}, here); err != nil {
		return err
	}
	if stored != now || s.teller.seen(epoch) > last {
		if err := s.takeOver(t, stored != "", now, first, last, epoch); err != nil {
			return err
		}
	}
	_, err := t.Exec("COMMIT")
	return err
}

// takeOver notes who the server is. Unless the database is new, approvals that can still
// be used are taken back, and events get other ids.
func (s *server) takeOver(t *sqlstore.Tx, used bool, now string, first, last, epoch int64) error {
	if _, err := t.Exec("UPDATE policyctl_store SET place = ?", now); err != nil || !used {
		return err
	}
	jump := max(minJump, last-first+1) // so that no new id is an old one
	if _, err := t.Exec("UPDATE events SET id = id + ?", jump); err != nil {
		return err
	}
	if _, err := t.Exec("UPDATE channel_cursor SET event = event + ?", jump); err != nil {
		return err
	}
	at := time.Now().UTC().Truncate(time.Microsecond)
	if _, err := t.Exec("INSERT INTO switches (epoch, place, at, jump, head) VALUES (?, ?, ?, ?, ?)", epoch+1, now, at.UnixMicro(), jump, last+jump); err != nil {
		return err
	}
	if err := t.ReadEnd(); err != nil { // which has other ids now
		return err
	}
	return takeBack(t, at)
}

// errUseless says that a request has no receipt that could be used.
var errUseless = errors.New("no receipt can be used")

// takeBack takes back all approvals whose receipts could be used.
func takeBack(t *sqlstore.Tx, at time.Time) error {
	var list []byte
	if err := t.Get([]any{&list}, "SELECT coalesce(json_agg(id), '[]')::text FROM requests WHERE state = 'APPROVED'"); err != nil {
		return err
	}
	var ids []string
	if err := json.Unmarshal(list, &ids); err != nil {
		return fmt.Errorf("ids of requests: %w", err)
	}
	for _, id := range ids {
		_, err := t.Update(id, func(r *approval.Request) ([]audit.Entry, error) {
			e, taken := r.TakeBack(at, "another database server took over, which may not know whether the receipt was used: ask again")
			if !taken {
				return nil, errUseless
			}
			return []audit.Entry{e}, nil
		})
		if err != nil && !errors.Is(err, errUseless) && !errors.Is(err, approval.ErrDamaged) {
			return err
		}
	}
	return nil
}
