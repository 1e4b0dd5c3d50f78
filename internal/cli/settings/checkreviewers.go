package settings

import (
	"fmt"
	"os"
	"slices"

	"github.com/policyctl/policyctl/internal/service/channel/settings"
	"github.com/policyctl/policyctl/internal/service/reviewer"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/pattern"
)

// reviewers adds what is wrong with the language models of approvers.yaml, and the rules
// that name one which is not there: people answer them.
func (c *checkJSON) reviewers(file *settings.File, sets []config.LayerRules) {
	list, err := reviewer.Decode(file.Path(), file.Section("reviewers"))
	if err != nil {
		c.errors(err)
		return
	}
	for i := range list {
		if _, err := list[i].Key(os.Getenv); err != nil {
			c.add("warning", err.Error())
		}
	}
	for _, set := range sets {
		for _, r := range set.Rules {
			c.unreviewed(r, list)
		}
	}
}

// unreviewed warns of a rule whose language model is not there.
func (c *checkJSON) unreviewed(r *pattern.Rule, list []reviewer.Settings) {
	name := r.Decision.Approver
	if r.Decision.Verb != pattern.RequireLLM || slices.ContainsFunc(list, func(s reviewer.Settings) bool { return name == "" || s.Name == name }) {
		return
	}
	text := "rule " + r.ID + " asks a language model, and approvers.yaml has none: people answer"
	if name != "" {
		text = fmt.Sprintf("rule %s asks the language model %s, which approvers.yaml does not have: people answer", r.ID, name)
	}
	row := problemRow{Level: "note", Text: text}
	row.place(r.Origin.File, r.Origin.Line)
	c.Problems = append(c.Problems, row)
}
