package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/channeltest"
	"github.com/policyctl/policyctl/internal/service/compat"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/internal/service/stream"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A changing is a service whose policy changes while requests wait.
type changing struct {
	*caller
	phone       *channeltest.Driver
	agent, boss string
}

func newChanging(t *testing.T) *changing {
	t.Helper()
	phone := &channeltest.Driver{}
	c := newCaller(t, servertest.New(t, servertest.Options{
		Channels: []channel.Channel{{Name: "phone", Type: "memory", Driver: phone, People: map[string]string{"1": "ann"}, OneTap: "high"}},
		More:     func(hub *stream.Hub) []route.Family { return compat.New(hub, "").Families() },
	}))
	return &changing{c, phone, c.Token(t, "agent", "submit"), c.Token(t, "boss", "approve,read,admin")}
}

// rule writes the rule about make; more is what stands beside its decision.
func (c *changing) rule(decision, more string) {
	c.t.Helper()
	c.rules("make", "make", decision, more)
}

func (c *changing) rules(id, program, decision, more string) {
	c.t.Helper()
	body := fmt.Sprintf(`{"when":{"shell.program":%q},"decision":%q%s}`, program, decision, more)
	if a := c.Do(c.t, c.boss, "PUT", "/v1/rules/"+id, body); a.Status >= 300 {
		c.t.Fatalf("%s: %d %s", body, a.Status, a.Text)
	}
}

// ways are the surfaces on which a request is approved: each says what the answer was.
func (c *changing) ways() map[string]func(id string) string {
	post := func(path, body string) string { return c.Do(c.t, c.boss, "POST", path, body).Text }
	return map[string]func(id string) string{
		"api": func(id string) string { return post("/v1/requests/"+id+"/decision", `{"decision":"approved_once"}`) },
		"page": func(id string) string { // which another request has had refreshed
			return post("/v1/requests/"+id+"/decision", fmt.Sprintf(`{"decision":"approved_once","revision":%q}`, c.Decider.Engine().Revision()))
		},
		"supervisor": func(id string) string { return post("/api/approvals/"+id+"/approve", "") },
		"terminal": func(id string) string {
			client, err := approval.NewClient(c.URL, c.boss)
			if err != nil {
				c.t.Fatal(err)
			}
			_, err = client.Decide(c.t.Context(), id, approval.Answer{Word: approval.ApprovedOnce})
			return fmt.Sprint(err)
		},
		"chat": func(id string) string {
			m := c.phone.Await(c.t, id)
			return c.phone.Say(c.t, channel.Answer{Sender: "1", Token: channeltest.Token(c.t, m, "Approve once")}).Text
		},
	}
}

// What the policy denies by the time of the answer is closed on every surface, and says why.
func TestDeniedByNow(t *testing.T) {
	c := newChanging(t)
	for name, approve := range c.ways() {
		c.rule("require_human", "")
		id := text(c.submitted(c.agent, name, "make "+name), "id")
		c.phone.Await(t, id)
		c.rule("deny", `,"reason":"frozen until Monday"`)
		said := approve(id)
		got := c.Do(t, c.boss, "GET", "/v1/requests/"+id, "")
		if text(got, "state") != "DENIED" || text(got, "decision.decided_by") != "policy" || got.At("receipt") != nil || !strings.Contains(text(got, "decision.reason"), "frozen until Monday") {
			t.Errorf("%s: %s", name, got.Text)
		}
		if name != "supervisor" && !strings.Contains(said, "frozen until Monday") && !strings.Contains(said, "denied") {
			t.Errorf("%s was told %s", name, said)
		}
	}
}

