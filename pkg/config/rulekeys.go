package config

import (
	"strings"
	"sync"
	"time"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// maxPriority bounds the priority of a rule.
const maxPriority = 1_000_000_000

// ruleKeys are the keys of one rule.
var ruleKeys = sync.OnceValue(func() []key[pattern.Rule] {
	return []key[pattern.Rule]{
		{"id", "the name of the rule, which no other of its layer has", "",
			text(func(r *pattern.Rule) *string { return &r.ID }), free},
		{"label", "what people call the rule", "",
			text(func(r *pattern.Rule) *string { return &r.Label }), free},
		{"scope.plugin", "the only plugin to whose calls the rule applies", "",
			text(func(r *pattern.Rule) *string { return &r.Scope.Plugin }), free},
		{"scope.profile", "the only profile to whose calls the rule applies", "",
			text(func(r *pattern.Rule) *string { return &r.Scope.Profile }), free},
		{"scope.integration", "the only integration to whose calls the rule applies", "",
			text(func(r *pattern.Rule) *string { return &r.Scope.Integration }), free},
		{"priority", "which rule is asked first: the higher number; then the one with more of a scope, then by id", "0",
			number(-maxPriority, maxPriority, func(r *pattern.Rule) *int { return &r.Priority }), free},
		{"enabled", "whether the rule is asked at all", "true",
			enabledForm, free},
		{"dialect", "the language of when: pattern", "pattern",
			dialectForm, free},
		{"when", "the calls to which the rule applies, as a condition on their records", "",
			whenForm, free},
		{"decision", "the answer: allow, deny, require_human or require_llm", "",
			word("decision", func(r *pattern.Rule) *pattern.Verb { return &r.Decision.Verb }), free},
		{"approver.plugin", "who is asked, by require_human and require_llm", "",
			text(func(r *pattern.Rule) *string { return &r.Decision.Approver }), free},
		{"approver.any", "how many of the people in of must approve, by require_human", "",
			number(1, policy.MaxApprovers, func(r *pattern.Rule) *int { return &r.Decision.Quorum }), free},
		{"approver.of", "the people of whom so many must approve, by require_human", "",
			people(func(r *pattern.Rule) *string { return &r.Decision.Approver }), free},
		{"approver.profile", "the profile of the approver: approvers have no other than default, so it changes nothing", "",
			profileForm, free},
		{"model", "the model that require_llm asks, in place of that of the reviewer", "",
			text(func(r *pattern.Rule) *string { return &r.Decision.Model }), free},
		{"prompt", "what require_llm asks the model", "",
			prose(func(r *pattern.Rule) *string { return &r.Decision.Prompt }), free},
		{"timeout", "how long require_human waits, such as 5m", "",
			duration(time.Millisecond, func(r *pattern.Rule) *time.Duration { return &r.Decision.Timeout }), free},
		{"on_timeout", "what happens if nobody answers: deny or allow", "deny",
			ruleTimeoutForm, free},
		{"cache_ttl", "how long an approval by require_llm holds for equal calls", "0s",
			duration(0, func(r *pattern.Rule) *time.Duration { return &r.Decision.CacheTTL }), free},
		{"fail_closed", "false lets a harmless call run where the model of require_llm cannot be reached", "true",
			failClosedForm, free},
		{"reason", "a clause that tells people the reason", "",
			text(func(r *pattern.Rule) *string { return &r.Reason }), free},
		{"examples.match", "records that the rule must match", "",
			records(func(r *pattern.Rule) *[]*record.Record { return &r.Examples.Match }), free},
		{"examples.no_match", "records that the rule must not match", "",
			records(func(r *pattern.Rule) *[]*record.Record { return &r.Examples.NoMatch }), free},
	}
})

var boolShape = is("type", "boolean")

var enabledForm = form[pattern.Rule]{boolShape, func(d *decoder, n *yaml.Node, r *pattern.Rule) {
	if on, ok := d.boolean(n); ok {
		r.Disabled = !on
	}
}}

var failClosedForm = form[pattern.Rule]{boolShape, func(d *decoder, n *yaml.Node, r *pattern.Rule) {
	if closed, ok := d.boolean(n); ok {
		r.Decision.FailOpen = !closed
	}
}}

var profileForm = form[pattern.Rule]{words(pattern.DefaultProfile), func(d *decoder, n *yaml.Node, r *pattern.Rule) {
	name, ok := d.str(n)
	if !ok {
		return
	}
	if err := pattern.CheckProfile(name); err != nil {
		d.fail(n, "approver.profile: %v", err)
	}
	r.Decision.Profile = name
}}

var dialectForm = form[pattern.Rule]{words("pattern"), func(d *decoder, n *yaml.Node, _ *pattern.Rule) {
	if name, ok := d.str(n); ok && name != "pattern" {
		d.unknown(n, "dialect", name, []string{"pattern"})
	}
}}

var ruleTimeoutForm = form[pattern.Rule]{words("deny", "allow"), func(d *decoder, n *yaml.Node, r *pattern.Rule) {
	d.denyOrAllow(n, &r.Decision.OnTimeout)
}}

// denyOrAllow decodes what happens where nobody answers.
func (d *decoder) denyOrAllow(n *yaml.Node, into *policy.Decision) {
	switch name, ok := d.str(n); {
	case !ok:
	case name == "deny":
		*into = policy.Deny
	case name == "allow":
		*into = policy.Allow
	default:
		d.unknown(n, "action", name, []string{"deny", "allow"})
	}
}

// durationPattern is what [time.ParseDuration] reads, without a sign.
const durationPattern = `^([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))*$`

func duration[T any](least time.Duration, field func(*T) *time.Duration) form[T] {
	return form[T]{fitting(durationPattern), func(d *decoder, n *yaml.Node, into *T) {
		value, err := time.ParseDuration(n.Value)
		switch {
		case n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" || err != nil:
			d.fail(n, "%s must be a duration such as 90s, 5m or 1h30m, not %s", d.at, kind(n))
		case value < least || value > longest:
			d.fail(n, "%s must be from %s to %s, not %s", d.at, least, "8760h", clip.Line(n.Value))
		default:
			*field(into) = value
		}
	}}
}

// prose is a text of any lines.
func prose[T any](field func(*T) *string) form[T] {
	return form[T]{fitting(`\S`), func(d *decoder, n *yaml.Node, into *T) {
		switch {
		case n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str":
			d.mismatch(n, "text")
		case strings.TrimSpace(n.Value) == "":
			d.fail(n, "%s is empty", d.at)
		case strings.ContainsFunc(n.Value, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }):
			d.fail(n, "%s holds a control character: remove it", d.at)
		default:
			*field(into) = n.Value
		}
	}}
}
