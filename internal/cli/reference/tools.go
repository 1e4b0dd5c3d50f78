package reference

import (
	"fmt"
	"maps"
	"slices"

	"github.com/policyctl/policyctl/pkg/policy"
)

const toolsIntro = `The tool table says what well-known agents call their tools, and which of their arguments matter; a tool that it does
not list is of the kind ` + "`other`" + ` and of high risk.
` + "`policyctl eval --tool NAME --input JSON`" + ` judges a call of one, by its name or by an alias.

The subject names the arguments that patterns match: ` + "`edits[].path`" + ` is the path of each entry of a list, and
` + "`input|patch`" + ` are the files that a patch names, ` + "`prompt|links`" + ` the URLs in a text where no other argument has one.

A call runs in the directory that an argument of a shell names, seen from its own ` + "`dir`" + `; what it puts into the environment
is an assignment before the command, and what it hands to the standard input is what the command reads. The commands of a tool
that is no shell are what it may hand to one: the floor, denies and dangerous patterns judge them as shell lines, and nothing
allows a call for them. ` + "`chars|keys`" + ` is text as it is typed. For a tool that is not listed these are ` + "%s" + `, at any depth.`

func toolsPage(tools []policy.Tool) document {
	return document{"Tools", fmt.Sprintf(toolsIntro, codes(policy.CommandArguments())), grouped(tools, tool)}
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
		"Directory", codes(t.Runs.Dirs),
		"Environment", codes(t.Runs.Env),
		"Shell", codes(t.Runs.Shells),
		"Standard input", codes(t.Runs.Stdin),
		"Background", codes(t.Runs.Background),
		"Commands", codes(t.Commands),
		"Operation", codes(t.Operation),
		"Operations", operations(t.Operations),
		"Groups", codes(t.Groups),
	)}
}

// operations says of which tool each operation is.
func operations(list map[string]string) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(list)) {
		out = append(out, name+" → "+list[name])
	}
	return codes(out)
}
