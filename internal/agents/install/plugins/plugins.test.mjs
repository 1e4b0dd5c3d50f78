// Tests of the plugins against hooks that answer, fail and hang, with a made-up
// client. Run: node --test internal/agents/install/plugins
import assert from "node:assert/strict"
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, test } from "node:test"
import { pathToFileURL } from "node:url"

const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname
const failed = "policyctl is missing or failed, so the call is blocked"
const scratch = mkdtempSync(join(tmpdir(), "plugins-"))
after(() => rmSync(scratch, { recursive: true, force: true }))
let count = 0

// hooked writes a hook of shell lines and returns its path with what it was sent.
function hooked(lines) {
  const path = join(scratch, `hook${count++}`)
  writeFileSync(path, `#!/bin/sh\n${lines}\n`)
  chmodSync(path, 0o755)
  return path
}

const seen = (path) => (existsSync(path + ".in") ? readFileSync(path + ".in", "utf8").trim().split("\n").map((l) => JSON.parse(l)) : [])

// answering is a hook that keeps its input and prints an answer.
const answering = (text, code = 0) => hooked(`cat >> "$0.in"; echo >> "$0.in"; printf '%s' '${text}'; exit ${code}`)

// load returns a plugin's module as install would write it for a hook.
async function load(file, hook) {
  const text = ["ask.js", "confirm.js", file].map((part) => readFileSync(join(here, part), "utf8")).join("")
    .replace(/const hook = .*/, `const hook = ${JSON.stringify([hook])}`)
    .replace(/const longestWait = \d+/, "const longestWait = 1")
  const path = join(scratch, `plugin${count++}.mjs`)
  writeFileSync(path, text)
  return import(pathToFileURL(path).href)
}

// Each agent is told from the other by how a call is made and how it is blocked.
const agents = {
  "opencode.js": async (hook, { sessions = {}, replies = [], tool = { ids: async () => ({ data: ["bash"] }) } } = {}) => {
    const { Policyctl } = await load("opencode.js", hook)
    const client = {
      tool,
      session: { get: async ({ path }) => ({ data: sessions[path.id] }) },
      postSessionIdPermissionsPermissionId: async (request) => void replies.push(request),
    }
    const hooks = await Policyctl({ client, directory: "/home/dev/shop" })
    const call = async (args = { command: "ls" }, sessionID = "s1", tool = "bash") => {
      try {
        await hooks["tool.execute.before"]({ tool, sessionID, callID: "c1" }, { args })
      } catch (error) {
        return error.message
      }
    }
    return { call, hooks }
  },
  "pi.ts": async (hook, { hasUI = false, confirm, signal } = {}) => {
    const handlers = {}
    const { default: extension } = await load("pi.ts", hook)
    extension({ on: (name, handler) => (handlers[name] = handler) })
    const ctx = { hasUI, cwd: "/home/dev/shop", signal, ui: { confirm }, sessionManager: { getSessionId: () => "s1" } }
    const call = async (input = { command: "ls" }) => {
      const answer = await handlers.tool_call({ toolName: "bash", toolCallId: "c1", input }, ctx)
      return answer?.block ? answer.reason : undefined
    }
    return { call, said: (text, source) => handlers.input({ text, source }, ctx) }
  },
  "amp.ts": async (hook, { hasUI = false, confirm, root = "/home/dev/shop" } = {}) => {
    const handlers = {}
    const { default: plugin } = await load("amp.ts", hook)
    plugin({
      on: (name, handler) => (handlers[name] = handler),
      system: { workspaceRoot: root && { path: root } },
      helpers: { filePathFromURI: (uri) => uri.path },
      activeThread: { current: hasUI ? { id: "s1" } : null },
    })
    const ctx = { ui: { confirm: ({ title, message }) => confirm(title, message) } }
    const call = async (input = { command: "ls" }) => {
      const answer = await handlers["tool.call"]({ tool: "bash", toolUseID: "c1", input, thread: { id: "s1" } }, ctx)
      if (answer.action === "allow") return undefined
      assert.equal(answer.action, "reject-and-continue")
      return answer.message
    }
    return { call, said: (message) => handlers["agent.start"]({ thread: { id: "s1" }, message }, ctx) }
  },
}

