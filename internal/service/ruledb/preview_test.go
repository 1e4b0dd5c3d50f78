package ruledb

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/authoring/preview"
	"github.com/policyctl/policyctl/pkg/policy"
)

// recording returns n calls, the newest first, of which every second one runs
// make, and every fourth one in the scope of ci.
func recording(t testing.TB, n int) []Recorded {
	var out []Recorded
	for i := range n {
		c := policy.Shell([]string{"make", "ls"}[i%2]+fmt.Sprintf(" %d", i), "/w")
		if i%4 == 0 {
			c.Scope.Plugin = "ci"
		}
		text, err := policy.EncodeCall(c)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, Recorded{clock().Add(-time.Duration(i) * time.Minute), fmt.Sprintf("s%d", i), text})
	}
	return out
}

func TestPreview(t *testing.T) {
	const makes = `"when":{"shell.program":"make"}`
	for _, row := range []struct {
		want, body string
		look       Look
	}{
		{"100 matched, 0 out of scope, 0 unknown of 200; 20 samples", `{"decision":"deny",` + makes + `}`, Look{}},
		{"100 matched, 0 out of scope, 0 unknown of 200; 20 samples", `{"decision":"deny","enabled":false,` + makes + `}`, Look{}},
		{"50 matched, 50 out of scope, 0 unknown of 200; 20 samples", `{"decision":"deny","scopePluginId":"ci",` + makes + `}`, Look{}},
		{"0 matched, 100 out of scope, 0 unknown of 200; 0 samples", `{"decision":"deny","scopePluginId":"other",` + makes + `}`, Look{}},
		{"250 matched, 0 out of scope, 0 unknown of 500; 3 samples", `{"decision":"allow",` + makes + `}`, Look{Lookback: 500, Samples: 3}},
		{"1 matched, 0 out of scope, 0 unknown of 1; 1 samples", `{"decision":"deny",` + makes + `}`, Look{Lookback: 1}},
		{"0 matched, 0 out of scope, 0 unknown of 200; 0 samples", `{"decision":"deny","when":{"shell.program":"cmake"}}`, Look{}},
	} {
		r := open(t, &memory{})
		d, err := Decode([]byte(row.body))
		must(t, err)
		x, err := r.Preview(t.Context(), d, recording(t, 600), row.look)
		must(t, err)
		got := fmt.Sprintf("%d matched, %d out of scope, %d unknown of %d; %d samples", x.Matched, x.OutOfScope, x.Unknown, x.Total, len(x.Samples))
		if got != row.want {
			t.Errorf("%s: %s, want %s", row.body, got, row.want)
		}
		if len(x.Samples) > 0 && (x.Samples[0].Text != "shell make 0" || x.Samples[0].Session != "s0" || !x.Samples[0].Timestamp.Equal(clock())) {
			t.Errorf("%+v", x.Samples[0])
		}
		if rows, _ := r.List(t.Context()); len(rows) != 0 || r.Problem() != nil {
			t.Error("a preview stored something")
		}
	}
}

func TestPreviewShape(t *testing.T) {
	r := open(t, &memory{})
	d, err := Decode([]byte(`{"decision":"deny","when":{"shell.program":"make"}}`))
	must(t, err)
	for _, row := range []struct {
		want  string
		calls []Recorded
	}{
		{`{"matched":0,"samples":[]}`, nil},
		{`{"matched":1,"samples":[{"timestamp":"2026-03-04T05:06:07.000008901Z","sessionId":"s0","record":{`, recording(t, 1)},
	} {
		x, err := r.Preview(t.Context(), d, row.calls, Look{})
		must(t, err)
		text, err := json.Marshal(MatchesOf(x))
		must(t, err)
		if !strings.HasPrefix(string(text), row.want) {
			t.Errorf("%s, want %s", text, row.want)
		}
	}
}

func TestPreviewRefuses(t *testing.T) {
	r := open(t, &memory{})
	good := Draft{Row: Row{Source: `{"verb":"x"}`, Decision: "deny", Dialect: "pattern"}}
	broken := Draft{Row: Row{Source: `{`, Decision: "deny", Dialect: "pattern"}}
	for _, row := range []struct {
		want string
		d    Draft
		look Look
	}{
		{"lookback: must be from 0 to 500", good, Look{Lookback: preview.MaxLookback + 1}},
		{"lookback: must be from 0 to 500", good, Look{Lookback: -1}},
		{"samples: must be from 0 to 20", good, Look{Samples: preview.MaxSamples + 1}},
		{"samples: must be from 0 to 20", good, Look{Samples: -1}},
		{"ends too early", broken, Look{}},
	} {
		_, err := r.Preview(t.Context(), row.d, nil, row.look)
		var wrong *Invalid
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%+v: %v, want %q", row.look, err, row.want)
		}
	}
}

// What of the recording cannot be read is told, and the rest counts.
func TestPreviewUnread(t *testing.T) {
	r := open(t, &memory{})
	d, err := Decode([]byte(`{"decision":"deny","when":{"shell.program":"make"}}`))
	must(t, err)
	calls := slices.Insert(recording(t, 3), 1, Recorded{JSON: json.RawMessage(`{"tool":`)}, Recorded{JSON: json.RawMessage(`{"tol":"x"}`)})
	x, err := r.Preview(t.Context(), d, calls, Look{})
	must(t, err)
	if x.Matched != 2 || x.Total != 3 || len(x.Problems) != 1 || x.Problems[0].Count != 2 || x.Problems[0].Places[0] != "call 2" {
		t.Errorf("%+v", x)
	}
}
