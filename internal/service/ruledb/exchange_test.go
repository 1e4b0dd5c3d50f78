package ruledb

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Every change can be undone, whatever came after it, and that can be undone too.
func TestUndo(t *testing.T) {
	r := open(t, &memory{})
	e := engine(t, following{r})
	put(t, r, denyMake)                                          // 1
	put(t, r, strings.Replace(denyMake, `"deny"`, `"allow"`, 1)) // 2
	_, err := r.Delete(t.Context(), "token:ops", "no-make", nil) // 3
	must(t, err)
	for _, row := range []struct {
		want string
		undo int64
	}{
		{"allow no-make", 3}, {"deny no-make", 2}, {"ask", 1}, {"deny no-make", 6}, {"allow no-make", 3},
	} {
		w, err := r.Undo(t.Context(), "token:eve", row.undo, nil)
		must(t, err)
		if got := decide(t, e, "make x"); got != row.want || w.ID != "no-make" {
			t.Errorf("%d undone: %s, want %s", row.undo, got, row.want)
		}
	}
	list, err := r.Changes(t.Context(), "no-make", 0, 99)
	must(t, err)
	if len(list) != 8 || list[0].By != "token:eve" || list[0].Before == nil || list[0].After == nil {
		t.Errorf("%d changes, the last %+v", len(list), list[0])
	}
	wrong := "another"
	var stale *Stale
	if _, err := r.Undo(t.Context(), "token:eve", 1, &wrong); !errors.As(err, &stale) {
		t.Error(err)
	}
	if _, err := r.Undo(t.Context(), "token:eve", 99, nil); !errors.Is(err, ErrNoChange) {
		t.Error(err)
	}
}

// What another program wrote is a change with what was before it.
func TestForeignChanges(t *testing.T) {
	m := &memory{}
	r := open(t, m)
	put(t, r, denyMake)
	m.byHand("no-make", `{"shell.program":"gmake"}`, "deny")
	must(t, r.refresh(t.Context()))
	m.clear()
	must(t, r.refresh(t.Context()))
	list, err := r.Changes(t.Context(), "no-make", 0, 9)
	must(t, err)
	if len(list) != 3 || list[0].By != foreign || list[0].After != nil || list[0].Before.Source != `{"shell.program":"gmake"}` || list[1].Before.Source != `{"shell.program":"make"}` {
		t.Errorf("%+v", list)
	}
}

const imported = `id,label,priority,enabled,dialect,source,decision,reason
no-make,,0,1,pattern,"{""shell.program"":""make""}",deny,no make here
git,,0,1,pattern,"{""shell.program"":""git""}",deny,other
new,,3,0,pattern,"{",deny,
`

// An import says what becomes of each rule, and does all of it or nothing.
func TestImport(t *testing.T) {
	r := open(t, &memory{})
	put(t, r, denyMake)
	put(t, r, `{"id":"git","when":{"shell.program":"git"},"decision":"deny","cases":[{"command":"git x","match":true}]}`)
	put(t, r, allowMake)
	text := strings.Replace(imported, "\nnew,", "\nfresh,", 1)
	plan, err := r.Plan(t.Context(), text)
	must(t, err)
	got := fmt.Sprintln(len(plan.Added), plan.Added[0].ID, len(plan.Changed), plan.Changed[0].ID, plan.Same, plan.Others, plan.Done)
	if got != "1 fresh 1 git [no-make] 1 false\n" || !strings.Contains(plan.Changed[0].After, `"reason": "other"`) || strings.Contains(plan.Changed[0].Before, "reason") {
		t.Errorf("%s %+v", got, plan)
	}
	if rows, _ := r.List(t.Context()); len(rows) != 3 {
		t.Errorf("%d rules after a plan", len(rows))
	}
	var stale *Stale
	if _, err := r.Import(t.Context(), "token:ops", text, "old"); !errors.As(err, &stale) {
		t.Error(err)
	}
	if plan, err = r.Import(t.Context(), "token:ops", text, plan.Revision); err != nil || !plan.Done {
		t.Fatal(err)
	}
	git, _, _ := r.Get(t.Context(), "git")
	if *git.Reason != "other" || git.Cases == nil {
		t.Errorf("%+v", git)
	}
	if fresh, ok, _ := r.Get(t.Context(), "fresh"); !ok || fresh.Source != "{" || fresh.Enabled != 0 {
		t.Errorf("%+v", fresh)
	}
	var wrong *Invalid
	for _, text := range []string{
		imported, // the id new is taken
		"", "x", "[7]", `{"version":1,"rules":[{"id":"a"}]}`, `[{"id":"a b","enabled":1,"source":"{\"verb\":\"x\"}","decision":"deny"}]`,
		`[{"id":"ok","priority":1,"enabled":1,"source":"{\"verb\":\"x\"}","decision":"deny"},{"id":"bad","priority":1,"enabled":1,"source":"{\"vreb\":1}","decision":"deny"}]`,
	} {
		plan, err := r.Plan(t.Context(), text)
		if err == nil {
			_, err = r.Import(t.Context(), "token:ops", text, plan.Revision)
		}
		if !errors.As(err, &wrong) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if rows, _ := r.List(t.Context()); len(rows) != 4 {
		t.Errorf("%d rules", len(rows))
	}
}

// What is exported and imported elsewhere is the same, in every format.
func TestExport(t *testing.T) {
	r := open(t, &memory{})
	put(t, r, denyMake)
	put(t, r, `{"id":"llm","label":"a, \"b\"\u202e","priority":4,"when":{"any":[{"verb":{"startsWith":"x"}},{"tags":["y"]}]},"decision":"require_llm","llmPrompt":"a\nb","llmCacheTtlS":60,"cases":[{"record":{"verb":"xy"},"match":true}]}`)
	put(t, r, `{"id":"off","enabled":false,"when":{"verb":"x"},"decision":"require_human","timeoutMs":5000}`)
	for format := range Formats {
		text, err := r.Export(t.Context(), format)
		must(t, err)
		other := open(t, &memory{})
		plan, err := other.Plan(t.Context(), string(text))
		if err != nil {
			t.Errorf("%s: %v\n%s", format, err, text)
			continue
		}
		_, err = other.Import(t.Context(), "token:ops", string(text), plan.Revision)
		must(t, err)
		rows, _ := r.List(t.Context())
		for _, want := range rows {
			got, _, _ := other.Get(t.Context(), want.ID)
			if got.Text() != want.Text() || (got.Cases == nil) != (want.Cases == nil) {
				t.Errorf("%s: %s\nbecomes\n%s", format, want.Text(), got.Text())
			}
		}
		if format != "yaml" && other.Revision() != r.Revision() {
			t.Errorf("%s: another revision", format)
		}
	}
}
