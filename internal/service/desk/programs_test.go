package desk_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/approval"
)

// The list of programs shows a bounded part of each, whatever its submission has, and what
// became of it since it was listed first.
func TestProgramRows(t *testing.T) {
	r := newRig(t)
	reader := bearer(r.Token(t, "reader", "read"))
	long := strings.Repeat("<b>x", 50_000)
	body, err := json.Marshal(map[string]any{"target": long, "program": long, "coverage": []any{map[string]any{"domain": long, "status": long}}, "guarantees": []string{"a", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	q, err := r.Backend.Service.Submit(t.Context(), "token:agent", approval.Submission{Name: "clr_long", Contract: body, Title: "run"})
	if err != nil {
		t.Fatal(err)
	}
	for _, odd := range []string{`{"program":"x","coverage":"none"}`, `{"program":7}`, `{"coverage":[{"status":3}]}`, `{"target":"t\u202e"}`} {
		if _, err := r.Backend.Service.Submit(t.Context(), "token:agent", approval.Submission{Contract: json.RawMessage(odd), Title: odd}); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"<td>pending</td>", "<td>rejected</td>"} {
		for range 2 { // the second time from what is known
			a := r.visit(t, "/ui/rows", reader)
			if a.Status != 200 || len(a.Text) > 8000 || !strings.Contains(a.Text, "clr_long</a></td>"+want) || strings.Contains(a.Text, "<b>") || strings.Count(a.Text, "<tr>") != 5 || strings.Contains(a.Text, "\u202e") {
				t.Errorf("%d, %d bytes: %.3000s", a.Status, len(a.Text), a.Text)
			}
		}
		if _, err := r.Backend.Service.Decide(t.Context(), q.ID, "token:boss", approval.Answer{Word: approval.Rejected}); err != nil {
			t.Fatal(err)
		}
	}
	for status, header := range map[int]map[string][]string{303: nil, 403: bearer(r.agent)} {
		if a := r.visit(t, "/ui/rows", header); a.Status != status || strings.Contains(a.Text, "clr_long") {
			t.Errorf("%d, want %d: %s", a.Status, status, a.Text)
		}
	}
}
