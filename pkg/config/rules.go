package config

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// A LayerRules holds the rules of one layer, which are a set of their own: an
// allow of one layer does not answer a deny of another.
type LayerRules struct {
	Layer string
	// Bundle is the bundle whose rules they are; "" for those of no bundle.
	Bundle string
	Rules  []*pattern.Rule
	// Forms hold further rules, of files that were prepared.
	Forms []*pattern.Form
}

// rulesForm adds rules to those of the files before.
var rulesForm = form[draft]{listOf(tableShape(ruleKeys, "id", "when", "decision")), func(d *decoder, n *yaml.Node, s *draft) {
	for item := range d.items(n) {
		r := d.rule(item)
		if r == nil {
			continue
		}
		if d.bundle != "" {
			r.ID = d.bundle + "/" + r.ID
			s.bundleOf[r.ID] = d.bundle
		}
		if s.unique(d, item, r) {
			s.rules = append(s.rules, r)
		}
	}
}}

// rule decodes one rule, nil where it is wrong. Its problems name it.
func (d *decoder) rule(n *yaml.Node) *pattern.Rule {
	r := &pattern.Rule{Origin: d.origin(n)}
	before := len(d.problems)
	if n.Kind != yaml.MappingNode {
		d.mismatch(n, "a mapping with id, when and decision")
		return nil
	}
	if whole(d, n, ruleKeys(), r, "id", "when", "decision") {
		d.checkTerms(n, r)
		d.checkApprover(child(n, "approver"), r)
		if r.Decision.Verb == pattern.Allow && r.LooksAtLine() {
			d.fail(child(n, "when"), "when: shell.line is for rules that deny or ask: what one command may do does not follow from the line around it; use shell.command")
		}
	}
	if r.ID != "" {
		for i := range d.problems[before:] {
			p := &d.problems[before+i]
			p.Text = "rule " + clip.Line(r.ID) + ": " + p.Text
		}
	}
	if len(d.problems) > before {
		return nil
	}
	return r
}

// terms says which keys go with which decisions.
var terms = []struct {
	path      string
	decisions []pattern.Verb
}{
	{"approver", []pattern.Verb{pattern.RequireHuman, pattern.RequireLLM}},
	{"timeout", []pattern.Verb{pattern.RequireHuman}},
	{"on_timeout", []pattern.Verb{pattern.RequireHuman}},
	{"model", []pattern.Verb{pattern.RequireLLM}},
	{"prompt", []pattern.Verb{pattern.RequireLLM}},
	{"cache_ttl", []pattern.Verb{pattern.RequireLLM}},
	{"fail_closed", []pattern.Verb{pattern.RequireLLM}},
}

// checkTerms reports keys that mean nothing beside the decision.
func (d *decoder) checkTerms(n *yaml.Node, r *pattern.Rule) {
	for _, t := range terms {
		if child(n, t.path) == nil || slices.Contains(t.decisions, r.Decision.Verb) {
			continue
		}
		names := make([]string, len(t.decisions))
		for i, v := range t.decisions {
			names[i] = v.String()
		}
		d.fail(keyOf(n, t.path), "%s goes with decision: %s, not with %s", t.path, strings.Join(names, " or "), r.Decision.Verb)
	}
}

// keyOf returns the key of an entry that is there.
func keyOf(n *yaml.Node, name string) *yaml.Node {
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i]
		}
	}
	return n
}

// unique reports a rule whose id another rule of the layer has.
func (s *draft) unique(d *decoder, n *yaml.Node, r *pattern.Rule) bool {
	key := d.layer + "\x00" + r.ID
	first, taken := s.ruleIDs[key]
	if taken {
		d.fail(child(n, "id"), "rule %s: another rule of the layer %s has this id: %s", clip.Line(r.ID), d.layer, first)
		return false
	}
	s.ruleIDs[key] = r.Origin
	return true
}

// layered returns the rules by layer, and those of bundles by bundle, lowest
// first as the files are given: no rule of one bundle answers that of another.
func (s *draft) layered() []LayerRules {
	var out []LayerRules
	of := func(layer, bundle string) *LayerRules {
		i := slices.IndexFunc(out, func(l LayerRules) bool { return l.Layer == layer && l.Bundle == bundle })
		if i < 0 {
			i = len(out)
			out = append(out, LayerRules{Layer: layer, Bundle: bundle})
		}
		return &out[i]
	}
	forms := s.forms
	for i := 0; i <= len(s.rules); i++ {
		for ; len(forms) > 0 && forms[0].at <= i; forms = forms[1:] {
			l := of(forms[0].layer, forms[0].bundle)
			l.Forms = append(l.Forms, forms[0].form)
		}
		if i < len(s.rules) {
			bundle := ""
			if s.rules[i].Origin.Layer == Bundle {
				bundle = s.bundleOf[s.rules[i].ID]
			}
			l := of(s.rules[i].Origin.Layer, bundle)
			l.Rules = append(l.Rules, s.rules[i])
		}
	}
	return out
}

// noAllowRules admits rules that deny or ask. Who is asked, and what happens
// if nobody answers, is not for a layer that may only tighten.
var noAllowRules = direction{says: "deny and ask tighten; allow, and the terms of asking, loosen", restore: func(before, after *draft) bool {
	added := after.rules[len(before.rules):]
	kept := slices.Clip(after.rules[:len(before.rules)])
	held := false
	for _, r := range added {
		if r.Decision.Verb == pattern.Allow {
			held = true
			continue
		}
		plain := pattern.Decision{Verb: r.Decision.Verb}
		if plain.Verb == pattern.RequireLLM {
			plain.Verb = pattern.RequireHuman
		}
		if plain != r.Decision {
			asks := *r
			asks.Decision, r, held = plain, &asks, true
		}
		kept = append(kept, r)
	}
	after.rules = kept
	return held
}}

var rulesDefaultForm = form[draft]{words("deny_writes", "allow"), func(d *decoder, n *yaml.Node, s *draft) {
	switch name, ok := d.str(n); {
	case !ok:
	case name == "deny_writes":
		s.DenyWrites = true
	case name == "allow":
		s.DenyWrites = false
	default:
		d.unknown(n, "default", name, []string{"deny_writes", "allow"})
	}
}}

var denyWritesTighter = direction{says: "deny_writes is tighter than allow", restore: func(before, after *draft) bool {
	if after.DenyWrites || !before.DenyWrites {
		return false
	}
	after.DenyWrites = true
	return true
}}

// whenForm compiles the condition of a rule.
var whenForm = form[pattern.Rule]{is("$ref", "#/$defs/condition"), func(d *decoder, n *yaml.Node, r *pattern.Rule) {
	r.Source = parsed(n)
	var problems []document.Problem
	r.When, problems = pattern.CompileWhen(r.Source)
	d.foreign(problems)
}}

// foreign takes over problems of a condition. Those of duplicate keys are
// reported already.
func (d *decoder) foreign(problems []document.Problem) {
	for _, p := range problems {
		if !strings.HasPrefix(p.Text, "duplicate key ") {
			d.add(Problem{Line: p.Line, Column: p.Column, Hint: p.Hint, Text: p.Text})
		}
	}
}

// records is a list of records of a rule's examples.
func records(field func(*pattern.Rule) *[]*record.Record) form[pattern.Rule] {
	return form[pattern.Rule]{listOf(is("$ref", "#/$defs/record")), func(d *decoder, n *yaml.Node, r *pattern.Rule) {
		list := field(r)
		for item := range d.items(n) {
			example, problems := record.Compile(parsed(item))
			d.foreign(problems)
			*list = append(*list, example)
		}
	}}
}
