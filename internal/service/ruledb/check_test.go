package ruledb

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// inForce is an engine of the rules as they are now.
func inForce(t testing.TB, r *Rules) *policy.Engine {
	t.Helper()
	sources, _ := r.InForce()
	return engine(t, sources[0])
}

// What is wrong with a text has a place, and the nearest name.
func TestCheckProblems(t *testing.T) {
	r := open(t, &memory{})
	put(t, r, denyMake)
	for _, row := range []struct{ want, of, text string }{
		{`1:26 operator is missing`, "", `{"id":"x","when":{"verb":{}},"decision":"deny"}`},
		{`3:5 (shell.program)`, "", "{\"id\":\"x\",\n \"when\": {\n    \"shell.porgram\": \"git\"\n }, \"decision\": \"deny\"}"},
		{`1:36 (contains)`, "", `{"id":"x","when":{"shell.command":{"contians":"a"}},"decision":"deny"}`},
		{`1:42 (deny)`, "", `{"id":"x","when":{"verb":"x"},"decision":"dney"}`},
		{`1:31 (decision)`, "", `{"id":"x","when":{"verb":"x"},"decison":"deny"}`},
		{`1:30 appears twice`, "", `{"id":"x","when":{"verb":"x","verb":"y"},"decision":"deny"}`},
		{`1:10`, "", `{"id":"x"`},
		{`1:1 a rule is one object`, "", `[]`},
		{`1:7 there is a rule no-make already`, "", `{"id":"no-make","when":{"verb":"x"},"decision":"deny"}`},
		{`1:7 the rule is called no-make`, "no-make", `{"id":"other","when":{"verb":"x"},"decision":"deny"}`},
		{`1:1 id: "a/b"`, "", `{"id":"a/b","when":{"verb":"x"},"decision":"deny"}`},
		{`in a regular expression \s`, "", `{"id":"x","when":{"verb":{"pattern":"a\\sb"}},"decision":"deny"}`},
		{`examples are test cases here`, "", `{"id":"x","when":{"verb":"x"},"decision":"deny","examples":{"match":[{"verb":"x"}]}}`},
		{`1:49 something follows`, "", `{"id":"x","when":{"verb":"x"},"decision":"deny"}],"approvals":{"mode":"skip"},"x":[1]}`},
		{`not JSON`, "", "id: x\nwhen: {verb: x}\ndecision: deny"},
	} {
		c := r.Check(t.Context(), Edit{Text: row.text, Of: row.of}, inForce(t, r))
		var got []string
		for _, p := range c.Problems {
			got = append(got, fmt.Sprintf("%d:%d %s (%s)", p.Line, p.Column, p.Text, p.Hint))
		}
		found := slices.ContainsFunc(got, func(s string) bool {
			for part := range strings.FieldsSeq(row.want) {
				if !strings.Contains(s, part) {
					return false
				}
			}
			return true
		})
		if !found || c.Rule != nil {
			t.Errorf("%s: %q, want %s", row.text, got, row.want)
		}
	}
}

// The text of a row makes the row again.
func TestText(t *testing.T) {
	for _, body := range []string{
		denyMake, allowMake, askMake,
		`{"id":"r","label":"a \"b\" <c>","scopePluginId":"p","scopeIntegrationId":"i","priority":-3,"enabled":false,"when":{"any":[{"verb":"x"},{"not":{"tags":{"contains":"y"}}}]},"decision":"require_llm","llmModel":"m","llmPrompt":"a\nb","llmCacheTtlS":60,"failClosed":false,"approverPluginId":"llm","approverProfileId":"default"}`,
		`{"id":"r","when":{"verb":{"equals":{"a":12345678901234567890,"b":[]}}},"decision":"require_human","timeoutMs":1500,"onTimeout":"allow","reason":"be\u202ecause \ud83d\ude00\u200b"}`,
		`{"id":"r","when":{"verb":"x"},"decision":"deny","cases":[{"name":"n","command":"ls","match":true},{"record":{"verb":"x"},"match":true}]}`,
	} {
		r := open(t, &memory{})
		id := put(t, r, body)
		row, _, err := r.Get(t.Context(), id)
		must(t, err)
		e := Edit{Text: row.Text(), Of: id}
		if row.Cases != nil {
			e.Cases = json.RawMessage(*row.Cases)
		}
		if strings.ContainsAny(e.Text, "\u202e\u200b") {
			t.Errorf("what nobody sees is not escaped: %s", e.Text)
		}
		c := r.Check(t.Context(), e, inForce(t, r))
		if c.Rule == nil {
			t.Errorf("%s: %v", e.Text, c.Problems)
			continue
		}
		if got, want := strings.Replace(c.Rule.says(), `"on_timeout":"deny"`, `"on_timeout":null`, 1), strings.Replace(row.says(), `"on_timeout":"deny"`, `"on_timeout":null`, 1); got != want {
			t.Errorf("%s\nbecomes\n%s", want, got)
		}
	}
}

