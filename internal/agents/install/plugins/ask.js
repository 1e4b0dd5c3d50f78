// What starts the hook is the same in each plugin of policyctl. A client loads a
// single file, so policyctl install writes this part and the plugin's own into one;
// what you change there is lost.
import { spawn } from "node:child_process"

const hook = ["/usr/local/bin/policyctl-hook", "AGENT"]
const longestWait = 600 // seconds; the hook answers earlier

// Whatever is not an answer denies: the clients run a call that nobody blocks.

const failed = "policyctl is missing or failed, so the call is blocked"
const longestOutput = 1 << 20

// ask sends an event to the hook and returns its answer: {decision, reason}, or
// undefined where the hook leaves the call to the client. It never throws.
async function ask(event, seconds, signal) {
  try {
    const { code, out, err } = await run(JSON.stringify(event), seconds, signal)
    if (code === 2) return { decision: "deny", reason: err.trim() || failed }
    if (code === 0) return out.trim() === "" ? undefined : answerOf(JSON.parse(out))
  } catch {}
  return { decision: "deny", reason: failed }
}

function answerOf(value) {
  const { decision, reason } = value
  if (!["allow", "ask", "deny"].includes(decision)) throw new Error("no decision")
  return { decision, reason: typeof reason === "string" && reason !== "" ? reason : "policyctl has given no reason" }
}

// run resolves to how the hook ended and what it printed. It rejects where the
// hook does not start, prints too much or takes too long.
function run(input, seconds, signal) {
  return new Promise((resolve, reject) => {
    const child = spawn(hook[0], hook.slice(1), { stdio: "pipe", windowsHide: true })
    const printed = { out: "", err: "" }
    const end = (settle, value) => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", leave)
      settle(value)
    }
    const stop = (how) => {
      child.kill(how)
      for (const pipe of child.stdio) pipe.destroy() // which what the hook has started may hold open
      end(reject, new Error(how))
    }
    const leave = () => stop("SIGTERM") // upon which the hook withdraws its request
    const timer = setTimeout(stop, seconds * 1000, "SIGKILL")
    const keep = (name) => (text) => (printed[name] += text).length > longestOutput && stop("SIGKILL")
    child.on("error", (error) => end(reject, error))
    child.on("close", (code) => end(resolve, { code, ...printed }))
    child.stdout.setEncoding("utf8").on("data", keep("out"))
    child.stderr.setEncoding("utf8").on("data", keep("err"))
    child.stdin.on("error", () => {}) // a hook that has ended reads nothing
    child.stdin.end(input)
    signal?.addEventListener("abort", leave)
    if (signal?.aborted) leave()
  })
}

// The hook answers no prompt. One that hangs must not keep the person waiting.
const promptWait = 10

