package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/auth/authtest"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Each rule that asks for people counts the people of passkeys: who is named by none is
// none, a token of their name takes the place of no passkey, and one person is one,
// whatever they come by.
func TestPasskeyPeople(t *testing.T) {
	const approve = "APPROVED"
	for name, row := range map[string]struct {
		rule string
		// votes are who approves, one after the other, and what the request is then, or the
		// code of the refusal. "+" stands behind a second passkey of the person, "=" behind
		// their token.
		votes, want string
	}{
		"anybody":                              {``, "ann", approve},
		"anybody, by a token":                  {``, "ann=", "passkey-required"},
		"one who is named":                     {`,"approverPluginId":"ann"`, "ann", approve},
		"one who is not named":                 {`,"approverPluginId":"ann"`, "bob", "not-approver"},
		"the token of who is named":            {`,"approverPluginId":"ann"`, "ann=", "passkey-required"},
		"one of two":                           {`,"approverPluginId":"ann,bob"`, "bob", approve},
		"two people":                           {`,"approverPluginId":"ann,bob,eve","approverAny":2`, "ann bob", approve},
		"one of two people":                    {`,"approverPluginId":"ann,bob,eve","approverAny":2`, "ann", "PENDING"},
		"two people, one by a token":           {`,"approverPluginId":"ann,bob,eve","approverAny":2`, "ann bob=", "PENDING passkey-required"},
		"one person, two passkeys":             {`,"approverPluginId":"ann,bob,eve","approverAny":2`, "ann ann+", "PENDING PENDING"},
		"one person twice":                     {`,"approverPluginId":"ann,bob,eve","approverAny":2`, "ann ann", "PENDING PENDING"},
		"two of three":                         {`,"approverPluginId":"ann,bob,eve","approverAny":2`, "eve ann", approve},
		"two of three, one is another":         {`,"approverPluginId":"ann,bob","approverAny":2`, "ann eve", "PENDING not-approver"},
		"two of three, one person two ways":    {`,"approverPluginId":"ann,bob","approverAny":2`, "ann ann+", "PENDING PENDING"},
		"who asked, by a passkey of that name": {``, "agent", "self-decision"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newPasskeyCaller(t, policy.AllRequests)
			admin, agent := c.Token(t, "boss", "admin,read"), c.Token(t, "agent", "submit")
			c.do(201, admin, "PUT", "/v1/rules/make", `{"when":{"shell.program":"make"},"decision":"require_human"`+row.rule+`}`)
			desk := newBrowser(c)
			keys := make(map[string]*authtest.Authenticator)
			var first *authtest.Authenticator
			for _, who := range []string{"ann", "bob", "eve", "agent", "ann+"} {
				keys[who] = desk.register(strings.TrimSuffix(who, "+"), first)
				if first == nil {
					first = keys[who]
				}
			}
			id := c.ask(agent, "make x")
			var got []string
			for who := range strings.FieldsSeq(row.votes) {
				got = append(got, c.approvesAs(who, id, keys))
			}
			said := strings.Join(got, " ")
			state := text(c.do(200, admin, "GET", "/v1/requests/"+id, ""), "state")
			if wants := strings.Fields(row.want); !strings.HasSuffix(said, wants[len(wants)-1]) || (state == approve) != (row.want == approve) {
				t.Errorf("the votes of %s are answered %s, and the request is %s; want %s", row.votes, said, state, row.want)
			}
		})
	}
}

// approvesAs approves as a person, and returns the state or the code of the refusal.
func (c *caller) approvesAs(who, id string, keys map[string]*authtest.Authenticator) string {
	c.t.Helper()
	path := "/v1/requests/" + id + "/decision"
	if name, ok := strings.CutSuffix(who, "="); ok {
		a := c.Do(c.t, c.Token(c.t, name, "approve"), "POST", path, `{"decision":"approved_once"}`)
		return fmt.Sprint(a.Code(), text(a, "state"))
	}
	b := newBrowser(c)
	answer := fields{"decision": "approved_once", "scope": "once", "reason": ""}
	options := b.try(path+"/options", answer)
	if options.Status != 200 {
		return options.Code()
	}
	a := b.try(path, with(answer, "passkey", keys[who].Sign(options.JSON)))
	return fmt.Sprint(a.Code(), text(a, "state"))
}
