package lint

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/pkg/pattern"
)

// describe says what demands at one path demand, for people.
func describe(demands []demand) string {
	const most = 4
	var parts []string
	for i, l := range demands {
		if i == most {
			parts = append(parts, "…")
			break
		}
		part := l.test.String()
		if !l.want {
			part = "not " + part
		}
		parts = append(parts, part)
	}
	return fmt.Sprintf("%s cannot be {%s}", demands[0].path, strings.Join(parts, ", "))
}

// ids returns the ids of rules, the first of them where they are many.
func ids(rules []*pattern.Rule) string {
	const most = 5
	var out []string
	for _, r := range rules[:min(most, len(rules))] {
		out = append(out, r.ID)
	}
	text := strings.Join(out, ", ")
	if len(rules) > most {
		text += fmt.Sprintf(" and %d more", len(rules)-most)
	}
	return text
}
