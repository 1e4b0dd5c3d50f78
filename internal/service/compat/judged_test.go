package compat_test

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/compat"
	"github.com/policyctl/policyctl/internal/service/desk"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/schemas"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/internal/service/stream"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

const pinnedText = "def main(): report()\n"

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// programPolicy denies, asks and allows by what contracts say. Its allows by hash are by a
// whole one, by one of several and by a part, which pins nothing.
var programPolicy = `version: 1
permissions:
  "clauz3.run target=drop_all *": deny
rules:
  - id: root-is-trusted
    priority: 10
    when: {program.trusted_roots: {contains: /}}
    decision: deny
    reason: trust no root of the machine
  - id: unproved
    priority: 10
    when: {program.proofs: {contains: "main: unknown"}}
    decision: deny
  - id: mail
    priority: 10
    when: {program.guarantees: {contains: "emails.only(['eve@evil.example'])"}}
    decision: require_human
    approver: {plugin: human}
  - id: bob
    when: {program.target: main, program.guarantees: {contains: "emails.only(['bob@example.com'])"}}
    decision: allow
  - id: pinned
    when: {program.target: nightly, program.sha256: [` + strings.Repeat("0", 64) + `, ` + hashOf(pinnedText) + `]}
    decision: allow
  - id: part
    when: {program.target: part, program.sha256: {startsWith: ` + hashOf(pinnedText)[:8] + `}}
    decision: allow
`

func programService(t *testing.T) *replay {
	t.Helper()
	list, err := config.Load(policy.Defaults(), config.File{Layer: config.User, Name: "policy.yaml", Admit: config.Everything, Data: []byte(programPolicy)})
	if err != nil {
		t.Fatal(err)
	}
	s := servertest.New(t, servertest.Options{Settings: &list.Settings, Sources: list.Sources(), More: func(hub *stream.Hub) []route.Family {
		return append(compat.New(hub, schemas.Dir("")).Families(), desk.New().Family())
	}})
	return &replay{t, s, s.Token(t, "agent", "submit"), s.Token(t, "human", "approve,read")}
}

// TestProgramsAreJudged: rules about contracts deny and ask, and an allow approves only the
// text that it pins or what a trusted prover sends.
func TestProgramsAreJudged(t *testing.T) {
	r := programService(t)
	prover := r.service.Token(t, "prover", "submit,prove")
	bob := []string{"emails.only(['bob@example.com'])"}
	for _, c := range []struct {
		name   string
		prover bool
		set    map[string]any
		want   string // the decision, or the rule that asks
	}{
		{"no rule", false, map[string]any{"target": "main"}, "program"},
		{"no rule, proved", true, map[string]any{"target": "main"}, "program"},
		{"denied by a permission", false, map[string]any{"target": "drop_all"}, "rejected"},
		{"denied by a permission, proved", true, map[string]any{"target": "drop_all"}, "rejected"},
		{"denied by a rule", true, map[string]any{"target": "main", "trusted_roots": []string{"tools", "/"}, "guarantees": bob}, "rejected"},
		{"not proved", true, map[string]any{"target": "main", "guarantees": bob, "proofs": []any{map[string]any{"name": "main", "conclusion": "unknown"}}}, "rejected"},
		{"asked", true, map[string]any{"target": "main", "guarantees": []string{"emails.only(['eve@evil.example'])"}}, "mail"},
		{"claimed", false, map[string]any{"target": "main", "guarantees": bob}, "program"},
		{"claimed by a client that says it is a prover", false, map[string]any{"target": "main", "guarantees": bob, "prover": true, "program_bytes": 9}, "program"},
		{"proved", true, map[string]any{"target": "main", "guarantees": bob}, "auto_approved"},
		{"another target, proved", true, map[string]any{"target": "other", "guarantees": bob}, "program"},
		{"pinned", false, map[string]any{"target": "nightly", "program": pinnedText}, "auto_approved"},
		{"another text", false, map[string]any{"target": "nightly", "program": pinnedText + " "}, "program"},
		{"the hash alone", false, map[string]any{"target": "nightly", "program": nil, "program_sha256": hashOf(pinnedText)}, "program"},
		{"a part of the hash", false, map[string]any{"target": "part", "program": pinnedText}, "program"},
	} {
		t.Run(c.name, func(t *testing.T) {
			id := "clr_" + strings.NewReplacer(" ", "-", ",", "").Replace(c.name)
			body := map[string]any{"request_id": id, "program": "def main(): pass\n", "source_name": "a.py"}
			maps.Copy(body, c.set)
			if body["program"] == nil {
				delete(body, "program")
			}
			token := r.agent
			if c.prover {
				token = prover
			}
			if strings.Contains("rejected auto_approved", c.want) {
				a := r.call(token, http.MethodPost, "/requests", body)
				m, _ := a.json.(map[string]any)
				if a.status != http.StatusOK || m["decision"] != c.want || (m["receipt"] != nil) != (c.want == "auto_approved") {
					t.Errorf("want %s, got %d %s", c.want, a.status, a.text)
				}
				return
			}
			done := make(chan reply, 1)
			go func() { done <- r.call(token, http.MethodPost, "/requests", body) }()
			waiting := r.waiting(id)
			if asked, _ := waiting["asked"].(map[string]any); asked["rule"] != c.want {
				t.Errorf("want an ask by %s, got %v", c.want, waiting)
			}
			r.decide("/requests/"+id+"/decision", map[string]any{"decision": "rejected", "feedback": "no"})
			r.answered(done)
		})
	}
}