const deny = '{"decision":"deny","reason":"not this"}'
for (const [file, agent] of Object.entries(agents)) {
  const blocked = async (name, hook, reason = failed) =>
    test(`${file}: ${name}`, { timeout: 20000 }, async () => assert.equal(await (await agent(hook())).call(), reason))

  blocked("a denial blocks with its reason", () => answering(deny), "not this")
  blocked("an ask is refused where nobody is there", () => answering('{"decision":"ask","reason":"sure?"}'), "sure?")
  blocked("exit code 2 blocks with what stands on standard error", () => hooked("echo why >&2; exit 2"), "why")
  blocked("exit code 2 blocks without a reason", () => hooked("exit 2"))
  for (const more of ["", ',"reason":""', ',"reason":7'])
    blocked(`a denial${more} says that it has no reason`, () => answering(`{"decision":"deny"${more}}`), "policyctl has given no reason")
  blocked("a missing hook blocks", () => join(scratch, "missing"))
  blocked("a hook that cannot be run blocks", () => scratch)
  blocked("exit code 1 blocks, whatever was printed", () => answering('{"decision":"allow"}', 1))
  blocked("exit code 127 blocks", () => hooked("exit 127"))
  blocked("a signal blocks", () => hooked("kill -9 $$"))
  blocked("nonsense blocks", () => answering("hello"))
  blocked("half an answer blocks", () => answering('{"decision":"allow"'))
  blocked("two answers block", () => answering('{"decision":"allow"}{"decision":"allow"}'))
  for (const text of ["null", "[]", '"allow"', "{}", '{"decision":"yes"}', '{"decision":["allow"]}', '{"Decision":"allow"}'])
    blocked(`${text} is no answer`, () => answering(text))
  blocked("a hook that hangs blocks", () => hooked("exec sleep 100"))
  blocked("a hook that hangs after its answer blocks", () => hooked(`echo '{"decision":"allow"}'; exec sleep 100`))
  blocked("huge output blocks", () => hooked("exec yes allow"))
  blocked("an answer that is too long blocks", () =>
    hooked(`printf '{"decision":"allow","reason":"'; head -c 2000000 /dev/zero | tr '\\0' x; printf '"}'`))
  blocked("huge standard error blocks", () => hooked("exec yes allow >&2"))

  test(`${file}: an allow and no answer let the call run`, async () => {
    for (const text of ['{"decision":"allow","reason":"r"}', "", "\n"])
      assert.equal(await (await agent(answering(text))).call(), undefined)
  })
  test(`${file}: a hook that reads nothing still answers`, async () => {
    assert.equal(await (await agent(hooked("exit 0"))).call({ command: "x".repeat(1 << 20) }), undefined)
  })
  test(`${file}: arguments that are not JSON block`, async () => {
    const loop = {}
    loop.self = loop
    assert.equal(await (await agent(answering(""))).call(loop), failed)
  })
}

test("opencode.js: the hook is told of the call", async () => {
  const hook = answering("")
  await (await agents["opencode.js"](hook)).call()
  assert.deepEqual(seen(hook), [{
    hook_event_name: "tool_call", session_id: "s1", cwd: "/home/dev/shop", tool_name: "bash", tool_input: { command: "ls" }, tool_use_id: "c1",
  }])
})

