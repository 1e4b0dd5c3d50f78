package ruledb

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// A rule may have a hundred cases, and no more.
func TestMostCases(t *testing.T) {
	r := open(t, &memory{})
	for n, want := range map[int]string{maxCases: "", maxCases + 1: "a rule has at most 100 cases, not 101"} {
		cases := "[" + strings.TrimSuffix(strings.Repeat(`{"command":"ls","match":false},`, n), ",") + "]"
		c := r.Check(t.Context(), Edit{Text: `{"id":"x","when":{"verb":"x"},"decision":"deny"}`, Cases: json.RawMessage(cases)}, inForce(t, r))
		if want == "" && (len(c.Problems) != 0 || len(c.Cases) != n) || want != "" && (len(c.Problems) != 1 || !strings.Contains(c.Problems[0].Text, want)) {
			t.Errorf("%d cases: %v, %d tested", n, c.Problems, len(c.Cases))
		}
	}
}

// A case says why a rule matches or does not.
func TestWhyOfCases(t *testing.T) {
	r := open(t, &memory{})
	for cases, want := range map[string]string{
		`{"command":"make","scope":{"plugin":"ci"},"match":true}`: "the condition matches",
		`{"command":"make","match":false}`:                        "the condition matches, and the call is not in the scope of the rule",
		`{"command":"ls","match":false}`:                          "the condition does not match",
		`{"command":"$x","match":false}`:                          "the condition depends on what is unknown of the call",
	} {
		cases = strings.Replace(cases, `"command":"make","scope"`, `"call":{"command":"make","scope"`, 1)
		cases = strings.Replace(cases, `"ci"},`, `"ci"}},`, 1)
		c := r.Check(t.Context(), Edit{Text: `{"id":"x","scope":{"plugin":"ci"},"when":{"shell.program":"make"},"decision":"deny"}`, Cases: json.RawMessage("[" + cases + "]")}, inForce(t, r))
		if len(c.Cases) != 1 || c.Cases[0].Why != want {
			t.Errorf("%s: %+v %v, want %s", cases, c.Cases, c.Problems, want)
		}
	}
}

// Examples are refused, however many of each kind there are.
func TestExamplesRefused(t *testing.T) {
	r := open(t, &memory{})
	for _, examples := range []string{`"match":[{"verb":"x"}]`, `"no_match":[{"verb":"y"}]`, `"match":[{"verb":"x"}],"no_match":[{"verb":"y"}]`} {
		c := r.Check(t.Context(), Edit{Text: `{"id":"x","when":{"verb":"x"},"decision":"deny","examples":{` + examples + `}}`}, inForce(t, r))
		if len(c.Problems) != 1 || !strings.Contains(c.Problems[0].Text, "examples are test cases here") {
			t.Errorf("%s: %v", examples, c.Problems)
		}
	}
}

// What of a policy is no rule is left out of an import, and that is told.
func TestImportNotes(t *testing.T) {
	r := open(t, &memory{})
	for text, want := range map[string]string{
		"version: 1\nrules: [{id: a, when: {verb: x}, decision: deny}]\n":                            "[]",
		"version: 1\napprovals: {mode: manual}\nrules: [{id: a, when: {verb: x}, decision: deny}]\n": "[approvals.mode is no rule, and is left out]",
	} {
		plan, err := r.Plan(t.Context(), text)
		if err != nil || len(plan.Added) != 1 || fmt.Sprint(plan.Notes) != want {
			t.Errorf("%q: %+v, %v, want %s", text, plan, err, want)
		}
	}
}

// The text of a sample is cut where it is too long, and a recording that can be read has
// no problem.
func TestLongestSample(t *testing.T) {
	r := open(t, &memory{})
	d, err := Decode([]byte(`{"decision":"deny","when":{"shell.program":"make"}}`))
	must(t, err)
	const begin = "shell make "
	for n, want := range map[int]string{maxText: "x", maxText + 1: "…"} {
		call := recording(t, 1)[0]
		call.JSON = json.RawMessage(strings.Replace(string(call.JSON), "make 0", "make "+strings.Repeat("x", n-len(begin)), 1))
		x, err := r.Preview(t.Context(), d, []Recorded{call}, Look{})
		must(t, err)
		if got := []rune(x.Samples[0].Text); len(got) != maxText || string(got[maxText-1]) != want || len(x.Problems) != 0 {
			t.Errorf("%d letters: %d, %s, %v", n, len(got), string(got), x.Problems)
		}
	}
}

// What has become of a rule is said to whoever saw it as it was.
func TestStale(t *testing.T) {
	at, eve := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), "token:eve"
	for want, e := range map[string]Stale{
		"the rules were changed since the import was shown":                               {},
		"the rule a was deleted since you opened it":                                      {ID: "a"},
		"the rule a was changed since you opened it":                                      {ID: "a", Now: &Row{}},
		"the rule a was changed by token:eve at 2026-03-04 05:06:07, since you opened it": {ID: "a", Now: &Row{UpdatedBy: &eve, UpdatedAt: at}},
	} {
		if got := e.Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// All that another program wrote or deleted is noticed at once, and none of it counts where
// one of it cannot be put on record.
func TestNoticedTogether(t *testing.T) {
	m := &memory{}
	r := open(t, m)
	for _, id := range []string{"a", "b", "c"} {
		m.byHand(id, `{"shell.program":"`+id+`"}`, "deny")
	}
	must(t, r.refresh(t.Context()))
	if got := m.noticedIn(); got != "written a, written b, written c" {
		t.Errorf("on record is %q", got)
	}
	m.clear()
	must(t, r.refresh(t.Context()))
	gone := strings.Split(m.noticedIn(), ", ")[3:]
	slices.Sort(gone)
	if got := strings.Join(gone, ", "); got != "deleted a, deleted b, deleted c" {
		t.Errorf("on record is %q", got)
	}
	m.byHand("d", `{"shell.program":"d"}`, "allow")
	m.unsealed = errDown
	if err := r.refresh(t.Context()); !errors.Is(err, errDown) {
		t.Error(err)
	}
	if got := decide(t, engine(t, following{r}), "d"); got != "ask" {
		t.Errorf("what is not on record counts: %s", got)
	}
}

// What nobody would see is escaped, and what can be seen is not.
func TestHiddenEscaped(t *testing.T) {
	for _, hidden := range []rune{0x7f, 0x80, 0xa0, 0x200b, 0x202e, 0x115f, 0x1160, 0x3164, 0xffa0, 0x2800, 0xfffd} {
		if got := (Row{ID: "x", Source: "{}", Reason: new(string(hidden))}).Text(); !strings.Contains(got, fmt.Sprintf(`\u%04x`, hidden)) {
			t.Errorf("%04x: %s", hidden, got)
		}
	}
	for _, seen := range []rune{'~', 0xa1, 'é', 0x115e, 0x1161, 0x3163, 0xff9f, 0x2801, '文'} {
		if got := (Row{ID: "x", Source: "{}", Reason: new(string(seen))}).Text(); !strings.Contains(got, string(seen)) {
			t.Errorf("%04x: %s", seen, got)
		}
	}
}

// A dialect is written where it is not the usual one.
func TestDialectWritten(t *testing.T) {
	for dialect, written := range map[string]bool{"pattern": false, "rego": true} {
		if got := (Row{ID: "x", Dialect: dialect, Source: "{}"}).Text(); strings.Contains(got, `"dialect": "`+dialect+`"`) != written {
			t.Errorf("%s: %s", dialect, got)
		}
	}
}