// TestProgramsUnderYolo: what allows every call approves no program.
func TestProgramsUnderYolo(t *testing.T) {
	settings := policy.Defaults()
	settings.Yolo, settings.Mode = true, policy.Skip
	s := servertest.New(t, servertest.Options{Settings: &settings, More: func(hub *stream.Hub) []route.Family {
		return append(compat.New(hub, schemas.Dir("")).Families(), desk.New().Family())
	}})
	r := &replay{t, s, s.Token(t, "prover", "submit,prove"), s.Token(t, "human", "approve,read")}
	done := make(chan reply, 1)
	go func() {
		done <- r.call(r.agent, http.MethodPost, "/requests", map[string]any{"request_id": "clr_1", "program": "x", "target": "main"})
	}()
	if asked, _ := r.waiting("clr_1")["asked"].(map[string]any); asked["rule"] != "program" {
		t.Errorf("got %v", asked)
	}
	r.decide("/requests/clr_1/decision", map[string]any{"decision": "rejected", "feedback": "no"})
	r.answered(done)
}

// waiting returns the pending request of a name, in the form of the native routes.
func (r *replay) waiting(name string) map[string]any {
	r.Helper()
	for range 1000 {
		a := r.get("/v1/requests?state=PENDING")
		page, _ := a.json.(map[string]any)
		list, _ := page["requests"].([]any)
		for _, e := range list {
			if m, _ := e.(map[string]any); m["name"] == name {
				return m
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	r.Errorf("%s does not wait: %s", name, r.get("/v1/requests?state=PENDING").text)
	return nil
}

// TestProgramsCannotBeCalls: a call cannot pass for a program, which could then say that it
// was proved.
func TestProgramsCannotBeCalls(t *testing.T) {
	r := programService(t)
	a := r.call(r.agent, http.MethodPost, "/v1/requests", map[string]any{"call": map[string]any{
		"tool": "clauz3.run", "input": map[string]any{"target": "main", "guarantees": []string{"emails.only(['bob@example.com'])"}, "prover": true},
	}})
	if a.status < 400 || a.status >= 500 || !strings.Contains(a.text, "clauz3.run is no tool") {
		t.Errorf("got %d %s", a.status, a.text)
	}
}

// TestProofsAreRecorded: the audit log keeps what was proved, in the prover's words.
func TestProofsAreRecorded(t *testing.T) {
	r := programService(t)
	r.call(r.service.Token(t, "prover", "submit,prove"), http.MethodPost, "/requests", map[string]any{
		"request_id": "clr_1", "program": "x", "target": "main", "guarantees": []string{"emails.only(['bob@example.com'])"},
		"proofs": []any{map[string]any{"name": "main", "conclusion": "proved!", "description": "assertion, guarantee"}},
	})
	records, err := r.service.Data.SearchAudit(t.Context(), audit.Filter{Kind: audit.KindRequest, Limit: 10})
	if err != nil || len(records) == 0 || !strings.Contains(string(records[0].Arguments), `"conclusion":"proved!"`) {
		t.Errorf("got %v, %v", records, err)
	}
}
