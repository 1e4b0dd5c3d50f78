package foreign

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// codexWords are the decisions of rules.
var codexWords = map[policy.Decision]string{policy.Deny: "forbidden", policy.Ask: "prompt", policy.Allow: "allow"}

// writeCodex writes a file of rules.
func writeCodex(x *export) []byte {
	var b strings.Builder
	b.WriteString("# Written by policyctl. The strictest rule that matches counts.\n")
	for _, action := range []policy.Decision{policy.Deny, policy.Ask, policy.Allow} {
		for _, rule := range x.say(action, x.codexPhrase) {
			b.WriteString(rule + "\n")
		}
	}
	x.restUnsaid()
	return []byte(b.String())
}

// codexPhrase returns the rule for an item: a prefix of commands.
func (x *export) codexPhrase(it *item) phrase {
	if it.aim != aimCommand {
		return phrase{why: "its rules are about commands alone"}
	}
	c := commandOf(it.glob)
	wider := ""
	switch {
	case len(c.words) == 0:
		return phrase{why: "a rule there names the program"}
	case !c.isPrefix() && !c.isExact():
		return phrase{why: "a rule there is a list of words, without stars"}
	case len(it.except) > 0 && it.action == policy.Allow:
		return phrase{why: "a rule there has no exceptions"}
	case len(it.except) > 0:
		wider = "wider: it also refuses what the permission excepts"
	case c.isExact() && it.action == policy.Allow:
		return phrase{why: "a rule there also means what follows its words"}
	case c.isAlone():
		wider = "wider: it also refuses what follows its words"
	}
	var words []string
	for _, w := range c.words {
		words = append(words, jsonText(w))
	}
	rule := fmt.Sprintf("prefix_rule(pattern = [%s], decision = %s)", strings.Join(words, ", "), jsonText(codexWords[it.action]))
	return phrase{entries: []string{rule}, wider: wider}
}
