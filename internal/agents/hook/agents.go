package hook

// headless reports whether the agent says that it runs without a person: by a
// variable that is then "0". A repository can set it; the worst that comes of it is a
// question that the agent itself refuses.
func (a *Agent) isHeadless(getenv func(string) string) bool {
	return a.attended != "" && getenv != nil && getenv(a.attended) == "0"
}

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
		tools:  copilotTools, joinsMCP: true, tellsNothing: true,
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
}
