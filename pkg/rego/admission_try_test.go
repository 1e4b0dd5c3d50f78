package rego_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/rego"
)

// tryModules tries an admission on the samples of the built-in tools.
func tryModules(t testing.TB, modules []rego.Module, data map[string]any) error {
	t.Helper()
	a, err := rego.NewAdmission(modules, data, rego.Options{})
	if err != nil {
		t.Fatalf("%s\n%v", modules[0].Source, err)
	}
	samples, err := a.Samples(policy.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	return a.Try(t.Context(), samples)
}

// TestTryRefuses has policies that deny calls as errors. Each line of want is
// in the error.
func TestTryRefuses(t *testing.T) {
	// never is reached by no sample but those of what rules name.
	const never = `input.call.agent == "release-bot"; input.commands[0].program == "terraform"`
	for name, row := range map[string][2]string{
		// What a rule writes, whether it is reached or not.
		"no reason":               {`p.rego:2:1: the document deny: the entry "x" has no reason: give it a key "reason" that is not empty`, `deny contains {"id": "x"} if { ` + never + ` }`},
		"no reason, beside a var": {`p.rego:2:1: the document deny: the entry "x" has no reason`, `deny contains {"id": "x", "command": c.index} if { some c in input.commands; ` + never + ` }`},
		"no id":                   {`p.rego:2:1: the document ask: an entry has no id`, `ask contains {"reason": "r", "command": c.index} if { some c in input.commands; ` + never + ` }`},
		"an id of a var":          {`p.rego:2:1: the document deny: an entry has no reason`, `deny contains {"id": c.program} if { some c in input.commands; ` + never + ` }`},
		"an extra key":            {`p.rego:2:1: the document deny: found the key "msg": an entry has id, reason and command`, `deny contains {"id": "x", "reason": "r", "msg": c.program} if { some c in input.commands; ` + never + ` }`},
		"a key of asks":           {`p.rego:2:1: the document deny: found the key "approver", which belongs to entries of ask only`, `deny contains {"id": "x", "reason": "r", "approver": "a"} if { ` + never + ` }`},
		"a key that is a number":  {`p.rego:2:1: the document deny: found the key 1`, `deny contains {"id": "x", "reason": "r", 1: input.call.dir} if { ` + never + ` }`},
		"an empty reason":         {`key "reason": found the string "" instead of a text`, `deny contains {"id": "x", "reason": "", "command": c.index} if { some c in input.commands; ` + never + ` }`},
		"a reason in a list":      {`key "reason": found the array`, `deny contains {"id": "x", "reason": ["r", c.program]} if { some c in input.commands; ` + never + ` }`},
		"a reason by a var":       {`key "reason": found the number 5`, `deny contains {"id": "x", "reason": r, "command": c.index} if { some c in input.commands; r := 5; ` + never + ` }`},
		"a duration":              {`key "timeout": found the string "soon" instead of a duration`, `ask contains {"id": "x", "reason": "r", "timeout": "soon", "command": c.index} if { some c in input.commands; ` + never + ` }`},
		"an entry by a var":       {`p.rego:2:1: the document deny: the entry "x" has no reason`, `deny contains e if { some c in input.commands; e := {"id": "x", "command": c.index}; ` + never + ` }`},
		"a text":                  {`p.rego:2:1: the document deny: found the string "no" instead of an object with id and reason`, `deny contains "no" if { ` + never + ` }`},
		"a text by sprintf":       {`p.rego:2:1: the document deny: found string instead of an object with id and reason`, `deny contains msg if { msg := sprintf("%s", [input.call.tool]); ` + never + ` }`},
		"a text beside entries":   {`p.rego:3:1: the document deny: found string instead of an object`, `deny contains {"id": "x", "reason": "r"} if input.call.tool == "none"` + "\n" + `deny contains msg if { msg := sprintf("%s", [input.call.tool]); ` + never + ` }`},
		"a list in a set":         {`p.rego:2:1: the document deny: found the array`, `deny contains [input.call.tool, 1] if { ` + never + ` }`},
		"a function's entry":      {`p.rego:2:1: the document deny: found the key "raeson"`, `deny contains entry("x") if { ` + never + ` }` + "\n" + `entry(id) := {"id": id, "raeson": "r"}`},
		"a computed reason":       {`p.rego:2:1: the document deny: key "reason": found number instead of a text`, `deny contains {"id": "x", "reason": count(input.commands)} if { ` + never + ` }`},
		"a computed command":      {`key "command": found string instead of the index of a command`, `deny contains {"id": "x", "reason": "r", "command": sprintf("%d", [c.index])} if { some c in input.commands; ` + never + ` }`},
		"a list of wrong entries": {`p.rego:2:1: the document deny: the entry "x" has no reason`, `deny := [{"id": "x"}] if { ` + never + ` }`},
		"a set of wrong entries":  {`p.rego:2:1: the document deny: the entry "x" has no reason`, `deny := {{"id": "x", "command": c.index}} if { some c in input.commands; ` + never + ` }`},
		"a comprehension":         {`p.rego:2:1: the document deny: the entry "x" has no reason`, `deny := {e | some c in input.commands; e := {"id": "x", "command": c.index}} if { ` + never + ` }`},
		"else":                    {`the document deny: the entry "y" has no reason`, `deny := [{"id": "x", "reason": "r"}] if { ` + never + ` } else := [{"id": "y"}] if { input.call.tool == "none" }`},
		"a default":               {`the document deny: the entry "y" has no reason`, `default deny := [{"id": "y"}]`},
		"an object":               {`p.rego:3:1: the document deny: found the object`, `deny := set() if input.call.tool == "none"` + "\n" + `deny := {"id": "x", "reason": "r"} if { ` + never + ` }`},
		// What calls of a kind show.
		"a data entry":              {`p.rego:2:1: the document deny: the entry "d" has no reason: give it a key "reason" that is not empty (seen with a call of read {"file_path":"/home/dev/app/notes.txt"})`, `deny contains e if { input.tool.kind == "read"; input.call.input.file_path; some e in data.entries }`},
		"of writes":                 {`p.rego:2:1: the document deny: found the number 1 instead of an object`, `deny contains e if { input.tool.name == "write"; some e in data.numbers }`},
		"of patches":                {`seen with a call of apply_patch`, `deny contains e if { input.tool.name == "apply_patch"; some e in data.numbers }`},
		"of edits":                  {`seen with a call of edit`, `deny contains e if { input.tool.name == "edit"; some e in data.numbers }`},
		"of fetches":                {`seen with a call of fetch`, `deny contains e if { input.tool.kind == "fetch"; startswith(input.call.input.url, "https:"); some e in data.numbers }`},
		"of searches":               {`seen with a call of web_search`, `deny contains e if { input.tool.kind == "search"; some e in data.numbers }`},
		"of other tools":            {`seen with a call of unheard_of`, `deny contains e if { input.tool.kind == "other"; input.call.tool == "unheard_of"; some e in data.numbers }`},
		"of MCP":                    {`seen with a call of tool_of_kind_mcp`, `deny contains e if { input.tool.kind == "mcp"; some e in data.numbers }`},
		"of unreadable lines":       {`seen with the shell line "echo \""`, `deny contains e if { input.unreadable != null; some e in data.numbers }`},
		"of unknown words":          {`seen with the shell line "cat \"$FILE\" > \"$OUT\""`, `deny contains e if { null in input.commands[_].writes; some e in data.numbers }`},
		"of known callers":          {`of the agent agent, which gives its time and directories`, `deny contains e if { input.call.time; some e in data.numbers }`},
		"a conflict":                {`p.rego:3:1: rule data.policyctl.admission.deny produced conflicting values`, "deny := [{\"id\": \"x\", \"reason\": \"r\"}] if input.tool.kind == \"fetch\"\ndeny := [{\"id\": \"y\", \"reason\": \"r\"}] if input.tool.risk == \"medium\""},
		"a conflict of helpers":     {`p.rego:4:1: rule data.policyctl.admission.level produced conflicting values`, "deny contains {\"id\": \"x\", \"reason\": \"r\"} if level == 3\nlevel := 1 if input.tool.kind == \"fetch\"\nlevel := 2 if input.tool.risk == \"medium\""},
		"a conflict of one program": {`p.rego:3:1: rule data.policyctl.admission.deny produced conflicting values: [{"id": "x", "reason": "r"}] at p.rego:2 [{"id": "y", "reason": "r"}] at p.rego:3: a rule has one value, make a set with contains where there may be several (seen with the shell line "terraform")`, "deny := [{\"id\": \"x\", \"reason\": \"r\"}] if input.commands[0].program == \"terraform\"\ndeny := [{\"id\": \"y\", \"reason\": \"r\"}] if \"terraform\" in {c.program | some c in input.commands}"},
		"of one command line":       {`div: divide by zero: test the divisor first (seen with the shell line "npm publish"`, `deny contains {"id": "x", "reason": "r"} if { some c in input.commands; c.program == "npm"; c.words[1].text == "publish"; 1 / count(c.writes) > 1 }`},
		"of one agent":              {`(seen with the shell line "terraform" of the agent release-bot`, `deny contains {"id": "x", "reason": "r"} if { ` + never + `; 1 / count(input.commands[0].writes) > 1 }`},
		"of one tool":               {`(seen with a call of deploy_now)`, `deny contains {"id": "x", "reason": "r"} if { input.call.tool == "deploy_now"; 1 / count(input.commands) > 1 }`},
		"a division by zero":        {`p.rego:2:45: div: divide by zero: test the divisor first`, `deny contains {"id": "x", "reason": "r"} if 10 / count(input.commands) > 3`},
		"a modulo by zero":          {`modulo by zero: test the divisor first`, `deny contains {"id": "x", "reason": "r"} if 10 % count(input.commands) > 3`},
		"a built-in over null":      {`startswith: operand 1 must be string but got null: null means unknown`, `deny contains {"id": "x", "reason": "r"} if { some h in input.commands[_].hosts; startswith(h, "x") }`},
		"a number of a word":        {`invalid syntax: test the value first (seen with the shell line "ls -la")`, `deny contains {"id": "x", "reason": "r"} if { some w in input.commands[_].words; is_string(w.text); to_number(w.text) > 3 }`},
		"no set":                    {`p.rego:2:1: the document deny: found the string "abc" instead of a set`, `deny := data.text`},
		"a wrong command":           {`p.rego:2:1: the document deny: the entry "x" is about command 7 of a call that has 0`, `deny contains {"id": "x", "reason": "r", "command": 7} if input.tool.kind == "read"`},
		"without an end":            {`in all, which no policy can permit: make the rules cheaper (seen with a call of read`, `deny contains {"id": "x", "reason": "r"} if { input.tool.kind == "read"; count(numbers.range(1, 9000000000)) > 5 }`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := map[string]any{"entries": []any{map[string]any{"id": "d"}}, "numbers": []any{1}, "text": "abc"}
			if err := tryModules(t, module(row[1]), data); err == nil || !strings.Contains(err.Error(), row[0]) {
				t.Errorf("%s\ngot  %v\nwant %s", row[1], err, row[0])
			}
		})
	}
}

