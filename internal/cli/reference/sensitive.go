package reference

import "github.com/policyctl/policyctl/pkg/sensitive"

const sensitiveIntro = `The sensitive paths are those that an agent should not touch unasked: a secret must not leak, and a trigger makes
other programs run something later. A path of the role project decides what the commands of its project run, or who must agree to a
change: ` + "`approvals.auto_allow_workspace`" + ` does not cover it.
` + "`policyctl sensitive`" + ` lists them, ` + "`policyctl sensitive ENTRY`" + ` shows one, and ` + "`policyctl sensitive PATH`" + ` says which entry
holds a path.

A pattern that starts with ` + "`/`" + ` begins at the root and one that starts with ` + "`~/`" + ` in the home of any user; others
match the last elements of a path. ` + "`*`" + ` stands for any text within an element, ` + "`/**`" + ` at the end for a directory and all
below it. Upper and lower case are the same. Examples are read with the home ` + "`/home/dev`" + `, and the tests check each.`

func sensitivePage(entries []sensitive.Entry) document {
	return document{"Sensitive paths", sensitiveIntro, grouped(entries, path)}
}

func path(e sensitive.Entry) (string, entry) {
	return e.Role.String(), entry{e.ID, prose(e.Why), join(
		"The path "+prose(e.Why)+".",
		fields("Role", e.Role.String(), "Paths", codes(e.Patterns), "Except", codes(e.Except)),
		examples("Paths that match:", "text", e.Hit),
		examples("Paths that do not match:", "text", e.Miss),
	)}
}
