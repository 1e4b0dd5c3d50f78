package reference

import (
	"github.com/policyctl/policyctl/pkg/hazard"
)

const ruleNotes = `Examples are read in the directory ` + "`/home/dev/project`" + ` with the home
` + "`/home/dev`" + `, and the tests check each of them. Never run one.`

func floorPage(rules []hazard.Rule) document {
	intro := "The floor is the table of catastrophes: a call that matches one of its rules is denied, and nothing overrides that.\n" +
		"`policyctl floor` lists it, and `policyctl floor ID` shows one rule."
	return document{"The floor", join(intro, ruleNotes), grouped(rules, rule)}
}

func dangerousPage(rules []hazard.Rule) document {
	intro := "The dangerous patterns are commands that a person should see before an agent runs them: under the confirm policy\n" +
		"`dangerous_only` they ask, and other shell commands do not.\n" +
		"`policyctl dangerous` lists them, and `policyctl dangerous ID` shows one."
	return document{"Dangerous patterns", join(intro, ruleNotes), grouped(rules, rule)}
}

func rule(r hazard.Rule) (string, entry) {
	programs := codes(r.Names())
	if programs == "" {
		programs = "any"
	}
	return r.Class, entry{r.ID, prose(r.Why), join(
		"The command "+prose(r.Why)+".",
		fields("Instead", prose(r.Instead), "Programs", programs),
		examples("Lines that match:", "sh", r.Hit),
		examples("Lines that do not match:", "sh", r.Miss),
	)}
}
