package server_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3/driver"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/pkg/audit"
)

// byHand runs statements on the database of a service, as another program.
func byHand(t *testing.T, s *servertest.Service, statements ...string) {
	t.Helper()
	db, err := driver.Open(s.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, text := range statements {
		if _, err := db.Exec(text); err != nil {
			t.Fatal(text, err)
		}
	}
}

// health returns the status and the problems of a service.
func health(t *testing.T, s *servertest.Service) string {
	t.Helper()
	a := s.Do(t, "", "GET", "/health", "")
	return fmt.Sprint(a.Status, " ", a.At("status"), " ", a.At("problems"))
}

// A service whose database is gone says yes to nothing, and why.
func TestDatabaseGone(t *testing.T) {
	for name, take := range map[string]func(path string) error{
		"removed": os.Remove,
		"replaced": func(path string) error {
			text, err := os.ReadFile(path)
			return errors.Join(err, os.WriteFile(path+".new", text, 0o600), os.Rename(path+".new", path))
		},
	} {
		s := start(t)
		agent, ann := s.Token(t, "agent", "submit"), s.Token(t, "ann", "approve,read,admin")
		id, next := submit(t, s, agent, push), submit(t, s, agent, strings.Replace(push, "git push", "make", 1))
		receipt := s.Do(t, ann, "POST", "/v1/requests/"+id+"/decision", approveOnce)
		own := s.Do(t, agent, "GET", "/v1/requests/"+id, "")
		text, _ := own.At("receipt.receipt").(string)
		if receipt.Status != 200 || text == "" || health(t, s) != "200 ok <nil>" {
			t.Fatalf("%s: %d %s, %s", name, receipt.Status, own.Text, health(t, s))
		}
		socket := overSocket(t, s) // a user who needs no token of the database
		if err := take(s.Path); err != nil {
			t.Fatal(err)
		}
		for _, r := range [][3]string{
			{agent, "/v1/requests", `{"call":` + push + `}`},
			{ann, "/v1/requests/" + next + "/decision", approveOnce},
			{agent, "/v1/receipts/consume", `{"receipt":"` + text + `"}`},
			{ann, "/v1/tokens", `{"name":"eve","scopes":["approve"]}`},
		} {
			if a := s.Do(t, r[0], "POST", r[1], r[2]); a.Status < 400 {
				t.Errorf("%s: %s: %d %s", name, r[1], a.Status, a.Text)
			}
		}
		a := wire{method: "POST", path: "/v1/requests", body: `{"call":` + push + `}`, header: headers("Content-Type: application/json")}.send(t, s, socket)
		if a.Status != 503 || !strings.Contains(a.Text, "removed or replaced") || strings.Contains(a.Text, s.Path) {
			t.Errorf("%s: over the socket: %d %s", name, a.Status, a.Text)
		}
		if got := health(t, s); got != "503 failing [database]" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// A row of rules that SQL wrote with a time of SQLite, or with nonsense, takes
// no other rule with it, and is repaired over the API.
func TestRuleByHand(t *testing.T) {
	const columns = `INSERT INTO approval_rules (id, priority, enabled, dialect, source, decision, created_at, updated_at) VALUES `
	for name, row := range map[string]struct{ sql, health string }{
		"a time of SQLite": {`('hand', 1, 1, 'pattern', '{"shell.program":"npm"}', 'deny', datetime('now'), datetime('now'))`, "200 ok <nil>"},
		"no time":          {`('hand', 1, 1, 'pattern', '{"shell.program":"npm"}', 'deny', 'yesterday', '')`, "200 ok <nil>"},
		"no condition":     {`('hand', 1, 1, 'pattern', '{', 'deny', datetime('now'), datetime('now'))`, "200 degraded [rules]"},
		"no decision":      {`('hand', 1, 1, 'pattern', '{}', 'maybe', datetime('now'), datetime('now'))`, "200 degraded [rules]"},
		"no dialect":       {`('hand', 1, 7, 'cel', '{}', 'allow', datetime('now'), datetime('now'))`, "200 degraded [rules]"},
	} {
		s := start(t)
		ops := s.Token(t, "ops", "admin,read,submit")
		put := func(id, decision string) servertest.Answer {
			return s.Do(t, ops, "PUT", "/v1/rules/"+id, `{"source":{"shell.program":"`+id+`"},"decision":"`+decision+`","priority":1,"enabled":true,"dialect":"pattern"}`)
		}
		if a := put("make", "deny"); a.Status != 201 {
			t.Fatal(a.Text)
		}
		byHand(t, s, columns+row.sql)
		if a := s.Do(t, ops, "GET", "/v1/rules", ""); a.Status != 200 || !strings.Contains(a.Text, `"id":"hand"`) || !strings.Contains(a.Text, `"id":"make"`) {
			t.Errorf("%s: list: %d %s", name, a.Status, a.Text)
		}
		if a := put("git", "allow"); a.Status != 201 { // and the table is read again
			t.Errorf("%s: another rule: %d %s", name, a.Status, a.Text)
		}
		if got := health(t, s); got != row.health {
			t.Errorf("%s: %s, want %s", name, got, row.health)
		}
		decide := s.Do(t, ops, "POST", "/v1/decide", `{"tool":"shell","input":{"command":"make x"},"dir":"/src"}`)
		if decide.At("decision") != "deny" {
			t.Errorf("%s: the rule beside it: %s", name, decide.Text)
		}
		if a := put("hand", "deny"); a.Status != 200 || health(t, s) != "200 ok <nil>" {
			t.Errorf("%s: repair: %d %s, %s", name, a.Status, a.Text, health(t, s))
		}
		if a := s.Do(t, ops, "DELETE", "/v1/rules/hand", ""); a.Status != 200 {
			t.Errorf("%s: delete: %d %s", name, a.Status, a.Text)
		}
	}
}

// A damaged request is left out of the list, which the health tells.
func TestDamagedRequest(t *testing.T) {
	s := start(t)
	agent, ann := s.Token(t, "agent", "submit"), s.Token(t, "ann", "approve,read")
	bad, good := submit(t, s, agent, push), submit(t, s, agent, push)
	byHand(t, s, "UPDATE requests SET document = '{' WHERE id = '"+bad+"'")
	a := s.Do(t, ann, "GET", "/v1/requests", "")
	if a.Status != 200 || strings.Contains(a.Text, bad) || !strings.Contains(a.Text, good) || health(t, s) != "200 degraded [rows]" {
		t.Errorf("%d %s, %s", a.Status, a.Text, health(t, s))
	}
	if a := s.Do(t, ann, "POST", "/v1/requests/"+bad+"/decision", approveOnce); a.Status != 503 || !strings.Contains(a.Text, "damaged") {
		t.Errorf("%d %s", a.Status, a.Text)
	}
}

// A service on a log that does not hold is not healthy.
func TestBrokenLog(t *testing.T) {
	for name, row := range map[string]struct{ want, sql string }{
		"as it was":  {"200 ok <nil>", "SELECT 1"},
		"changed":    {"503 failing [audit-log]", `UPDATE audit SET record = replace(record, 'token:agent', 'token:other') WHERE seq = 2`},
		"one gone":   {"503 failing [audit-log]", `DELETE FROM audit WHERE seq = 2`},
		"one before": {"503 failing [audit-log]", `INSERT INTO audit SELECT 0, hash, record FROM audit WHERE seq = 2`},
	} {
		s := start(t)
		agent := s.Token(t, "agent", "submit")
		for range 3 {
			submit(t, s, agent, push)
		}
		byHand(t, s, "DROP TRIGGER audit_stays", "DROP TRIGGER audit_keeps", row.sql)
		err := s.VerifyLog(context.Background())
		var broken *audit.Broken
		if errors.As(err, &broken) != (row.want != "200 ok <nil>") || health(t, s) != row.want {
			t.Errorf("%s: %v, %s", name, err, health(t, s))
		}
	}
}

// A clock that is set back revives no token, no login and no receipt, and gives
// no request more time.
func TestClockSetBack(t *testing.T) {
	s := start(t)
	agent, ann := s.Token(t, "agent", "submit"), s.Token(t, "ann", "approve,read")
	secret, short := auth.NewToken("eve", auth.Read, s.Now().Add(time.Minute), s.Now())
	if err := s.Data.AddToken(t.Context(), short); err != nil {
		t.Fatal(err)
	}
	id, waits := submit(t, s, agent, push), submit(t, s, agent, push)
	s.Do(t, ann, "POST", "/v1/requests/"+id+"/decision", approveOnce)
	receipt, _ := s.Do(t, agent, "GET", "/v1/requests/"+id, "").At("receipt.receipt").(string)
	s.Skip(time.Hour)
	if got := state(t, s, waits); receipt == "" || got != "TIMED_OUT" {
		t.Fatal(receipt, got)
	}
	late := submit(t, s, agent, push)
	s.Skip(-time.Hour)
	for path, want := range map[string]int{"/v1/receipts/consume": 422, "/v1/receipts/verify": 422} {
		if a := s.Do(t, agent, "POST", path, `{"receipt":"`+receipt+`"}`); a.Status != want {
			t.Errorf("%s: %d %s", path, a.Status, a.Text)
		}
	}
	if a := s.Do(t, secret, "GET", "/v1/whoami", ""); a.Status != 401 {
		t.Errorf("a token that was over: %d %s", a.Status, a.Text)
	}
	s.Skip(6 * time.Minute)
	if got := state(t, s, late); got != "TIMED_OUT" {
		t.Errorf("the request after 6 minutes is %s", got)
	}
}

// A row that was edited to show one command and approve another does neither.
func TestEditedRow(t *testing.T) {
	s := start(t)
	agent, ann := s.Token(t, "agent", "submit"), s.Token(t, "ann", "approve,read")
	id := submit(t, s, agent, strings.Replace(push, "git push", "rm -rf build", 1))
	byHand(t, s, `UPDATE requests SET document = replace(document, 'rm -rf build', 'ls') WHERE id = '`+id+`'`)
	for _, r := range [][3]string{
		{"GET", "/v1/requests/" + id, ""}, {"POST", "/v1/requests/" + id + "/decision", approveOnce},
	} {
		if a := s.Do(t, ann, r[0], r[1], r[2]); a.Status != 422 || a.Code() != "altered" {
			t.Errorf("%s: %d %s", r[0], a.Status, a.Text)
		}
	}
	for _, path := range []string{"/v1/requests", "/api/requests", "/requests", "/api/approvals?status=pending", "/api/pending-actions"} {
		if a := s.Do(t, ann, "GET", path, ""); strings.Contains(a.Text, id) {
			t.Errorf("%s: %s", path, a.Text)
		}
	}
	if a := s.Do(t, ann, "POST", "/v1/requests/"+id+"/decision", `{"decision":"rejected","reason":"edited"}`); a.Status != 200 {
		t.Errorf("denied: %d %s", a.Status, a.Text)
	}
}

// The log tells two tokens of one name apart.
func TestTokensOnRecord(t *testing.T) {
	s := start(t)
	agent, ann, other := s.Token(t, "agent", "submit"), s.Token(t, "ann", "approve,admin,read"), s.Token(t, "ann", "approve")
	a, b := submit(t, s, agent, push), submit(t, s, agent, push)
	for id, token := range map[string]string{a: ann, b: other} {
		if a := s.Do(t, token, "POST", "/v1/requests/"+id+"/decision", approveOnce); a.Status != 200 {
			t.Fatal(a.Text)
		}
	}
	s.Do(t, ann, "PUT", "/v1/rules/make", `{"source":{"shell.program":"make"},"decision":"deny"}`)
	records, err := s.Data.Audit(t.Context(), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	tokens := map[string]string{}
	for _, r := range records {
		if strings.HasPrefix(r.Actor, "token:") {
			tokens[r.Kind+" "+r.RequestID] = r.Detail["token_id"]
		}
	}
	idOf := func(secret string) string { return strings.Split(secret, "_")[1] }
	for what, want := range map[string]string{
		"request " + a: idOf(agent), "decision " + a: idOf(ann), "decision " + b: idOf(other), "rule ": idOf(ann),
	} {
		if tokens[what] != want {
			t.Errorf("%s: %q, want %q", what, tokens[what], want)
		}
	}
}
