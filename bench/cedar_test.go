package bench

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cedar-policy/cedar-go"
)

// newCedar returns nil for expressions, which Cedar does not have.
func newCedar(b *testing.B, s shape, n int, r request) func() bool {
	if s == regex {
		return nil
	}
	var policies strings.Builder
	for i := range n {
		fmt.Fprintf(&policies, "permit (principal, action, resource) when { %s };\n", cedarRule(s.of(i), i))
	}
	set, err := cedar.NewPolicySetFromBytes("rules.cedar", []byte(policies.String()))
	if err != nil {
		b.Fatal(err)
	}
	request := cedar.Request{
		Principal: cedar.NewEntityUID("Agent", "a"),
		Action:    cedar.NewEntityUID("Action", "call"),
		Resource:  cedar.NewEntityUID("Tool", "fetch"),
		Context: cedar.NewRecord(cedar.RecordMap{
			"method": cedar.String(r.method), "host": cedar.String(r.host), "url": cedar.String(r.url),
		}),
	}
	return func() bool {
		decision, _ := cedar.Authorize(set, cedar.EntityMap{}, request)
		return decision == cedar.Allow
	}
}

func cedarRule(s shape, i int) string {
	switch {
	case s == equality:
		return fmt.Sprintf(`context.method == "DELETE" && context.host == %q`, host(i))
	case s == prefix && byPrefix(i):
		return fmt.Sprintf(`context.url like "%s*"`, start(i))
	}
	return fmt.Sprintf(`context.url like %q`, stars(i))
}
