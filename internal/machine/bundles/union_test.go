package bundles

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/pkg/bundle"
)

// holds has a bundle hold one policy.
func holds(text string) func(*bundle.Bundle) {
	return func(b *bundle.Bundle) { b.Policies = []bundle.File{{Name: "a.yaml", Text: "version: 1\n" + text}} }
}

// Two bundles may have rules of one name, and none answers a rule of the other,
// whatever its priority.
func TestIDsOfBundles(t *testing.T) {
	m := newMachine(t)
	m.publish("/acme", 2, holds("rules: [{id: no, when: {shell.program: kubectl}, decision: deny}]\n"))
	m.publish("/own", 2, holds("rules: [{id: no, when: {shell.program: kubectl}, decision: allow, priority: 9}]\n"))
	p := m.load(Once)
	if got := m.decide(p, "kubectl get pods"); got != "deny" || p.Err != nil {
		t.Errorf("%s, %v", got, p.Err)
	}
	var ids []string
	for _, layer := range p.Rules {
		for _, r := range layer.Rules {
			ids = append(ids, r.ID)
		}
	}
	if got := strings.Join(ids, " "); got != "acme/no own/no" {
		t.Error(got)
	}
}

// A revision that does not go with the bundles and files before it is refused
// and told; the last good one stays, also after a restart. A person's bundle
// keeps none of the organisation's out.
func TestUnion(t *testing.T) {
	const mine = "tools: {mine: {aliases: [shared]}}\npermissions: {\"shell bundle *\": deny, \"shell other *\": deny}\n"
	const theirs = "tools: {theirs: {aliases: [shared]}}\npermissions: {\"shell bundle *\": deny, \"shell other *\": deny}\n"
	for _, c := range []struct {
		what        string
		acme, own   string
		refused     string
		acmes, owns string // the revisions in force
	}{
		{"a person's that breaks the organisation's", mine, theirs, "own", "r2", "r1"},
		{"both are right", mine, "permissions: {\"shell x *\": deny}\n", "", "r2", "r2"},
	} {
		m := newMachine(t)
		if p := m.load(Once); p.Err != nil {
			t.Fatal(p.Err)
		}
		m.publish("/acme", 2, holds(c.acme))
		m.publish("/own", 2, holds(c.own))
		for _, mode := range []Mode{Fetching, Offline} {
			p := m.load(mode)
			for _, b := range p.Bundles {
				want := map[string]string{"acme": c.acmes, "own": c.owns}[b.Name]
				told := strings.Contains(b.Trouble, "does not go with the other policies")
				if b.Revision != want || b.Err != nil || mode == Fetching && told != (b.Name == c.refused) {
					t.Errorf("%s: %s is %s, %v, %s", c.what, b.Name, b.Revision, b.Err, b.Trouble)
				}
			}
			if got := m.decide(p, "bundle x"); got != "deny" || p.Err != nil {
				t.Errorf("%s: %s, %v", c.what, got, p.Err)
			}
		}
	}
	m := newMachine(t)
	m.publish("/own", 2, holds(theirs))
	m.load(Once)
	m.publish("/acme", 2, holds(mine))
	p := m.load(Fetching)
	if got := m.decide(p, "bundle x"); got != "deny" || revisionOf(p, "acme") != "r2" {
		t.Errorf("a person's bundle keeps the organisation's out: %s, %+v", got, p.Bundles)
	}
}

func revisionOf(p *layers.Policy, name string) string {
	for _, b := range p.Bundles {
		if b.Name == name {
			return b.Revision
		}
	}
	return ""
}
