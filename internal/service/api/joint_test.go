package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// jointService has rules that name approvers, each on terms of its own.
func jointService(t *testing.T) *caller {
	t.Helper()
	list, err := config.Load(policy.Defaults(), config.File{Layer: config.User, Name: "policy.yaml", Admit: config.Everything, Data: []byte(`version: 1
rules:
- {id: pa, when: {shell.program: pa}, decision: require_human, approver: {plugin: ann}, timeout: 5m}
- {id: pc, when: {shell.program: pc}, decision: require_human, approver: {plugin: cid}, timeout: 2s, on_timeout: allow}
- {id: pq, when: {shell.program: pq}, decision: require_human, approver: {any: 2, of: [ann, bob, cid]}}
- {id: pz, when: {shell.program: pz}, decision: require_human, approver: {plugin: zoe}}
`)})
	if err != nil {
		t.Fatal(err)
	}
	return newCaller(t, servertest.New(t, servertest.Options{
		Sources: list.Sources(), Settings: &list.Settings}))
}

// submitted submits a command, and returns the answer.
func (c *caller) submitted(agent, id, command string) servertest.Answer {
	c.t.Helper()
	return c.do(http.StatusCreated, agent, "POST", "/v1/requests",
		fmt.Sprintf(`{"call":{"id":%q,"tool":"shell","input":{"command":%q},"session":"s1","dir":"/src"}}`, id, command))
}

// The terms of one ask of a line are not those on which the others are answered: each
// approver that a rule names must approve, and silence denies where one of them says so.
func TestJointAsks(t *testing.T) {
	c := jointService(t)
	c.Freeze()
	agent := c.Token(t, "agent", "submit")
	people := map[string]string{}
	for _, name := range []string{"ann", "bob", "cid", "dan"} {
		people[name] = c.Token(t, name, "approve,read")
	}
	const yes = `{"decision":"approved_once"}`
	for i, command := range []string{"pc x && pa x", "pa x; pc x", "pa x | pc"} {
		a := c.submitted(agent, fmt.Sprint("a", i), command)
		path := "/v1/requests/" + a.At("id").(string)
		if a.At("asked.approver") != "ann" || !strings.Contains(a.Text, `"also":[{"approver":"cid"}],"rules":["pa","pc"]`) || a.At("on_timeout") != "TIMED_OUT" {
			t.Errorf("%s: %s", command, a.Text)
		}
		c.do(http.StatusForbidden, people["dan"], "POST", path+"/decision", yes)
		first := c.do(http.StatusOK, people["cid"], "POST", path+"/decision", yes)
		if first.At("state") != "PENDING" || first.At("receipt") != nil || !strings.Contains(first.Text, `"open":["ann"],"groups":[`) {
			t.Errorf("%s: after cid: %s", command, first.Text)
		}
		if both := c.do(http.StatusOK, people["ann"], "POST", path+"/decision", yes); both.At("state") != "APPROVED" {
			t.Errorf("%s: after both: %s", command, both.Text)
		}
	}
	// Silence of two seconds allows what only pc asks about, and denies with pa.
	alone, both := c.submitted(agent, "b1", "pc x"), c.submitted(agent, "b2", "pc x && pa x")
	c.Skip(3 * time.Second)
	for a, want := range map[string]string{alone.At("id").(string): "APPROVED", both.At("id").(string): "TIMED_OUT"} {
		if got := c.do(http.StatusOK, people["dan"], "GET", "/v1/requests/"+a, ""); got.At("state") != want {
			t.Errorf("silence: %s, want %s", got.Text, want)
		}
	}
	// A vote needs its number, and who is in both groups has one.
	a := c.submitted(agent, "v1", "pq x; pa x")
	path := "/v1/requests/" + a.At("id").(string)
	if got := c.do(http.StatusOK, people["ann"], "POST", path+"/decision", yes); got.At("state") != "PENDING" {
		t.Errorf("%s", got.Text)
	}
	if got := c.do(http.StatusOK, people["bob"], "POST", path+"/decision", yes); got.At("state") != "APPROVED" {
		t.Errorf("%s", got.Text)
	}
	// Somebody who does not exist is nobody's approval.
	z := `{"call":{"id":"z1","tool":"shell","input":{"command":"pc x; pz x"},"session":"s1","dir":"/src"}}`
	if a := c.do(http.StatusOK, agent, "POST", "/v1/requests", z); a.At("state") != "DENIED" || !strings.Contains(a.Text, "the policy wants zoe to decide") {
		t.Errorf("%s", a.Text)
	}
}
