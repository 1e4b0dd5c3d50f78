package api_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/approval"
)

func detailOf(t *testing.T, text string) (d struct {
	Effects []approval.Effect
	Earlier []approval.Earlier
	Offers  []approval.Offer
}) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// Who reads a request sees what the call does.
func TestEffects(t *testing.T) {
	c := newCaller(t, start(t))
	agent, boss := c.Token(t, "agent", "submit"), c.Token(t, "boss", "approve")
	for _, row := range []struct{ call, want string }{
		{`{"command":"rm -rf build old; make > log","dir":"/src"}`, "writes log; deletes build and below, old and below"},
		{`{"command":"cd sub && rm -r x /etc/y","dir":"/src"}`, "deletes /src/sub/x and below, /etc/y and below"},
		{`{"command":"curl https://h.example/x -o z; ssh -p 22 h2.example rm x","dir":"/src"}`, "connects to"},
		{`{"command":"rm -rf $X","dir":"/src"}`, "deletes something that is unknown and below"},
		{`{"tool":"write","input":{"file_path":"/src/.env","content":"x"},"dir":"/src"}`, "writes /src/.env"},
		{`{"tool":"web_fetch","input":{"url":"https://h.example:8443/a?b"},"dir":"/src"}`, "connects to h.example:8443"},
		{`{"tool":"mcp__x__y","input":{"a":"b"},"dir":"/src"}`, ""},
	} {
		r := c.Do(t, agent, "POST", "/v1/requests", `{"call":`+row.call+`,"asked":{"stage":"confirm"}}`)
		d := detailOf(t, c.Do(t, boss, "GET", "/v1/requests/"+text(r, "id"), "").Text)
		var parts []string
		for _, e := range d.Effects {
			parts = append(parts, e.Kind+" "+strings.Join(e.Targets, ", "))
		}
		if got := strings.Join(parts, "; "); !strings.Contains(got, row.want) || row.want == "" && got != "" {
			t.Errorf("%s: %q, want %q (%s)", row.call, got, row.want, r.Text)
		}
	}
}

// Who only submits has no line read again.
func TestNoEffects(t *testing.T) {
	c := newCaller(t, start(t))
	agent := c.Token(t, "agent", "submit")
	r := c.Do(t, agent, "POST", "/v1/requests", `{"call":{"command":"rm -rf build","dir":"/src"}}`)
	if d := detailOf(t, c.Do(t, agent, "GET", "/v1/requests/"+text(r, "id"), "").Text); d.Effects != nil {
		t.Errorf("%+v", d.Effects)
	}
}

// What was decided about the same call before is shown to who may decide, and
// not to who submits: it may have been another's.
func TestEarlier(t *testing.T) {
	c := newCaller(t, start(t))
	agent, other, boss := c.Token(t, "agent", "submit"), c.Token(t, "other", "submit"), c.Token(t, "boss", "approve")
	ask := func(token, call string) string {
		return "/v1/requests/" + text(c.Do(t, token, "POST", "/v1/requests", `{"call":`+call+`}`), "id")
	}
	first := ask(agent, push)
	c.do(200, boss, "POST", first+"/decision", `{"decision":"rejected","reason":"frozen"}`)
	ask(agent, strings.Replace(push, "push", "push -f", 1)) // another call
	second := ask(other, strings.Replace(push, "s1", "s2", 1))
	d := detailOf(t, c.do(200, boss, "GET", second, "").Text)
	if len(d.Earlier) != 1 || d.Earlier[0].Session != "s1" || d.Earlier[0].Decision.Reason != "frozen" || d.Earlier[0].Decision.By != "token:boss" {
		t.Errorf("%+v", d.Earlier)
	}
	if d := detailOf(t, c.do(200, other, "GET", second, "").Text); d.Earlier != nil {
		t.Errorf("the submitter sees %+v", d.Earlier)
	}
	for range approval.MaxEarlier {
		c.do(200, boss, "POST", second+"/decision", `{"decision":"approved_once"}`)
		second = ask(agent, push)
	}
	d = detailOf(t, c.do(200, boss, "GET", second, "").Text)
	if len(d.Earlier) != approval.MaxEarlier || d.Earlier[0].State != approval.Approved {
		t.Errorf("%+v", d.Earlier)
	}
	elsewhere := strings.Replace(push, `"/src"`, `"/other"`, 1)
	if d := detailOf(t, c.do(200, boss, "GET", ask(agent, elsewhere), "").Text); d.Earlier != nil {
		t.Errorf("elsewhere: %+v", d.Earlier)
	}
}
