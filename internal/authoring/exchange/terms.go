package exchange

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// decide reads the decision and its terms.
func (d *draft) decide() {
	r, into := d.rule, &d.rule.Decision
	n, given := d.values["decision"]
	var unknown *policy.NameError
	err := into.Verb.UnmarshalText([]byte(n.Text))
	switch {
	case !given:
		d.errs.add(fmt.Errorf("%s: the rule %s has no decision: one of allow, deny, require_llm, require_human", d.at, r.ID))
	case errors.As(err, &unknown):
		d.errs.add(fmt.Errorf("%s: unknown decision %q of the rule %s: one of allow, deny, require_llm, require_human%s",
			d.at, n.Text, r.ID, nearest(n.Text, unknown.Valid)))
	}
	switch into.Verb {
	case pattern.RequireHuman:
		into.Timeout = d.span("timeout_ms", time.Millisecond)
		d.onTimeout()
	case pattern.RequireLLM:
		into.Model, into.Prompt = d.line("llm_model"), d.prose("llm_prompt")
		into.CacheTTL = d.span("llm_cache_ttl_s", time.Second)
		into.FailOpen = d.has("llm_fail_closed") && !d.truth("llm_fail_closed")
		if !d.has("llm_fail_closed") {
			d.note(r.ID, d.at, Changed, "it does not say what a reviewer that fails means: it denies here")
		}
	}
	d.approver()
	if into.Verb == pattern.RequireHuman {
		d.quorum()
	}
}

func (d *draft) approver() {
	asks := d.rule.Decision.Verb.Decision() == policy.Ask
	if asks {
		d.rule.Decision.Approver, d.rule.Decision.Profile = d.line("approver_plugin_id"), d.line("approver_profile_id")
		if err := pattern.CheckProfile(d.rule.Decision.Profile); err != nil {
			d.errs.add(fmt.Errorf("%s: approver_profile_id of the rule %s: %w", d.at, d.rule.ID, err))
		}
	}
	terms := map[string]bool{
		"approver_plugin_id": asks, "approver_profile_id": asks,
		"approver_any": d.rule.Decision.Verb == pattern.RequireHuman,
		"timeout_ms":   d.rule.Decision.Verb == pattern.RequireHuman, "on_timeout": d.rule.Decision.Verb == pattern.RequireHuman,
	}
	for _, column := range []string{"llm_prompt", "llm_model", "llm_cache_ttl_s", "llm_fail_closed"} {
		terms[column] = d.rule.Decision.Verb == pattern.RequireLLM
	}
	for _, f := range readable() {
		if used, term := terms[f.column]; term && !used && d.has(f.column) {
			d.note(d.rule.ID, d.at, Lost, "%s has no effect beside %s and is left out", f.column, d.rule.Decision.Verb)
		}
	}
}

// quorum reads how many of the approvers must approve.
func (d *draft) quorum() {
	if !d.has("approver_any") {
		return
	}
	into := &d.rule.Decision
	into.Quorum = int(d.integer("approver_any"))
	names := policy.Approvers(into.Approver)
	err := policy.CheckQuorum(into.Quorum, names)
	switch {
	case err != nil:
	case into.Profile != "":
		err = errors.New("approver_profile_id does not go with it: leave one of them out")
	case into.Quorum > 1 && into.OnTimeout == policy.Allow:
		err = fmt.Errorf("%d people must approve, and on_timeout allow lets silence approve: change one of them", into.Quorum)
	}
	if err != nil {
		d.errs.add(fmt.Errorf("%s: approver_any of the rule %s: %w", d.at, d.rule.ID, err))
	}
	into.Approver = strings.Join(names, ",")
}

func (d *draft) onTimeout() {
	switch n := d.values["on_timeout"]; n.Text {
	case "allow":
		d.rule.Decision.OnTimeout = policy.Allow
	case "deny":
	case "":
		d.note(d.rule.ID, d.at, Changed, "it does not say what silence means: it denies here")
	default:
		d.errs.add(fmt.Errorf("%s: on_timeout of the rule %s is %q: one of allow, deny", d.at, d.rule.ID, n.Text))
	}
}

// span returns a number of units as a duration.
func (d *draft) span(column string, unit time.Duration) time.Duration {
	n := d.integer(column)
	if n < 0 || n > int64(1<<62/unit) {
		d.errs.add(fmt.Errorf("%s: %s of the rule %s is out of range: %d", d.at, column, d.rule.ID, n))
		return 0
	}
	if d.has(column) && n == 0 && column == "timeout_ms" {
		d.note(d.rule.ID, d.at, Changed, "its timeout of 0 ms is the policy's own here")
	}
	return time.Duration(n) * unit
}
