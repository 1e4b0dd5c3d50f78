package readonly

// policyctl is the entry of this program: what judges, lists and shows.
var policyctl = &Entry{
	Names: "policyctl", Options: "help", Source: "policyctl help",
	Subs: []*Entry{
		{Names: "eval explain", Operands: "data", Options: judged + "json jsonl explain timing tool= input= session= agent= shell="},
		{Names: "stages floor dangerous sensitive readonly version help", Operands: "data", Options: "json help"},
		{Names: "check", Operands: "path", Options: "json layer= help"},
		{Names: "status", Operands: "none", Options: "json dir=path help"},
		{Names: "config", Subs: []*Entry{{Names: "show schema path", Operands: "data", Options: "origin json dir=path help"}}},
		{Names: "trust", Operands: "none", Options: "list json", check: listsTrust},
		{Names: "replay", Operands: "path", Options: "json against=path policy=path set= no-config world help"},
	},
	Proved: []string{"policyctl eval 'rm -rf /'", "policyctl explain --policy p.yaml 'git push'", "policyctl floor root-delete", "policyctl config show --origin", "policyctl trust --list", "policyctl replay calls.jsonl --json", "policyctl status"},
	Not:    []string{"policyctl trust", "policyctl trust --json", "policyctl install claude", "policyctl init", "policyctl import claude --output p.yaml", "policyctl hook claude", "policyctl eval $X", "policyctl doctor claude", "policyctl config"},
}

// judged are the options that say under which policy a call is judged.
const judged = "policy=path set= no-config yolo dir=path home=path project-dir=path session-dir=path audience= "

// listsTrust proves the list of what is trusted.
func listsTrust(v *proving) bool {
	return v.has("list") || v.fail(v.c.Span, "policyctl trust without --list trusts a policy")
}
