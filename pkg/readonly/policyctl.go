package readonly

import "strings"

// policyctl is the entry of this program: what judges, lists and shows.
var policyctl = &Entry{
	Names: "policyctl", Options: "help", Source: "policyctl help",
	Subs: []*Entry{
		{Names: "eval", Operands: "data", Options: judged + "json jsonl explain timing tool= input= session= agent= shell=", check: judgesHere},
		{Names: "explain", Operands: "data", Options: judged + "json tool= input= session= agent= shell=", check: setsPlainly},
		{Names: "stages floor dangerous sensitive readonly version help", Operands: "data", Options: "json help"},
		{Names: "check", Operands: "path", Options: "json layer= help"},
		{Names: "status", Operands: "none", Options: "json dir=path help"},
		{Names: "config", Subs: []*Entry{{Names: "show schema path", Operands: "data", Options: "origin json dir=path help"}}},
		{Names: "trust", Operands: "none", Options: "list json", check: listsTrust},
		{Names: "replay", Operands: "path", Options: "json against=path policy=path set= no-config world help", check: setsPlainly},
	},
	Proved: []string{"policyctl eval 'rm -rf /'", "policyctl eval --policy builtin:strict ls", "policyctl eval --set security.confirm_policy=dangerous_only make", "policyctl explain --set approvals.mode=auto ls", "policyctl explain --policy p.yaml 'git push'", "policyctl floor root-delete", "policyctl config show --origin", "policyctl trust --list", "policyctl replay calls.jsonl --json", "policyctl status"},
	Not:    []string{"policyctl trust", "policyctl trust --json", "policyctl install claude", "policyctl init", "policyctl import claude --output p.yaml", "policyctl hook claude", "policyctl eval $X", "policyctl eval --set 'bundles={a: {url: \"https://h\", token_file: t}}' ls", "policyctl eval --set bundles.a.url=https://h ls", "policyctl eval --policy p.yaml ls", "policyctl eval --policy https://h/p ls", "policyctl eval --set \"$X\" ls", "policyctl eval --bundle https://h/b ls", "policyctl explain --bundle https://h/b ls", "policyctl explain --set 'bundles={}' ls", "policyctl explain --set bundles=https://h/b ls", "policyctl replay --set bundles=x calls.jsonl", "policyctl --set bundles=x eval ls", "policyctl doctor claude", "policyctl config"},
}

// judged are the options that say under which policy a call is judged.
const judged = "policy=path set= no-config yolo dir=path home=path project-dir=path session-dir=path audience= "

// plainKeys are the keys of a policy that name no host and no file, a dot at
// the end for all that are below.
var plainKeys = []string{"approvals.", "security.confirm_policy", "security.require_confirmation_for_shell", "security.command_allowlist",
	"security.tool_policy.", "permissions", "agents.", "rules_default", "readonly.", "doom_loop.", "hardline.protect"}

// judgesHere proves eval where it looks at no policy that may name bundles, as
// it fetches those and sends the tokens that go with them. What the policies of
// the person name, the person has chosen; explain fetches nothing.
func judgesHere(v *proving) bool {
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
func setsPlainly(v *proving) bool {
	for i := range v.c.Args.Options {
		o := &v.c.Args.Options[i]
		if t, ok := o.Arg.Literal(); o.Is("set") && !(ok && isPlainKey(t)) {
			v.fail(v.c.Words[min(o.At, len(v.c.Words)-1)].Span, "the key is not one of those that name no host and no file")
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
func listsTrust(v *proving) bool {
	return v.has("list") || v.fail(v.c.Span, "policyctl trust without --list trusts a policy")
}
