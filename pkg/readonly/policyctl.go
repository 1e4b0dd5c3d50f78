package readonly

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
)

// plainKeys are the keys of a policy that name no host and no file, a dot at
// the end for all that are below.
var plainKeys = []string{"approvals.", "security.confirm_policy", "security.require_confirmation_for_shell", "security.command_allowlist",
	"security.tool_policy.", "permissions", "agents.", "rules_default", "readonly.", "doom_loop.", "hardline.protect"}

// judgesHere proves eval where it looks at no policy that may name bundles, as
// it fetches those and sends the tokens that go with them. What the policies of
// the person name, the person has chosen; explain fetches nothing.
func judgesHere(v *attempt) bool {
	if !setsPlainly(v) {
		return false
	}
	for i := range v.c.Args.Options {
		o := &v.c.Args.Options[i]
		if t, ok := o.Arg.Literal(); o.Is("policy") && (!ok || !strings.HasPrefix(t, "builtin:")) {
			v.fail(v.c.Words[o.At].Span, "the policy may name bundles, which eval fetches from a server")
			return v.instead("use policyctl explain, which fetches nothing")
		}
	}
	return true
}

// setsPlainly checks that the settings on the command line name no host, no file
// and no token.
func setsPlainly(v *attempt) bool {
	for i := range v.c.Args.Options {
		o := &v.c.Args.Options[i]
		if t, ok := o.Arg.Literal(); o.Is("set") && !(ok && isPlainKey(t)) {
			v.fail(v.c.Words[min(o.At, len(v.c.Words)-1)].Span, "the key may name a host or a file")
			return v.instead("leave it out, or put it into a policy file")
		}
	}
	return true
}

// isPlainKey reports whether KEY=VALUE sets a key that names no host and no file.
func isPlainKey(setting string) bool {
	key, value, ok := strings.Cut(setting, "=")
	if !ok || strings.ContainsAny(value, "\n\r") {
		return false
	}
	for _, k := range plainKeys {
		if key == k || strings.HasSuffix(k, ".") && strings.HasPrefix(key, k) {
			return true
		}
	}
	return false
}

// listsTrust proves the list of what is trusted.
func listsTrust(v *attempt) bool {
	return v.has("list") || v.fail(v.c.Span, "policyctl trust without --list trusts a policy")
}

// showsHere proves what shows decisions with the option that leaves only those of the
// project: what was denied elsewhere may say what lies there.
func showsHere(v *attempt) bool {
	if !v.has("here") {
		v.fail(v.c.Span, "it shows the calls of other projects too")
		return v.instead("add --here")
	}
	return showsProject(v)
}

// showsProject proves what shows decisions of the project in which it runs.
func showsProject(v *attempt) bool {
	return v.inProject() || v.fail(v.c.Span, "it may show the calls of another project")
}

// inProject reports whether a command surely runs in the project.
func (v *attempt) inProject() bool {
	if v.p.Base == "" || len(v.c.Dir.Values) == 0 || v.c.Dir.Open || v.c.In(command.Adrift) {
		return false
	}
	for _, dir := range v.c.Dir.Values {
		if !isBelow(dir, v.p.Base) || v.p.Real != nil && !v.leadsInto(dir) {
			return false
		}
	}
	return true
}

// leadsInto reports whether a directory lies in the project with all links followed.
func (v *attempt) leadsInto(dir string) bool {
	base, known := v.p.Real(v.p.Base)
	real, ok := v.p.Real(dir)
	return known && ok && isBelow(real, base)
}

// isBelow reports whether a clean path is a directory or lies below it.
func isBelow(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}