// TestTryTakes has policies that are right, though samples or types leave them
// undefined.
func TestTryTakes(t *testing.T) {
	for _, body := range []string{
		`deny contains {"id": "x", "reason": "r"} if input.call.agent == "release-bot"`,
		`deny contains {"id": "x", "reason": sprintf("%s", [c.program]), "command": c.index} if { some c in input.commands; c.program == "terraform" }`,
		`deny contains {"id": sprintf("x-%s", [input.call.tool]), "reason": input.tool.name, "command": null}`,
		`deny contains e if some e in data.right`,
		`deny contains e if { some e in data.mixed; e.reason }`,
		`all := [{"id": "x"}, {"id": "y", "reason": "r"}]` + "\n" + `deny contains e if { some e in all; e.reason }`,
		`deny contains object.union({"id": "x"}, {"reason": "r"})`,
		`deny contains object.union(data.base, {"reason": input.call.tool}) if data.base`,
		`deny contains {"id": "x", "reason": input.call.input.reason, "command": 0} if { input.call.tool == "none" }`,
		`deny contains {k: v | some k, v in {"id": "x", "reason": "r"}}`,
		`deny := [e | some e in data.right]`, `deny := data.right`, `deny := set()`, `deny := []`, `default ask := set()`,
		`deny := [{"id": "x", "reason": "r"}] if { input.tool.kind == "read" } else := [] if { input.tool.kind == "fetch" }`,
		`ask contains {"id": "x", "reason": "r", "approver": "a", "profile": "default", "timeout": "5m", "on_timeout": "deny", "every_time": true}`,
		`ask contains entry("x", input.tool.name)` + "\n" + `entry(id, why) := {"id": id, "reason": why}`,
		`deny contains {"id": "x", "reason": "r"} if { count(input.commands) > 0; 10 / count(input.commands) > 30 }`,
		`deny contains {"id": "x", "reason": "r"} if { some h in input.commands[_].hosts; is_string(h); startswith(h, "x") }`,
		"# METADATA\n# scope: rule\n# schemas:\n#   - input.call.input: {type: object, properties: {url: {type: string}}}\n" + `deny contains {"id": "x", "reason": "r"} if { input.call.input.url == "x" }`,
		`allow contains {"id": "x", "reason": "r", "command": c.index} if { some c in input.commands; c.program == "build.sh" }`,
	} {
		data := map[string]any{"right": []any{map[string]any{"id": "x", "reason": "r"}}, "base": map[string]any{"id": "x"},
			"mixed": []any{map[string]any{"id": "x"}, map[string]any{"id": "x", "reason": "r"}}}
		if err := tryModules(t, module(body), data); err != nil {
			t.Errorf("%s\n%v", body, err)
		}
	}
	for _, modules := range [][]rego.Module{
		files(t, "team.rego", "teams.rego"), files(t, "one.rego"), files(t, "everything.rego"), rules(300),
		{{Name: "c.rego", Source: "package policyctl\nadmission.deny contains {\"id\": \"x\", \"reason\": \"r\"}"}},
	} {
		if err := tryModules(t, modules, nil); err != nil {
			t.Error(err)
		}
	}
}