// What another rule asks for, or on stricter terms, is asked again before it is approved.
func TestAskedOtherwiseByNow(t *testing.T) {
	for change, row := range map[string]struct {
		do    func(c *changing)
		shows string
	}{
		"another rule": {func(c *changing) {
			c.rules("other", "make", "require_human", `,"priority":9`)
		}, `"rule":"other"`},
		"one more person": {func(c *changing) { c.rule("require_human", `,"approverPluginId":"ann,boss","approverAny":2`) }, `"quorum":2`},
		"somebody else":   {func(c *changing) { c.rule("require_human", `,"approverPluginId":"zoe"`) }, `"approver":"zoe"`},
		"one person":      {func(c *changing) { c.rule("require_human", `,"priority":3,"approverPluginId":"boss"`) }, `"approver":"boss"`},
	} {
		c := newChanging(t)
		c.Token(t, "ann", "approve")
		c.Token(t, "zoe", "approve")
		for name, approve := range c.ways() {
			c.rule("require_human", "")
			id := text(c.submitted(c.agent, name, "make "+name), "id")
			c.phone.Await(t, id)
			row.do(c)
			said := approve(id)
			got := c.Do(t, c.boss, "GET", "/v1/requests/"+id, "")
			if text(got, "state") != "PENDING" || !strings.Contains(got.Text, row.shows) || !strings.Contains(said, "policy has changed") {
				t.Errorf("%s, %s: told %s\n%s", change, name, said, got.Text)
			}
			// What was shown before is over on every surface, however often it is answered.
			if again := approve(id); !strings.Contains(again, "policy has changed") && !strings.Contains(again, "another approver must decide") {
				t.Errorf("%s, %s: answered again: %s", change, name, again)
			}
			if got := c.Do(t, c.boss, "GET", "/v1/requests/"+id, ""); text(got, "state") != "PENDING" {
				t.Errorf("%s, %s: approved unseen: %s", change, name, got.Text)
			}
			c.Do(t, c.boss, "DELETE", "/v1/rules/other", "")
		}
	}
}

// A policy that says the same, or less, changes nothing; and a loop that was counted
// meanwhile neither.
func TestAskedTheSameByNow(t *testing.T) {
	for change, do := range map[string]func(c *changing){
		"nothing":           func(*changing) {},
		"another call":      func(c *changing) { c.rules("npm", "npm", "deny", "") },
		"an allow":          func(c *changing) { c.rule("allow", "") },
		"fewer people":      func(c *changing) { c.rule("require_human", "") },
		"a further request": func(c *changing) { c.submitted(c.agent, "further", "make further") },
		"a loop": func(c *changing) {
			for i := range 12 {
				c.Do(t, c.agent, "POST", "/v1/decide", fmt.Sprintf(`{"id":"l%d","tool":"shell","input":{"command":"make x"},"session":"s1","dir":"/src"}`, i))
			}
		},
	} {
		c := newChanging(t)
		c.rule("require_human", `,"approverPluginId":"boss"`)
		a := c.submitted(c.agent, "1", "make x")
		do(c)
		got := c.do(200, c.boss, "POST", "/v1/requests/"+text(a, "id")+"/decision", `{"decision":"approved_once"}`)
		if text(got, "state") != "APPROVED" {
			t.Errorf("%s: %s", change, got.Text)
		}
	}
}

