package hook

import "strings"

// abilities are what an agent heeds beside the words of its table.
type abilities struct {
	// notice: systemMessage may stand beside an answer.
	notice bool
	// notes: systemMessage may stand where something went wrong, and alone.
	notes bool
	// typed: what is typed into a running program passes no hook.
	typed bool
	// dialogFirst: see [Event.DialogFirst].
	dialogFirst bool
	// form is how an answer is written, and denial how a denial is called in it, ""
	// for "deny".
	form   form
	denial string
	// escapes: the dialog is also how a call leaves the agent's sandbox, and
	// the event does not say whether it does. Tools of MCP servers run outside
	// it anyway.
	escapes bool
}

// agents is the table of the protocols. Nothing is ever said that an agent does not
// heed: it would run the call.
//
// An ask becomes, by agent:
//   - Claude Code: "ask" where a person is there. Headless, where it would be
//     refused anyway, a denial that says so, or "defer" on request. The modes
//     dontAsk and bypassPermissions promise that nobody is asked: denied.
//   - Codex: a denial. It ignores "ask" and runs the call, and silence would
//     leave the call to its own rules, which may run it without a question. In
//     PermissionRequest silence shows its dialog, which is the question. Where it
//     asks nobody, its events have the mode bypassPermissions.
//   - Copilot CLI: "ask". Headless it says that it is unable to ask, and
//     refuses; its events tell neither a mode nor whether a person is there.
//   - Qwen Code: a denial. Some versions refuse on "ask" without showing a
//     dialog. Where its own rules ask, its dialog came before, and counts.
//   - Gemini CLI: a denial. "ask" opens its dialog, but headless, of which its events
//     do not tell, it waits for an answer until it is killed. An allow is no answer
//     to its own rules, which ask after the hook.
//
// What is undecided is left to the rules of the agent where somebody can be asked, and
// denied as an ask is where nobody can.
var agents = []*Agent{
	{
		Name: "claude", Title: "Claude Code",
		events: eventTable{call: "PreToolUse", dialog: "PermissionRequest", quiet: common + ` PermissionDenied PostToolBatch Setup
			SubagentStart InstructionsLoaded ConfigChange CwdChanged FileChanged TeammateIdle TaskCreated TaskCompleted
			StopFailure PostCompact WorktreeRemove`},
		tools: claudeTools,
		sample: `{"session_id":"$SESSION","transcript_path":"/dev/null","cwd":"$DIR","permission_mode":"default",` +
			`"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"$COMMAND"},` +
			`"tool_use_id":"$SESSION"}`,
		attended: "CLAUDE_CODE_SESSION_ATTENDED",
		modes: []mode{
			//                                       looks allow undecided ask deny
			{names: "default acceptEdits auto", asks: true, call: "allow allow - ask deny", dialog: "allow allow - - deny"},
			{names: "plan", asks: true, call: "allow - - ask deny", dialog: "allow - - - deny"},
			{names: "dontAsk bypassPermissions *", call: "allow allow deny deny deny", dialog: "allow allow deny deny deny"},
			{names: "plan", headless: true, call: "allow - later later deny", dialog: "allow - deny deny deny"},
			{names: "default acceptEdits auto dontAsk bypassPermissions *", headless: true, call: "allow allow later later deny", dialog: "allow allow deny deny deny"},
		},
		subagents: true,
		answers:   abilities{notice: true},
	},
	{
		// A bare "allow" marks the hook as failed and an unknown key drops the
		// whole answer, so nothing but a denial and notes is ever said before a
		// call.
		Name: "codex", Title: "Codex",
		events: eventTable{call: "PreToolUse", dialog: "PermissionRequest", quiet: common + " SubagentStart PostCompact StopFailure"},
		tools:  codexTools,
		sample: `{"session_id":"$SESSION","turn_id":"$SESSION","transcript_path":null,"cwd":"$DIR","model":"gpt",` +
			`"permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash",` +
			`"tool_input":{"command":"$COMMAND"},"tool_use_id":"$SESSION"}`,
		modes: []mode{
			{names: "default acceptEdits", asks: true, call: "- - - deny deny", dialog: "allow allow - - deny"},
			{names: "plan", asks: true, call: "- - - deny deny", dialog: "allow - - - deny"},
			{names: "dontAsk bypassPermissions *", call: "- - deny deny deny", dialog: "allow allow deny deny deny"},
		},
		subagents: true,
		answers:   abilities{notes: true, typed: true, escapes: true},
	},
	{
		// Only the events named as in Claude Code: for preToolUse, with a small
		// letter, Copilot reads answers of another form. Those events have no
		// hook_event_name and are refused by the exit code.
		Name: "copilot", Title: "Copilot CLI",
		events: eventTable{call: "PreToolUse", quiet: common + " ErrorOccurred SubagentStart"},
		tools:  copilotTools, mcp: joining{between: "-"}, tellsNothing: true,
		sample: `{"timestamp":"2026-01-01T00:00:00Z","cwd":"$DIR","session_id":"$SESSION",` +
			`"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"$COMMAND"}}`,
		modes: []mode{
			{names: "*", asks: true, call: "allow allow - ask deny", dialog: "allow allow - - deny"},
		},
		subagents: true,
	},
	{
		Name: "qwen", Title: "Qwen Code",
		events: eventTable{call: "PreToolUse", dialog: "PermissionRequest", quiet: common + " SubagentStart PostToolBatch StopFailure PostCompact"},
		tools:  qwenTools,
		sample: `{"session_id":"$SESSION","transcript_path":"/dev/null","cwd":"$DIR",` +
			`"timestamp":"2026-01-01T00:00:00Z","permission_mode":"default","hook_event_name":"PreToolUse",` +
			`"tool_name":"run_shell_command","tool_input":{"command":"$COMMAND"},"tool_use_id":"$SESSION",` +
			`"tool_call_id":"$SESSION"}`,
		modes: []mode{
			{names: "default auto-edit auto", asks: true, call: "allow allow - deny deny", dialog: "allow allow - - deny"},
			{names: "plan", asks: true, call: "allow - - deny deny", dialog: "allow - - - deny"},
			{names: "yolo *", call: "allow allow deny deny deny", dialog: "allow allow deny deny deny"},
		},
		subagents: true,
		answers:   abilities{notice: true, dialogFirst: true},
	},
	{
		// Read in the source of 0.61.0: hooks/types.ts, scheduler/hook-utils.ts.
		Name: "gemini", Title: "Gemini CLI",
		events: eventTable{call: "BeforeTool", turn: "BeforeAgent", quiet: `SessionStart SessionEnd AfterAgent AfterTool BeforeModel
			AfterModel BeforeToolSelection Notification PreCompress`},
		tools: geminiTools, fields: keys{server: "mcp_context.server_name", own: "mcp_context.tool_name"}, tellsNothing: true,
		sample: `{"session_id":"$SESSION","transcript_path":"/dev/null","cwd":"$DIR","hook_event_name":"BeforeTool",` +
			`"timestamp":"2026-01-01T00:00:00Z","tool_name":"run_shell_command",` +
			`"tool_input":{"command":"$COMMAND"}}`,
		modes: []mode{
			{names: "*", asks: true, call: "- - - deny deny", dialog: "- - - - deny"},
		},
		subagents: true,
		answers:   abilities{notice: true, form: formPlain},
	},
	{
		// Seen with 2.1.0. Its hooks cannot ask and skip no question. The calls of a
		// subagent cannot be told from those of the agent.
		Name: "kimi", Title: "Kimi Code",
		events: eventTable{call: "PreToolUse", quiet: common + " SubagentStart PostCompact StopFailure PermissionRequest PermissionResult"},
		tools:  kimiTools, tellsNothing: true,
		sample: `{"hook_event_name":"PreToolUse","session_id":"$SESSION","cwd":"$DIR","client_type":"kimi_code_cli",` +
			`"tool_name":"Bash","tool_input":{"command":"$COMMAND"},"tool_call_id":"$SESSION"}`,
		modes: []mode{
			{names: "*", asks: true, call: "- - - deny deny", dialog: "- - - - deny"},
		},
		subagents: true,
	},
	{
		// Seen with 1.0.41. An ask ends a headless run, and runs the call where nobody is
		// asked; an allow skips no question of its own. A subagent has a session of its own, and nothing names its parent.
		Name: "grok", Title: "Grok Build",
		events: eventTable{call: "PreToolUse", quiet: common + " SubagentStart StopFailure PostCompact"},
		fields: keys{cut: "toolInputTruncated"},
		tools:  grokTools, mcp: joining{between: "__"}, wrapsMCP: true,
		sample: `{"hook_event_name":"PreToolUse","session_id":"$SESSION","cwd":"$DIR","permission_mode":"default",` +
			`"tool_name":"run_terminal_command","tool_input":{"command":"$COMMAND"},"tool_use_id":"$SESSION"}`,
		modes: []mode{
			{names: "default plan", asks: true, call: "- - - deny deny", dialog: "- - - - deny"},
			{names: "bypassPermissions *", call: "- - deny deny deny", dialog: "- - deny deny deny"},
		},
		subagents: true,
	},
	{
		// A plugin of ours, install/plugins/opencode.js. OpenCode's own dialog can be
		// answered without the person, which no plugin sees.
		Name: "opencode", Title: "OpenCode",
		events: pluginEvents, fields: pluginKeys, tools: opencodeTools, sample: pluginSample,
		tellsNothing: true,
		modes:        opencodeModes,
		subagents:    true,
		answers:      abilities{form: formPlain},
	},
	{
		Name: "kilo", Title: "Kilo Code",
		events: pluginEvents, fields: pluginKeys, tools: opencodeTools, sample: pluginSample,
		tellsNothing: true,
		modes:        opencodeModes,
		subagents:    true,
		answers:      abilities{form: formPlain},
	},
	{
		// An extension of ours, install/plugins/pi.ts, which asks the person itself. pi has
		// no rules of its own to which anything could be left.
		Name: "pi", Title: "pi",
		events: pluginEvents, fields: pluginKeys, tools: piTools, sample: pluginSample,
		tellsNothing: true,
		modes:        unruledModes,
		answers:      abilities{form: formPlain},
	},
	{
		// A plugin of ours, install/plugins/amp.ts, which asks the person itself. Read in
		// 0.0.1790142911: it runs what no plugin rejects.
		Name: "amp", Title: "Amp",
		events: pluginEvents, fields: pluginKeys, tools: ampTools,
		sample:       strings.Replace(pluginSample, `"bash"`, `"shell_command"`, 1),
		tellsNothing: true,
		modes:        unruledModes,
		answers:      abilities{form: formPlain},
	},
	{
		// Seen with 1.64.0. A hook cannot ask, and an allow may skip a question. The calls of its
		// subagents pass no hook.
		Name: "commandcode", Title: "Command Code",
		events: eventTable{call: "PreToolUse", quiet: "PostToolUse Stop SessionStart"},
		tools:  commandcodeTools,
		sample: `{"session_id":"$SESSION","transcript_path":"/dev/null","cwd":"$DIR","hook_event_name":"PreToolUse",` +
			`"permission_mode":"default","tool_use_id":"$SESSION","tool_name":"shell_command",` +
			`"tool_display_name":"SHELL","tool_input":{"command":"$COMMAND"}}`,
		modes: []mode{
			{names: "default auto-accept", asks: true, call: "- - - deny deny", dialog: "- - - - deny"},
			{names: "plan", asks: true, call: "- - - deny deny", dialog: "- - - - deny"},
			{names: "*", call: "- - deny deny deny", dialog: "- - deny deny deny"},
		},
		answers: abilities{notice: true},
	},
	{
		// Read in 0.36.0, whose events name no mode and no call.
		Name: "auggie", Title: "Auggie",
		events: eventTable{call: "PreToolUse", quiet: "PostToolUse Stop SessionStart SessionEnd Notification PromptSubmit"},
		fields: keys{session: "conversation_id", dir: "cwd workspace_roots.0"},
		tools:  auggieTools, tellsNothing: true,
		sample: `{"hook_event_name":"PreToolUse","conversation_id":"$SESSION","workspace_roots":["$DIR"],` +
			`"tool_name":"launch-process","tool_input":{"command":"$COMMAND"},"is_mcp_tool":false}`,
		modes: []mode{
			{names: "*", asks: true, call: "- - - deny deny", dialog: "- - - - deny"},
		},
		answers: abilities{notice: true},
	},
	{
		// Read in 1.1.52.
		Name: "qoder", Title: "Qoder CLI",
		events: eventTable{call: "PreToolUse", quiet: common + " SubagentStart PermissionRequest PermissionDenied StopFailure PostCompact"},
		sample: `{"session_id":"$SESSION","transcript_path":"/dev/null","cwd":"$DIR","hook_event_name":"PreToolUse",` +
			`"permission_mode":"default","tool_name":"Bash","tool_input":{"command":"$COMMAND"},"tool_use_id":"$SESSION"}`,
		modes: []mode{
			{names: "default accept_edits acceptEdits", asks: true, call: "- - - deny deny", dialog: "- - - - deny"},
			{names: "dontAsk bypassPermissions *", call: "- - deny deny deny", dialog: "- - deny deny deny"},
		},
		subagents: true,
	},
	{
		// Seen with 0.215.0. A mode in which nobody is asked is called as one in which
		// somebody is. A subagent has a session of its own, and nothing names its parent.
		Name: "droid", Title: "Factory Droid",
		events: eventTable{call: "PreToolUse", quiet: common},
		tools:  droidTools, mcp: joining{between: "___"},
		sample: `{"session_id":"$SESSION","transcript_path":"/dev/null","cwd":"$DIR","permission_mode":"off",` +
			`"hook_event_name":"PreToolUse","tool_name":"Execute","tool_input":{"command":"$COMMAND"}}`,
		modes: []mode{
			{names: "off auto-low auto-medium spec", asks: true, call: "- - - deny deny", dialog: "- - - - deny"},
			{names: "*", call: "- - deny deny deny", dialog: "- - deny deny deny"},
		},
		subagents: true,
	},
	{
		// Read in the documentation of 29 November 2026. Another event shows shell
		// commands and MCP tools a second time, and can ask.
		Name: "cursor", Title: "Cursor",
		events: eventTable{
			call: "preToolUse", turn: "beforeSubmitPrompt",
			quiet: `postToolUse postToolUseFailure afterShellExecution afterMCPExecution afterFileEdit stop sessionStart
				sessionEnd subagentStart subagentStop preCompact afterAgentResponse afterAgentThought`,
			more: []toolEvent{
				{name: "beforeShellExecution", kind: prompt, tool: "Shell", input: "."},
				{name: "beforeMCPExecution", kind: prompt, isText: true},
			},
		},
		fields: keys{session: "conversation_id", dir: "cwd workspace_roots.0", server: "mcp_server_name"},
		tools:  cursorTools, tellsNothing: true,
		sample: `{"conversation_id":"$SESSION","generation_id":"1","hook_event_name":"preToolUse","workspace_roots":["$DIR"],` +
			`"tool_name":"Shell","tool_input":{"command":"$COMMAND"},"tool_use_id":"$SESSION","cwd":"$DIR"}`,
		modes: []mode{
			{names: "*", asks: true, call: "- - - deny deny", dialog: "- - - ask deny"},
		},
		answers: abilities{form: formFlat},
	},
	{
		// Read in the documentation of 29 November 2026. A name of a tool has that of its
		// extension before it.
		Name: "goose", Title: "Goose",
		events: eventTable{call: "PreToolUse", quiet: common + ` PreToolUseResult BeforeReadFile AfterFileEdit
			BeforeShellExecution AfterShellExecution`},
		fields: keys{event: "event", dir: "working_dir", id: "tool_call_id", prompt: "message"},
		tools:  gooseTools, mcp: joining{between: "__"}, tellsNothing: true,
		sample: `{"event":"PreToolUse","session_id":"$SESSION","matcher_context":"developer__shell",` +
			`"tool_name":"developer__shell","tool_input":{"command":"$COMMAND"},"working_dir":"$DIR","tool_call_id":"$SESSION"}`,
		modes: []mode{
			{names: "*", asks: true, call: "- - - deny deny", dialog: "- - - - deny"},
		},
		answers: abilities{form: formPlain, denial: "block"},
	},
	{
		// Read in the documentation of 29 November 2026. The calls of its subagents pass no
		// hook.
		Name: "crush", Title: "Crush",
		events: eventTable{call: "PreToolUse", quiet: "PostToolUse PostToolUseFailure SessionStart SessionEnd TurnStart TurnEnd PreCompact PostCompact"},
		fields: keys{event: "event"},
		tools:  crushTools, mcp: joining{prefix: "mcp_", between: "_"}, tellsNothing: true,
		sample: `{"event":"PreToolUse","session_id":"$SESSION","cwd":"$DIR","tool_name":"bash","tool_input":{"command":"$COMMAND"}}`,
		modes: []mode{
			{names: "*", asks: true, call: "allow allow - deny deny", dialog: "- - - - deny"},
		},
		answers: abilities{form: formPlain},
	},
	{
		// Read in the source of 3.0.65. A denial ends the turn of the model, which reads no
		// reason, and exit codes mean nothing.
		Name: "cline", Title: "Cline",
		events: eventTable{call: "tool_call", turn: "prompt_submit", quiet: "tool_result agent_start agent_resume agent_end agent_abort agent_error"},
		fields: keys{
			event: "hookName", session: "taskId agent_id", dir: "workspaceRoots.0", tool: "tool_call.name", input: "tool_call.input",
			id: "tool_call.id", prompt: "userPromptSubmit.prompt",
		},
		tools: clineTools, mcp: joining{between: "__"}, tellsNothing: true,
		sample: `{"hookName":"tool_call","taskId":"$SESSION","workspaceRoots":["$DIR"],` +
			`"tool_call":{"id":"$SESSION","name":"run_commands","input":{"commands":["$COMMAND"]}}}`,
		modes: []mode{
			{names: "*", asks: true, call: "- - - deny deny", dialog: "- - - - deny"},
		},
		answers: abilities{form: formCancel},
	},
	{
		// Read in the documentation of 29 November 2026.
		Name: "windsurf", Title: "Windsurf",
		events: eventTable{
			call: "pre_run_command", turn: "pre_user_prompt",
			quiet: "post_read_code post_write_code post_run_command post_mcp_tool_use post_cascade_response post_setup_worktree",
			more: []toolEvent{
				{name: "pre_run_command", kind: before, tool: "run_command", input: "tool_info"},
				{name: "pre_read_code", kind: before, tool: "read_file", input: "tool_info"},
				{name: "pre_write_code", kind: before, tool: "write_file", input: "tool_info"},
				{name: "pre_mcp_tool_use", kind: before, input: "tool_info.mcp_tool_arguments"},
			},
		},
		fields: keys{
			event: "agent_action_name", session: "trajectory_id", dir: "tool_info.cwd", tool: "tool_info.mcp_tool_name",
			id: "execution_id", server: "tool_info.mcp_server_name", prompt: "tool_info.user_prompt",
		},
		tellsNothing: true,
		sample: `{"agent_action_name":"pre_run_command","trajectory_id":"$SESSION","execution_id":"$SESSION",` +
			`"tool_info":{"command_line":"$COMMAND","cwd":"$DIR"}}`,
		modes: []mode{
			{names: "*", asks: true, call: "- - - deny deny", dialog: "- - - - deny"},
		},
		answers: abilities{form: formExit},
	},
	{
		// Read in the documentation of 29 November 2026, which names no session.
		Name: "kiro", Title: "Kiro CLI",
		events: eventTable{call: "preToolUse", turn: "userPromptSubmit", quiet: "agentSpawn postToolUse stop"},
		fields: keys{session: "session_id cwd"},
		tools:  kiroTools, tellsNothing: true,
		sample: `{"hook_event_name":"preToolUse","session_id":"$SESSION","cwd":"$DIR","tool_name":"execute_bash",` +
			`"tool_input":{"command":"$COMMAND"}}`,
		modes: []mode{
			{names: "*", asks: true, call: "- - - deny deny", dialog: "- - - - deny"},
		},
		answers: abilities{form: formExit},
	},
}

// What the plugins of ours send, which is for us to say.
var (
	pluginEvents = eventTable{call: "tool_call", turn: "user_prompt", quiet: "tool_result"}
	pluginKeys   = keys{attended: "attended", server: "mcp_context.server_name", own: "mcp_context.tool_name"}
)

const pluginSample = `{"hook_event_name":"tool_call","session_id":"$SESSION","cwd":"$DIR","tool_name":"bash",` +
	`"tool_input":{"command":"$COMMAND"},"tool_use_id":"$SESSION","attended":true}`

// The modes of OpenCode, which Kilo Code shares with it.
var opencodeModes = []mode{
	{names: "*", asks: true, call: "allow allow - deny deny", dialog: "- - - - deny"},
	{names: "*", headless: true, call: "allow allow deny deny deny", dialog: "- - deny deny deny"},
}

// The modes of the agents that have no rules of their own, to which nothing can be left.
var unruledModes = []mode{
	{names: "*", asks: true, call: "allow allow ask ask deny", dialog: "- - - - deny"},
	{names: "*", headless: true, call: "allow allow deny deny deny", dialog: "- - deny deny deny"},
}
