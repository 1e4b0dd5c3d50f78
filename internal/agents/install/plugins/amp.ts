// policyctl's plugin for Amp: it asks the hook before each call of a tool, and
// rejects the call where it must not run. policyctl install has written it; what
// you change here is lost.

// quoted returns a text as a block of Markdown that nothing in it can end.
function quoted(text) {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = "`".repeat(longest + 1)
  return fence + "\n" + text + "\n" + fence
}

// There is a dialog for a thread that the person looks at; without a terminal it throws.
const attended = (amp, thread) => amp.activeThread?.current?.id === thread.id

async function confirmed(amp, event, ctx, reason) {
  if (!attended(amp, event.thread)) return false
  const message = quoted(question(reason, event.tool, event.input))
  return (await ctx.ui.confirm({ title: "policyctl asks", message, confirmButtonText: "Run it" })) === true
}

// where says in which directory the calls of a thread run, if Amp has one open.
function where(amp) {
  const root = amp.system.workspaceRoot
  return root ? { cwd: amp.helpers.filePathFromURI(root) } : {}
}

async function before(amp, event, ctx) {
  const answer = await ask({
    hook_event_name: "tool_call", session_id: event.thread.id, ...where(amp),
    tool_name: event.tool, tool_input: event.input, tool_use_id: event.toolUseID, attended: attended(amp, event.thread),
  }, longestWait)
  if (!answer || answer.decision === "allow") return { action: "allow" }
  if (answer.decision === "ask" && (await confirmed(amp, event, ctx, answer.reason).catch(() => false))) return { action: "allow" }
  return { action: "reject-and-continue", message: answer.reason }
}

async function said(amp, event) {
  await ask({ hook_event_name: "user_prompt", session_id: event.thread.id, ...where(amp), prompt: event.message }, promptWait)
  return {}
}

export default function (amp) {
  // Amp blocks a call whose handler throws, and runs one whose handler returns nothing.
  amp.on("tool.call", (event, ctx) => before(amp, event, ctx))
  amp.on("agent.start", (event) => said(amp, event).catch(() => ({})))
}