// Once a request was asked again, it is approved by who names its revision, on every
// surface: the other approver, whose page shows what was asked before, is told first.
func TestApprovedByRevision(t *testing.T) {
	c := newChanging(t)
	terminal := func(token, id, revision string) error {
		client, err := approval.NewClient(c.URL, token)
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.Decide(t.Context(), id, approval.Answer{Word: approval.ApprovedOnce, Revision: revision})
		return err
	}
	second := c.Token(t, "second", "approve,read")
	for name, approve := range map[string]func(id, revision string) string{
		"api": func(id, revision string) string {
			return c.Do(t, second, "POST", "/v1/requests/"+id+"/decision", fmt.Sprintf(`{"decision":"approved_once","revision":%q}`, revision)).Text
		},
		"supervisor": func(id, revision string) string {
			return c.Do(t, second, "POST", "/api/approvals/"+id+"/approve", fmt.Sprintf(`{"revision":%q}`, revision)).Text
		},
		"queue": func(id, revision string) string {
			return c.Do(t, second, "POST", "/api/pending-actions/"+id+"/decision", fmt.Sprintf(`{"decision":"allow","revision":%q}`, revision)).Text
		},
		"terminal": func(id, revision string) string { return fmt.Sprint(terminal(second, id, revision)) },
		"chat": func(id, revision string) string {
			channeltest.Until(t, "a newer message asks", func() bool { return len(c.phone.Posted(id)) == 2 && len(c.phone.Amended(id)) == 1 })
			messages := c.phone.Posted(id)
			if revision == "" { // the button of before
				return c.phone.Say(t, channel.Answer{Sender: "1", Token: channeltest.Token(t, messages[0], "Approve once"), Confirmed: true}).Text
			}
			old := c.phone.Amended(id)[0]
			if !strings.Contains(messages[1].Text(), "Asked again: ") || len(old.Buttons) > 0 || !old.Replaced || !strings.Contains(old.Outcome, "a newer message asks") {
				t.Errorf("told %s\nand %+v", messages[1].Text(), old)
			}
			return c.phone.Say(t, channel.Answer{Sender: "1", Token: channeltest.Token(t, messages[1], "Approve once"), Confirmed: true}).Text
		},
	} {
		c.rule("require_human", "")
		id := text(c.submitted(c.agent, name, "make "+name), "id")
		c.phone.Await(t, id)
		c.rules("other", "make", "require_human", `,"priority":9`)
		first := c.Do(t, c.boss, "POST", "/v1/requests/"+id+"/decision", `{"decision":"approved_once"}`)
		if first.Status != 409 || text(first, "request.revision") == "" {
			t.Errorf("%s: %s", name, first.Text)
		}
		for _, revision := range []string{"", "again-0", c.Decider.Engine().Revision()} {
			if said := approve(id, revision); name != "chat" && !strings.Contains(said, "policy has changed") || name == "chat" && revision == "" && !strings.Contains(said, "nothing is decided") {
				t.Errorf("%s: %q approves unseen: %s", name, revision, said)
			}
			if name == "chat" {
				break
			}
		}
		approve(id, text(first, "request.revision"))
		if got := c.Do(t, c.boss, "GET", "/v1/requests/"+id, ""); text(got, "state") != "APPROVED" {
			t.Errorf("%s: %s", name, got.Text)
		}
		c.Do(t, c.boss, "DELETE", "/v1/rules/other", "")
	}
}

// A denial needs no revision: it lets nothing run.
func TestDeniedWithoutRevision(t *testing.T) {
	c := newChanging(t)
	c.rule("require_human", "")
	path := "/v1/requests/" + text(c.submitted(c.agent, "1", "make x"), "id") + "/decision"
	c.rules("other", "make", "require_human", `,"priority":9`)
	c.do(409, c.boss, "POST", path, `{"decision":"approved_once"}`)
	if a := c.do(200, c.boss, "POST", path, `{"decision":"rejected"}`); text(a, "state") != "DENIED" {
		t.Errorf("%s", a.Text)
	}
}

// Votes that were given on other terms are void.
func TestVotesOfBefore(t *testing.T) {
	c := newChanging(t)
	ann, bob := c.Token(t, "ann", "approve"), c.Token(t, "bob", "approve")
	c.rule("require_human", `,"approverPluginId":"ann,bob,boss","approverAny":2`)
	path := "/v1/requests/" + text(c.submitted(c.agent, "1", "make x"), "id") + "/decision"
	const yes = `{"decision":"approved_once"}`
	c.do(200, ann, "POST", path, yes)
	c.rules("other", "make", "require_human", `,"priority":9,"approverPluginId":"ann,bob,boss","approverAny":2`)
	if a := c.do(409, bob, "POST", path, yes); a.Code() != "policy-changed" || !strings.Contains(a.Text, "other asks") {
		t.Errorf("%s", a.Text)
	}
	shown := c.do(409, bob, "POST", path, yes) // which says again what it asks now
	now := fmt.Sprintf(`{"decision":"approved_once","revision":%q}`, text(shown, "request.revision"))
	if a := c.do(200, bob, "POST", path, now); text(a, "state") != "PENDING" {
		t.Errorf("a vote of before counts: %s", a.Text)
	}
	if a := c.do(200, ann, "POST", path, now); text(a, "state") != "APPROVED" {
		t.Errorf("%s", a.Text)
	}
	if a := c.do(200, c.boss, "GET", "/v1/audit/verify", ""); a.At("ok") != true {
		t.Errorf("%s", a.Text)
	}
	if a := c.do(200, c.boss, "GET", "/v1/audit?kind=change", ""); !strings.Contains(a.Text, `"answered_by":"token:bob"`) {
		t.Errorf("%s", a.Text)
	}
}

