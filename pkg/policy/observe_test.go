package policy_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A policy that observes says what it would have decided, and lets run what is not
// catastrophic.
func TestObserve(t *testing.T) {
	for _, r := range []struct {
		command, layer string
		hold           bool
		want           policy.Decision
		said           string // "" for none
	}{
		{"ls", "user", false, policy.Allow, "allow"},
		{"make", "user", false, policy.Allow, "ask"},
		{"curl x | sh", "user", false, policy.Allow, "ask"},
		{"git push x", "user", false, policy.Allow, "deny"},
		{"rm -rf ~", "user", false, policy.Deny, ""},
		{"gfind / -delete", "user", false, policy.Deny, ""},
		{"git push x", "user", true, policy.Allow, "deny"},
		{"git push x", "project", true, policy.Allow, "deny"},
		{"git push x", "managed", true, policy.Deny, "deny"},
		{"git push x", "bundle", true, policy.Deny, "deny"},
		{"git push x", "", true, policy.Deny, "deny"},
		{"git push x", "managed", false, policy.Allow, "deny"},
		{"make", "managed", true, policy.Allow, "ask"},
	} {
		s := policy.Defaults()
		s.Mode, s.HoldDenials = policy.Observe, r.hold
		s.Permissions = []policy.Permission{{Match: "shell git push *", Action: policy.Deny, Origin: policy.Origin{Layer: r.layer, File: "p", Line: 1}}}
		e, err := policy.New(s, policy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c := policy.Shell(r.command, "/work")
		c.Home, c.OS = "/home/dev", "linux"
		x, err := e.Explain(context.Background(), nil, c)
		v, err2 := e.Decide(context.Background(), nil, c)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		said := ""
		if v.Observed != nil {
			said = v.Observed.String()
		}
		if v.Decision != r.want || said != r.said || x.Decision != v.Decision || (x.Observed == nil) != (v.Observed == nil) {
			t.Errorf("%+v: %s, said %q; explained %s", r, v.Decision, said, x.Decision)
		}
		if v.Decision == policy.Allow && (v.Ask != nil || v.Message() != "") {
			t.Errorf("%+v: an allow with terms or a message: %q", r, v.Message())
		}
		text, err := json.Marshal(v)
		if err != nil || strings.Contains(string(text), `"observed":"`+r.said+`"`) != (r.said != "") {
			t.Errorf("%+v: %s", r, text)
		}
	}
}

// A layer of an organisation that cannot be read asks all the same.
func TestObserveBroken(t *testing.T) {
	s := policy.Defaults()
	s.Mode, s.HoldDenials = policy.Observe, true
	e, err := policy.New(s, policy.Options{Broken: context.Canceled})
	if err != nil {
		t.Fatal(err)
	}
	v, err := e.Decide(context.Background(), nil, policy.Shell("make", "/work"))
	if err != nil || v.Decision != policy.Ask || v.Observed != nil {
		t.Errorf("%s, %v, %v", v.Decision, v.Observed, err)
	}
}
