package compat

import (
	"fmt"
	"strings"
	"testing"
)

// Plugins say what their records are, and the builder of rules finds it, with
// the profiles and integrations that are known.
func TestCatalogue(t *testing.T) {
	r := newRig(t, nil)
	admin := r.Token(t, "admin", "admin")
	const schema = `{"pluginId":"github","type":"github.repo.delete","label":"Delete repository","primary":"http","defaultSensitivity":"destructive","facets":["http"]}`
	built := r.do(200, r.boss, "GET", "/api/action-schemas", "").Text
	r.do(403, r.boss, "POST", "/api/action-schemas", schema)
	for _, body := range []string{schema, "[" + schema + "]", `{"schemas":[` + schema + `]}`} {
		r.do(200, admin, "POST", "/api/action-schemas", body)
	}
	r.do(400, admin, "POST", "/api/action-schemas", strings.Replace(schema, "github", "policyctl", 1))
	r.do(400, admin, "POST", "/api/action-schemas", strings.Replace(schema, "label", "Label", 1))
	got := r.do(200, r.boss, "GET", "/api/action-schemas", "").Text
	want := strings.TrimSuffix(built, "]}\n") + `,` + strings.Replace(schema, `"primary"`, `"description":"","primary"`, 1) + "]}\n"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	r.do(200, admin, "POST", "/api/rules", `{"id":"a","priority":1,"scopePluginId":"github","scopeProfileId":"work","scopeIntegrationId":"int-1","source":"{\"verb\":\"x\"}","decision":"deny"}`)
	r.do(201, r.agent, "POST", "/v1/requests", `{"call":{"tool":"shell","input":{"command":"make"},"dir":"/src","scope":{"plugin":"gitlab","profile":"home","integration":"int-2"}}}`)
	for path, want := range map[string]string{
		"/api/profiles":                   `{"profiles":[{"id":"home"},{"id":"work"}]}`,
		"/api/integrations":               `{"integrations":[{"id":"int-1","pluginId":"github"},{"id":"int-2","pluginId":"gitlab"}]}`,
		"/api/integrations?plugin=github": `{"integrations":[{"id":"int-1","pluginId":"github"}]}`,
		"/api/integrations?plugin=none":   `{"integrations":[]}`,
	} {
		var got string
		for range 50 { // calls are kept a little later
			if got = r.do(200, r.boss, "GET", path, "").Text; got == want+"\n" {
				break
			}
			pause()
		}
		if got != want+"\n" {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// Every representation of an ask has the risk, and every dangerous pattern of
// the line, not only the first.
func TestAssessment(t *testing.T) {
	r := newRig(t, nil)
	for command, want := range map[string]string{
		"make deploy": "medium []", "git reset --hard && sudo rm -rf build": "high [git-reset-hard sudo rm-recursive rm-force]",
	} {
		id := r.propose("s", command)
		a := r.do(200, r.boss, "GET", "/api/approvals/"+id, "")
		dangers, _ := a.At("dangerous").([]any)
		if got := fmt.Sprint(a.At("risk"), " ", dangers); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
		own := r.do(200, r.boss, "GET", "/v1/requests/"+id, "").At("asked").(map[string]any)
		if risk, ids := own["risk"], idsOf(own["dangerous"]); fmt.Sprint(risk, " ", ids) != want {
			t.Errorf("%s: %s %s, want %s", command, risk, ids, want)
		}
		pending := r.do(200, r.boss, "GET", "/api/pending-actions?limit=1", "").At("pending").([]any)[0].(map[string]any)
		dangers, _ = pending["dangerous"].([]any)
		if got := fmt.Sprint(pending["risk"], " ", dangers); got != want {
			t.Errorf("pending %s: %s, want %s", command, got, want)
		}
	}
}

func idsOf(dangers any) []any {
	out := []any{}
	list, _ := dangers.([]any)
	for _, d := range list {
		out = append(out, d.(map[string]any)["rule"])
	}
	return out
}

// The code of a reason stands beside its prose.
func TestReasonCode(t *testing.T) {
	r := newRig(t, nil)
	id := r.propose("s", "make a")
	code := func(path string) any { return r.do(200, r.boss, "GET", path, "").At("reason_code") }
	for _, want := range []string{"none", "rejected"} {
		for _, path := range []string{"/api/approvals/", "/v1/requests/"} {
			if got := code(path + id); got != want {
				t.Errorf("%s: %v, want %s", path, got, want)
			}
		}
		r.do(200, r.boss, "POST", "/api/approvals/"+id+"/deny", `{"reason":"no"}`)
	}
	done := stock{r.url()}.start(body("clr_1", "x", nil))
	r.pending("clr_1")
	r.Skip(301e9)
	wait(t, done)
	if got := code("/requests/clr_1"); got != "timed_out" {
		t.Errorf("a program: %v", got)
	}
}
