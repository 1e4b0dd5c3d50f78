package sqlite_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/pkg/approval"
)

// The log grows to the size at which it is copied into the file, and no further.
func TestLogBounded(t *testing.T) {
	path := newPath(t)
	d := open(t, path, sqlite.Options{})
	defer d.Close()
	for i := range 600 {
		r := &approval.Request{ID: fmt.Sprint("req_", i), State: approval.Pending, Session: fmt.Sprint(i), Created: time.Now(), Expires: time.Now().Add(time.Hour)}
		if _, _, _, err := d.Create(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	log, err := os.Stat(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	if size := log.Size() >> 20; size < 8 || size > 32 {
		t.Errorf("the log has %d MiB, want about 16", size)
	}
}