test("opencode.js: a sub-agent's call belongs to the person's session", async () => {
  const hook = answering("")
  const sessions = { s3: { id: "s3", parentID: "s2" }, s2: { id: "s2", parentID: "s1" }, s1: { id: "s1" } }
  const { call, hooks } = await agents["opencode.js"](hook, { sessions })
  await hooks["chat.message"]({ sessionID: "s3" }, { message: { agent: "explore" }, parts: [{ type: "text", text: "task" }] })
  await call({ command: "ls" }, "s3")
  assert.equal(seen(hook).length, 1, "a task is no prompt of the person")
  const [{ session_id, agent_id, agent_type }] = seen(hook)
  assert.deepEqual({ session_id, agent_id, agent_type }, { session_id: "s1", agent_id: "s3", agent_type: "explore" })
})

test("opencode.js: the hook is told whose a tool of a server is", async () => {
  const told = async (name, options) => {
    const hook = answering("")
    const { call, hooks } = await agents["opencode.js"](hook, options)
    await hooks.config({ mcp: { shop: {}, "shop.eu": {}, ba: {}, apply: {} } })
    await call({}, "s1", name)
    return seen(hook)[0].mcp_context
  }
  assert.deepEqual(await told("shop_price"), { server_name: "shop", tool_name: "price" })
  assert.deepEqual(await told("shop_eu_price"), { server_name: "shop.eu", tool_name: "price" })
  assert.equal(await told("bash"), undefined)
  assert.equal(await told("other_tool"), undefined)
  const ids = async () => ({ data: ["apply_patch"] })
  assert.equal(await told("apply_patch", { tool: { ids } }), undefined, "a server cannot take the name of a tool of the client")
  assert.equal(await told("shop_price", { tool: {} }), undefined, "the client does not tell its tools")
  assert.equal(await told("shop_price", { tool: { ids: async () => ({ error: {} }) } }), undefined)
})

test("opencode.js: a session that cannot be found is judged as its own", async () => {
  const { Policyctl } = await load("opencode.js", answering(deny))
  const hooks = await Policyctl({ directory: "/" })
  await assert.rejects(hooks["tool.execute.before"]({ tool: "bash", sessionID: "s", callID: "c" }, { args: {} }), /not this/)
})

test("opencode.js: a plugin that cannot be set up blocks", async () => {
  const { Policyctl } = await load("opencode.js", answering(""))
  await assert.rejects((await Policyctl())["tool.execute.before"](), new Error(failed))
})

test("opencode.js: the client's own question is answered for what is allowed", async () => {
  const asked = (callID) => ({ event: { type: "permission.asked", properties: { id: "p1", sessionID: "s1", tool: { callID } } } })
  for (const [answer, want] of [['{"decision":"allow"}', 1], ["", 0], [deny, 0]]) {
    const replies = []
    const { call, hooks } = await agents["opencode.js"](answering(answer), { replies })
    await call()
    await hooks.event(asked("c1"))
    await hooks.event(asked("c2"))
    await hooks.event({ event: { type: "permission.asked", properties: { id: "p2", sessionID: "s1" } } })
    assert.equal(replies.length, want, answer)
    if (want) assert.deepEqual(replies[0], { path: { id: "s1", permissionID: "p1" }, body: { response: "once" } })
  }
})

test("opencode.js: the hook hears what the person says, and only that", async () => {
  const hook = answering(deny, 1)
  const { hooks } = await agents["opencode.js"](hook)
  await hooks["chat.message"]({ sessionID: "s1" }, { message: {}, parts: [{ type: "text", text: "go on", synthetic: true }] })
  await hooks["chat.message"]({ sessionID: "s1" }, { message: {}, parts: [{ type: "text", text: "hello" }, { type: "file" }] })
  assert.deepEqual(seen(hook), [{ hook_event_name: "user_prompt", session_id: "s1", cwd: "/home/dev/shop", prompt: "hello" }])
})

