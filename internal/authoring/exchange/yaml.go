package exchange

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// YAML returns the rules as a policy file. head are lines of a comment at its
// top.
func (r *Result) YAML(head ...string) ([]byte, error) {
	var b strings.Builder
	for _, line := range head {
		b.WriteString("# " + visible(line) + "\n")
	}
	b.WriteString("version: 1\n\nrules:\n")
	if len(r.Rules) == 0 {
		return []byte(strings.TrimSuffix(b.String(), "\n") + " []\n"), nil
	}
	for i, rule := range r.Rules {
		if i > 0 {
			b.WriteString("\n")
		}
		for _, line := range r.comments[i] {
			b.WriteString("  # " + visible(line) + "\n")
		}
		if err := writeRule(&b, rule); err != nil {
			return nil, fmt.Errorf("rule %s: %w", rule.ID, err)
		}
	}
	return []byte(b.String()), nil
}

// A yamlWriter writes the entries of one rule.
type yamlWriter struct {
	*strings.Builder
}

func writeRule(b *strings.Builder, r *pattern.Rule) error {
	w := yamlWriter{b}
	b.WriteString("  - id: " + scalar(r.ID) + "\n")
	w.text("label", r.Label)
	w.scope(r.Scope)
	if r.Priority != 0 {
		fmt.Fprintf(b, "    priority: %d\n", r.Priority)
	}
	if r.Disabled {
		b.WriteString("    enabled: false\n")
	}
	b.WriteString("    when:\n")
	w.block(r.Source, "      ")
	fmt.Fprintf(b, "    decision: %s\n", r.Decision.Verb)
	w.terms(&r.Decision)
	w.text("reason", r.Reason)
	return w.examples(&r.Examples)
}

func (w yamlWriter) text(key, value string) {
	if value != "" {
		w.WriteString("    " + key + ": " + scalar(value) + "\n")
	}
}

func (w yamlWriter) pairs(key string, names, values []string) {
	var parts []string
	for i, v := range values {
		if v != "" {
			parts = append(parts, names[i]+": "+flowScalar(v))
		}
	}
	if len(parts) > 0 {
		w.WriteString("    " + key + ": {" + strings.Join(parts, ", ") + "}\n")
	}
}

func (w yamlWriter) scope(s pattern.Scope) {
	w.pairs("scope", []string{"plugin", "profile", "integration"}, []string{s.Plugin, s.Profile, s.Integration})
}

// terms writes on which terms somebody is asked.
func (w yamlWriter) terms(d *pattern.Decision) {
	if d.Quorum != 0 {
		fmt.Fprintf(w, "    approver: {any: %d, of: [%s]}\n", d.Quorum, strings.Join(quoted(policy.Approvers(d.Approver)), ", "))
	} else {
		w.pairs("approver", []string{"plugin", "profile"}, []string{d.Approver, d.Profile})
	}
	switch d.Verb {
	case pattern.RequireHuman:
		w.duration("timeout", d.Timeout)
		if d.OnTimeout == policy.Allow {
			w.text("on_timeout", "allow")
		}
	case pattern.RequireLLM:
		w.text("model", d.Model)
		w.text("prompt", d.Prompt)
		w.duration("cache_ttl", d.CacheTTL)
		if d.FailOpen {
			w.WriteString("    fail_closed: false\n")
		}
	}
}

func quoted(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = flowScalar(name)
	}
	return out
}

func (w yamlWriter) duration(key string, d time.Duration) {
	if d != 0 {
		w.WriteString("    " + key + ": " + Duration(d) + "\n")
	}
}

// Duration returns a duration as rules write it: without the units that are zero at its end.
func Duration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// examples writes the records of a rule, each as JSON, which YAML reads too.
func (w yamlWriter) examples(x *pattern.Examples) error {
	if len(x.Match)+len(x.NoMatch) == 0 {
		return nil
	}
	w.WriteString("    examples:\n")
	for _, list := range []struct {
		key     string
		records []*record.Record
	}{{"match", x.Match}, {"no_match", x.NoMatch}} {
		if len(list.records) > 0 {
			w.WriteString("      " + list.key + ":\n")
		}
		for _, rec := range list.records {
			text, err := json.Marshal(rec)
			if err != nil {
				return err
			}
			w.WriteString("        - " + legible(string(text)) + "\n")
		}
	}
	return nil
}