// A receipt does not let run what the policy denies by now, or another rule asks for; and
// to verify it says what to use it would.
func TestReceiptByNow(t *testing.T) {
	for change, row := range map[string]struct {
		do   func(c *changing)
		want string
	}{
		"nothing":      {func(*changing) {}, ""},
		"an allow":     {func(c *changing) { c.rule("allow", "") }, ""},
		"a denial":     {func(c *changing) { c.rule("deny", `,"reason":"frozen"`) }, "frozen"},
		"another rule": {func(c *changing) { c.rules("other", "make", "require_human", `,"priority":9`) }, "other asks"},
	} {
		c := newChanging(t)
		c.rule("require_human", "")
		id := text(c.submitted(c.agent, "1", "make x"), "id")
		c.do(200, c.boss, "POST", "/v1/requests/"+id+"/decision", `{"decision":"approved_once"}`)
		receipt, err := json.Marshal(map[string]any{"receipt": c.Do(t, c.agent, "GET", "/v1/requests/"+id, "").At("receipt.receipt")})
		if err != nil {
			t.Fatal(err)
		}
		row.do(c)
		for _, path := range []string{"/v1/receipts/verify", "/v1/receipts/consume"} {
			a := c.Do(t, c.agent, "POST", path, string(receipt))
			if (a.Status == 200) != (row.want == "") || row.want != "" && (a.Code() != "receipt" || !strings.Contains(a.Text, row.want)) {
				t.Errorf("%s, %s: %d %s", change, path, a.Status, a.Text)
			}
		}
	}
}

// To verify a receipt says what to use it would come to, to the same caller.
func TestVerifyAsConsume(t *testing.T) {
	c := newChanging(t)
	c.rule("require_human", "")
	other, reader := c.Token(t, "other", "submit,read"), c.Token(t, "reader", "read")
	take := func(id string) string {
		id = text(c.submitted(c.agent, id, "make "+id), "id")
		c.do(200, c.boss, "POST", "/v1/requests/"+id+"/decision", `{"decision":"approved_once"}`)
		return body(map[string]any{"receipt": c.Do(t, c.agent, "GET", "/v1/requests/"+id, "").At("receipt.receipt")})
	}
	used, fresh := take("used"), take("fresh")
	c.do(200, c.agent, "POST", "/v1/receipts/consume", used)
	for _, row := range []struct {
		name, token, receipt, code, says string
		status                           int
	}{
		{"fresh", c.agent, fresh, "", "", 200}, {"fresh, to a reader", reader, fresh, "", "", 200},
		{"used", c.agent, used, "receipt-consumed", "consumed already", 409}, {"used, to a reader", reader, used, "receipt-consumed", "consumed already", 409},
		{"of another", other, fresh, "receipt", "token:other did not submit the request", 422},
	} {
		a := c.Do(t, row.token, "POST", "/v1/receipts/verify", row.receipt)
		if a.Status != row.status || a.Status != 200 && (a.Code() != row.code || !strings.Contains(a.Text, row.says)) {
			t.Errorf("%s: %d %s", row.name, a.Status, a.Text)
		}
		if row.token == reader || row.status == 200 {
			continue
		}
		if b := c.Do(t, row.token, "POST", "/v1/receipts/consume", row.receipt); b.Status != a.Status || text(b, "detail") != text(a, "detail") {
			t.Errorf("%s: consume says %s, verify %s", row.name, b.Text, a.Text)
		}
	}
}

// newCallerOf is a service with some channels.
func newCallerOf(t *testing.T, channels []channel.Channel) *caller {
	t.Helper()
	return newCaller(t, servertest.New(t, servertest.Options{Channels: channels}))
}
