package config

import (
	"regexp"
	"slices"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A Key is one key that a policy may set, such as "approvals.mode".
type Key struct {
	Path, About string
	// Default is what applies where nothing sets the key, as YAML; "" where
	// that is nothing at all.
	Default string
	// Project says what a project's own file may do with the key.
	Project string
	// Scalar says that the key has one value, so that a variable of the
	// environment can assign it.
	Scalar bool
}

// Keys returns the keys of a policy in the order of its reference: [] stands
// for each entry of a list, and * for a name that the policy chooses.
func Keys() []Key {
	return slices.Concat(
		list("", settingKeys()),
		list("permissions[].", permissionKeys()),
		list("agents.*.", agentKeys()),
		list("tools.*.", toolKeys()),
		list("security.approval.auto_approve[].", autoApproveKeys()),
		list("rules[].", ruleKeys()),
		list("bundles.*.", bundleKeys()),
	)
}

func list[T any](prefix string, table []key[T]) []Key {
	all := make([]Key, len(table))
	for i, k := range table {
		s := k.form.shape()
		ways, _ := s["anyOf"].([]shape)
		oneText := len(ways) > 0 && ways[0]()["type"] == "string"
		one := oneText || s["enum"] != nil || s["type"] == "boolean" || s["type"] == "integer" || s["type"] == "string"
		all[i] = Key{prefix + k.path, k.about, k.def, k.tighter.says, prefix == "" && one}
	}
	return all
}

// A key is one row of a table of keys of a mapping that becomes a T. A dot in
// the path stands for a mapping within.
type key[T any] struct {
	path, about string
	// def is the value that applies where nothing sets the key.
	def  string
	form form[T]
	// tighter says in which direction a layer may change the key that may only
	// tighten. It counts for the keys of a whole policy.
	tighter direction
}

// settingKeys are the keys of a policy: to add one, add a row. Decoding, the
// layers, the JSON Schema, the reference and what is suggested for a
// misspelling come from here. It is built at first use, for starting the tool
// must not wait for it.
var settingKeys = sync.OnceValue(func() []key[draft] {
	return []key[draft]{
		{"version", "the version of the format: 1, as the first key", "", versionForm, free},
		{"locked", "keys that the layers below may only tighten; for the managed layer", "",
			lockedForm, onlyManaged},

		{modeKey, "what happens to a call that no earlier stage answered: manual, auto or skip; skip asks about nothing but dangerous patterns. observe decides as manual and puts it on record, but lets every call run that the floor does not stop; your policy and a managed one can say so, and then the denials of a managed policy and of bundles hold, unless the managed one says so itself", "manual",
			modeForm,
			lower(func(s *draft) *policy.Mode { return &s.Mode }, "manual is tighter than auto, auto than skip, skip than observe")},
		{"approvals.yolo", "allow whatever is not denied", "false",
			boolean(func(s *draft) *bool { return &s.Yolo }),
			person(off(func(s *draft) *bool { return &s.Yolo }))},
		{"approvals.yolo_confirm", "what yolo asks about instead of allowing it: none, or dangerous for what a dangerous pattern matches", "none",
			word("yolo confirmation", func(s *draft) *policy.YoloConfirm { return &s.YoloConfirm }),
			higher(func(s *draft) *policy.YoloConfirm { return &s.YoloConfirm }, "dangerous is tighter than none")},
		{undecidedKey, "who answers a call about which there is no reason to ask but that nothing allows it: ask, or agent, which leaves it to the permissions of an agent that has some; a policy that sets approvals.mode, confirm_all or require_confirmation_for_shell asks, and by default so does one with a managed policy or a bundle", "agent",
			undecidedForm,
			lower(func(s *draft) *policy.Undecided { return &s.Undecided }, "ask is tighter than agent")},
		{"approvals.undecided_modes", "modes of agents that ask nobody, in which the agent answers all the same what is undecided: headless, dontAsk, bypassPermissions or yolo", "",
			undecidedModesForm, person(fewer(func(s *draft) *[]string { return &s.UndecidedModes }))},
		{"approvals.auto_allow_readonly", "allow shell commands that only read", "true",
			boolean(func(s *draft) *bool { return &s.AutoAllowReadonly }),
			off(func(s *draft) *bool { return &s.AutoAllowReadonly })},
		{"approvals.auto_allow_workspace", "allow calls that change only files in the project or the session directory, and lose nothing that git or a build cannot give back", "false",
			boolean(func(s *draft) *bool { return &s.AutoAllowWorkspace }),
			off(func(s *draft) *bool { return &s.AutoAllowWorkspace })},
		{"approvals.project_commands", "the project's own commands, such as \"go build|test\", \"make\" or \"python FILE\": allowed with arguments, settings and output that stay in the project", "",
			entries(func(s *draft) *[]policy.Entry { return &s.ProjectCommands }),
			fewer(func(s *draft) *[]policy.Entry { return &s.ProjectCommands })},
		{"approvals.readonly_commands", "leading words of further commands that read only", "",
			entries(func(s *draft) *[]policy.Entry { return &s.ReadonlyCommands }),
			fewer(func(s *draft) *[]policy.Entry { return &s.ReadonlyCommands })},

		{confirmKey, "which shell commands ask: confirm_all or dangerous_only", "confirm_all",
			confirmPolicyForm, confirmDirection},
		{confirmShellKey, "the older form of confirm_policy: true is confirm_all, false dangerous_only", "",
			confirmShellForm, confirmDirection},
		{"security.command_allowlist", "leading words of shell commands that need no approval; they cover no dangerous pattern, no sensitive path and no write that they do not name", "",
			entries(func(s *draft) *[]policy.Entry { return &s.Allowlist }),
			fewer(func(s *draft) *[]policy.Entry { return &s.Allowlist })},
		{"security.free_agent_files", "let agents change a project's policy, the settings that hold their hooks, and policyctl itself", "false",
			boolean(func(s *draft) *bool { return &s.FreeAgentFiles }),
			person(off(func(s *draft) *bool { return &s.FreeAgentFiles }))},
		{"security.tool_policy.default", "how tools are treated that nothing else names: allow, deny or supervised", "",
			defaultTreatmentForm, lowerDefault},
		{"security.tool_policy.tools", "how single tools are treated", "",
			toolTreatments.form(), toolTreatments.direction()},
		{"security.tool_policy.groups", "how groups of tools are treated", "",
			groupTreatments.form(), groupTreatments.direction()},
		{"security.approval.timeout_secs", "how many seconds an approval is waited for", "300",
			seconds(func(s *draft) *time.Duration { return &s.Approval.Timeout }),
			person(kept(func(s *draft) *time.Duration { return &s.Approval.Timeout }))},
		{"security.approval.on_timeout", "what happens if nobody answers: deny or allow", "deny",
			onTimeoutForm, person(lower(func(s *draft) *policy.Decision { return &s.Approval.OnTimeout }, "deny is tighter than allow"))},
		{"security.approval.notify_channel", "the channel of approvers.yaml by which people are told of what asks, or a list of several; all of them where nothing is set", "",
			oneOrMore(func(s *draft) *string { return &s.Approval.NotifyChannel }),
			person(kept(func(s *draft) *string { return &s.Approval.NotifyChannel }))},
		{"security.approval.supervisor_id", "the only person who may decide, a list of those of whom each may, or any: N and of: [names] where N of them must approve", "",
			supervisorForm, person(supervisorDirection)},
		{"security.approval.passkey_above", "the risk above which the approval service approves only by a passkey, in the desk: none, which is for every request, low or medium", "",
			passkeyForm, person(passkeyDirection)},
		{"security.approval.service", "the address of the approval service to which hooks take what asks: an http or https URL", "",
			serviceForm,
			person(kept(func(s *draft) *string { return &s.service.URL }))},
		{"security.approval.token_file", "a file with a token for the approval service", "",
			path(func(s *draft) *string { return &s.service.TokenFile }),
			person(kept(func(s *draft) *string { return &s.service.TokenFile }))},
		{"security.approval.keys_file", "a file with the JWK set of the keys that sign the receipts of the approval service", "",
			path(func(s *draft) *string { return &s.service.KeysFile }),
			person(kept(func(s *draft) *string { return &s.service.KeysFile }))},
		{"security.approval.auto_approve", "patterns of calls that need no approval; they cover no dangerous pattern, no sensitive path and no write that they do not name", "",
			autoApprovesForm,
			fewer(func(s *draft) *[]policy.AutoApprove { return &s.AutoApprove })},

		{"permissions", "what is allowed, asked about and denied, by tool and subject", "",
			form[draft]{permissionsShape, func(d *decoder, n *yaml.Node, s *draft) { d.permissions(n, &s.Permissions) }},
			noAllows},
		{"agents", "further permissions of single agents", "",
			agentsForm, noAgentAllows},

		{"rules", "what is allowed, asked about and denied, by what a call does", "",
			rulesForm, noAllowRules},
		{"rules_default", "what happens to a call that nothing else decides: allow leaves it to the mode, deny_writes denies what does more than read", "allow",
			rulesDefaultForm, denyWritesTighter},

		{"shell.wrappers", "names or paths of programs that start the command behind them and change nothing about it: all else then means that command",
			"",
			entries(func(s *draft) *[]policy.Entry { return &s.Wrappers }),
			fewer(func(s *draft) *[]policy.Entry { return &s.Wrappers })},

		{"readonly.safe_spaces", "outside these directories no command counts as only reading; session and project are those of the call", "",
			safeSpacesForm, limitTighter},
		{"readonly.remote", "services that commands may read: gh, kubectl, docker, aws, npm, pip, go, cargo, gem, loopback, loopback-any, or a host", "",
			entries(func(s *draft) *[]policy.Entry { return &s.RemoteReaders }),
			fewer(func(s *draft) *[]policy.Entry { return &s.RemoteReaders })},
		{"readonly.audience", "who sees what commands read: for team only the session and the project are safe spaces, for public only the session", "personal",
			word("audience", func(s *draft) *policy.Audience { return &s.Audience }),
			higher(func(s *draft) *policy.Audience { return &s.Audience }, "public is tighter than team, team than personal")},

		{"doom_loop.threshold", "how many times in a row the same call is too often", "3",
			number(2, 64, func(s *draft) *int { return &s.DoomLimits.Threshold }),
			smaller(func(s *draft) *int { return &s.DoomLimits.Threshold }, 3)},
		{"doom_loop.cycles", "how many repetitions of a short cycle of calls are too many", "4",
			number(2, 16, func(s *draft) *int { return &s.DoomLimits.Cycles }),
			smaller(func(s *draft) *int { return &s.DoomLimits.Cycles }, 4)},
		{"doom_loop.polling", "tools and leading words of commands that may repeat", "",
			texts(func(s *draft) *[]string { return &s.Polling }),
			fewer(func(s *draft) *[]string { return &s.Polling })},

		{"bundles", "bundles of policies that are taken from a server or a file", "",
			bundlesForm, person(fewer(func(s *draft) *[]BundleSource { return &s.bundles }))},

		{"admission.deadline_ms", "how many milliseconds of processor time an organisation's Rego may take for one call, from 10 to 2000; a call for which it takes longer is denied", "100",
			milliseconds(policy.MinAdmissionDeadline, policy.MaxAdmissionDeadline, func(s *draft) *time.Duration { return &s.AdmissionDeadline }),
			person(kept(func(s *draft) *time.Duration { return &s.AdmissionDeadline }))},

		{"record.allow_percent", "how many of 100 allowed calls are put on record, chosen at random; what is denied or asked about always is", "0",
			number(0, 100, func(s *draft) *int { return &s.RecordAllows }),
			person(kept(func(s *draft) *int { return &s.RecordAllows }))},

		{"hardline.protect", "paths that no call may change", "",
			protectForm, more},

		{"tools", "tools of your agents beyond the built-in ones, and changes to these", "",
			toolsForm, noTools},
	}
})

// permissionKeys are the keys of one permission.
var permissionKeys = sync.OnceValue(func() []key[policy.Permission] {
	return []key[policy.Permission]{
		{"match", "the tool and a pattern of its subject", "",
			text(func(p *policy.Permission) *string { return &p.Match }), free},
		{"action", "the answer: allow, ask or deny", "",
			word("action", func(p *policy.Permission) *policy.Decision { return &p.Action }), free},
		{"except", "narrower patterns to which the permission does not apply", "",
			textOrTexts(func(p *policy.Permission) *[]string { return &p.Except }), free},
		{"every_time", "whether to ask again whatever was approved before", "",
			boolean(func(p *policy.Permission) *bool { return &p.EveryTime }), free},
		{"outside_sandbox", "for allow: whether it holds for calls that leave the agent's sandbox too; for ask and deny: whether it holds for these alone", "",
			boolean(func(p *policy.Permission) *bool { return &p.OutsideSandbox }), free},
		{"why", "a clause that tells people the reason", "",
			text(func(p *policy.Permission) *string { return &p.Why }), free},
	}
})

// agentKeys are the keys of one agent.
var agentKeys = sync.OnceValue(func() []key[[]policy.Permission] {
	return []key[[]policy.Permission]{
		{"permissions", "what applies to this agent in addition", "",
			form[[]policy.Permission]{permissionsShape, (*decoder).permissions}, free},
	}
})

// toolKeys are the keys of one tool.
var toolKeys = sync.OnceValue(func() []key[policy.Tool] {
	return []key[policy.Tool]{
		{"kind", "what the tool does: shell, write, read, fetch, search, mcp or other", "",
			word("kind", func(t *policy.Tool) *policy.Kind { return &t.Kind }), free},
		{"risk", "how much harm it can do: high, medium or low", "",
			word("risk", func(t *policy.Tool) *policy.Risk { return &t.Risk }), free},
		{"aliases", "other names under which agents call it", "",
			aliasesForm, free},
		{"subject", "the arguments that patterns match", "",
			textOrTexts(func(t *policy.Tool) *[]string { return &t.Subject }), free},
		{"counts", "the arguments that make two calls the same", "",
			texts(func(t *policy.Tool) *[]string { return &t.Counts }), free},
		{"dirs", "of a shell, the arguments that name the directory in which it runs", "",
			texts(func(t *policy.Tool) *[]string { return &t.Runs.Dirs }), free},
		{"env", "of a shell, the arguments that hold variables of the environment", "",
			texts(func(t *policy.Tool) *[]string { return &t.Runs.Env }), free},
		{"commands", "of another tool, the arguments whose text may reach a shell", "",
			commandsForm, free},
		{"groups", "the groups of the tool policy to which it belongs", "",
			texts(func(t *policy.Tool) *[]string { return &t.Groups }), free},
	}
})

// autoApproveKeys are the keys of one auto-approve entry.
var autoApproveKeys = sync.OnceValue(func() []key[policy.AutoApprove] {
	return []key[policy.AutoApprove]{
		{"tool", "the tool whose calls it approves", "",
			text(func(a *policy.AutoApprove) *string { return &a.Tool }), free},
		{"command_pattern", "a regular expression for each simple command", "",
			expression(func(a *policy.AutoApprove) **regexp.Regexp { return &a.Command }), free},
		{"path_pattern", "a regular expression for each path", "",
			expression(func(a *policy.AutoApprove) **regexp.Regexp { return &a.Path }), free},
		{"url_pattern", "a regular expression for the URL; without args_pattern it covers requests that read", "",
			expression(func(a *policy.AutoApprove) **regexp.Regexp { return &a.URL }), free},
		{"args_pattern", "a regular expression for the JSON of all arguments", "",
			expression(func(a *policy.AutoApprove) **regexp.Regexp { return &a.Args }), free},
	}
})
