package requests

import (
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

func detailed(d *approval.Detail, width int) string {
	var b strings.Builder
	page := &console.Sheet{Page: render.NewPage(&b)}
	page.Width = width
	showRequest(page, d, d.Created)
	_ = page.Close()
	return b.String()
}

// Every danger of a line is shown with its part, how much harm it can do, and
// what it does; nothing of it draws at the terminal or leaves 80 columns.
func TestShowHarm(t *testing.T) {
	r := asked(t, "req_1", "rm -rf build; git push -f\x1b[2J")
	r.Asked.Risk = "high"
	r.Asked.Dangerous = []policy.Danger{
		{Rule: "rm-recursive", Why: "deletes\x1b", Span: shell.Span{From: 0, To: 12}},
		{Rule: "git-push-force", Why: "overwrites history", Span: shell.Span{From: 14, To: 29}},
		{Rule: "odd", Why: "has no such part", Span: shell.Span{From: 9, To: 999}},
	}
	r.Asked.Files = []approval.File{{Path: "/srv/new\r", Exists: false}, {Path: "/srv/old", Exists: true}}
	d := &approval.Detail{Request: r, Effects: []approval.Effect{{Kind: "deletes", Targets: []string{"build and below", "x\x1b[1A"}}, {Kind: "connects to", Targets: []string{"origin"}}}}
	d.Earlier = []approval.Earlier{
		{ID: "req_0", State: approval.Revoked, Decision: &approval.Decision{Word: approval.ApprovedOnce, By: "token:ada", At: r.Created, Reason: "once\x1b"}},
		{ID: "req_00", State: approval.Denied, Decision: &approval.Decision{Word: approval.Rejected, By: "token:bob", At: r.Created}},
	}
	r.Offers[0].Why = "rm -rf build: it deletes"
	got := detailed(d, 0)
	at := r.Created.UTC().Format("2006-01-02 15:04:05Z")
	for _, want := range []string{
		"\nHarm\nrisk       high\ndangerous  rm-recursive: deletes\\x1b: rm -rf build\ndangerous  git-push-force: overwrites history: git push -f\\x1b[2J\ndangerous  odd: has no such part\n",
		"\ndeletes      build and below · x\\x1b[1A\nconnects to  origin\nfile         /srv/new\\r: it is new, says the submitter\nfile         /srv/old: it is there already, says the submitter\n",
		"\nDecided before about the same call\n  " + at + "  approved_once, taken back  by token:ada: once\\x1b\n  " + at + "  rejected                   by token:bob\n",
		"  once  this call  stores nothing\n        only once  rm -rf build: it deletes\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.ContainsAny(got, "\x1b\r") {
		t.Errorf("%q", got)
	}
	for line := range strings.Lines(detailed(d, 80)) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	r.Judged = &approval.Judged{Risk: "medium"} // what the service sees counts
	if got := detailed(d, 0); !strings.Contains(got, "risk       medium\n") || strings.Contains(got, "rm-recursive") {
		t.Error(got)
	}
}

// What a model said stands above the choices, folded as a table is, and nothing of it
// draws at the terminal.
func TestShowReviews(t *testing.T) {
	r := asked(t, "req_1", "npm ci")
	r.Said = "install\x1b[2J it"
	r.Reviews = []approval.Review{{
		By: "reviewer:local", Model: "tiny", At: r.Created, Outcome: approval.ReviewPeople, Why: "medium risk is above max_risk, low", Risk: "medium",
		Authorization: "unknown", Quote: "npm\x1b ci", Rationale: "It installs.", In: 900, Out: 40, Cost: 0.5, Latency: 12,
	}, {By: "reviewer:local", At: r.Created, Outcome: approval.ReviewPeople, Why: "a program is for people"}}
	got := detailed(&approval.Detail{Request: r}, 0)
	for _, want := range []string{
		"\nWhat the model said\noutcome    left to people: medium risk is above max_risk, low\nrationale  It installs.\nscores     risk medium, authorization unknown\nof         npm\\x1b ci\n" +
			"asked      reviewer:local, tiny, 12 ms, 900 tokens in, 40 out, cost 0.5\n",
		"\nWhat the model said\noutcome    left to people: a program is for people\nasked      reviewer:local\n",
		"\nWhat the user said, says the submitter\n  | install\\x1b[2J it\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// The old text stands before the new one, whatever the tool calls them, and
// nothing of the input is lost.
func TestShowChange(t *testing.T) {
	for _, row := range []struct {
		input map[string]any
		want  string
	}{
		{map[string]any{"new_string": "a\nB\nc", "old_string": "a\nb\nc", "file_path": "/x"},
			"\nInput: file_path\n  | /x\n\nChange: - goes, + comes\n  |   a\n  | - b\n  | + B\n  |   c\n"},
		{map[string]any{"old_str": "", "new_str": "x\n"}, "  | + x\n  | +\n"},
		{map[string]any{"oldString": "x\n", "newString": "x"}, "  |   x\n  | -\n"},
		{map[string]any{"old_string": "x", "new_string": "x"}, "  |   x\n"},
		{map[string]any{"old_string": "evil\x1b[2J\n+ good", "new_string": ""}, "  | - evil\\x1b[2J\n  | - + good\n"},
		{map[string]any{"file_path": "/x", "edits": []any{map[string]any{"old_string": "1", "new_string": "2", "replace_all": true}, map[string]any{"old_string": "3", "new_string": "4"}}},
			"\nChange 1 of 2 in edits: - goes, + comes\n  | - 1\n  | + 2\n  | replace_all: true\n\nChange 2 of 2 in edits: - goes, + comes\n  | - 3\n  | + 4\n"},
		{map[string]any{"edits": []any{map[string]any{"old_string": "1", "new_string": "2"}, "odd"}}, "\nInput: edits\n  | [\n"}, // shown as it came
		{map[string]any{"old_string": "1", "new_string": 7}, "\nInput: new_string\n  | 7\n\nInput: old_string\n  | 1\n"},
		{map[string]any{"content": "a\nb", "path": "/x"}, "\nInput: path\n  | /x\n\nInput: content\n  | a\n  | b\n"},
	} {
		r := asked(t, "req_1", "x")
		var err error
		if r.Call, err = policy.EncodeCall(&policy.Call{Tool: "edit", Input: row.input, Dir: "/srv"}); err != nil {
			t.Fatal(err)
		}
		if got := detailed(&approval.Detail{Request: r}, 0); !strings.Contains(got, row.want) {
			t.Errorf("%v: no %q in\n%s", row.input, row.want, got)
		}
	}
}

// What was taken back says so, and what it has saved.
func TestResolutionTakenBack(t *testing.T) {
	r := asked(t, "req_1", "make")
	r.State = approval.Revoked
	r.Decision = &approval.Decision{Word: approval.ApprovedRemember, By: "token:ada", Saved: []string{"make in /srv/app"}}
	r.Revocation = &approval.Revocation{By: "token:bob", At: time.Unix(0, 0), Reason: "the wrong branch"}
	want := "revoked  shell: make  in /srv/app  by token:bob  reason: the wrong branch  what it saved stays: make in /srv/app"
	if got := resolution(r); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := shown(r); !strings.Contains(got, "  1970-01-01 00:00:00Z  taken back") {
		t.Error(got)
	}
}
