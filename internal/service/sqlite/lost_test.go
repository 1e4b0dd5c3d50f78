package sqlite_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/internal/service/storetest"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A log of which all behind a cut are gone says so, to who reads where it ends and to who
// would go on with it: nothing is stored then.
func TestLostLog(t *testing.T) {
	path := newPath(t)
	d := open(t, path, sqlite.Options{})
	defer shut(t, d)
	r, e := storetest.Typical("a")
	if err := d.Record(t.Context(), e, e, e, e); err != nil {
		t.Fatal(err)
	}
	run(t, path, "DROP TRIGGER audit_keeps; INSERT INTO audit_base VALUES (1, 3, '', ''); DELETE FROM audit")
	_, head := d.AuditHead(t.Context())
	_, _, _, created := d.Create(t.Context(), r, e)
	for name, err := range map[string]error{"the head": head, "a record": d.Record(t.Context(), e), "a request": created} {
		var broken *audit.Broken
		if !errors.As(err, &broken) || broken.Seq != 4 || !strings.Contains(err.Error(), "cut off behind record 3") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for query, want := range map[string]string{"SELECT count(*) FROM audit": "0", "SELECT count(*) FROM requests": "0", "SELECT count(*) FROM events": "0"} {
		if got := answer(t, path, query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

// A button of which the row was changed to what nobody can answer is damaged, and answers
// nothing.
func TestTokenTouched(t *testing.T) {
	path := newPath(t)
	d := open(t, path, sqlite.Options{})
	defer shut(t, d)
	now := time.Now()
	v := channel.Delivery{ID: "dlv", Request: "r", Channel: "phone", About: channel.AboutAsk, State: channel.Due, Created: now, Next: now, Changed: now}
	if err := d.Follow(t.Context(), channel.Step{Event: 1, Asks: []channel.Delivery{v}}); err != nil {
		t.Fatal(err)
	}
	token := channel.Token{Hash: [32]byte{1}, Delivery: v.ID, Word: approval.Rejected}
	if ok, err := d.ChangeDelivery(t.Context(), channel.Change{Delivery: v, Was: channel.Due, Tokens: []channel.Token{token}}); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if _, found, err := d.Pressed(t.Context(), token.Hash); !found || err != nil {
		t.Fatal(found, err)
	}
	run(t, path, "UPDATE channel_tokens SET word = 'perhaps'")
	if _, found, err := d.Pressed(t.Context(), token.Hash); found || !errors.Is(err, approval.ErrDamaged) {
		t.Errorf("%t, %v", found, err)
	}
}
