package readonly

import "strings"

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
