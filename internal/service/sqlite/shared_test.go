package sqlite_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/internal/service/storetest"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A service and a command have the same file open, as two processes would:
// each sees at once what the other has stored, and both write one audit log.
func TestShared(t *testing.T) {
	path := newPath(t)
	service := open(t, path, sqlite.Options{})
	command := open(t, path, sqlite.Options{})
	var all sync.WaitGroup
	for i := range 60 {
		all.Go(func() {
			r, e := storetest.Typical(fmt.Sprint("req_", i))
			if _, _, _, err := service.Create(t.Context(), r, e); err != nil {
				t.Error(err)
			}
		})
		all.Go(func() {
			k := auth.Token{ID: fmt.Sprint("id", i), Name: "a", Scopes: auth.Submit}
			_, e := storetest.Typical("")
			e.Kind = audit.KindToken
			if err := command.AddToken(t.Context(), k, e); err != nil {
				t.Error(err)
			}
			if got, found, err := service.TokenByID(t.Context(), k.ID); err != nil || !found || got.Name != "a" {
				t.Errorf("the service does not see %s: %v, %v", k.ID, found, err)
			}
		})
	}
	all.Wait()
	list, err := command.Audit(t.Context(), 0, 1000)
	if err != nil || len(list) != 120 {
		t.Errorf("%d records, %v", len(list), err)
	}
	var v audit.Verifier
	for _, r := range list {
		if err := v.Check(r); err != nil {
			t.Fatal(err)
		}
	}
	shut(t, service)
	if k, found, err := command.TokenByID(t.Context(), "id7"); err != nil || !found || k.ID != "id7" {
		t.Errorf("when the service has ended: %v, %v", found, err)
	}
	shut(t, command)
}
