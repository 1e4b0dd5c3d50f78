package pattern

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/document"
)

// node makes a Node of JSON, for tests.
func node(t testing.TB, text string) document.Node {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	n, err := readNode(d)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return n
}

func readNode(d *json.Decoder) (document.Node, error) {
	tok, err := d.Token()
	if err != nil {
		return document.Node{}, err
	}
	switch tok := tok.(type) {
	case string:
		return document.Node{Kind: document.Text, Text: tok}, nil
	case json.Number:
		return document.Node{Kind: document.Number, Text: string(tok)}, nil
	case bool:
		return document.Node{Kind: document.Bool, Text: map[bool]string{true: "true", false: "false"}[tok]}, nil
	case json.Delim:
		n := document.Node{Kind: document.List}
		if tok == '{' {
			n.Kind = document.Map
		}
		for d.More() {
			if n.Kind == document.Map {
				key, err := readNode(d)
				if err != nil {
					return n, err
				}
				n.Keys = append(n.Keys, key)
			}
			item, err := readNode(d)
			if err != nil {
				return n, err
			}
			n.Items = append(n.Items, item)
		}
		_, err := d.Token()
		return n, err
	}
	return document.Node{Text: "null"}, nil
}

// compile compiles a condition that must be right.
func compile(t testing.TB, text string) Condition {
	t.Helper()
	c, problems := CompileWhen(node(t, text))
	for _, p := range problems {
		t.Errorf("%s: %s (%s)", text, p.Text, p.Hint)
	}
	return c
}

