package config

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// bodies are what follows "version: 1", each with the one or more problems
// that it has; warnings come last.
var bodies = []struct{ in, want string }{
	// Keys.
	{"aprovals: {mode: auto}", `p:2:1: unknown key "aprovals" (did you mean approvals?)`},
	{"confirm_policy: confirm_all", `p:2:1: unknown key "confirm_policy" (did you mean security.confirm_policy?)`},
	{"tool_policy: {default: deny}", `p:2:1: unknown key "tool_policy" (did you mean security.tool_policy?)`},
	{"security: {mode: auto}", `p:2:12: unknown key "security.mode" (did you mean approvals.mode?)`},
	{"security: {tools: {shell: deny}}", `p:2:12: unknown key "security.tools" (did you mean security.tool_policy.tools?)`},
	{"approvals: {confirmPolicy: confirm_all}", `p:2:13: unknown key "approvals.confirmPolicy" (did you mean security.confirm_policy?)`},
	{"security: {confirm-policy: confirm_all}", `p:2:12: unknown key "security.confirm-policy" (did you mean security.confirm_policy?)`},
	{"approvals.mode: auto", `p:2:1: approvals.mode is written as nested mappings: the part behind each dot goes on its own line, indented`},
	{"security: {approval.timeout_secs: 3}", `p:2:12: security.approval.timeout_secs is written as nested mappings: the part behind each dot goes on its own line, indented`},
	{"perm: {}", `p:2:1: unknown key "perm" (did you mean permissions?)`},
	{"Permissions: {}", `p:2:1: unknown key "Permissions" (did you mean permissions?)`},
	{"tools: {shell: [kind]}", `p:2:16: tools.shell must be a mapping, not a list`},
	{"rulez: []", `p:2:1: unknown key "rulez" (did you mean rules?)`},
	{"zzz: []", `p:2:1: unknown key "zzz": one of version, locked, approvals, security, permissions, agents, rules, rules_default, shell, readonly, doom_loop, bundles, admission, record, hardline, tools`},
	{"bundles: {acme: {}}", `p:2:17: missing here: url`},
	{"bundles: {acme: {ulr: /a}}", `p:2:18: unknown key "ulr" (did you mean url?)`},
	{"bundles: {acme: {url: /a, key: {org: /k}}}", `p:2:27: unknown key "key" (did you mean keys?)`},
	{"bundles: {acme: {url: /a, keys: {}}}", `p:2:33: keys is empty: name the key that signs the bundle, or leave keys out, and then nothing is verified`},
	{"bundles: {acme: {url: /a, keys: {org: k}}}", `p:2:39: the path "k" must begin with / or ~/`},
	{"bundles: {acme: {url: a}}", `p:2:23: url must begin with one of http://, https://, file:///, /, ~/`},
	{"bundles: {a/b: {url: /a, keys: {org: /k}}}", `p:2:11: the name "a/b" of a bundle holds more than letters, digits, - and _`},
	{"bundles: {acme: {url: /a, scope: x}}", `p:2:11: scope is checked with the signature: give keys too`},
	{"bundles: {acme: {url: /a, keys: {org: /k}, max_age: 3}}", `p:2:53: max_age must be a duration such as 90s, 5m or 1h30m, not the number 3`},
	{"bundles: {acme: {url: /a, keys: {org: /k}, long_poll: 1ms}}", `p:2:55: long_poll must be from 1s to 8760h, not 1ms`},
	{"bundles: {acme: {url: /a, keys: {org: /k}, min_delay: 2m, max_delay: 1m}}", `p:2:11: max_delay is shorter than min_delay`},
	{"bundles: {acme: {url: /a, keys: {org: /k}, token_file: /t, status_url: 'http://c.example/s'}}", `p:2:11: the token of token_file could be read on the way to a collector over http://: use https://`},
	{"bundles: {acme: {url: /a, keys: {org: /k}, token_file: /t, decision_log_url: 'http://c.example/l'}}", `p:2:11: the token of token_file could be read on the way to a collector over http://: use https://`},
	{"bundles: {acme: {url: /a, keys: {org: /k}, token_file: /t, decision_log_url: 'http://127.0.0.1:1/l', status_url: 'https://c.example/s'}}", ``},
	{"bundles: {acme: {url: /a, keys: {org: /k}, status_url: 'http://c.example/s'}}", ``},
	{"bundles: {acme: {url: /a}}", `warning: p:2:11: the bundle acme has no keys: whoever can change it or the way to it writes the policy`},
	{"readonly: {safe_spaces: []}", `p:2:25: readonly.safe_spaces is empty: name a directory, or set approvals.auto_allow_readonly to false`},
	{"readonly: {safe_spaces: project}", `p:2:25: readonly.safe_spaces must be a list, not the text "project": write ["project"]`},
	{"readonly: {safe_spaces: [projekt, docs/x, '/a/*', ~/../x, '~x', '~', /]}", "p:2:26: unknown safe space \"projekt\": one of session, project, or a directory that begins with / or ~/ (did you mean project?)\np:2:35: the safe space \"docs/x\" must begin with / or ~/\np:2:43: the safe space \"/a/*\" holds a wildcard: name the directory above\np:2:51: the safe space \"~/../x\" holds ..: write where it leads\np:2:59: unknown safe space \"~x\": one of session, project, or a directory that begins with / or ~/"},
	{"readonly: {audience: all}", `p:2:22: unknown audience "all": one of personal, team, public`},
	{"readonly: {safe_space: [/a]}", `p:2:12: unknown key "readonly.safe_space" (did you mean readonly.safe_spaces?)`},
	{"permissions: [{match: shell ls, acton: allow}]", `p:2:33: unknown key "acton" (did you mean action?)`},
	{"permissions: [{match: shell ls, action: allow, reason: x}]", `p:2:48: unknown key "reason": one of match, action, except, every_time, outside_sandbox, why`},
	{`permissions: ["shell ls": allow]`, `p:2:15: unknown key "shell ls": one of match, action, except, every_time, outside_sandbox, why`},
	{`permissions: {"shell ls": {match: shell ls, action: allow}}`, `p:2:28: unknown key "match": one of action, except, every_time, outside_sandbox, why`},
	{"agents: {bot: {permision: {}}}", `p:2:16: unknown key "permision" (did you mean permissions?)`},
	{"tools: {deploy: {kindd: shell}}", `p:2:18: unknown key "kindd" (did you mean kind?)`},
	{"version: 1", `p:2:1: duplicate key "version": it is already in line 1`},
	{"approvals: {mode: auto, mode: skip}", `p:2:25: duplicate key "mode": it is already in line 2`},
	{`permissions: {"shell ls *": ask, 'shell ls *': deny}`, `p:2:34: duplicate key "shell ls *": it is already in line 2`},
	{`permissions: {"shell ls *": ask, "shell LS *": deny}`, ""},
	{`permissions: {"shell make": deny}`, "warning: p:2:15: \"shell make\" covers the call without arguments alone; to cover it with arguments too, write `shell make *`"},
	{`permissions: {"Bash(git push:*)": deny}`, `p:2:15: "Bash(git push:*)" denies nothing and asks about nothing: it is spelt as for another program and matches nothing; write "shell git push *"`},
	{`permissions: {"shell git push :*": ask}`, `p:2:15: "shell git push :*" denies nothing and asks about nothing: no command has a word that begins with a colon there; write "shell git push *"`},
	{`permissions: {"Bash(git push:*)": allow}`, `warning: p:2:15: "Bash(git push:*)" allows nothing: it is spelt as for another program and matches nothing; write "shell git push *"`},
	{"1: 2", `p:2:1: a key must be text: put it in quotes`},
	{"? [a]\n: b", `p:2:3: a key must be text: put it in quotes`},
	{"? \n: b", `p:2:2: a key must be text: put it in quotes`},
	// Names of values.
	{"approvals: {mode: skp}", `p:2:19: unknown mode "skp": one of manual, auto, skip, observe (did you mean skip?)`},
	{"approvals: {mode: Auto}", `p:2:19: unknown mode "Auto": one of manual, auto, skip, observe (did you mean auto?)`},
	{"approvals: {mode: yolo}", `p:2:19: unknown mode "yolo": one of manual, auto, skip, observe`},
	{"security: {confirm_policy: dangerous}", `p:2:28: unknown confirm policy "dangerous": one of confirm_all, dangerous_only (did you mean dangerous_only?)`},
	{"security: {tool_policy: {default: ask}}", `p:2:35: unknown treatment "ask": one of deny, supervised, allow`},
	{"security: {tool_policy: {tools: {shell: allowed}}}", `p:2:41: unknown treatment "allowed": one of deny, supervised, allow (did you mean allow?)`},
	{"security: {tool_policy: {groups: {network: superviced}}}", `p:2:44: unknown treatment "superviced": one of deny, supervised, allow (did you mean supervised?)`},
	{"security: {approval: {on_timeout: ask}}", `p:2:35: unknown action "ask": one of deny, allow`},
	{`permissions: {"shell ls": alow}`, `p:2:27: unknown action "alow": one of deny, ask, allow (did you mean allow?)`},
	{`permissions: [{match: shell ls, action: block}]`, `p:2:41: unknown action "block": one of deny, ask, allow (did you mean deny?)`},
	{"tools: {deploy: {kind: shel, risk: mid}}", "p:2:24: unknown kind \"shel\": one of other, shell, write, read, fetch, search, mcp (did you mean shell?)\np:2:36: unknown risk \"mid\": one of high, medium, low"},
	// Types.
	{"approvals: {mode: [auto]}", `p:2:19: approvals.mode must be text, not a list`},
	{"approvals: {mode: 1}", `p:2:19: approvals.mode must be text, not the number 1: put it in quotes`},
	{"approvals: {mode: }", `p:2:19: approvals.mode has no value: give it text, or leave it out`},
	{`approvals: {mode: ""}`, `p:2:19: approvals.mode is empty`},
	{"approvals: {yolo: yes}", `p:2:19: approvals.yolo must be true or false, not the text "yes"`},
	{"approvals: {yolo: 1}", `p:2:19: approvals.yolo must be true or false, not the number 1`},
	{"approvals: {yolo: 'true'}", `p:2:19: approvals.yolo must be true or false, not the text "true"`},
	{"approvals: {auto_allow_readonly: []}", `p:2:34: approvals.auto_allow_readonly must be true or false, not a list`},
	{"approvals: {readonly_commands: bazel query}", `p:2:32: approvals.readonly_commands must be a list, not the text "bazel query": write ["bazel query"]`},
	{"approvals: {readonly_commands: {bazel: query}}", `p:2:32: approvals.readonly_commands must be a list, not a mapping`},
	{"approvals: {readonly_commands: [bazel query, 7, [x], '', ~, true, 2020-01-01]}", "p:2:46: an entry of approvals.readonly_commands must be text, not the number 7: put it in quotes\np:2:49: an entry of approvals.readonly_commands must be text, not a list\np:2:54: an entry of approvals.readonly_commands is empty\np:2:58: an entry of approvals.readonly_commands must be text, but ~ is nothing in YAML: put it in quotes\np:2:61: an entry of approvals.readonly_commands must be text, not true: put it in quotes\np:2:67: an entry of approvals.readonly_commands must be text, not the date 2020-01-01: put it in quotes"},
	{"security: {command_allowlist: [\"a\\tb\"]}", `p:2:32: an entry of security.command_allowlist holds a control character: it must be one line without tabs`},
	{"approvals: [mode]", `p:2:12: approvals must be a mapping, not a list`},
	{"approvals:", `p:2:11: approvals has no value: give it a mapping, or leave it out`},
	{"permissions:", `p:2:13: permissions has no value: give it a mapping or a list, or leave it out`},
	{"permissions: deny", `p:2:14: permissions must be a mapping or a list, not the text "deny"`},
	{"permissions: [shell ls]", `p:2:15: an entry of permissions must be a mapping with match and action, not the text "shell ls"`},
	{"security: {require_confirmation_for_shell: confirm_all}", `p:2:44: security.require_confirmation_for_shell must be true or false, not the text "confirm_all"`},
	{"security: {approval: {timeout_secs: 0}}", `p:2:37: security.approval.timeout_secs must be a whole number from 1 to 31536000, not the number 0`},
	{"security: {approval: {timeout_secs: -1}}", `p:2:37: security.approval.timeout_secs must be a whole number from 1 to 31536000, not the number -1`},
	{"security: {approval: {timeout_secs: 5m}}", `p:2:37: security.approval.timeout_secs must be a whole number from 1 to 31536000, not the text "5m"`},
	{"security: {approval: {timeout_secs: '300'}}", `p:2:37: security.approval.timeout_secs must be a whole number from 1 to 31536000, not the text "300"`},
	{"security: {approval: {timeout_secs: 010}}", `p:2:37: security.approval.timeout_secs must be a whole number from 1 to 31536000, not the number 010`},
	{"security: {approval: {timeout_secs: 0x10}}", `p:2:37: security.approval.timeout_secs must be a whole number from 1 to 31536000, not the number 0x10`},
	{"security: {approval: {timeout_secs: 1_0}}", `p:2:37: security.approval.timeout_secs must be a whole number from 1 to 31536000, not the number 1_0`},
	{"security: {approval: {timeout_secs: 1.5}}", `p:2:37: security.approval.timeout_secs must be a whole number from 1 to 31536000, not the number 1.5`},
	{"security: {approval: {timeout_secs: 99999999999999999999}}", `p:2:37: security.approval.timeout_secs must be a whole number from 1 to 31536000, not the number 99999999999999999999`},
	{"security: {approval: {supervisor_id: []}}", `p:2:38: security.approval.supervisor_id is an empty list: leave it out, or name somebody`},
	{"security: {approval: {supervisor_id: [a, 12345]}}", `p:2:42: an entry of security.approval.supervisor_id must be text, not the number 12345: put it in quotes`},
	{"security: {approval: {supervisor_id: 12345}}", `p:2:38: security.approval.supervisor_id must be text, not the number 12345: put it in quotes`},
	{"security: {approval: {notify_channel: }}", `p:2:39: security.approval.notify_channel has no value: give it text, or leave it out`},
	{"doom_loop: {threshold: 1}", `p:2:24: doom_loop.threshold must be a whole number from 2 to 64, not the number 1`},
	{"admission: {deadline_ms: 9}", `p:2:26: admission.deadline_ms must be a whole number from 10 to 2000, not the number 9`},
	{"admission: {deadline_ms: 2001}", `p:2:26: admission.deadline_ms must be a whole number from 10 to 2000, not the number 2001`},
	{"admission: {deadline_ms: 100ms}", `p:2:26: admission.deadline_ms must be a whole number from 10 to 2000, not the text "100ms"`},
	{"record: {allow_percent: 101}", `p:2:25: record.allow_percent must be a whole number from 0 to 100, not the number 101`},
	{"admission: {deadline: 100}", `p:2:13: unknown key "admission.deadline" (did you mean admission.deadline_ms?)`},
	{"doom_loop: {cycles: 17}", `p:2:21: doom_loop.cycles must be a whole number from 2 to 16, not the number 17`},
	{"doom_loop: {polling: gh run view}", `p:2:22: doom_loop.polling must be a list, not the text "gh run view": write ["gh run view"]`},
	{"agents: {bot: deny}", `p:2:15: agents.bot must be a mapping, not the text "deny"`},
	{`agents: {"": {permissions: {}}}`, `p:2:10: a key of agents is empty`},
	{"tools: {deploy: other}", `p:2:17: tools.deploy must be a mapping, not the text "other"`},
	{"tools: {deploy: {subject: {a: b}}}", `p:2:27: subject must be text, not a mapping`},
	// Permissions.
	{`permissions: {"": deny}`, `p:2:15: a key of permissions is empty`},
	{`permissions: {" ": deny}`, `p:2:15: a key of permissions is empty`},
	{`permissions: {" shell ls": deny}`, `p:2:15: a key of permissions must not begin or end with a blank: remove it from " shell ls"`},
	{`permissions: {"shell l\ns": deny}`, `p:2:15: a key of permissions holds a control character: it must be one line without tabs`},
	{`permissions: {"shell ls": [deny]}`, `p:2:27: the action of "shell ls" must be deny, ask, allow or a mapping with action, not a list`},
	{`permissions: {"shell ls": true}`, `p:2:27: the action of "shell ls" must be deny, ask, allow or a mapping with action, not true`},
	{`permissions: {"shell ls": }`, `p:2:27: the action of "shell ls" has no value: give it deny, ask, allow or a mapping with action, or leave it out`},
	{`permissions: {"shell ls": {why: x}}`, `p:2:27: missing here: action`},
	{`permissions: {"shell ls": {action: deny, every_time: true}}`, `p:2:15: every_time goes with action: ask only, not with deny`},
	{`permissions: {"shell ls": {action: ask, every_time: 1}}`, `p:2:53: every_time must be true or false, not the number 1`},
	{`permissions: {"shell ls": {action: ask, except: [""]}}`, `p:2:50: an entry of except is empty`},
	{`permissions: [{match: shell ls}]`, `p:2:15: missing here: action`},
	{`permissions: [{}]`, `p:2:15: missing here: match, action`},
	{`permissions: [{action: deny, why: "a\nb"}]`, `p:2:35: why holds a control character: it must be one line without tabs`},
	// Auto-approve patterns.
	{"security: {approval: {auto_approve: [{tool: shell}]}}", `p:2:38: a pattern is missing here: one of command_pattern, path_pattern, url_pattern, args_pattern`},
	{"security: {approval: {auto_approve: [{command_pattern: ^ls}]}}", `p:2:38: missing here: tool`},
	{"security: {approval: {auto_approve: {tool: shell}}}", `p:2:37: security.approval.auto_approve must be a list, not a mapping`},
	{"security: {approval: {auto_approve: [{tool: shell, command_pattern: ''}]}}", `p:2:69: command_pattern is empty`},
	{"security: {approval: {auto_approve: [{tool: shell, command_pattern: '('}]}}", `p:2:69: command_pattern: not a regular expression: missing closing ): (`},
	{"security: {approval: {auto_approve: [{tool: shell, command_pattern: 'a(?=b)'}]}}", `p:2:69: command_pattern: (?= (look-ahead) is not supported: regular expressions are those of RE2`},
	{"security: {approval: {auto_approve: [{tool: shell, command_pattern: '(?<!a)b'}]}}", `p:2:69: command_pattern: (?<! (look-behind) is not supported: regular expressions are those of RE2`},
	{`security: {approval: {auto_approve: [{tool: shell, args_pattern: '(a)\1'}]}}`, `p:2:66: args_pattern: \1 (a back-reference) is not supported: regular expressions are those of RE2`},
	{`security: {approval: {auto_approve: [{tool: shell, url_pattern: '(?P=n)'}]}}`, `p:2:65: url_pattern: (?P (a back-reference) is not supported: regular expressions are those of RE2`},
	{`security: {approval: {auto_approve: [{tool: shell, path_pattern: "\d"}]}}`, `p:2:1: not YAML: found unknown escape character: use single quotes, in which a backslash is a backslash`},
	{"security: {approval: {auto_approve: [{tool: shell, pattern: x}]}}", `p:2:52: unknown key "pattern": one of tool, command_pattern, path_pattern, url_pattern, args_pattern`},
	// Paths.
	{"hardline: {protect: [/etc/x, ~, '~/x', 'C:\\x', './x', x, '~bob/x', '/a/*']}", "p:2:30: an entry of hardline.protect must be text, but ~ is nothing in YAML: put it in quotes\np:2:48: the protected path \"./x\" must begin with / or ~/\np:2:55: the protected path \"x\" must begin with / or ~/\np:2:58: the protected path \"~bob/x\" must begin with / or ~/\np:2:68: the protected path \"/a/*\" holds a wildcard: name the directory above"},
	// Tools.
	{"tools: {shell: {kind: read}}", `p:2:23: the built-in tool shell keeps its kind: declare a tool of another name`},
	{"tools: {read: {subject: x, counts: [y]}}", "p:2:25: the built-in tool read keeps its subject: declare a tool of another name\np:2:36: the built-in tool read keeps its counts: declare a tool of another name"},
	{"tools: {deploy: {aliases: [Bash]}}", `p:2:28: "Bash" is a name of the tool shell already`},
	{"tools: {Bash: {risk: low}}", `p:2:9: "Bash" is a name of the tool shell already`},
	{"tools: {Shell: {risk: low}}", `p:2:9: "Shell" is a name of the tool shell already`},
	{"tools: {a: {aliases: [x]}, b: {aliases: [X]}}", `p:2:42: "X" is a name of the tool a already`},
	{"tools: {a: {aliases: [mcp__x__y]}}", `p:2:23: "mcp__x__y" cannot be an alias: any server can offer a tool of that name`},
	{"tools: {a: {kind: shell}}", `p:2:9: subject is missing: a tool of kind shell names the argument that holds the command`},
	{"tools: {'a b': {risk: low}, b: {aliases: ['c*']}}", "p:2:9: \"a b\" cannot be the name of a tool: it must hold no blank and no wildcard\np:2:43: \"c*\" cannot be the name of a tool: it must hold no blank and no wildcard"},
	{"security: {tool_policy: {tools: {' shell': deny, 'mcp__*': deny}}}", "p:2:34: a key of security.tool_policy.tools must not begin or end with a blank: remove it from \" shell\"\np:2:50: \"mcp__*\" is not a single tool: wildcards work under permissions only"},
	// What YAML has beyond.
	{"permissions: &p {}", `p:2:14: anchors are not supported: remove &p, and repeat the value where it is due`},
	{"permissions: &p {}\nagents: {bot: {permissions: *p}}", "p:2:14: anchors are not supported: remove &p, and repeat the value where it is due\np:3:29: aliases are not supported: repeat the value"},
	{"approvals:\n  <<: {mode: skip}", `p:3:3: merge keys are not supported: repeat the keys`},
	{"approvals: !!map {mode: auto}", `p:2:12: tags are not supported: remove !!map`},
	{"approvals: {mode: !mine auto}", `p:2:19: tags are not supported: remove !mine`},
	{"approvals: {mode: !%0a%1b[31m auto}", "p:2:19: tags are not supported: remove !\ufffd\ufffd[31m"},
	{"approvals: {mode: auto}\n---\nversion: 1", `p:3:1: a second document begins here: a policy file holds one, so remove the ---`},
	{"approvals: {mode: auto}\n---", `p:3:1: a second document begins here: a policy file holds one, so remove the ---`},
	{"approvals: {mode: auto}\n...\nagents: {}", `p:4:1: not YAML: did not find expected <document start>: something follows the end of the policy`},
	{"tools: " + strings.Repeat("[", 49) + strings.Repeat("]", 49), "p:2:8: tools must be a mapping, not a list\np:2:55: nested more than 48 levels deep"},
	// What is not YAML.
	{"permissions:\n  *: deny", `p:3:3: not YAML: did not find expected alphabetic or numeric character: a text that begins with * or & needs quotes`},
	{"permissions:\n  * ls: deny", `p:3:3: not YAML: did not find expected alphabetic or numeric character: a text that begins with * or & needs quotes`},
	{"permissions:\n  - *ls", `p:3:3: not YAML: unknown anchor 'ls' referenced: a text that begins with * needs quotes`},
	{"permissions:\n  - match: shell ls\n   action: ask", `p:4:4: not YAML: did not find expected '-' indicator: the indentation is wrong`},
	{"permissions:\n  \"shell\" ls: deny\n  \"shell x\": deny", `p:3:3: not YAML: did not find expected key: the indentation is wrong, or text follows a closing quote`},
	{"permissions:\n  shell echo: x: deny", `p:3:3: not YAML: mapping values are not allowed in this context: look for a colon in a text without quotes, a quote that is not closed, or uneven indentation`},
	{"permissions:\n  \"shell x: deny\n  \"shell y\": deny", `p:4:3: not YAML: mapping values are not allowed in this context: look for a colon in a text without quotes, a quote that is not closed, or uneven indentation`},
	{"permissions: {\n  shell x: deny\n", `p:3:3: not YAML: did not find expected ',' or '}': a bracket is not closed`},
	{"security:\n  command_allowlist: [a\n  confirm_policy: confirm_all", `p:3:3: not YAML: did not find expected ',' or ']': a bracket is not closed`},
	{"security:\n  approval:\n    auto_approve:\n      - {tool: shell, command_pattern: \"^\\w\"}", `p:5:7: not YAML: found unknown escape character: use single quotes, in which a backslash is a backslash`},
	{"agents\n", `p:2:1: not YAML: could not find expected ':': a key needs a colon`},
	{"agents: @x", "p:2:1: not YAML: found character that cannot start any token: a text that begins with @, % or ` needs quotes"},
	// Warnings.
	{`permissions: {"git *": allow}`, "warning: p:2:15: git is not a known tool, so that only calls of a tool with that name match; to match the shell command write `shell git *`"},
	{`permissions: {"shel rm *": deny}`, `warning: p:2:15: shel is not a known tool; if an agent has it, declare it under tools (did you mean shell?)`},
	{`permissions: {"Shall rm *": deny}`, `warning: p:2:15: Shall is not a known tool; if an agent has it, declare it under tools (did you mean shell?)`},
	{`permissions: {"git": allow}`, "warning: p:2:15: git is not a known tool, so that only calls of a tool with that name match; to match the shell command write `shell git`"},
	{`permissions: {"*": ask, "* x": ask, "mcp__x": ask, "bash ls": allow, "file_system write ~/.env": deny}`, ""},
	{`permissions: {"mcp__github__* *": ask}`, ""},
	{`permissions: {"file_system ~/.env": deny, "file_system": ask, "file_system wirte x": ask}`, "p:2:15: file_system is followed by one of read, write, edit and a path, not by \"~/.env\"\n" +
		"p:2:43: file_system is followed by one of read, write, edit and a path, not by \"\"\n" +
		"p:2:63: file_system is followed by one of read, write, edit and a path, not by \"wirte\" (did you mean write?)"},
	{`permissions: {"shlel x": deny, "tail *": ask, "find *": ask, "raed x": ask}`, "warning: p:2:15: shlel is not a known tool; if an agent has it, declare it under tools (did you mean shell?)\n" +
		"warning: p:2:32: tail is not a known tool, so that only calls of a tool with that name match; to match the shell command write `shell tail *`\n" +
		"warning: p:2:47: find is not a known tool, so that only calls of a tool with that name match; to match the shell command write `shell find *`\n" +
		"warning: p:2:62: raed is not a known tool; if an agent has it, declare it under tools (did you mean read?)"},
	{`permissions: {"shell git push *": {action: deny, except: shell}}`, `p:2:15: the exception "shell" has no subject: write it like match, with a tool and a pattern`},
	{`permissions: {"deploy *": ask}` + "\ntools: {deploy: {aliases: [ship]}}", ""},
	{`permissions: {"shell git push *": {action: deny, except: git push origin}}`, "warning: p:2:15: the exception `git push origin` does not begin with the tool of its permission: write `shell git push origin`"},
	{`permissions: {"shell git push *": {action: deny, except: bash git push origin}}`, ""},
	{`agents: {bot: {permissions: {"rm *": deny}}}`, "warning: p:2:30: rm is not a known tool, so that only calls of a tool with that name match; to match the shell command write `shell rm *`"},
	{"security: {tool_policy: {tools: {teleport: deny, wite: deny, mcp__x: deny}}}", "warning: p:2:34: teleport is not a known tool; if an agent has it, declare it under tools\nwarning: p:2:50: wite is not a known tool; if an agent has it, declare it under tools (did you mean write?)"},
	{"security: {tool_policy: {groups: {networks: deny, network: deny}}}", `warning: p:2:35: no tool belongs to the group "networks" (did you mean network?)`},
	{"security: {approval: {auto_approve: [{tool: teleport, url_pattern: x}]}}", `warning: p:2:45: teleport is not a known tool; if an agent has it, declare it under tools`},
	{"security: {confirm_policy: confirm_all, require_confirmation_for_shell: false}", `warning: p:2:73: no effect: security.confirm_policy is confirm_all (p:2)`},
	{"security: {confirm_policy: confirm_all, require_confirmation_for_shell: true}", ""},
}

