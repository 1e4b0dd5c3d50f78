// policyctl's plugin for OpenCode and Kilo Code: it asks the hook before each
// call of a tool, and throws where the call must not run. policyctl install has
// written it; what you change here is lost.

// How many calls the plugin remembers as allowed.
const mostAllowed = 1000

// headless is known of one command alone, which asks nobody.
const started = (...words) => words.some((word) => process.argv.includes(word, 2))
const headless = started("run") && !started("-i", "--interactive") ? { attended: false } : {}

// found returns a session. One that cannot be found stands for itself, and its
// calls are judged all the same.
async function found(client, id) {
  try {
    return (await client.session.get({ path: { id } })).data ?? { id }
  } catch {
    return { id }
  }
}

// family tells the sessions of sub-agents from those of the person.
function family(client) {
  const known = new Map()
  const note = (session) => known.set(session.id, { parent: session.parentID, agent: known.get(session.id)?.agent })
  const look = async (id) => {
    if (!known.has(id)) {
      note(await found(client, id))
    }
    return known.get(id)
  }
  const root = async (id) => {
    const { parent } = await look(id)
    return parent ? root(parent) : id
  }
  return { look, note, root }
}

// own returns the names of the tools that are the client's own or a plugin's; none
// where the client does not tell.
async function own(client) {
  try {
    return (await client.tool.ids()).data
  } catch {
    return undefined
  }
}

// served says which server has a tool, that the client calls SERVER_TOOL. What
// may be a tool of the client is none of a server's, however the server is named.
async function served(client, servers, tool) {
  const asServer = servers
    .map((server) => ({ server, prefix: server.replace(/[^a-zA-Z0-9_-]/g, "_") + "_" }))
    .filter(({ prefix }) => tool.startsWith(prefix))
    .sort((a, b) => b.prefix.length - a.prefix.length)[0]
  if (!asServer || (await own(client))?.includes(tool) !== false) return {}
  return { mcp_context: { server_name: asServer.server, tool_name: tool.slice(asServer.prefix.length) } }
}

// who returns the session to which a call belongs, and the sub-agent that makes it.
async function who(sessions, id) {
  const root = await sessions.root(id)
  if (root === id) return { session_id: id }
  const { agent } = await sessions.look(id)
  return { session_id: root, agent_id: id, agent_type: agent }
}

function guard({ client, directory }) {
  const sessions = family(client)
  let servers = []
  const allowed = new Set()
  const allow = (id) => {
    allowed.add(id)
    if (allowed.size > mostAllowed) allowed.delete(allowed.values().next().value)
  }
  const before = async (input, output) => {
    const answer = await ask({
      hook_event_name: "tool_call", ...(await who(sessions, input.sessionID)), cwd: directory,
      tool_name: input.tool, ...(await served(client, servers, input.tool)),
      tool_input: output.args ?? {}, tool_use_id: input.callID, ...headless,
    }, longestWait)
    if (answer?.decision === "allow") allow(input.sessionID + input.callID)
    // The client answers its own dialog in a mode that a plugin cannot see, so
    // the dialog asks nobody for certain: an ask is refused.
    else if (answer) throw new Error(answer.reason)
  }
  // The client's own rules may ask about a call that the policy allows.
  const asked = async ({ id, sessionID, tool }) => {
    if (!tool || !allowed.has(sessionID + tool.callID)) return
    const path = { id: sessionID, permissionID: id }
    await client.postSessionIdPermissionsPermissionId({ path, body: { response: "once" } })
  }
  const said = async ({ sessionID }, { message, parts }) => {
    const { parent } = await sessions.look(sessionID)
    if (parent) return void ((await sessions.look(sessionID)).agent = message.agent)
    const words = parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text)
    const prompt = words.join("\n")
    if (prompt) await ask({ hook_event_name: "user_prompt", session_id: sessionID, cwd: directory, prompt }, promptWait)
  }
  return {
    config: async (settings) => void (servers = Object.keys(settings.mcp ?? {})),
    "tool.execute.before": before,
    "chat.message": (input, output) => said(input, output).catch(() => {}),
    event: async ({ event }) => {
      if (event.type === "session.created") sessions.note(event.properties.info)
      if (event.type === "permission.asked") await asked(event.properties).catch(() => {})
    },
  }
}

// A plugin that throws while it is loaded is left out, and every call runs.
export const Policyctl = async (host) => {
  try {
    return guard(host)
  } catch {
    return { "tool.execute.before": async () => { throw new Error(failed) } }
  }
}