func TestProblems(t *testing.T) {
	for _, row := range [][2]string{
		{`"x"`, `a condition is a mapping such as http.method: DELETE, not the text "x"`},
		{`{}`, `an empty condition would match every call: to mean that write type: {exists: true}`},
		{`{"all": []}`, `all has an empty list: name a condition, or leave it out`},
		{`{"any": {}}`, `any takes a list of conditions, not a mapping`},
		{`{"any": [{}]}`, `an empty condition would match every call: to mean that write type: {exists: true}`},
		{`{"not": [{"verb": "x"}]}`, `not takes one condition: write not: {any: […]} or not: {all: […]}`},
		{`{"verbs": "x"}`, `unknown field "verbs" of a record: one of type, summary, description, verb, sensitivity, primary, tags, or FACET.FIELD (verb)`},
		{`{"http..method": "x"}`, `the path "http..method" has an empty key`},
		{`{"$.verb": "x"}`, `"$.verb": a path has no $: write it like http.method`},
		{`{"verb": "a", "rate": {"n": 3}}`, `unknown key "n" of rate: one of more_than, per, by`},
		{`{"rate": {"more_than": 3, "per": "1m"}}`, `rate counts the calls that meet the rest of the condition, which is missing here`},
		{`{"verb": "a", "rate": 3}`, `rate takes a mapping such as {more_than: 10, per: 1m}, not the number 3`},
		{`{"verb": "a", "rate": {"more_than": 501, "per": "1m"}}`, `more_than takes a whole number up to 500, not the number 501`},
		{`{"verb": "a", "rate": {"more_than": 1.5, "per": "1m"}}`, `more_than takes a whole number up to 500, not the number 1.5`},
		{`{"verb": "a", "rate": {"more_than": 1, "per": "1d"}}`, `per takes a time between 1s and 24h0m0s such as 1m, not the text "1d"`},
		{`{"verb": "a", "rate": {"more_than": 1, "per": "1m", "by": "user"}}`, `by takes one of session, agent, all, not the text "user"`},
		{`{"verb": {"rate": {"more_than": 1, "per": "1m"}}}`, `rate stands beside paths, not below one: rate: {more_than: 10, per: 1m}`},
		{`{"x.y": {"semver": "^1"}}`, `semver takes versions such as ">=1.2.0 <2.0.0", "^1.2.3" or "~1.2.3", not "^1"`},
		{`{"x.y": {"semver": ">=1.2.0 || "}}`, `semver has an empty part: write a version such as ">=1.2.0"`},
		{`{"x.y": {"size": {}}}`, `size names nothing: give it a number, or one of gt, gte, lt, lte`},
		{`{"x.y": {"size": {"above": 1}}}`, `unknown key "above" of size: one of gt, gte, lt, lte`},
		{`{"x.y": {}}`, `an operator is missing here: one of equals, in, pattern, contains, notContains, glob, globPath, exists, startsWith, endsWith, gt, gte, lt, lte, cidr, size, semver, time, flags`},
		{`{"x.y": {"contain": "a"}}`, `unknown operator "contain": one of equals, in, pattern, contains, notContains, glob, globPath, exists, startsWith, endsWith, gt, gte, lt, lte, cidr, size, semver, time, flags, or write {equals: {…}} for an object (contains)`},
		{`{"x.y": {"$in": ["a"]}}`, `unknown operator "$in": operators have no $ (in)`},
		{`{"x.y": {"not": {"equals": "a"}}}`, `not combines conditions and belongs beside or above a path, not below it`},
		{`{"x.y": {"equals": "a", "equals": "b"}}`, `duplicate key "equals": give one of them in an all list`},
		{`{"verb": "a", "verb": "b"}`, `duplicate key "verb": give one of them in an all list`},
		{`{"x.y": {"in": "a"}}`, `in takes a list, not the text "a": write in: […], or equals for one value`},
		{`{"x.y": {"in": []}}`, `in has an empty list, so it can never match`},
		{`{"x.y": {"in": [[1]]}}`, `in takes texts, numbers, true and false, not a list: write {equals: …} in an any list`},
		{`{"x.y": {"contains": ["a"]}}`, `contains takes a text, a number or true or false, not a list`},
		{`{"x.y": {"exists": "true"}}`, `exists takes true or false, not the text "true"`},
		{`{"x.y": {"glob": 1}}`, `glob takes a text, not the number 1`},
		{`{"x.y": {"startsWith": null}}`, `startsWith takes a text, not nothing`},
		{`{"x.y": {"gt": "ten"}}`, `gt takes a decimal number, not the text "ten"`},
		{`{"x.y": {"cidr": "10.0.0.0/33"}}`, `cidr takes a network such as 10.0.0.0/8, or a list of them, not the text "10.0.0.0/33"`},
		{`{"x.y": {"cidr": []}}`, `cidr has an empty list: name a network such as 10.0.0.0/8`},
		{`{"x.y": {"pattern": 3}}`, `pattern takes a regular expression as a text, not the number 3`},
		{`{"x.y": {"pattern": "a(?=b)"}}`, `pattern: (?= (look-ahead) is not supported: regular expressions are those of RE2`},
		{`{"x.y": {"pattern": "(?<!a)b"}}`, `pattern: (?<! (look-behind) is not supported: regular expressions are those of RE2`},
		{`{"x.y": {"pattern": "(a)\\1"}}`, `pattern: \1 (a back-reference) is not supported: regular expressions are those of RE2`},
		{`{"x.y": {"pattern": "(?>a)"}}`, `pattern: (?> (an atomic group) is not supported: regular expressions are those of RE2`},
		{`{"x.y": {"pattern": "a["}}`, `pattern: not a regular expression: missing closing ]: [`},
		{`{"x.y": {"pattern": "a", "flags": "gi"}}`, `flags takes a text of the letters i (any case), m (^ and $ at each line) and s (. is a line end too), not the text "gi"`},
		{`{"x.y": {"flags": "i"}}`, `flags belong to a pattern, which is missing here`},
		{`{"x.y": {"contains": "` + strings.Repeat("a", 5000) + `"}}`, `contains takes a text of at most 4096 bytes`},
		{`{"x.y": {"glob": "` + strings.Repeat("a", 5000) + `"}}`, `glob takes a text of at most 4096 bytes`},
		{`{"http.method.x": "a"}`, `http.method has no "x": it is a text`},
		{`{"shell.dangerous": {"in": ["git-push-force", "git-push-forced"]}}`, "no dangerous pattern has the id \"git-push-forced\": `policyctl dangerous` lists them (git-push-force)"},
		{`{"not": {"shell.dangerous": "rm-recursiv"}}`, "no dangerous pattern has the id \"rm-recursiv\": `policyctl dangerous` lists them (rm-recursive)"},
		{`{"facets.shell.dangerous": {"notContains": "curl"}}`, "no dangerous pattern has the id \"curl\": `policyctl dangerous` lists them"},
		{`{"shell.args": "a"}`, `unknown field "shell.args": the facet shell has program, argv, command, dir, context, writes, reads, hosts, dangerous, line (shell.argv)`},
		{`{"time": "09:00"}`, `time takes a mapping of days, from, to, tz, not the text "09:00"`},
		{`{"time": {}}`, `time names nothing: give it one of days, from, to, tz`},
		{`{"verb": {"notIn": ["a"]}}`, `unknown operator "notIn": write it below not, as in not: {verb: {in: …}}`},
		{`{"time": {"day": "mon"}}`, `unknown key "day" of time: one of days, from, to, tz (days)`},
		{`{"time": {"days": "monday"}}`, `days takes sun, mon, tue, wed, thu, fri, sat, not the text "monday"`},
		{`{"time": {"from": "9:30"}}`, `from takes a time of day such as "09:30", not the text "9:30"`},
		{`{"time": {"to": "24:01"}}`, `to takes a time of day such as "09:30", not the text "24:01"`},
		{`{"time": {"from": "09:00", "to": "09:00"}}`, `time begins and ends at the same minute: leave from and to out to mean the whole day`},
		{`{"time": {"tz": "Mars/Base"}}`, `tz takes a time zone such as Europe/Berlin or UTC, not the text "Mars/Base"`},
	} {
		_, problems := CompileWhen(node(t, row[0]))
		got := ""
		for _, p := range problems {
			got += p.Text
			if p.Hint != "" {
				got += " (" + p.Hint + ")"
			}
		}
		if got != row[1] {
			t.Errorf("%s\n got %s\nwant %s", row[0], got, row[1])
		}
	}
}

func ruleOf(t testing.TB, id string, priority int, verb Verb, when string) *Rule {
	t.Helper()
	return &Rule{ID: id, Priority: priority, When: compile(t, when), Decision: Decision{Verb: verb}}
}
