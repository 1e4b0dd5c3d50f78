// policyctl's extension for pi: it asks the hook before each call of a tool, and
// blocks the call where it must not run. policyctl install has written it; what
// you change here is lost.

async function confirmed(event, ctx, reason) {
  if (!ctx.hasUI) return false
  const text = question(reason, event.toolName, event.input)
  return (await ctx.ui.confirm("policyctl asks", text, { signal: ctx.signal })) === true
}

async function before(event, ctx) {
  const answer = await ask({
    hook_event_name: "tool_call", session_id: ctx.sessionManager.getSessionId(), cwd: ctx.cwd,
    tool_name: event.toolName, tool_input: event.input, tool_use_id: event.toolCallId, attended: ctx.hasUI,
  }, longestWait, ctx.signal)
  if (!answer || answer.decision === "allow") return undefined
  if (answer.decision === "ask" && (await confirmed(event, ctx, answer.reason))) return undefined
  return { block: true, reason: answer.reason }
}

async function said(event, ctx) {
  if (event.source === "extension") return
  const session_id = ctx.sessionManager.getSessionId()
  await ask({ hook_event_name: "user_prompt", session_id, cwd: ctx.cwd, prompt: event.text }, promptWait)
}

export default function (pi) {
  // pi blocks a call whose handler throws, and does not start with an extension that throws.
  pi.on("tool_call", before)
  pi.on("input", (event, ctx) => said(event, ctx).catch(() => {}))
}
