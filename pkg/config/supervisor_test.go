package config

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A supervisor is one name, each of several, or some of several.
func TestSupervisors(t *testing.T) {
	for text, want := range map[string]policy.Approval{
		"ann":                             {Supervisor: "ann"},
		"[ann]":                           {Supervisor: "ann"},
		"[ann, bob]":                      {Supervisor: "ann,bob"},
		"{any: 1, of: [ann, bob]}":        {Supervisor: "ann,bob", Quorum: 1},
		"{any: 2, of: [ann, bob, carol]}": {Supervisor: "ann,bob,carol", Quorum: 2},
		"{of: [ann, b.o-b@x_], any: 2}":   {Supervisor: "ann,b.o-b@x_", Quorum: 2},
	} {
		l := load(t, policy.Defaults(), file("user", "security: {approval: {supervisor_id: "+text+"}}\n"))
		if got := l.Settings.Approval; got.Supervisor != want.Supervisor || got.Quorum != want.Quorum {
			t.Errorf("%s: %q %d, want %q %d", text, got.Supervisor, got.Quorum, want.Supervisor, want.Quorum)
		}
	}
}

// Channels are one name, or several.
func TestNotifyChannels(t *testing.T) {
	for text, want := range map[string]string{"phone": "phone", "[phone]": "phone", "[phone, chat]": "phone,chat"} {
		l := load(t, policy.Defaults(), file("user", "security: {approval: {notify_channel: "+text+"}}\n"))
		if got := strings.Join(l.Settings.Approval.Channels(), ","); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// Who decides is replaced as a whole: a name alone takes no number over from the
// layer before.
func TestSupervisorReplaced(t *testing.T) {
	l := load(t, policy.Defaults(), file("user", "security: {approval: {supervisor_id: {any: 2, of: [ann, bob]}}}\n"),
		file("user", "security: {approval: {supervisor_id: carol}}\n"))
	if got := l.Settings.Approval; got.Supervisor != "carol" || got.Quorum != 0 {
		t.Errorf("%q %d", got.Supervisor, got.Quorum)
	}
}

// A rule names how many of whom must approve. One of several is the list that
// approver.plugin is, too.
func TestRuleQuorum(t *testing.T) {
	for text, want := range map[string]pattern.Decision{
		"{any: 2, of: [alice, bob, carol]}": {Approver: "alice,bob,carol", Quorum: 2},
		"{of: [alice], any: 1}":             {Approver: "alice", Quorum: 1},
		"{plugin: 'alice, bob'}":            {Approver: "alice, bob"},
	} {
		l := load(t, policy.Defaults(), file("user", "rules: [{id: r, when: {shell.program: git}, decision: require_human, approver: "+text+"}]\n"))
		got := l.Rules[0].Rules[0].Decision
		if got.Approver != want.Approver || got.Quorum != want.Quorum {
			t.Errorf("%s: %q %d", text, got.Approver, got.Quorum)
		}
	}
}

// What cannot be meant is told with its place.
func TestBadQuorum(t *testing.T) {
	for _, c := range []struct{ approver, want string }{
		{"{any: 0, of: [a]}", "p:4:7: rule r: approver.any must be a whole number from 1 to 100, not the number 0"},
		{"{any: -1, of: [a]}", "p:4:7: rule r: approver.any must be a whole number from 1 to 100, not the number -1"},
		{"{any: 1.5, of: [a]}", "p:4:7: rule r: approver.any must be a whole number from 1 to 100"},
		{"{any: two, of: [a]}", "p:4:7: rule r: approver.any must be a whole number from 1 to 100"},
		{"{any: 3, of: [a, b]}", "p:4:7: rule r: approver.any: 3 must approve, and 2 are named: give a lower number, or more names"},
		{"{any: 2, of: [a]}", "p:4:7: rule r: approver.any: 2 must approve, and one is named"},
		{"{any: 1, of: []}", "p:4:14: rule r: approver.of is an empty list: leave it out, or name somebody"},
		{"{any: 1, of: a}", "p:4:14: rule r: approver.of must be a list"},
		{"{any: 2, of: [alice, bob, Alice]}", "p:4:27: rule r: an entry of approver.of: \"Alice\" stands there twice, and has one vote: remove one of them"},
		{"{any: 2, of: ['alice,bob', carol]}", "p:4:15: rule r: an entry of approver.of: the name \"alice,bob\" of a person has ','"},
		{"{any: 2, of: [alice, \u0430lice]}", "p:4:22: rule r: an entry of approver.of: the name \"\\u0430lice\" of a person has '\\u0430'"},
		{"{any: 2, of: [' alice', bob]}", "p:4:15: rule r: an entry of approver.of must not begin or end with a blank"},
		{"{any: 2, of: [\"alice\\u200b\", bob]}", "p:4:15: rule r: an entry of approver.of: the name \"alice\\u200b\" of a person has '\\u200b'"},
		{"{any: 2, of: [\"token:alice\", bob]}", "p:4:15: rule r: an entry of approver.of: the name \"token:alice\" of a person has ':'"},
		{"{any: 2}", "p:4:1: rule r: approver has any without of: give both, such as {any: 2, of: [alice, bob]}"},
		{"{of: [a, b]}", "p:4:1: rule r: approver has of without any: give both"},
		{"{any: 1, of: [a], plugin: b}", "p:4:19: rule r: approver.plugin does not go with any and of, which name people"},
		{"{any: 1, of: [a], profile: default}", "p:4:19: rule r: approver.profile does not go with any and of"},
		{"{any: 1, off: [a]}", "p:4:10: rule r: unknown key \"approver.off\" (did you mean approver.of?)"},
	} {
		refused(t, "rules:\n- {id: r, when: {shell.program: git}, decision: require_human, approver:\n"+c.approver+"}\n", c.want)
		supervisor := strings.NewReplacer("rule r: ", "", "approver", "security.approval.supervisor_id").Replace(c.want)
		if !strings.Contains(c.want, "plugin") && !strings.Contains(c.want, "profile") && !strings.Contains(c.want, "unknown key") {
			refused(t, "security: {approval: {supervisor_id:\n\n"+c.approver+"}}\n", supervisor)
		}
	}
	head := "rules:\n- {id: r, when: {shell.program: git}, decision: "
	refused(t, head+"require_llm, approver: {any: 1, of: [a]}}\n", "rule r: approver.any and approver.of go with decision: require_human, not with require_llm")
	refused(t, head+"deny, approver: {any: 1, of: [a]}}\n", "rule r: approver goes with decision: require_human or require_llm, not with deny")
	refused(t, head+"require_human, on_timeout: allow, approver: {any: 2, of: [a, b]}}\n",
		"rule r: approver.any: 2 people must approve, and on_timeout: allow lets silence approve: remove one of them")
	refused(t, head+"require_human, approver: {plugin: boss, profile: ops}}\n", `rule r: approver.profile: approvers have no profile "ops", so that it would change nothing: leave it out, and name in approver who decides`)
	refused(t, head+"require_llm, approver: {profile: 3}}\n", "rule r: approver.profile")
	refused(t, "security: {approval: {supervisor_id: [ann, Ann]}}\n", `an entry of security.approval.supervisor_id: "Ann" stands there twice`)
	refused(t, "security: {approval: {supervisor_id: ['ann,bob']}}\n", `an entry of security.approval.supervisor_id: "ann,bob" has a comma: make each name an entry of its own`)
}

// refused loads a policy in which something is wrong.
func refused(t *testing.T, text, want string) {
	t.Helper()
	_, err := Load(policy.Defaults(), File{Layer: User, Name: "p", Data: []byte("version: 1\n" + text), Admit: Everything})
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s:\n%v\nwant %s", text, err, want)
	}
}
