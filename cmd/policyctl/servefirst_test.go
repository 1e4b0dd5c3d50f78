package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/policyctl/policyctl/internal/service/postgres/pgtest"
)

// keysOf returns the ids of the keys that an instance announces.
func (o *office) keysOf() (ids []string) {
	o.Helper()
	text, err := os.ReadFile(filepath.Join(o.state, "service.json"))
	if err != nil {
		o.Fatal(err)
	}
	var info struct {
		Keys struct{ Keys []struct{ Kid string } }
	}
	if err := json.Unmarshal(text, &info); err != nil {
		o.Fatal(err)
	}
	for _, k := range info.Keys.Keys {
		ids = append(ids, k.Kid)
	}
	return ids
}

// Three processes that start for the first time at the same moment, on one empty database
// and with one file of the key that is not there yet, all serve, and have one key. What one
// approves, another one lets run.
func TestServeFirstStarts(t *testing.T) {
	newOffice(t) // which leaves the test out where it is to be quick
	url := pgtest.URL(t)
	key := filepath.Join(t.TempDir(), "receipts.key")
	offices := make([]*office, 3)
	for i := range offices {
		offices[i] = newOffice(t)
	}
	for _, o := range offices {
		o.start("--listen", "127.0.0.1:0", "--db", url, "--sign-key", key)
	}
	for _, o := range offices {
		o.reads()
	}
	kid := offices[0].keysOf()
	for i, o := range offices {
		if status, text := o.health(); status != http.StatusOK {
			t.Errorf("instance %d: %d %s", i, status, text)
		}
		if got := o.keysOf(); len(got) != 1 || got[0] != kid[0] {
			t.Errorf("instance %d has the keys %v, another one %v", i, got, kid)
		}
	}
	if info, err := os.Stat(key); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	id := offices[0].ask("make deploy")
	ada := offices[1].file(strings.TrimSpace(offices[1].must("token", "create", "ada", "--scope", "approve", "--db", url)))
	offices[1].must("requests", "approve", id, "--token-file", ada)
	if status, r := offices[2].post("/v1/receipts/consume", `{"receipt":"`+offices[0].receipt(id)+`"}`); status != http.StatusOK {
		t.Errorf("%d %v", status, r)
	}
	for i, o := range offices {
		if err := o.end(syscall.SIGTERM); err != nil {
			t.Errorf("instance %d: %v", i, err)
		}
	}
}
