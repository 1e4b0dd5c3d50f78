package config

import (
	"regexp"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A Key is one key that a policy may set, such as "approvals.mode".
type Key struct{ Path, About string }

// Keys returns the keys of a policy in the order of its reference: [] stands
// for each entry of a list, and * for a name that the policy chooses.
func Keys() []Key {
	return slices.Concat(
		list("", settingKeys),
		list("permissions[].", permissionKeys),
		list("agents.*.", agentKeys),
		list("tools.*.", toolKeys),
		list("security.approval.auto_approve[].", autoApproveKeys),
	)
}

func list[T any](prefix string, table []key[T]) []Key {
	all := make([]Key, len(table))
	for i, k := range table {
		all[i] = Key{prefix + k.path, k.about}
	}
	return all
}

// A key is one row of a table of keys of a mapping that becomes a T. A dot in
// the path stands for a mapping within.
type key[T any] struct {
	path, about string
	decode      func(d *decoder, n *yaml.Node, into *T)
}

// settingKeys are the keys of a policy: to add one, add a row. What decoding
// knows of keys and what it suggests comes from here.
var settingKeys = []key[draft]{
	{"version", "the version of the format: 1, as the first key", version},

	{"approvals.mode", "what happens to a call about which nothing else spoke: manual, auto or skip",
		word("mode", func(s *draft) *policy.Mode { return &s.Mode })},
	{"approvals.yolo", "allow whatever is not denied",
		boolean(func(s *draft) *bool { return &s.Yolo })},
	{"approvals.auto_allow_readonly", "allow shell commands that are proved to read only",
		boolean(func(s *draft) *bool { return &s.AutoAllowReadonly })},
	{"approvals.readonly_commands", "leading words of further commands that read only",
		entries(func(s *draft) *[]policy.Entry { return &s.ReadonlyCommands })},

	{"security.confirm_policy", "which shell commands ask: confirm_all or dangerous_only",
		confirmPolicy},
	{"security.require_confirmation_for_shell", "the older form of confirm_policy: true is confirm_all, false dangerous_only",
		confirmShell},
	{"security.command_allowlist", "leading words of shell commands that need no approval",
		entries(func(s *draft) *[]policy.Entry { return &s.Allowlist })},
	{"security.tool_policy.default", "how tools are treated that nothing else names: allow, deny or supervised",
		defaultTreatment},
	{"security.tool_policy.tools", "how single tools are treated",
		treatments(aTool, func(s *draft) *map[string]policy.Treatment { return &s.ToolPolicy.Tools })},
	{"security.tool_policy.groups", "how groups of tools are treated",
		treatments(aGroup, func(s *draft) *map[string]policy.Treatment { return &s.ToolPolicy.Groups })},
	{"security.approval.timeout_secs", "how many seconds an approval is waited for",
		seconds(func(s *draft) *time.Duration { return &s.Approval.Timeout })},
	{"security.approval.on_timeout", "what happens if nobody answers: deny or allow",
		onTimeout},
	{"security.approval.notify_channel", "where the supervisor is notified",
		text(func(s *draft) *string { return &s.Approval.NotifyChannel })},
	{"security.approval.supervisor_id", "the only person who may decide",
		text(func(s *draft) *string { return &s.Approval.Supervisor })},
	{"security.approval.auto_approve", "patterns of calls of supervised tools that need no approval",
		autoApproves},

	{"permissions", "what is allowed, asked about and denied, by tool and subject",
		func(d *decoder, n *yaml.Node, s *draft) { d.permissions(n, &s.Permissions) }},
	{"agents", "further permissions of single agents",
		agents},

	{"doom_loop.threshold", "how many times in a row the same call is too often",
		number(2, 64, func(s *draft) *int { return &s.DoomLimits.Threshold })},
	{"doom_loop.cycles", "how many repetitions of a short cycle of calls are too many",
		number(2, 16, func(s *draft) *int { return &s.DoomLimits.Cycles })},
	{"doom_loop.polling", "tools and leading words of commands that may repeat",
		texts(func(s *draft) *[]string { return &s.Polling })},

	{"hardline.protect", "paths that no call may change",
		protect},

	{"tools", "tools of your agents beyond the built-in ones, and changes to these",
		tools},
}

// permissionKeys are the keys of one permission.
var permissionKeys = []key[policy.Permission]{
	{"match", "the tool and a pattern of its subject",
		text(func(p *policy.Permission) *string { return &p.Match })},
	{"action", "the answer: allow, ask or deny",
		word("action", func(p *policy.Permission) *policy.Decision { return &p.Action })},
	{"except", "narrower patterns to which the permission does not apply",
		textOrTexts(func(p *policy.Permission) *[]string { return &p.Except })},
	{"every_time", "whether to ask again whatever was approved before",
		boolean(func(p *policy.Permission) *bool { return &p.EveryTime })},
	{"why", "a clause that tells people the reason",
		text(func(p *policy.Permission) *string { return &p.Why })},
}

// agentKeys are the keys of one agent.
var agentKeys = []key[[]policy.Permission]{
	{"permissions", "what applies to this agent in addition", (*decoder).permissions},
}

// toolKeys are the keys of one tool.
var toolKeys = []key[policy.Tool]{
	{"kind", "what the tool does: shell, write, read, fetch, search, mcp or other",
		word("kind", func(t *policy.Tool) *policy.Kind { return &t.Kind })},
	{"risk", "how much harm it can do: high, medium or low",
		word("risk", func(t *policy.Tool) *policy.Risk { return &t.Risk })},
	{"aliases", "other names under which agents call it",
		aliases},
	{"subject", "the arguments that patterns match",
		textOrTexts(func(t *policy.Tool) *[]string { return &t.Subject })},
	{"counts", "the arguments that make two calls the same",
		texts(func(t *policy.Tool) *[]string { return &t.Counts })},
	{"groups", "the groups of the tool policy to which it belongs",
		texts(func(t *policy.Tool) *[]string { return &t.Groups })},
}

// autoApproveKeys are the keys of one auto-approve entry.
var autoApproveKeys = []key[policy.AutoApprove]{
	{"tool", "the tool whose calls it approves",
		text(func(a *policy.AutoApprove) *string { return &a.Tool })},
	{"command_pattern", "a regular expression for each simple command",
		pattern(func(a *policy.AutoApprove) **regexp.Regexp { return &a.Command })},
	{"path_pattern", "a regular expression for each path",
		pattern(func(a *policy.AutoApprove) **regexp.Regexp { return &a.Path })},
	{"url_pattern", "a regular expression for the URL",
		pattern(func(a *policy.AutoApprove) **regexp.Regexp { return &a.URL })},
	{"args_pattern", "a regular expression for the JSON of all arguments",
		pattern(func(a *policy.AutoApprove) **regexp.Regexp { return &a.Args })},
}
