package view_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/view"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// What a request asks for, of a call, a program, and one that is gone or damaged.
func TestInput(t *testing.T) {
	now := time.Now()
	call, err := policy.EncodeCall(policy.Shell("make", "/work"))
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		r    approval.Request
		want map[string]any
	}{
		"call":          {approval.Request{Call: call}, map[string]any{"command": "make"}},
		"program":       {approval.Request{Contract: json.RawMessage(`{"title":"x"}`)}, map[string]any{"title": "x"}},
		"pruned":        {approval.Request{Pruned: &now}, nil},
		"a pruned call": {approval.Request{Call: call, Pruned: &now}, map[string]any{"command": "make"}},
		"damaged":       {approval.Request{Call: json.RawMessage("{x")}, map[string]any{"call": "{x"}},
		"damaged too":   {approval.Request{Contract: json.RawMessage("{y")}, map[string]any{"call": "{y"}},
	} {
		if got := view.Input(&row.r); !reflect.DeepEqual(got, row.want) {
			t.Errorf("%s: %v, want %v", name, got, row.want)
		}
	}
}

// The command comes first, then short values, then texts of several lines.
func TestNames(t *testing.T) {
	got := view.Names(map[string]any{"b": "1\n2", "a": "3\n4", "z": "5", "list": []any{1}, "command": "x\ny", "y": nil})
	if want := []string{"command", "y", "z", "a", "b", "list"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The part of a line that asks, where the line has it.
func TestMarked(t *testing.T) {
	for want, spans := range map[string][]*[2]int{
		"make":     {{0, 4}},
		"all":      {{5, 8}},
		"make all": {{0, 8}},
		"":         {nil, {-1, 4}, {5, 9}, {4, 4}, {5, 2}},
		"m":        {{0, 1}},
	} {
		for _, s := range spans {
			if got := view.Marked(&approval.Request{Asked: approval.Asked{Span: s}}, "make all"); got != want {
				t.Errorf("%v: %q, want %q", s, got, want)
			}
		}
	}
}

// What a request lacks, and why.
func TestLacking(t *testing.T) {
	at := time.Date(2026, 3, 1, 23, 0, 0, 0, time.FixedZone("x", -2*3600))
	for want, r := range map[string]*approval.Request{
		"": {},
		"Pruned 2026-03-02: the arguments are gone; policyctl audit export has them without secrets": {Pruned: &at, Redacted: []string{"/call x"}},
		"Redacted since it is over: /call x, /call y":                                                {Redacted: []string{"/call x", "/call y"}},
	} {
		if got := view.Lacking(r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The record that rules judge is shown where the call has one.
func TestRecord(t *testing.T) {
	for call, want := range map[string]string{
		"": "", "{x": "", `{"tool":"x"}`: "", `{"tool":"x","record":null}`: "null", `{"record":{"type":"x","a":[1]}}`: "{\n  \"type\": \"x\",\n  \"a\": [\n    1\n  ]\n}",
	} {
		if got := view.Record(&approval.Request{Call: json.RawMessage(call)}); got != want {
			t.Errorf("%s: %q, want %q", call, got, want)
		}
	}
}

// A vote in one line.
func TestVote(t *testing.T) {
	for want, v := range map[string]approval.Vote{
		"approved_once by token:ann":                                  {Answer: approval.Answer{Word: approval.ApprovedOnce, Scope: approval.Once}, By: "token:ann"},
		"approved_remember, always here by token:ann":                 {Answer: approval.Answer{Word: approval.ApprovedRemember, Scope: approval.Here}, By: "token:ann"},
		"approved_remember, this chat for 2h0m0s by token:ann: go on": {Answer: approval.Answer{Word: approval.ApprovedRemember, Scope: approval.ForChat, For: approval.Life(2 * time.Hour), Reason: "go on"}, By: "token:ann"},
		"approved_remember, always, anywhere by token:ann":            {Answer: approval.Answer{Word: approval.ApprovedRemember, Scope: approval.Anywhere}, By: "token:ann"},
		"rejected by token:ann: no":                                   {Answer: approval.Answer{Word: approval.Rejected, For: 1, Reason: "no"}, By: "token:ann"},
	} {
		if got := view.Vote(&v); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	r := &approval.Request{Asked: approval.Asked{Approver: "ann,bob", Quorum: 2, Also: []policy.Group{{Approver: "cid"}}, Rules: []string{"make", "deploy"}}}
	if got := view.Approver(r) + "; " + view.Askers(r); got != "2 of ann, bob, and cid; make, deploy" {
		t.Error(got)
	}
}

// What an edit changes stands line by line, with what stays around it.
func TestChanges(t *testing.T) {
	for _, row := range []struct{ want, before, after string }{
		{"- a|+ b", "a", "b"},
		{"  a|- b|+ x|  c", "a\nb\nc", "a\nx\nc"},
		{"  a|+ b|  c", "a\nc", "a\nb\nc"},
		{"  a|- b|  c", "a\nb\nc", "a\nc"},
		{"  a|+ a", "a", "a\na"},
		{"  a|- a", "a\na", "a"},
		{"  a", "a", "a"},
		{"+ a", "", "a"},
		{"- a|- b", "a\nb", ""},
		{"nothing", "", ""},
		{"- a|- b|+ b|+ a", "a\nb", "b\na"},
		{"- a|  b", "a\nb", "b"},
	} {
		got := view.TakeChanges(map[string]any{"old_string": row.before, "new_string": row.after})
		if len(got) != 1 || got[0].Name != "Change: - goes, + comes" || strings.Join(got[0].Rows, "|") != row.want {
			t.Errorf("%q to %q: %q, want %q", row.before, row.after, got, row.want)
		}
	}
}

// What was taken is gone from the input, and what is no edit stays.
func TestTakeChanges(t *testing.T) {
	edit := func(more ...string) map[string]any {
		m := map[string]any{"old_text": "a", "new_text": "b"}
		for _, name := range more {
			m[name] = "1\n2"
		}
		return m
	}
	input := map[string]any{
		"file_path": "x", "old_str": "a", "new_str": "b", "edits": []any{edit(), edit("note")},
		"plain": []any{"a"}, "half": []any{edit(), map[string]any{"old_text": "a"}}, "old_string": "alone", "none": []any{},
	}
	var got []string
	for _, c := range view.TakeChanges(input) {
		got = append(got, c.Name+" "+strings.Join(c.Rows, "|"))
	}
	want := []string{"Change: - goes, + comes - a|+ b", "Change 1 of 2 in edits: - goes, + comes - a|+ b", "Change 2 of 2 in edits: - goes, + comes - a|+ b|note: 1|2"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if left := view.Names(input); !slices.Equal(left, []string{"file_path", "old_string", "none", "half", "plain"}) && len(left) != 5 {
		t.Errorf("%v are left", left)
	}
}