// files are whole files.
var files = []struct{ in, want string }{
	{"", `p:1:1: the file is empty: a policy begins with version: 1`},
	{"# nothing\n\n", `p:1:1: the file is empty: a policy begins with version: 1`},
	{"---\n", `p:1:1: the file is empty: a policy begins with version: 1`},
	{"\ufeff", `p:1:1: the file is empty: a policy begins with version: 1`},
	{"\ufeffversion: 1\n", ""},
	{"approvals: {mode: auto}\n", `p:1:1: version is missing: begin the file with version: 1`},
	{"approvals: {mode: at}\n", "p:1:1: version is missing: begin the file with version: 1\np:1:19: unknown mode \"at\": one of manual, auto, skip, observe"},
	{"# c\n\napprovals: {mode: auto}\nversion: 1\n", `p:4:1: version must be the first key: move it to the top`},
	{"version: 2\nnews: true\n", `p:1:10: version 2 is unknown: this policyctl reads version 1, so get one that is newer or write version: 1`},
	{"version: 1.0\n", `p:1:10: version must be the number 1, not the number 1.0`},
	{"version: \"1\"\n", `p:1:10: version must be the number 1, not the text "1"`},
	{"version:\n", `p:1:9: version must be the number 1, not nothing`},
	{"- version: 1\n", `p:1:1: a policy is a mapping that begins with version: 1, not a list`},
	{"version 1\n", `p:1:1: a policy is a mapping that begins with version: 1, not the text "version 1"`},
	{"%YAML 1.2\n---\nversion: 1\n", `p:1:1: not YAML: found incompatible YAML document: leave the %YAML line out`},
	{"%YAML 1.1\n---\nversion: 1\n", ""},
	{"version: 1\napprovals:\n\tmode: auto\n", `p:3:1: a tab indents this line: use blanks`},
	{"version: 1\n  \napprovals: \t{mode: auto} \t# c\t\n", ""},
	{"version: 1\n \t \n", `p:2:2: a tab indents this line: use blanks`},
	{"version: 1\r\napprovals: {mode: auto}\r\n", ""},
	{"version: 1 # x\rapprovals: {yolo: true}\n", `p:1:15: the invisible character U+000D: remove it, or write it as an escape in double quotes`},
	{"version: 1 # x\u2028approvals: {yolo: true}\n", `p:1:15: the invisible character U+2028: remove it, or write it as an escape in double quotes`},
	{"version: 1 # x\u0085approvals: {yolo: true}\n", `p:1:15: the invisible character U+0085: remove it, or write it as an escape in double quotes`},
	{"version: 1\n# a\u202eb\n# \u200b\n\x00\n", "p:2:4: the invisible character U+202E: remove it, or write it as an escape in double quotes\np:3:3: the invisible character U+200B: remove it, or write it as an escape in double quotes\np:4:1: the invisible character U+0000: remove it, or write it as an escape in double quotes"},
	{"version: 1\n# \xff\n", `p:2:3: the file is not UTF-8 here: save it as UTF-8`},
	{"\xff\xfev\x00", `p:1:1: the file is not UTF-8 here: save it as UTF-8`},
	{"# " + strings.Repeat("x", 4<<20), `p:1:1: the file is larger than 4 MiB: split the policy into files`},
	{"version: 1\nü: [ä, é]\npermissions: {\"shell ü\": x}\n", "p:2:1: unknown key \"ü\": one of version, locked, approvals, security, permissions, agents, rules, rules_default, shell, readonly, doom_loop, bundles, admission, record, hardline, tools\np:3:26: unknown action \"x\": one of deny, ask, allow"},
	{strings.Repeat("[", 20000), `p:1:1: not YAML: exceeded max depth of 10000: a policy needs no such nesting`},
	{strings.Repeat("- ", 20000), `p:1:1: not YAML: exceeded max depth of 10000: a policy needs no such nesting`},
}

// problems returns what loading has to say.
func problems(in string) string {
	l, err := Load(policy.Defaults(), File{Layer: User, Name: "p", Data: []byte(in), Admit: Everything})
	var all []string
	if err != nil {
		all = append(all, err.Error())
	}
	for _, w := range l.Warnings {
		all = append(all, "warning: "+w.Error())
	}
	return strings.Join(all, "\n")
}

func TestProblems(t *testing.T) {
	for _, tc := range bodies {
		check(t, "version: 1\n"+tc.in, tc.want)
	}
	for _, tc := range files {
		check(t, tc.in, tc.want)
	}
}

func check(t *testing.T, in, want string) {
	t.Helper()
	if got := problems(in); got != want {
		t.Errorf("%.300q\n got %s\nwant %s", in, got, want)
	}
}
