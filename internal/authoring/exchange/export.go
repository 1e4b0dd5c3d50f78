package exchange

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/support/null"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// A Format is a shape in which the service takes rules.
type Format string

// The formats.
const (
	// Rows are those of approval_rules, as sqlite3 -json prints them.
	Rows Format = "rows"
	// API is the body of POST /api/rules, one for each rule in a list.
	API Format = "api"
)

// Export prepares rules for the service: a rule that the service cannot
// evaluate is disabled. The rules that are given are not changed.
func Export(rules []*pattern.Rule) *Result {
	r := &Result{}
	for _, rule := range rules {
		r.export(rule)
	}
	return r
}

func (r *Result) export(given *pattern.Rule) {
	rule := *given
	at := given.Origin.String()
	if _, err := rule.Source.MarshalJSON(); err != nil {
		r.note(rule.ID, at, Disabled, "%v", err)
		rule.Disabled, rule.Source = true, always()
		if rule.Decision.Verb == pattern.Allow {
			rule.Source = never()
		}
	}
	for _, diff := range compare(rule.Source, rule.Decision.Verb == pattern.Allow) {
		kind := Changed
		if diff.beyond {
			kind, rule.Disabled = Disabled, true
		}
		r.note(rule.ID, at, kind, "%s", diff.text)
	}
	d := &rule.Decision
	d.Timeout = r.rounded(&rule, at, "timeout", d.Timeout, time.Millisecond)
	d.CacheTTL = r.rounded(&rule, at, "cache_ttl", d.CacheTTL, time.Second)
	if n := len(rule.Examples.Match) + len(rule.Examples.NoMatch); n > 0 {
		r.note(rule.ID, at, Lost, "its examples have no place at the service")
		rule.Examples = pattern.Examples{}
	}
	if rule.Decision.Verb == pattern.RequireHuman && d.Timeout == 0 {
		r.note(rule.ID, at, Changed, "it has no timeout, and the service no default: a request there ends at once")
	}
	if d.Quorum > 1 {
		r.note(rule.ID, at, Changed, "%d of its approvers must agree here, and one is enough at the service", d.Quorum)
	}
	d.Quorum = 0 // which only policyctl has
	r.Rules = append(r.Rules, &rule)
}

// rounded cuts a duration to whole units, which is never longer.
func (r *Result) rounded(rule *pattern.Rule, at, key string, d, unit time.Duration) time.Duration {
	if cut := d.Truncate(unit); cut != d {
		r.note(rule.ID, at, Changed, "%s %s becomes %s: the service counts whole units", key, d, cut)
		return cut
	}
	return d
}

// JSON returns the rules as the service takes them. now is when the rows say
// that they were written.
func (r *Result) JSON(f Format, now time.Time) ([]byte, error) {
	var b strings.Builder
	b.WriteString("[")
	for i, rule := range r.Rules {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n  {")
		if err := writeColumns(&b, f, rule, now); err != nil {
			return nil, err
		}
		b.WriteString("\n  }")
	}
	if len(r.Rules) > 0 {
		b.WriteString("\n")
	}
	b.WriteString("]\n")
	return []byte(b.String()), nil
}

func writeColumns(b *strings.Builder, f Format, rule *pattern.Rule, now time.Time) error {
	values, err := columns(rule, f, now)
	if err != nil {
		return err
	}
	first := true
	for _, c := range readable() {
		v, ok := values[c.column]
		name := c.column
		if f == API {
			name = c.api[0]
		}
		if !ok && (f == API || !slices.Contains(Columns(), name)) || v == nil && f == API {
			continue
		}
		if !first {
			b.WriteString(",")
		}
		first = false
		fmt.Fprintf(b, "\n    %q: ", name)
		text, err := strictjson.Marshal(v)
		if err != nil {
			return err
		}
		b.Write(text)
	}
	return nil
}

// columns returns what the columns hold; a column without a value is NULL.
func columns(r *pattern.Rule, f Format, now time.Time) (map[string]any, error) {
	source, err := r.Source.MarshalJSON()
	if err != nil {
		return nil, err
	}
	out := map[string]any{
		"id": r.ID, "label": null.Any(r.Label), "priority": r.Priority, "enabled": boolean(!r.Disabled, f),
		"scope_plugin_id": null.Any(r.Scope.Plugin), "scope_profile_id": null.Any(r.Scope.Profile),
		"scope_integration_id": null.Any(r.Scope.Integration), "source": string(source),
		"decision": r.Decision.Verb.String(), "reason": null.Any(r.Reason),
	}
	if f == Rows {
		stamp := now.UTC().Format(time.RFC3339)
		out["dialect"], out["created_at"], out["updated_at"] = "pattern", stamp, stamp
	}
	d := &r.Decision
	if d.Verb.Decision() == policy.Ask {
		out["approver_plugin_id"], out["approver_profile_id"] = null.Any(d.Approver), null.Any(d.Profile)
	}
	switch d.Verb {
	case pattern.RequireHuman:
		out["on_timeout"] = d.OnTimeout.String()
		if d.Quorum != 0 {
			out["approver_any"] = d.Quorum
		}
		if d.Timeout != 0 {
			out["timeout_ms"] = d.Timeout.Milliseconds()
		}
	case pattern.RequireLLM:
		out["llm_model"], out["llm_prompt"] = null.Any(d.Model), null.Any(d.Prompt)
		out["llm_cache_ttl_s"], out["llm_fail_closed"] = int64(d.CacheTTL/time.Second), boolean(!d.FailOpen, f)
	}
	return out, nil
}

// boolean is 1 or 0 in a row, which SQLite has instead.
func boolean(b bool, f Format) any {
	switch {
	case f == API:
		return b
	case b:
		return 1
	}
	return 0
}