// TestTryExamples tries the example of the documentation.
func TestTryExamples(t *testing.T) {
	names, err := filepath.Glob("../../policies/examples/admission/policyctl/admission/*.rego")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	var modules []rego.Module
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, "_test.rego") {
			modules = append(modules, rego.Module{Name: name, Source: string(text)})
		}
	}
	data := map[string]any{"acme": map[string]any{"blocked_hosts": []any{"transfer.sh"}, "hours": map[string]any{"tz": "UTC", "days": []any{"Monday"}, "from": 8, "until": 18},
		"deploy": map[string]any{"agent": "release-bot", "script": "./d.sh", "targets": []any{"staging"}}}}
	if err := tryModules(t, modules, data); err != nil {
		t.Error(err)
	}
}

// TestSamples shows that a call of each kind is among the samples, of each
// form of a line, and of each built-in tool.
func TestSamples(t *testing.T) {
	a := admission(t, module(`deny contains {"id": "x", "reason": "r"} if input.call.dir`))
	samples, err := a.Samples(policy.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	kinds, tools, unreadable, unknown := map[string]bool{}, map[string]bool{}, false, false
	for _, s := range samples {
		in, err := rego.Input(s.Input)
		if err != nil {
			t.Fatal(s.Name, err)
		}
		tool := in["tool"].(map[string]any)
		kinds[tool["kind"].(string)], tools[tool["name"].(string)] = true, true
		unreadable = unreadable || in["unreadable"] != nil
		for _, c := range in["commands"].([]any) {
			unknown = unknown || c.(map[string]any)["program"] == nil
		}
	}
	for _, k := range policy.Kinds() {
		if !kinds[k.String()] {
			t.Errorf("no sample is of the kind %s", k)
		}
	}
	for _, tool := range policy.BuiltinTools() {
		if !tools[tool.Name] {
			t.Errorf("no sample is of the tool %s", tool.Name)
		}
	}
	if !unreadable || !unknown {
		t.Errorf("unreadable %t, unknown %t", unreadable, unknown)
	}
}

func BenchmarkTry(b *testing.B) {
	a := admission(b, rules(100))
	samples, err := a.Samples(policy.Defaults())
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%d samples", len(samples))
	for b.Loop() {
		if err := a.Try(b.Context(), samples); err != nil {
			b.Fatal(err)
		}
	}
}
