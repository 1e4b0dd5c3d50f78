package desk_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/policyctl/policyctl/internal/service/desk"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/internal/service/stream"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// newBareRig is a rig without a browser, for benchmarks too.
func newBareRig(t testing.TB, sources ...policy.Source) *rig {
	t.Helper()
	s := servertest.New(t, servertest.Options{
		Sources: sources, More: func(*stream.Hub) []route.Family { return []route.Family{desk.New().Family()} },
	})
	return &rig{s, s.Token(t, "agent", "submit")}
}

// sourcesOf are the rules of a policy file.
func sourcesOf(t testing.TB, text string) []policy.Source {
	t.Helper()
	l, err := config.Load(policy.Defaults(), config.File{Layer: config.User, Name: "policy.yaml", Data: []byte(text), Admit: config.Everything})
	if err != nil {
		t.Fatal(err)
	}
	return l.Sources()
}

// put stores a rule by the API.
func (r *rig) put(t testing.TB, body string) {
	t.Helper()
	if a := r.Do(t, r.Token(t, "admin", "admin"), "POST", "/v1/rules", body); a.Status >= 300 {
		t.Fatal(a.Text)
	}
}

// stored returns a rule as the API has it.
func (r *rig) stored(t testing.TB, id string) servertest.Answer {
	t.Helper()
	return r.Do(t, r.Token(t, "reader", "read"), "GET", "/v1/rules/"+id, "")
}

// decides returns the decision on a command.
func (r *rig) decides(t testing.TB, command string) string {
	t.Helper()
	body, _ := json.Marshal(policyCall(command))
	a := r.Do(t, r.agent, "POST", "/v1/decide", string(body))
	return fmt.Sprint(a.At("decision"))
}

func policyCall(command string) map[string]any {
	return map[string]any{"tool": "shell", "input": map[string]any{"command": command}, "dir": "/home/dev/src/app", "session": "s1", "agent": "claude"}
}

const (
	noDeploy = `{"id":"no-deploy","priority":1,"source":"{\"shell.command\":{\"glob\":\"make deploy*\"}}","decision":"deny","reason":"deploys go through CI"}`
	okMake   = `{"id":"ok-make","priority":1,"source":"{\"shell.program\":\"make\"}","decision":"allow"}`
)

// openRule opens the editor of a rule, "new" for a new one.
func (b *tab) openRule(r *rig, id string) {
	b.t.Helper()
	b.do(chromedp.Navigate(r.URL + "/ui/rules/" + id))
	b.waits("the editor", `document.querySelector("#editor")?.hidden === false && document.querySelector("#when fieldset")`)
}

// source types the text of a rule.
func (b *tab) source(text string) {
	b.t.Helper()
	quoted, _ := json.Marshal(text)
	b.do(chromedp.Evaluate[chromedp.Void](`(() => { const s = document.querySelector("#source"); s.value = ` + string(quoted) + `; s.dispatchEvent(new Event("input", {bubbles: true})); })()`))
}

// choose sets a control as a person does.
func (b *tab) choose(selector, value string) {
	b.t.Helper()
	at, _ := json.Marshal(selector)
	quoted, _ := json.Marshal(value)
	b.waits(selector, `document.querySelector(`+string(at)+`)`)
	b.do(chromedp.Evaluate[chromedp.Void](`(() => { const e = document.querySelector(` + string(at) + `); e.focus(); e.value = ` + string(quoted) + `; for (const n of ["input", "change"]) e.dispatchEvent(new Event(n, {bubbles: true})); })()`))
}

// The list shows what a rule says, who changed it, what the linter finds, and the rules of
// files, and can be filtered.
func TestRuleList(t *testing.T) {
	r := newRig(t)
	r.put(t, noDeploy)
	r.put(t, okMake)
	r.put(t, `{"id":"scoped","priority":7,"enabled":false,"scopePluginId":"ci","label":"only there","source":"{\"verb\":\"x\"}","decision":"require_human"}`)
	b := open(t, 1200, 800)
	b.logIn(r)
	b.do(chromedp.Navigate(r.URL + "/ui/rules"))
	for _, text := range []string{"Rules 3", "no-deploy", "deploys go through CI", "by token:admin", "only plugin ci", "disabled", "priority 7", "only there",
		"contradicts: both it (allow) and no-deploy (deny) match some records"} {
		b.shows(text)
	}
	b.do(chromedp.SendKeys("#filter", "GO through"+enter))
	b.shows("1 of 3")
	b.waits("one is shown", `document.querySelectorAll(".rule").length === 1`)
}

