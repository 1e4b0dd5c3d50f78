package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// when reads the condition.
func (d *draft) when() {
	r := d.rule
	n, wrong := d.condition()
	if wrong == "" && n.Kind == document.Map && len(n.Keys) == 0 {
		d.note(r.ID, d.at, Lost, "its condition {}, which matches everything, is spelt out")
		n = always()
	}
	r.Source = n
	if dialect := d.values["dialect"].Text; wrong == "" && dialect != "" && dialect != "pattern" {
		wrong = fmt.Sprintf("its dialect is %s, and only pattern is known", dialect)
	}
	if wrong == "" {
		var found []document.Problem
		if r.When, found = pattern.CompileWhen(n); len(found) > 0 {
			wrong = problemText(found)
		}
	}
	if wrong != "" {
		d.disable(wrong)
		return
	}
	for _, diff := range compare(n, r.Decision.Verb == pattern.Allow) {
		d.note(r.ID, d.at, Changed, "%s", diff.text)
	}
}

// condition returns the condition, or what is wrong with its text.
func (d *draft) condition() (document.Node, string) {
	when, compiled := d.values["when"]
	source, raw := d.values["source"]
	switch {
	case raw && source.Kind == document.Text:
		n, err := readJSON("source", []byte(source.Text))
		if err != nil {
			return n, err.Error() + "; at the service such a rule keeps all of them from being loaded"
		}
		return n, ""
	case raw:
		return source, ""
	case compiled:
		return when, ""
	}
	return document.Node{}, "it has no condition"
}

func problemText(found []document.Problem) string {
	var texts []string
	for _, p := range found {
		text := p.Text
		if p.Hint != "" {
			text += " (did you mean " + p.Hint + "?)"
		}
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "; ")
}

// idle says what a disabled rule no longer does.
var idle = map[pattern.Verb]string{
	pattern.Deny: "denies nothing", pattern.Allow: "allows nothing", pattern.RequireHuman: "asks nobody", pattern.RequireLLM: "asks nobody",
}

// disable carries a rule over that cannot be understood. If a person enables
// it without a new condition, it allows nothing, or denies or asks about all.
func (d *draft) disable(why string) {
	r := d.rule
	d.note(r.ID, d.at, Disabled, "%s; until a person rewrites it, it %s", why, idle[r.Decision.Verb])
	was := d.values["source"].Text
	if n, ok := d.values["when"]; ok && was == "" {
		was = compact(n)
	} else if n := d.values["source"]; n.Kind == document.Map {
		was = compact(n)
	}
	d.comment("Disabled, because its condition cannot be said here: "+why+".", "It was "+was)
	d.comment("Write a condition in place of the one below before you enable the rule.")
	r.Disabled, r.Source = true, always()
	if r.Decision.Verb == pattern.Allow {
		r.Source = never()
	}
	r.When, _ = pattern.CompileWhen(r.Source)
}

// settle checks that the rule is one that policies may hold.
func (d *draft) settle() {
	if len(d.errs) > 0 {
		return
	}
	err := d.loads()
	if err != nil && !d.rule.Disabled {
		d.disable(err.Error())
		err = d.loads()
	}
	if err != nil {
		d.errs.add(fmt.Errorf("%s: the rule %s cannot be written as one of policyctl: %w: correct it at its source", d.at, d.rule.ID, err))
	}
}

// loads says why a policy with the rule alone is refused.
func (d *draft) loads() error {
	one := Result{Rules: []*pattern.Rule{d.rule}}
	data, err := one.YAML()
	if err != nil {
		return err
	}
	return Loads(data)
}

// Loads says why a policy in YAML is refused, nil if it is not.
func Loads(data []byte) error {
	_, err := config.Load(policy.Defaults(), config.File{Layer: config.User, Name: "rules", Data: data, Admit: config.Everything})
	var found config.Problems
	if !errors.As(err, &found) {
		return err
	}
	var texts []string
	for i := range found {
		texts = append(texts, found[i].Text)
	}
	return errors.New(strings.Join(texts, "; "))
}

// compact returns a value as JSON on one line.
func compact(n document.Node) string {
	text, err := n.MarshalJSON()
	if err != nil {
		return err.Error()
	}
	return string(text)
}
