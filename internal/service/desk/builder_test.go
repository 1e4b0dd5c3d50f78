package desk_test

import (
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// at chooses a control of the builder.
func at(name string) string { return `[data-at="` + name + `"]` }

// Who fills in a condition from field to field has each key where the focus is: choosing a
// field or an operator takes neither the focus nor what was typed elsewhere.
func TestBuilderKeepsFocus(t *testing.T) {
	r := newRig(t)
	b := open(t, 1200, 900)
	b.logIn(r)
	b.openRule(r, "new")
	b.do(chromedp.Focus(at("when.0.path")), chromedp.Evaluate[chromedp.Void](`document.activeElement.select(); window.path = document.activeElement`))
	b.keys("http.method\t") // as a person who knows the name
	if got := b.text(`document.activeElement.dataset.at + " " + window.path.isConnected`); got != "when.0.op true" {
		t.Fatalf("the focus is on %s", got)
	}
	b.keys("\tPOST\t")
	if got := b.text(`document.activeElement.textContent + " " + JSON.stringify(rule.when)`); got != `Remove {"http.method":"POST"}` {
		t.Fatalf("it is %s", got)
	}
	// What was typed before stays when the field is chosen after it.
	b.click(at("when+test"))
	b.do(chromedp.SendKeys(at("when.1.value"), "443"), chromedp.SendKeys(at("when.1.path"), "http.port"))
	b.keys("\t")
	if got := b.text(`document.activeElement.dataset.at + " " + JSON.stringify(rule.when)`); got != `when.1.op {"http.method":"POST","http.port":443}` {
		t.Errorf("it is %s", got)
	}
	// An operator that does not fit the field that is chosen now is not kept.
	b.choose(at("when.0.op"), "glob")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('[data-at="when.0.path"]').select()`), chromedp.SendKeys(at("when.0.path"), "http.status"))
	b.keys("\t")
	if got := b.text(`[...document.activeElement.options].map((o) => o.value).join(" ") + ": " + document.activeElement.value`); got != " equals in exists gt gte lt lte: " {
		t.Errorf("the operators of a number are %s", got)
	}
}

// A value that cannot be read yet stays as it was typed when the rest is drawn anew, and is
// not saved as something else.
func TestBuilderKeepsWhatIsTyped(t *testing.T) {
	r := newRig(t)
	b := open(t, 1200, 900)
	b.logIn(r)
	b.openRule(r, "new")
	b.source(`{"id": "x", "when": {"mcp.arguments": {"equals": {"a": 1}}}, "decision": "deny"}`)
	b.choose(at("when.0.value"), `{"a": [1, `)
	b.click(at("when+test"))
	b.choose(at("when.1.path"), "verb")
	b.choose(at("when.1.value"), "push")
	if got := b.text(`document.querySelector('[data-at="when.0.value"]').value`); got != `{"a": [1, ` {
		t.Errorf("it has become %s", got)
	}
	b.click("#save")
	b.shows("Not saved: a value of the condition cannot be read.")
	if a := r.stored(t, "x"); a.Status != 404 {
		t.Errorf("it is stored: %s", a.Text)
	}
}

// A condition that compares with nothing is not saved, however it came about.
func TestEmptyValueRefused(t *testing.T) {
	r := newRig(t)
	b := open(t, 1200, 900)
	b.logIn(r)
	b.openRule(r, "new")
	b.choose(`[data-key="id"]`, "x")
	b.choose(`[data-key="decision"]`, "allow")
	for _, row := range []struct{ name, path, op, value, want string }{
		{"no value", "shell.program", "", "", "has no value"},
		{"spaces", "shell.program", "", "  ", "has no value"},
		{"no field", "", "", "make", "has no field"},
		{"an empty list", "shell.program", "in", "", "has no value"},
		{"a list of commas", "shell.program", "in", " , ,\n", "has no value"},
	} {
		b.choose(at("when.0.path"), row.path)
		b.choose(at("when.0.op"), row.op)
		b.choose(at("when.0.value"), row.value)
		b.click("#save")
		b.waits(row.name, `document.querySelector("#status").textContent.includes(`+quote(row.want)+`)`)
		if a := r.stored(t, "x"); a.Status != 404 {
			t.Fatalf("%s: it is stored: %s", row.name, a.Text)
		}
		b.do(chromedp.Evaluate[chromedp.Void](`say("")`))
	}
	b.choose(at("when.0.op"), "exists") // which compares with nothing
	b.click("#save")
	b.shows("Saved: x.")
}

// Lists take commas and lines; a comma within brackets is part of a value.
func TestBuilderLists(t *testing.T) {
	r := newRig(t)
	b := open(t, 1200, 900)
	b.logIn(r)
	b.openRule(r, "new")
	b.choose(at("when.0.op"), "in")
	for typed, want := range map[string]string{
		"make, npm":                `["make","npm"]`,
		"make\nnpm,cargo\n":        `["make","npm","cargo"]`,
		"*.{js,ts}, [a,b], f(x,y)": `["*.{js,ts}","[a,b]","f(x,y)"]`,
		"one":                      `["one"]`,
	} {
		b.choose(at("when.0.value"), typed)
		if got := b.text(`JSON.stringify(rule.when["shell.program"].in)`); got != want {
			t.Errorf("%q is %s, want %s", typed, got, want)
		}
	}
	b.source(`{"id": "x", "when": {"verb": {"in": ["a, b", "c"]}}, "decision": "deny"}`)
	b.choose(`[data-key="reason"]`, "r")
	if got := b.text(`JSON.stringify(rule.when)`); got != `{"verb":{"in":["a, b","c"]}}` {
		t.Errorf("a value with a comma has become %s", got)
	}
}

// Who leaves with changes is asked; who has saved, or changed nothing, is not.
func TestLeavingAsks(t *testing.T) {
	r := newRig(t)
	r.put(t, noDeploy)
	b := open(t, 1200, 900)
	asked := make(chan bool, 9)
	if err := chromedp.Listen(b, func(ev any) {
		if _, is := ev.(*page.EventJavascriptDialogOpening); is {
			asked <- true
			go func() {
				_, _ = chromedp.Call(b, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
			}()
		}
	}); err != nil {
		t.Fatal(err)
	}
	b.logIn(r)
	for _, row := range []struct {
		name   string
		change func()
		asks   int
	}{
		{"nothing", func() { b.click("#source") }, 0},
		{"a term", func() { b.click(`[data-key="reason"]`); b.keys("more") }, 1},
		{"the source", func() { b.click("#source"); b.keys(" ") }, 1},
		{"a test case", func() { b.click("#add-case") }, 1},
		{"what is saved", func() {
			b.click(`[data-key="reason"]`)
			b.keys("more")
			b.click("#save")
			b.shows("Saved: no-deploy")
		}, 0},
	} {
		b.openRule(r, "no-deploy")
		row.change()
		b.click(`nav a[href="/ui/rules"]`)
		b.waits(row.name+": the list", `location.pathname === "/ui/rules"`)
		if got := len(asked); got != row.asks {
			t.Errorf("%s: asked %d times, want %d", row.name, got, row.asks)
		}
		for len(asked) > 0 {
			<-asked
		}
	}
}
