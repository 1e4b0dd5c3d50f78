package audit

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/decisions"
	"github.com/policyctl/policyctl/internal/machine/collector"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/machine/spool"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/trail"
)

// A log that goes on shows what comes, and ends without an error when it is stopped.
func TestFollowing(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	put := func(command string) {
		e := trail.Entry(trail.From{Actor: "uid:1"}, &policy.Outcome{
			Call: *policy.Shell(command, "/w"), Verdict: policy.Verdict{Reason: policy.ReasonHardline, Rule: "root-delete"}, Time: time.Now(),
		})
		if err := collector.Put(spool.Verdicts(state), &e); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	l := &logger{Process: &console.Process{
		Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" },
		Place: func() (layers.Place, error) { return layers.Place{State: state, Home: "/home/dev"}, nil },
	}}
	l.query.Limit = 1
	if err := l.resolve(); err != nil {
		t.Fatal(err)
	}
	log, err := decisions.Open(t.Context(), l.Process, &l.Database)
	if err != nil {
		t.Fatal(err)
	}
	put("first")
	put("second")
	ctx, stop := context.WithCancel(t.Context())
	tick, done := make(chan time.Time), make(chan error, 1)
	go func() { done <- l.following(ctx, log, tick) }()
	tick <- time.Time{} // taken when the beginning was shown
	put("third")
	tick <- time.Time{} // so that what was put since is shown before the next one
	tick <- time.Time{}
	stop()
	if err := <-done; err != nil {
		t.Errorf("stopped: %v", err)
	}
	text := out.String()
	if strings.Contains(text, "first") || strings.Count(text, "second") != 1 || strings.Count(text, "third") != 1 || strings.Index(text, "second") > strings.Index(text, "third") {
		t.Errorf("%s", text)
	}
	if errs.Len() > 0 {
		t.Error(errs.String())
	}
}
