package reference

import "github.com/policyctl/policyctl/pkg/policy"

const toolsIntro = `The tool table says what well-known agents call their tools, and which of their arguments matter; a tool that it does
not list is of the kind ` + "`other`" + ` and of high risk.
` + "`policyctl eval --tool NAME --input JSON`" + ` judges a call of one, by its name or by an alias.

The subject names the arguments that patterns match: ` + "`edits[].path`" + ` is the path of each entry of a list, and
` + "`input|patch`" + ` are the files that a patch names.`

func toolsPage(tools []policy.Tool) document {
	return document{"Tools", toolsIntro, grouped(tools, tool)}
}

func tool(t policy.Tool) (string, entry) {
	subject := codes(t.Subject)
	if subject == "" {
		subject = "all arguments"
	}
	return "Kind: " + t.Kind.String(), entry{t.Name, t.Risk.String() + " risk", fields(
		"Kind", t.Kind.String(),
		"Risk", t.Risk.String(),
		"Aliases", codes(t.Aliases),
		"Subject", subject,
		"Groups", codes(t.Groups),
	)}
}