for (const file of ["pi.ts", "amp.ts"]) {
  test(`${file}: the hook is told of the call`, async () => {
    const hook = answering("")
    await (await agents[file](hook)).call()
    assert.deepEqual(seen(hook), [{
      hook_event_name: "tool_call", session_id: "s1", cwd: "/home/dev/shop", tool_name: "bash", tool_input: { command: "ls" }, tool_use_id: "c1",
      attended: false,
    }])
  })
  test(`${file}: an ask is put to the person, who sees every character`, async () => {
    const ask = answering('{"decision":"ask","reason":"sure?"}')
    for (const [said, want] of [[true, undefined], [false, "sure?"], [undefined, "sure?"], ["yes", "sure?"]]) {
      let shown
      const confirm = async (title, text) => ((shown = text), said)
      const { call } = await agents[file](ask, { hasUI: true, confirm })
      assert.equal(await call({ command: "ls \u202e\u001b[2J" }), want)
      assert.match(shown, /sure\?/)
      assert.match(shown, /ls \\u\{202e\}\\u001b\[2J/)
    }
    assert.equal(seen(ask)[0].attended, true)
  })
  test(`${file}: a denial and silence ask nobody`, async () => {
    const confirm = () => assert.fail("asked")
    for (const text of [deny, "", '{"decision":"allow"}']) await (await agents[file](answering(text), { hasUI: true, confirm })).call()
  })
  test(`${file}: nobody who is not there is asked`, async () => {
    const { call } = await agents[file](answering('{"decision":"ask","reason":"sure?"}'), { confirm: async () => true })
    assert.equal(await call(), "sure?")
  })
}

test("amp.ts: a dialog that cannot be shown is no yes", async () => {
  const confirm = async () => { throw new Error("no terminal") }
  const { call } = await agents["amp.ts"](answering('{"decision":"ask","reason":"sure?"}'), { hasUI: true, confirm })
  assert.equal(await call(), "sure?")
})

test("amp.ts: nothing in a call ends the block of its dialog", async () => {
  for (const [command, fence] of [["ls", "```"], ["echo `ls`", "```"], ["x ```\n**harmless** ````", "`````"]]) {
    let shown
    const confirm = async (title, text) => void (shown = text)
    await (await agents["amp.ts"](answering('{"decision":"ask","reason":"sure?"}'), { hasUI: true, confirm })).call({ command })
    assert.ok(shown.startsWith(fence + "\n") && shown.endsWith("\n" + fence), shown)
  }
})

test("amp.ts: without a workspace no directory is told", async () => {
  const hook = answering("")
  const { call, said } = await agents["amp.ts"](hook, { root: null })
  await call()
  await said("hello")
  assert.deepEqual(seen(hook).map((event) => event.cwd), [undefined, undefined])
})

test("amp.ts: the hook hears what the person says, and its failure keeps nobody waiting", async () => {
  for (const hook of [answering(""), answering(deny, 1)]) {
    const { said } = await agents["amp.ts"](hook)
    assert.deepEqual(await said("hello"), {})
    assert.deepEqual(seen(hook), [{ hook_event_name: "user_prompt", session_id: "s1", cwd: "/home/dev/shop", prompt: "hello" }])
  }
})

test("pi.ts: who leaves gets no call", async () => {
  const control = new AbortController()
  const { call } = await agents["pi.ts"](hooked("exec sleep 100"), { signal: control.signal })
  setTimeout(() => control.abort(), 100)
  assert.equal(await call(), failed)
  assert.equal(await call(), failed)
})

test("pi.ts: the hook hears what the person says, and only that", async () => {
  const hook = answering("")
  const { said } = await agents["pi.ts"](hook)
  for (const source of ["interactive", "extension", "rpc"]) assert.equal(await said(source, source), undefined)
  assert.deepEqual(seen(hook).map((event) => event.prompt), ["interactive", "rpc"])
})

test("the plugins start the hook alike", () => {
  const starts = (file) => readFileSync(join(here, file), "utf8").includes("spawn")
  assert.deepEqual(["ask.js", "confirm.js", "opencode.js", "pi.ts", "amp.ts"].map(starts), [true, false, false, false, false])
})
