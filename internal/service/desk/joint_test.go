package desk_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/server/servertest"
)

// The page of a request about which several rules ask says who must approve, which
// rules ask, and whom it waits for.
func TestJointTermsAtDesk(t *testing.T) {
	r := newRig(t, func(o *servertest.Options) {
		o.Sources = sourcesOf(t, `version: 1
rules:
- {id: pa, when: {shell.program: pa}, decision: require_human, approver: {plugin: ann}}
- {id: pq, when: {shell.program: pq}, decision: require_human, approver: {any: 2, of: [bob, cid, dan]}}
`)
	})
	for _, name := range []string{"ann", "bob", "cid", "dan"} {
		r.Token(t, name, "approve,read")
	}
	id := r.submit(t, "s1", "pq x && pa x")
	for path, wants := range map[string][]string{
		"/ui/requests/" + id: {"<dt>Approver</dt><dd>2 of bob, cid, dan, and ann</dd>", "<dt>Asked by</dt><dd>pa, pq</dd>"},
		"/ui":                {"nobody has approved; waiting for 2 of bob, cid, dan, and one of ann"},
	} {
		page := r.visit(t, path, r.cookie(t))
		for _, want := range wants {
			if page.Status != 200 || !strings.Contains(page.Text, want) {
				t.Errorf("%s: %d, and it lacks %q", path, page.Status, want)
			}
		}
	}
}
