package preview_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/policyctl/policyctl/internal/authoring/preview"
	"github.com/policyctl/policyctl/internal/authoring/replay"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// TestRun shows what counts as a match: a part of a line, but neither what is
// not known nor another scope.
func TestRun(t *testing.T) {
	rows := []struct{ want, rule, call string }{
		{"match", "when: {shell.program: npm}", `{"command":"npm i"}`},
		{"match", "when: {shell.program: npm}", `{"command":"ls && (cd x; npm i)"}`},
		{"match", "when: {shell.program: npm}, enabled: false", `{"command":"npm i"}`},
		{"", "when: {shell.program: npm}", `{"command":"ls npm"}`},
		{"unknown", "when: {shell.program: npm}", `{"command":"$x i"}`},
		{"match", "when: {shell.program: npm}", `{"command":"$x; npm i"}`},
		{"match", "when: {shell.program: shutdown}", `{"command":"shutdown -h now"}`}, // the floor denies it
		{"scope", "scope: {plugin: ci}, when: {shell.program: npm}", `{"command":"npm i"}`},
		{"match", "scope: {plugin: ci}, when: {shell.program: npm}", `{"command":"npm i","scope":{"plugin":"ci","profile":"x"}}`},
		{"match", "when: {file.path: /w/a}", `{"tool":"read","input":{"file_path":"a"},"dir":"/w"}`},
		{"match", "when: {http.method: PUT}", `{"tool":"x","record":{"facets":{"http":{"method":"PUT"}}}}`},
		{"unknown", "when: {http.method: PUT}", `{"tool":"x","record":{"facets":7}}`},
		{"match", "when: {time: {days: [mon]}}", `{"command":"ls","time":"2026-01-05T12:00:00Z"}`},
		{"unknown", "when: {time: {days: [mon]}}", `{"command":"ls"}`},
	}
	for _, r := range rows {
		text := "version: 1\nrules: [{id: a, decision: deny, " + r.rule + "}]"
		l, err := config.Load(policy.Defaults(), config.File{Layer: config.User, Name: "p", Data: []byte(text), Admit: config.Everything})
		if err != nil {
			t.Errorf("%s: %v", r.rule, err)
			continue
		}
		c, err := policy.DecodeCall([]byte(r.call))
		if err != nil {
			t.Errorf("%s: %v", r.call, err)
			continue
		}
		probe := preview.NewProbe(l.Rules[0].Rules[0])
		e, err := policy.New(policy.Defaults(), policy.Options{Sources: []policy.Source{probe}})
		if err != nil {
			t.Fatal(err)
		}
		report, err := probe.Run(context.Background(), e, []replay.Recorded{{Call: c}}, 1)
		got := fmt.Sprint(err)
		switch {
		case err != nil:
		case report.Matched == 1 && len(report.Samples) == 1 && report.Samples[0].Record != nil:
			got = "match"
		case report.OutOfScope == 1:
			got = "scope"
		case report.Unknown == 1:
			got = "unknown"
		case report.Total == 1:
			got = ""
		}
		if got != r.want {
			t.Errorf("%s, %s: got %q, want %q", r.rule, r.call, got, r.want)
		}
	}
}