// The rules of files are shown with their place, and cannot be edited.
func TestRulesOfFiles(t *testing.T) {
	r := newRig(t)
	r.put(t, noDeploy)
	page := r.visit(t, "/ui/rules", r.cookie(t)).Text
	if strings.Contains(page, "Rules of files") {
		t.Error("there are none")
	}
	f := newBareRig(t, sourcesOf(t, `version: 1
rules:
  - {id: from-file, priority: 3, when: {shell.program: npm}, decision: deny, reason: <b>}`)...)
	f.put(t, noDeploy)
	page = f.visit(t, "/ui/rules", f.cookie(t)).Text
	_, others, _ := strings.Cut(page, "Rules of files")
	for _, want := range []string{"from-file", "user policy.yaml:3", "&lt;b&gt;", "priority 3"} {
		if !strings.Contains(others, want) {
			t.Errorf("no %s in\n%s", want, others)
		}
	}
	others, _, _ = strings.Cut(others, "</ul>")
	if strings.Contains(others, "<button") || strings.Contains(others, "no-deploy") {
		t.Errorf("%s", others)
	}
}

// A rule is built without a line of text, counts from the next call on, and no longer once
// that is undone.
func TestBuildRule(t *testing.T) {
	r := newRig(t)
	b := open(t, 1200, 900)
	b.logIn(r)
	if got := r.decides(t, "make deploy"); got != "ask" {
		t.Fatal(got)
	}
	b.openRule(r, "new")
	b.choose(`[data-key="id"]`, "builders-rule")
	b.choose(`[data-at="when.0.value"]`, "make")
	b.click(`[data-at="when+test"]`)
	b.choose(`[data-at="when.1.path"]`, "shell.argv")
	if got := b.text(`[...document.querySelector('[data-at="when.1.op"]').options].map(o => o.value).join(" ")`); got != " equals in contains notContains exists size" {
		t.Errorf("the operators of a list are %s", got)
	}
	b.shows("the program and its arguments")
	b.choose(`[data-at="when.1.op"]`, "contains")
	b.choose(`[data-at="when.1.value"]`, "deploy")
	b.click(`[data-at="when+not"]`)
	b.choose(`[data-at="when.2.0.0.path"]`, "shell.command")
	b.choose(`[data-at="when.2.0.0.op"]`, "in")
	b.choose(`[data-at="when.2.0.0.value"]`, "make deploy --dry-run\nmake deploy -n")
	b.choose(`[data-key="decision"]`, "deny")
	b.choose(`[data-key="reason"]`, "not from here")
	b.choose(`[data-key="priority"]`, "12")
	b.shows("It can be saved.")
	b.click("#save")
	b.shows("Saved: builders-rule. It counts from the next call on.")
	want := `{"shell.program":"make","shell.argv":{"contains":"deploy"},"not":{"shell.command":{"in":["make deploy --dry-run","make deploy -n"]}}}`
	if a := r.stored(t, "builders-rule"); a.At("source") != want || a.At("priority") != 12.0 || a.At("reason") != "not from here" || a.At("updated_by") != "login:1" {
		t.Errorf("%s", a.Text)
	}
	for command, want := range map[string]string{"make deploy": "deny", "make deploy -n": "ask", "make x": "ask"} {
		if got := r.decides(t, command); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
	b.shows("login:1 created it")
	b.click("#history [data-undo]")
	b.shows("Undone: builders-rule")
	if got := r.decides(t, "make deploy"); got != "ask" {
		t.Errorf("after it is undone: %s", got)
	}
}

// What is wrong is told while somebody types, with its place and the name that was meant.
func TestRuleValidation(t *testing.T) {
	r := newRig(t)
	b := open(t, 1200, 900)
	b.logIn(r)
	b.openRule(r, "new")
	b.source("{\n  \"id\": \"x\",\n  \"when\": {\n    \"shell.porgram\": \"git\"\n  },\n  \"decision\": \"deny\"\n}")
	b.shows("1 problem")
	b.shows("Did you mean shell.program?")
	b.click(`#problems button`)
	if got := b.text(`[document.activeElement.id, document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionStart + 15), document.querySelector("#problems button").textContent].join(" ")`); got != `source "shell.porgram" 4:5` && got != `source "shell.porgram" 4:5`[:len(got)] {
		t.Errorf("the place is %s", got)
	}
	b.click("#save")
	b.shows("Not saved: correct what is wrong first.")
	if a := r.stored(t, "x"); a.Status != 404 {
		t.Errorf("%s", a.Text)
	}
	b.source(`{"id": "x", "when": {"shell.program": "git"}, "decision": "dney"}`)
	b.shows("Did you mean deny?")
	b.source(`{"id": "x", "when": {"shell.program": "git"}, "decision": "deny"`)
	b.shows("Edit this rule as text")
	b.source(`{"id": "x", "when": {"shell.program": "git"}, "decision": "deny"}`)
	b.shows("It can be saved.")
}

// What the builder would change is edited as text, and comes back as it was written.
func TestBuilderLosesNothing(t *testing.T) {
	r := newRig(t)
	b := open(t, 1200, 900)
	b.logIn(r)
	b.openRule(r, "new")
	for _, row := range []struct {
		builds bool
		when   string
	}{
		{true, `{"shell.program": "git", "verb": {"startsWith": "a", "endsWith": "b"}}`},
		{true, `{"any": [{"verb": "x"}, {"all": [{"tags": ["a", "b"]}, {"not": {"http.status": {"gte": 400, "lt": 500}}}]}], "time": {"days": ["mon"], "from": "09:00", "to": "17:00", "tz": "UTC"}}`},
		{true, `{"mcp.arguments": {"equals": {"a": [1, {"b": null}], "c": true}}, "verb": {"pattern": "^a\\d", "flags": "i"}, "http.port": [80, 443], "tags": {"in": ["a\nb", 7]}}`},
		{true, "{\"verb\": {\"in\": [\"a\\u202eb\"]}}"},
		{false, `{"http.port": 12345678901234567890}`},
		{false, `{"verb": "x", "verb": "y"}`},
		{false, `{"verb": {"equals": 1.0}}`},
		{false, `{"any": {"verb": "x"}, "verb": 1e2}`},
	} {
		text := `{"id": "x", "priority": 3, "when": ` + row.when + `, "decision": "deny"}`
		b.source(text)
		builds := b.text(`!document.querySelector("#builder-parts").hidden`) == "true"
		if builds != row.builds {
			t.Errorf("%s: the builder shows it: %v: %s", row.when, builds, b.text(`document.querySelector("#builder-off").textContent`))
		}
		if !builds {
			if got := b.text(`document.querySelector("#source").value`); got != text {
				t.Errorf("%s has become %s", text, got)
			}
			continue
		}
		b.choose(`[data-key="reason"]`, "r")
		want := strings.Replace(text, `"decision": "deny"`, `"decision": "deny", "reason": "r"`, 1)
		if got := b.text(`packed(document.querySelector("#source").value)`); got != b.text("packed("+quote(want)+")") {
			t.Errorf("%s has become %s", want, got)
		}
	}
}

func quote(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

// The preview counts which calls the rule would have matched, shows them, and says what
// decisions would have become.
func TestRulePreview(t *testing.T) {
	r := newRig(t)
	for i := range 4 {
		r.decides(t, fmt.Sprintf("make 'deploy %d <b>'", i))
		r.decides(t, "ls")
	}
	for range 300 { // calls are kept behind the answer
		if calls, _ := r.Backend.Data.Calls(t.Context(), 99); len(calls) == 8 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	b := open(t, 1200, 900)
	b.logIn(r)
	b.openRule(r, "new")
	b.source(`{"id": "x", "when": {"shell.program": "make"}, "decision": "deny"}`)
	b.shows("Would have matched 4 of 8.")
	b.shows("4 from ask to deny")
	b.shows("make 'deploy 3 <b>'")
	b.source(`{"id": "x", "scope": {"plugin": "ci"}, "when": {"shell.program": "make"}, "decision": "deny"}`)
	b.shows("Would have matched 0 of 8; 4 more outside of its scope.")
}

// Another rule that the rule meets is shown before it is saved.
func TestRuleConflict(t *testing.T) {
	r := newRig(t)
	r.put(t, noDeploy)
	b := open(t, 1200, 900)
	b.logIn(r)
	b.openRule(r, "new")
	b.source(`{"id": "z", "priority": 1, "when": {"shell.program": "make"}, "decision": "allow"}`)
	b.shows("contradicts: z: both it (allow) and no-deploy (deny) match some records")
	b.source(`{"id": "z", "when": {"shell.command": "make deploy"}, "decision": "allow"}`)
	b.shows("shadowed: z: never decides: no-deploy (deny) comes first")
	b.source(`{"id": "z", "priority": 9, "when": {"shell.command": {"startsWith": "make"}}, "decision": "require_human"}`)
	b.shows("shadowed: no-deploy: never decides")
}

// A test case that fails is shown, and saving asks once more.
func TestRuleCases(t *testing.T) {
	r := newRig(t)
	b := open(t, 1200, 900)
	b.logIn(r)
	b.openRule(r, "new")
	b.source(`{"id": "x", "when": {"shell.program": "make"}, "decision": "deny"}`)
	b.shows("It can be saved.") // after which the page stays as it is
	b.click("#add-case")
	b.do(chromedp.SendKeys("#cases textarea", "make all"))
	b.shows("passes")
	b.click("#add-case")
	b.choose(`#cases li:nth-child(2) [data-part="input"]`, "make x")
	b.choose(`#cases li:nth-child(2) [data-part="want"]`, "allow")
	b.shows("fails: expected allow, and it is deny at permission_deny by x")
	b.shows("It can be saved, and 1 of 2 test cases fail.")
	b.click("#save")
	b.shows("1 of 2 test cases fail.")
	b.click(`#answer button[value=""]`)
	if a := r.stored(t, "x"); a.Status != 404 {
		t.Errorf("it is saved: %s", a.Text)
	}
	b.click("#save")
	b.click(ok)
	b.shows("Saved: x.")
	if a := r.stored(t, "x"); a.At("cases") != `[{"command":"make all","match":true},{"command":"make x","decision":"allow"}]` {
		t.Errorf("%s", a.Text)
	}
	b.waits("the editor", `document.querySelectorAll("#cases li").length === 2`)
	b.choose(`#cases li:nth-child(2) [data-part="kind"]`, "record")
	b.choose(`#cases li:nth-child(2) [data-part="input"]`, `{"facets": {"shell": {"program": "make"}}}`)
	b.choose(`#cases li:nth-child(2) [data-part="want"]`, "match false")
	b.shows("fails: expected it does not match, and it is it matches")
	b.choose(`#cases li:nth-child(2) [data-part="input"]`, `{"facets": {"shell": {"program": "ls"}}}`)
	b.waits("both pass", `[...document.querySelectorAll(".result")].every(e => e.textContent === "passes")`)
}

// An import shows what becomes of the rules before anything is stored, and fails as a whole
// where a rule was changed meanwhile.
func TestRuleImport(t *testing.T) {
	r := newRig(t)
	r.put(t, noDeploy)
	r.put(t, okMake)
	b := open(t, 1200, 900)
	b.logIn(r)
	file := filepath.Join(t.TempDir(), "rules.csv")
	text := "id,priority,enabled,source,decision,reason\n" +
		"no-deploy,1,1,\"{\"\"shell.command\"\":{\"\"glob\"\":\"\"make deploy*\"\"}}\",deny,<b>other\n" +
		"ok-make,1,1,\"{\"\"shell.program\"\":\"\"make\"\"}\",allow,\nfresh,0,1,\"{\"\"shell.program\"\":\"\"npm\"\"}\",deny,\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate(r.URL+"/ui/rules"), chromedp.SetUploadFiles("#import-file", []string{file}))
	b.waits("the file is read", `document.querySelector("#import-text").value.includes("fresh")`)
	b.click("#import-show")
	b.shows("Adds 1, changes 1, leaves 1 as they are; 0 others stay.")
	b.shows("Leave ok-make")
	if a := r.stored(t, "fresh"); a.Status != 404 {
		t.Fatal("it is stored already")
	}
	r.put(t, strings.Replace(okMake, "allow", "deny", 1))
	b.click("#import-do")
	b.shows("the rules were changed since the import was shown")
	b.click("#import-show")
	b.shows("Adds 1, changes 2, leaves 0 as they are")
	b.click("#import-do")
	b.shows("Imported: added fresh; changed no-deploy, ok-make")
	if a := r.stored(t, "no-deploy"); a.At("reason") != "<b>other" || r.decides(t, "npm x") != "deny" {
		t.Errorf("%s", a.Text)
	}
	b.choose("#import-text", `[{"id":"bad","source":"{\"vreb\":1}","decision":"deny"}]`)
	b.click("#import-show")
	b.shows("did you mean verb?")
}

// The rules can be had as a file that can be imported.
func TestRuleExport(t *testing.T) {
	r := newRig(t)
	r.put(t, noDeploy)
	b := open(t, 1200, 900)
	b.logIn(r)
	b.do(chromedp.Navigate(r.URL + "/ui/rules"))
	for format, want := range map[string]string{"json": `"id": "no-deploy"`, "csv": "no-deploy,", "yaml": "- id: no-deploy"} {
		link := `document.querySelector('a[download][href$="format=` + format + `"]').href`
		got, err := chromedp.Run(b, chromedp.Evaluate[string]("fetch("+link+`).then(async r => r.headers.get("Content-Disposition") + await r.text())`, chromedp.EvalAwaitPromise))
		if err != nil || !strings.HasPrefix(got, `attachment; filename="rules.`+format+`"`) || !strings.Contains(got, want) {
			t.Errorf("%s: %v %q", format, err, got)
		}
	}
}

// Of two people who edit a rule the second one is told what has changed, and overwrites
// nothing without seeing it.
func TestStaleEdit(t *testing.T) {
	r := newRig(t)
	r.put(t, noDeploy)
	ann, bob := open(t, 1200, 900), open(t, 1200, 900)
	ann.logIn(r)
	bob.logIn(r)
	ann.openRule(r, "no-deploy")
	bob.openRule(r, "no-deploy")
	ann.choose(`[data-key="reason"]`, "anns reason")
	ann.click("#save")
	ann.shows("Saved: no-deploy.")
	ann.shows("login:1 changed it")
	bob.choose(`[data-key="reason"]`, "bobs reason")
	bob.click("#save")
	bob.shows("Not saved: the rule no-deploy was changed by login:1 at")
	bob.shows(`+   "reason": "anns reason"`)
	if a := r.stored(t, "no-deploy"); a.At("reason") != "anns reason" {
		t.Errorf("%s", a.Text)
	}
	if got := bob.text(`document.querySelector("#source").value`); !strings.Contains(got, "bobs reason") {
		t.Errorf("what bob wrote is lost: %s", got)
	}
	bob.click("#stale button.deny")
	bob.shows("Saved: no-deploy.")
	if a := r.stored(t, "no-deploy"); a.At("reason") != "bobs reason" {
		t.Errorf("%s", a.Text)
	}
	// Who saves again is not told of their own change.
	bob.choose(`[data-key="reason"]`, "again")
	bob.click("#save")
	bob.waits("it is saved", `document.querySelectorAll("#history li").length === 4`)
	// A rule that appeared meanwhile is not overwritten by a new one either.
	bob.openRule(r, "new")
	bob.source(`{"id": "two", "when": {"shell.program": "make"}, "decision": "deny"}`)
	bob.shows("It can be saved.")
	r.put(t, strings.Replace(okMake, "ok-make", "two", 1))
	bob.click("#save")
	bob.shows("Not saved: the rule two was changed by token:admin")
	if a := r.stored(t, "two"); a.At("decision") != "allow" {
		t.Errorf("%s", a.Text)
	}
}

// A rule is turned off and on, deleted and had again by one button each.
func TestRuleButtons(t *testing.T) {
	r := newRig(t)
	r.put(t, strings.Replace(noDeploy, "{", `{"cases":[{"command":"make deploy","match":true}],`, 1))
	b := open(t, 1200, 900)
	b.logIn(r)
	b.do(chromedp.Navigate(r.URL + "/ui/rules"))
	b.click("[data-enable='0']")
	b.shows("Disabled: no-deploy")
	if got := r.decides(t, "make deploy"); got != "ask" {
		t.Errorf("disabled: %s", got)
	}
	b.click("[data-enable='1']")
	b.shows("Enabled: no-deploy")
	if got := r.decides(t, "make deploy"); got != "deny" {
		t.Errorf("enabled: %s", got)
	}
	b.click("[data-delete]")
	b.shows("Deleted: no-deploy")
	b.shows("There is no rule in the database.")
	if got := r.decides(t, "make deploy"); got != "ask" {
		t.Errorf("deleted: %s", got)
	}
	b.click("#status [data-undo]")
	b.shows("Undone: no-deploy")
	if a := r.stored(t, "no-deploy"); r.decides(t, "make deploy") != "deny" || a.At("cases") == nil {
		t.Errorf("undone: %s", a.Text)
	}
	// What was changed since the page was made is not changed unseen.
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".rule").dataset.revision = "old"`))
	b.click("[data-delete]")
	b.shows("the rule no-deploy was changed by login:1")
	b.do(chromedp.Navigate(r.URL + "/ui/rules/changes"))
	b.waits("all changes", `document.querySelectorAll(".changes li").length === 5`)
}

// The text of rules is text: nothing of it becomes a part of a page.
func TestHostileRules(t *testing.T) {
	r := newRig(t)
	evil := `<img src=x onerror="document.title='owned'"></textarea><script>document.title='owned'</script>` + "\u202e\u200b'\"&amp;"
	value, _ := json.Marshal(evil)
	source, _ := json.Marshal(`{"shell.command":{"contains":` + string(value) + `},"a.b<c>":"x"}`)
	cases, _ := json.Marshal(`[{"name":` + string(value) + `,"command":` + string(value) + `,"match":true}]`)
	r.put(t, fmt.Sprintf(`{"id":"evil","label":%s,"priority":1,"source":%s,"decision":"require_llm","llmPrompt":%s,"reason":%s,"scopePluginId":%s,"cases":%s,"failClosed":true}`, value, source, value, value, value, cases))
	r.put(t, strings.Replace(noDeploy, "deny", "require_human", 1))
	bad := "a <b>&\"' \u202ex" // as another program may have written it
	text, _ := json.Marshal(bad)
	if a := r.Do(t, r.Token(t, "admin", "admin"), "POST", "/v1/rules", `{"id":`+string(text)+`,"source":"{}","decision":"deny"}`); a.Status != 400 {
		t.Fatal(a.Text)
	}
	r.decides(t, "make "+evil)
	b := open(t, 1200, 900)
	b.logIn(r)
	clean := func(what string) {
		t.Helper()
		if got := b.text(`[document.title.includes("owned"), document.querySelectorAll("img, main script").length].join(" ")`); got != "false 0" {
			t.Errorf("%s: %s", what, got)
		}
	}
	b.do(chromedp.Navigate(r.URL + "/ui/rules"))
	b.shows("<img src=x")
	b.shows("U+202E")
	clean("the list")
	b.choose("#import-text", `[{"id":"evil","label":`+string(value)+`,"priority":1,"source":"{\"verb\":\"x\"}","decision":"deny"},{"id":"<b>","priority":1,"source":"{\"verb\":\"x\"}","decision":"deny"}]`)
	b.click("#import-show")
	b.shows("rule <b>")
	b.choose("#import-text", `[{"id":"evil","label":`+string(value)+`,"priority":1,"source":"{\"verb\":\"x\"}","decision":"deny"}]`)
	b.click("#import-show")
	b.shows("changes 1")
	clean("the import")
	b.openRule(r, "evil")
	b.shows("It can be saved")
	b.waits("the preview", `document.querySelector("#preview-sum").textContent.startsWith("Would")`)
	if got := b.text(`document.querySelector("#source").value`); !strings.Contains(got, `\u202e\u200b`) || strings.Contains(got, "\u202e") {
		t.Errorf("the source is %s", got)
	}
	b.choose(`[data-key="model"]`, evil)
	b.shows("It can be saved")
	b.choose(`[data-key="decision"]`, "deny")
	b.choose(`[data-at="when.0.path"]`, evil)
	b.waits("what nobody sees is written out", `document.querySelector("#findings .hidden-character")?.textContent === "U+202E"`)
	if got := b.text(`document.querySelector("#findings").innerText`); strings.ContainsAny(got, "\u202e\u200b") {
		t.Errorf("the findings are %q", got)
	}
	b.choose(`[data-at="when.0.path"]`, "shell.<img src=x>")
	b.shows("1 problem")
	clean("the editor")
	b.do(chromedp.Navigate(r.URL + "/ui/rules/changes"))
	b.shows("<img src=x")
	clean("the changes")
}

// On a phone nothing is cut off, and the builder can be used.
func TestRulesPhone(t *testing.T) {
	r := newRig(t)
	long := strings.Repeat("long", 60)
	r.put(t, `{"id":"`+long[:120]+`","priority":1,"label":"`+long+`","source":"{\"any\":[{\"shell.command\":{\"contains\":\"`+long+`\"}},{\"not\":{\"verb\":{\"in\":[\"`+long+`\"]}}}]}","decision":"require_llm","reason":"`+long+`","failClosed":true,"cases":[{"command":"`+long+`","match":true}]}`)
	b := open(t, 360, 740)
	b.logIn(r)
	for _, path := range []string{"/ui/rules", "/ui/rules/changes", "/ui/rules/new", "/ui/rules/" + long[:120]} {
		b.do(chromedp.Navigate(r.URL + path))
		b.waits(path, `document.querySelector("h1") && [...document.querySelectorAll(".script")].some(e => !e.hidden)`)
		if strings.Contains(path, long[:120]) {
			b.shows("It can be saved")
		}
		if wide := b.text("document.documentElement.scrollWidth"); wide != "360" {
			t.Errorf("%s is %s wide: %s", path, wide, b.text(`[...document.querySelectorAll("main *")].filter(e => e.getBoundingClientRect().right > 361).map(e => e.tagName + "." + e.className).slice(0, 5).join(" ")`))
		}
		if small := b.text(`[...document.querySelectorAll("button, input, select, textarea")].filter(e => e.offsetHeight && (e.offsetHeight < 24 || e.offsetWidth < 24)).map(e => e.outerHTML).join(" ")`); small != "" {
			t.Errorf("%s: targets are small: %s", path, small)
		}
	}
	b.do(tap(`[data-at="when+test"]`))
	b.waits("a row more", `document.querySelectorAll(".test").length === 3 && document.activeElement.dataset.part === "path"`)
}

// A rule is written, saved and undone with the keyboard alone.
func TestRulesKeyboard(t *testing.T) {
	r := newRig(t)
	b := open(t, 1200, 900)
	b.logIn(r)
	b.do(chromedp.Navigate(r.URL + "/ui/rules/new"))
	b.waits("the editor", `document.querySelector("#when fieldset")`)
	tabTo := func(what string) {
		t.Helper()
		for range 60 {
			b.press("\t")
			if b.text(`Boolean(document.activeElement.matches(`+quote(what)+`))`) == "true" {
				return
			}
		}
		t.Fatalf("no tab leads to %s", what)
	}
	tabTo(`[data-key="id"]`)
	b.press("by-keys")
	tabTo(`[data-at="when.0.value"]`)
	b.press("make")
	tabTo(`[data-at="when+test"]`)
	b.press(" ")
	b.waits("the focus is in the new row", `document.activeElement.dataset.at === "when.1.path"`)
	b.press("shell.command")
	tabTo(`[data-at="when.1.op"]`)
	b.press("con") // a select takes the letters
	tabTo(`[data-at="when.1.value"]`)
	b.press("deploy")
	tabTo(`[data-key="decision"]`)
	b.press("d")
	b.shows("It can be saved.")
	tabTo("#save")
	b.press(enter)
	b.shows("Saved: by-keys.")
	if a := r.stored(t, "by-keys"); a.At("source") != `{"shell.program":"make","shell.command":{"contains":"deploy"}}` || a.At("decision") != "deny" {
		t.Errorf("%s", a.Text)
	}
	b.waits("the history", `document.querySelector("#history [data-undo]")`)
	tabTo("#history [data-undo]")
	b.press(enter)
	b.shows("Undone: by-keys")
	if a := r.stored(t, "by-keys"); a.Status != 404 {
		t.Errorf("%s", a.Text)
	}
}

// What others do meanwhile does not disturb who writes a rule.
func TestEditorStays(t *testing.T) {
	r := newRig(t)
	r.put(t, noDeploy)
	b := open(t, 1200, 900)
	b.logIn(r)
	b.openRule(r, "no-deploy")
	b.waits("live", `document.querySelector("#live").textContent === "live"`)
	b.choose(`[data-key="reason"]`, "mine")
	r.put(t, strings.Replace(noDeploy, "deny", "require_human", 1))
	r.submit(t, "s1", "make something")
	b.shows("token:admin changed it") // the page has been made anew
	if got := b.text(`document.querySelector("#source").value + document.activeElement.dataset.key`); !strings.Contains(got, `"mine"`) || !strings.HasSuffix(got, "reason") {
		t.Errorf("%s", got)
	}
	b.click("#save")
	b.shows("Not saved: the rule no-deploy was changed by token:admin")
}

// The pages of rules are for who may read.
func TestRulePages(t *testing.T) {
	r := newRig(t)
	r.put(t, noDeploy)
	if a := r.Do(t, r.Token(t, "admin", "admin"), "PUT", "/v1/rules/gone", noDeploy); a.Status != 400 {
		t.Fatal(a.Text)
	}
	r.put(t, strings.Replace(okMake, "ok-make", "gone", 1))
	r.Do(t, r.Token(t, "admin", "admin"), "DELETE", "/v1/rules/gone", "")
	person := r.cookie(t)
	for _, row := range []struct {
		path   string
		header http.Header
		status int
		want   string
	}{
		{"/ui/rules", nil, 303, "/login"},
		{"/ui/rules", bearer(r.agent), 403, "may not read"},
		{"/ui/rules", person, 200, "no-deploy"},
		{"/ui/rules?q=nothing", person, 200, "No rule has this text."},
		{"/ui/rules?after=no-deploy", person, 200, "There is no rule"},
		{"/ui/rules/new", person, 200, "New rule"},
		{"/ui/rules/no-deploy", person, 200, "make deploy*"},
		{"/ui/rules/gone", person, 200, "It is deleted. To have it again, undo that."},
		{"/ui/rules/none", person, 404, "there is no rule with the id none"},
		{"/ui/rules/%00", person, 400, ""},
		{"/ui/rules/changes", person, 200, "token:admin deleted"},
		{"/ui/rules/changes?before=1", person, 200, "Nothing is on record here."},
		{"/ui/rules/changes?before=x", person, 400, "before"},
	} {
		a := r.visit(t, row.path, row.header)
		if a.Status != row.status || !strings.Contains(a.Text+a.Header.Get("Location"), row.want) {
			t.Errorf("%s: %d %.600s, want %d %s", row.path, a.Status, a.Text, row.status, row.want)
		}
	}
}

// Thousands of rules are a page of the size that a browser has no trouble with.
func BenchmarkRules(b *testing.B) {
	r := newBareRig(b)
	admin := r.Token(b, "admin", "admin")
	var list []string
	for i := range 5000 {
		list = append(list, fmt.Sprintf(`{"id":"r%d","priority":%d,"enabled":true,"source":"{\"shell.program\":\"p%d\"}","decision":"deny"}`, i, i%3, i))
	}
	text, _ := json.Marshal(map[string]string{"text": "[" + strings.Join(list, ",") + "]"})
	plan := r.Do(b, admin, "POST", "/v1/rules/import", string(text))
	text, _ = json.Marshal(map[string]any{"text": "[" + strings.Join(list, ",") + "]", "revision": plan.At("revision")})
	if a := r.Do(b, admin, "POST", "/v1/rules/import", string(text)); a.At("done") != true {
		b.Fatal(a.Text)
	}
	header := bearer(r.Token(b, "reader", "read"))
	for strings.Contains(r.visit(b, "/ui/rules", header).Text, "The linter still looks") {
		time.Sleep(100 * time.Millisecond)
	}
	for _, path := range []string{"/ui/rules", "/ui/rules?q=r4999", "/ui/rules/r77", "/ui/rules/changes"} {
		b.Run(path, func(b *testing.B) {
			for b.Loop() {
				if a := r.visit(b, path, header); a.Status != 200 {
					b.Fatal(a.Text)
				}
			}
		})
	}
}

// Nobody who uses a screen reader, a keyboard or large letters is kept from writing rules, as
// far as axe can tell.
func TestRulesAccessible(t *testing.T) {
	axe, err := os.ReadFile(filepath.Join(os.Getenv("AXE_CORE"), "axe.min.js"))
	switch {
	case err == nil:
	case os.Getenv("CI") != "":
		t.Fatal("AXE_CORE must name the directory of axe-core's axe.min.js: ", err)
	default:
		t.Skip("AXE_CORE names no directory with axe.min.js")
	}
	r := newRig(t)
	r.put(t, noDeploy)
	r.put(t, `{"id":"long","priority":1,"label":"\u202ea","source":"{\"any\":[{\"shell.program\":[\"make\"]},{\"not\":{\"tool.arguments\":{\"exists\":true}}}],\"shell.command\":{\"contains\":\"m\"}}","decision":"require_llm","failClosed":true,"cases":[{"command":"make","match":false}]}`)
	r.decides(t, "make deploy")
	b := open(t, 1200, 800)
	b.logIn(r)
	for _, scheme := range []string{"light", "dark"} {
		media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
		if _, err := chromedp.Call(b, emulation.SetEmulatedMedia, media); err != nil {
			t.Fatal(err)
		}
		for _, row := range []struct{ path, ready string }{
			{"/ui/rules", `document.querySelector(".finding") && document.querySelector("#import").hidden === false`},
			{"/ui/rules/new", `document.querySelector("#when fieldset")`},
			{"/ui/rules/changes", `document.querySelector(".changes button")?.hidden === false`},
			{"/ui/rules/long", `document.querySelector("#verdict").textContent.includes("test cases fail") && document.querySelector("#found").hidden === false`},
		} {
			b.do(chromedp.Navigate(r.URL + row.path))
			b.waits(row.path, row.ready)
			if row.path == "/ui/rules/new" {
				b.source(`{"id": "x", "when": {"shel": 1}, "decision": "deny"}`)
				b.waits("a problem", `document.querySelector("#problems button")`)
			}
			b.do(chromedp.Evaluate[chromedp.Void](string(axe)))
			found, err := chromedp.Run(b, chromedp.Evaluate[string](`axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}).then(r => r.violations.map(v => v.id + ": " + v.nodes.map(n => n.html).join(" ")).join("\n"))`, chromedp.EvalAwaitPromise))
			if err != nil || found != "" {
				t.Errorf("%s %s: %v\n%s", scheme, row.path, err, found)
			}
		}
	}
}
