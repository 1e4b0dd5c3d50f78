package api_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/channeltest"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/pkg/policy"
)

func TestChannels(t *testing.T) {
	phone := &channeltest.Driver{}
	down := &channeltest.Driver{OnPost: func(*channel.Message) error { return &channel.Refusal{Text: "the chat 7 is not there"} }}
	people := map[string]string{"1": "ann"}
	settings := policy.Defaults()
	settings.Approval.NotifyChannel = "phone,pager"
	c := newCaller(t, servertest.New(t, servertest.Options{Settings: &settings, Channels: []channel.Channel{
		{Name: "phone", Type: "memory", Driver: phone, People: people, OneTap: "low"},
		{Name: "chat", Type: "memory", Driver: down, People: people},
	}}))
	boss := c.Token(t, "boss", "approve")
	for _, row := range []struct {
		name, token, body string
		status            int
		says              string
	}{
		{"phone", c.Token(t, "reader", "read"), "{}", 403, ""}, {"phon", boss, "{}", 404, "did you mean phone?"}, {"zzz", boss, "{}", 404, "phone, chat"},
		{"dashboard-approval", boss, "{}", 404, ""}, {"phone", boss, `{"timeout":"soon"}`, 400, "soon"}, {"phone", boss, `{"timeout":"48h"}`, 400, "timeout"},
	} {
		if a := c.Do(t, row.token, "POST", "/v1/channels/"+row.name+"/test", row.body); a.Status != row.status || !strings.Contains(a.Text, row.says) {
			t.Errorf("%+v: %d %s", row, a.Status, a.Text)
		}
	}
	r := c.do(201, boss, "POST", "/v1/channels/phone/test", "{}")
	id := text(r, "id")
	if text(r, "kind") != "test" || text(r, "asked.approver") != "phone" {
		t.Fatal(r.Status, r.Text)
	}
	m := phone.Await(t, id)
	if !strings.Contains(m.Command, "nothing runs, whatever you answer") {
		t.Errorf("%+v", m)
	}
	other := c.Token(t, "other", "approve")
	if a := c.Do(t, other, "POST", "/v1/requests/"+id+"/decision", `{"decision":"approved_once"}`); a.Status != 403 {
		t.Errorf("somebody else: %d %s", a.Status, a.Text)
	}
	if reply := phone.Say(t, channel.Answer{Sender: "1", Token: channeltest.Token(t, m, "Approve once")}); !reply.Done {
		t.Errorf("%+v", reply)
	}
	if a := c.Do(t, boss, "GET", "/v1/requests/"+id, ""); text(a, "decision.decided_by") != "phone:ann" {
		t.Error(a.Text)
	}
	failed := c.do(201, boss, "POST", "/v1/channels/chat/test", `{"timeout":"1m"}`)
	channeltest.Until(t, "the chat is down", func() bool {
		text := c.Do(t, boss, "GET", "/v1/channels", "").Text // the failure is stored after it is known
		return strings.Contains(text, `"down":"the chat 7 is not there"`) && strings.Contains(text, `"last_error"`)
	})
	a := c.do(200, boss, "GET", "/v1/channels", "")
	for _, want := range []string{`"name":"phone","type":"memory","told":true`, `"people":["ann"]`, `no channel \"pager\" is configured`, `"last_error":"the chat 7 is not there"`} {
		if !strings.Contains(a.Text, want) {
			t.Errorf("%s lacks %s", a.Text, want)
		}
	}
	if h := c.Do(t, "", "GET", "/health", ""); text(h, "status") != "degraded" || !strings.Contains(h.Text, `"channels"`) {
		t.Error(h.Text)
	}
	if len(phone.Posted(text(failed, "id"))) > 0 {
		t.Error("the test of one channel went to another")
	}
	if a := c.Do(t, boss, "GET", "/v1/approvers", ""); !strings.Contains(a.Text, `"phone"`) {
		t.Error(a.Text)
	}
}
