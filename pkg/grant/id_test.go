package grant_test

import (
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/grant"
)

// The id of an entry is that of what it approves, however long and by whom.
func TestID(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	e := grant.Entry{Verb: "git commit", Dir: "/home/dev/app", Scope: grant.Here, Tool: "shell", Created: now, By: "token:ann"}
	same := e
	same.Until, same.By, same.Request, same.Created = now.Add(time.Hour), "login:1", "req_1", now.Add(time.Minute)
	if e.ID() != same.ID() || !e.Same(same) {
		t.Errorf("%s and %s", e.ID(), same.ID())
	}
	other := e
	other.Tool = "write"
	if e.ID() == other.ID() {
		t.Error("another tool has the same id")
	}
	if !same.Ended(now.Add(time.Hour)) || e.Ended(now.Add(time.Hour)) {
		t.Error("it ends at another time")
	}
	e.Request = strings.Repeat("x", 201)
	if e.Validate() == nil {
		t.Error("a request of 201 letters is one")
	}
}
