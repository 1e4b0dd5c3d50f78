package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/auth/authtest"
	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/channeltest"
	"github.com/policyctl/policyctl/pkg/approval"
)

const yes = `{"decision":"approved_once"}`

// Whoever bears the name of the submitter cannot decide, by whatever credential: for one
// decision as for votes, and for what else only others may do.
func TestOnePersonDecidesNothingOfTheirs(t *testing.T) {
	c := newChanging(t)
	c.rule("require_human", "")
	agent, decides := c.Token(t, "Ann", "submit"), c.Token(t, "ann", "approve,read")
	id := text(c.submitted(agent, "1", "make x"), "id")
	path := "/v1/requests/" + id
	if a := c.Do(t, decides, "POST", path+"/decision", yes); a.Status != 403 || a.Code() != "self-decision" {
		t.Errorf("a token of the same name: %d %s", a.Status, a.Text)
	}
	if a := c.Do(t, decides, "POST", path+"/extend", `{"for":"1m"}`); a.Status != 403 {
		t.Errorf("more time: %d %s", a.Status, a.Text)
	}
	m := c.phone.Await(t, id)
	if reply := c.phone.Say(t, channel.Answer{Sender: "1", Token: channeltest.Token(t, m, "Approve once")}); reply.Done {
		t.Errorf("the sender of the same name: %+v", reply)
	}
	if _, err := c.Backend.Decide(t.Context(), auth.Identity{Name: "passkey:ann", Scopes: auth.Approve}, id, approval.Answer{Word: approval.ApprovedOnce}, nil); err == nil {
		t.Error("a login by the passkey of the same name decided")
	}
	if a := c.do(200, c.boss, "POST", path+"/decision", yes); text(a, "state") != "APPROVED" {
		t.Errorf("somebody else: %s", a.Text)
	}
	if a := c.Do(t, decides, "POST", path+"/revoke", `{}`); a.Status != 403 {
		t.Errorf("to take it back: %d %s", a.Status, a.Text)
	}
}

// A vote stands while the credential that gave it may decide, whatever else has its name.
func TestVoteOfItsOwnCredential(t *testing.T) {
	c := newChanging(t) // whose phone knows ann
	c.rule("require_human", `,"approverPluginId":"ann,bob,boss","approverAny":2`)
	ann, bob := c.Token(t, "ann", "approve,read"), c.Token(t, "bob", "approve")
	path := "/v1/requests/" + text(c.submitted(c.agent, "1", "make x"), "id")
	who := text(c.do(200, ann, "GET", "/v1/whoami", ""), "token_id")
	c.do(200, ann, "POST", path+"/decision", yes)
	c.do(200, c.boss, "DELETE", "/v1/tokens/"+who, "")
	if a := c.do(200, bob, "POST", path+"/decision", yes); text(a, "state") != "PENDING" {
		t.Errorf("a vote counts whose token was revoked: %s", a.Text)
	}
	if a := c.do(200, c.boss, "POST", path+"/decision", yes); text(a, "state") != "APPROVED" {
		t.Errorf("%s", a.Text)
	}
}

// The number of a login is the name of nobody.
func TestNumberIsNoName(t *testing.T) {
	c := newChanging(t)
	c.Token(t, "1", "approve")
	c.rule("require_human", `,"approverPluginId":"1"`)
	id := text(c.submitted(c.agent, "1", "make x"), "id")
	login := c.Do(t, "", "POST", "/v1/login", fmt.Sprintf(`{"code":%q}`, authtest.Code(c.Logins)))
	if text(login, "identity") != "login:1" {
		t.Fatal(login.Text)
	}
	if a := c.Do(t, text(login, "token"), "POST", "/v1/requests/"+id+"/decision", yes); a.Status != 403 || a.Code() != "not-approver" {
		t.Errorf("%d %s", a.Status, a.Text)
	}
}

// A person beside a channel is told where they can answer.
func TestEachIsToldByWhatTheyHave(t *testing.T) {
	chat, mail := &channeltest.Driver{}, &channeltest.Driver{}
	c := newCallerOf(t, []channel.Channel{
		{Name: "chat", Type: "memory", Driver: chat, People: map[string]string{"1": "bob"}, OneTap: "high"},
		{Name: "mail", Type: "memory", Driver: mail, People: map[string]string{"1": "ann"}, OneTap: "high"},
	})
	agent, admin := c.Token(t, "agent", "submit"), c.Token(t, "boss", "admin")
	body := `{"when":{"shell.program":"make"},"decision":"require_human","approverPluginId":"chat,ann,pager"}`
	if a := c.Do(t, admin, "PUT", "/v1/rules/make", body); a.Status >= 300 {
		t.Fatal(a.Text)
	}
	id := text(c.submitted(agent, "1", "make x"), "id")
	chat.Await(t, id)
	m := mail.Await(t, id)
	if reply := mail.Say(t, channel.Answer{Sender: "1", Token: channeltest.Token(t, m, "Approve once")}); !reply.Done || !strings.Contains(reply.Text, "approved") {
		t.Errorf("%+v", reply)
	}
}

// A secret in the reason of a decision reaches neither the agent nor the log.
func TestSecretsInReasons(t *testing.T) {
	c := newChanging(t)
	c.rule("require_human", "")
	const secret = "dckr_pat_Ab3dEf6hIj9lMn2pQr5tUv8xYz1"
	id := text(c.submitted(c.agent, "1", "make x"), "id")
	said := c.do(200, c.boss, "POST", "/v1/requests/"+id+"/decision", `{"decision":"rejected","reason":"use `+secret+` instead"}`)
	log := c.do(200, c.boss, "GET", "/v1/audit", "")
	for _, got := range []string{said.Text, c.Do(t, c.agent, "GET", "/v1/requests/"+id, "").Text, log.Text} {
		if strings.Contains(got, secret) || !strings.Contains(got, "[redacted docker-token]") {
			t.Errorf("%s", got)
		}
	}
	if a := c.Do(t, c.boss, "POST", "/v1/tokens", `{"name":"x","scopes":["approve "]}`); a.Status != 400 {
		t.Errorf("a scope with a blank: %d %s", a.Status, a.Text)
	}
}