// Conflicts and shadowing are found before a rule is stored, with the rule in place of itself.
func TestCheckFindings(t *testing.T) {
	r := open(t, &memory{})
	put(t, r, `{"id":"no-make","priority":5,"when":{"shell.program":"make"},"decision":"deny"}`)
	put(t, r, `{"id":"git","when":{"shell.program":"git"},"decision":"deny"}`)
	for _, row := range []struct{ want, of, text string }{
		{"contradicts x git", "", `{"id":"x","when":{"shell.command":{"contains":"push"},"shell.program":{"exists":true}},"decision":"allow"}`},
		{"shadowed x no-make", "", `{"id":"x","when":{"shell.program":"make","shell.dir":"/a"},"decision":"allow"}`},
		{"shadowed git x", "", `{"id":"x","priority":9,"when":{"shell.program":{"in":["git","ls"]}},"decision":"require_human"}`},
		{"unreachable x", "", `{"id":"x","when":{"all":[{"verb":"a"},{"verb":"b"}]},"decision":"deny"}`},
		{"suspicious x", "", `{"id":"x","when":{"http.host":{"endsWith":"example.com"}},"decision":"allow"}`},
		{"", "", `{"id":"x","enabled":false,"when":{"shell.program":"make"},"decision":"allow"}`},
		{"", "no-make", `{"id":"no-make","when":{"shell.program":"make"},"decision":"allow"}`},
	} {
		c := r.Check(t.Context(), Edit{Text: row.text, Of: row.of}, inForce(t, r))
		var got []string
		for _, f := range c.Findings {
			got = append(got, string(f.Kind)+" "+strings.Join(f.Rules, " "))
		}
		if len(c.Problems) > 0 || row.want == "" && len(got) > 0 || row.want != "" && !slices.Contains(got, row.want) {
			t.Errorf("%s: %q %v, want %q", row.text, got, c.Problems, row.want)
		}
	}
	if all, done := r.Findings(time.Minute); !done || len(all) != 0 {
		t.Errorf("%v %v", all, done)
	}
	put(t, r, `{"id":"x","when":{"shell.program":"make"},"decision":"allow"}`)
	if all, done := r.Findings(time.Minute); !done || len(all) != 1 || all[0].Rules[0] != "x" {
		t.Errorf("%v %v", all, done)
	}
}

