package sqlstore

import (
	"database/sql/driver"
	"strings"
	"testing"
	"time"
)

// What an index stores of a row is made before it is its turn to write: nobody waits for it.
func TestIndexesAside(t *testing.T) {
	made := make(chan string, 2)
	d := onFaulty(t, &faulty{answer: func(query string, _ []driver.Value) ([]driver.Value, error) {
		if strings.Contains(query, "requests_unread") {
			return []driver.Value{int64(7), "req_1", int64(1), "PENDING", []byte(`{"id":"req_1","version":1,"state":"PENDING","title":"found"}`)}, nil
		}
		return []driver.Value{int64(7), []byte("{}")}, nil
	}})
	d.dialect.Search = Search{Put: "PUT %s", Entry: func(words string, _ []string) []any {
		made <- words
		return nil
	}}
	w := &wire{}
	d.dialect.Send = w.send
	d.turn <- struct{}{} // somebody writes
	done := make(chan error)
	go func() {
		_, err := d.indexRequests(t.Context())
		done <- err
	}()
	select {
	case words := <-made:
		if !strings.Contains(words, "found") {
			t.Errorf("words %q", words)
		}
	case <-time.After(10 * time.Second):
		t.Error("nothing is made while somebody writes")
	}
	<-d.turn
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	stored := strings.Join(w.messages, "\n")
	for _, want := range []string{"PUT requests_search", "request_facts", "DELETE FROM requests_unread"} {
		if !strings.Contains(stored, want) {
			t.Errorf("%q was not stored: %s", want, stored)
		}
	}
}