// Cases say whether the rule matches, or what the whole policy answers.
func TestCases(t *testing.T) {
	r := open(t, &memory{})
	put(t, r, `{"id":"first","priority":9,"when":{"shell.program":"make","shell.argv":{"contains":"deploy"}},"decision":"deny"}`)
	const text = `{"id":"x","scope":{"plugin":"ci"},"when":{"shell.program":"make"},"decision":"allow"}`
	for _, row := range []struct{ want, cases string }{
		{"true", `{"call":{"command":"make","scope":{"plugin":"ci"}},"match":true}`},
		{"false: it does not match", `{"command":"make","match":true}`}, // out of scope
		{"true", `{"command":"ls","match":false}`},
		{"false: it cannot be told", `{"command":"$x","match":true}`},
		{"true", `{"command":"make","scope":{"plugin":"ci"},"decision":"allow"}`},
		{"true", `{"command":"make","scope":{"plugin":"ci"},"decision":"allow","rule":"x"}`},
		{"true", `{"command":"make deploy","scope":{"plugin":"ci"},"decision":"deny","rule":"first"}`},
		{"false: deny at permission_deny by first with reason permission_rule (approval_rules)", `{"command":"make deploy","scope":{"plugin":"ci"},"decision":"allow"}`},
		{"true", `{"record":{"facets":{"shell":{"program":"make"}}},"scope":{"plugin":"ci"},"match":true}`},
		{"problem exactly one", `{"match":true}`},
		{"problem both match and decision", `{"command":"ls","match":true,"decision":"deny"}`},
		{"problem unknown key", `{"command":"ls","macth":true}`},
		{"problem no decision", `{"command":"ls"}`},
		{"problem true or false", `{"command":"ls","match":"yes"}`},
	} {
		c := r.Check(t.Context(), Edit{Text: text, Cases: json.RawMessage("[" + row.cases + "]")}, inForce(t, r))
		got := ""
		switch {
		case len(c.Problems) > 0:
			got = "problem " + c.Problems[0].Text
		case c.Cases[0].Passed:
			got = "true"
		default:
			got = "false: " + c.Cases[0].Got
		}
		if !strings.HasPrefix(got, strings.Fields(row.want)[0]) || !strings.Contains(got, strings.TrimPrefix(row.want, "problem ")) {
			t.Errorf("%s: %s, want %s", row.cases, got, row.want)
		}
	}
}

// Cases stay where a client does not know of them, and go where it says so.
func TestCasesStay(t *testing.T) {
	r := open(t, &memory{})
	const with = `{"id":"no-make","source":"{\"shell.program\":\"make\"}","decision":"deny","cases":[{"command":"make","match":true}]}`
	for _, row := range []struct{ want, body string }{
		{`[{"command":"make","match":true}]`, with}, {`[{"command":"make","match":true}]`, denyMake}, {"", strings.Replace(denyMake, "{", `{"cases":[],`, 1)},
		{`[{"command":"make","match":false}]`, strings.Replace(denyMake, "{", `{"cases":"[{\"command\":\"make\", \"match\":false}]",`, 1)},
	} {
		put(t, r, row.body)
		got, _, err := r.Get(t.Context(), "no-make")
		must(t, err)
		if cases := got.Cases; (cases == nil) != (row.want == "") || cases != nil && *cases != row.want {
			t.Errorf("%s: %v", row.body, got.Cases)
		}
	}
	for _, bad := range []string{`{"cases":7,`, `{"cases":"x",`, `{"cases":[{}],`, `{"cases":{},`} {
		if _, err := Decode([]byte(strings.Replace(denyMake, "{", bad, 1))); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

// A preview says what decisions become: also where the rule replaces one that matched.
func TestTurns(t *testing.T) {
	r := open(t, &memory{})
	put(t, r, denyMake)
	for _, row := range []struct{ want, body string }{
		{"", denyMake},
		{"deny→ask 100", strings.Replace(denyMake, `:\"make\"`, `:\"gmake\"`, 1)},
		{"deny→allow 100", strings.Replace(denyMake, `"deny"`, `"allow"`, 1)},
		{"", strings.Replace(denyMake, `"no-make"`, `"z"`, 1)},
		{"allow→deny 100", `{"id":"z","when":{"shell.program":"ls"},"decision":"deny"}`},
	} {
		d, err := Decode([]byte(row.body))
		must(t, err)
		x, err := r.Preview(t.Context(), d, recording(t, 200), Look{Engine: inForce(t, r)})
		must(t, err)
		var got []string
		for _, turn := range x.Turns {
			got = append(got, fmt.Sprintf("%s→%s %d", turn.Was, turn.Becomes, turn.Calls))
		}
		if strings.Join(got, ", ") != row.want {
			t.Errorf("%s: %q, want %s", row.body, got, row.want)
		}
	}
}
