// Runs the scripts of a file and tells of each what it does beyond its proof.
const fs = require("fs"), vm = require("vm"), path = require("path");

const reading = fs.readFileSync, print = process.stdout.write.bind(process.stdout), exit = process.exit.bind(process);
let active = false, events = [];
const note = (name, args) => events.push([name, args]);
const watch = (name, f) => function (...args) {
  if (!active) return f.apply(this, args);
  note(name, args);
  return harmless.has(name) ? f.apply(this, args) : undefined;
};
const harmless = new Set(["readFileSync", "existsSync", "readdirSync", "statSync", "lstatSync"].map(n => "fs." + n));
const inner = new Set(["openSync", "closeSync", "readSync", "fstatSync"]); // by which the others are made
for (const m of ["fs", "child_process", "net", "http", "https", "vm", "worker_threads", "module", "os", "dns", "dgram", "tls"])
  for (const [name, f] of Object.entries(require(m)))
    if (typeof f === "function" && !/^[A-Z_]/.test(name) && !inner.has(name) && Object.getOwnPropertyDescriptor(require(m), name).writable)
      require(m)[name] = watch(`${m}.${name}`, f);
for (const name of ["eval", "fetch", "WebSocket", "setTimeout", "setInterval", "setImmediate", "queueMicrotask"]) globalThis[name] = watch(name, () => {});
process.binding = watch("process.binding", () => {});
process.exit = () => { throw new Error("exit") };
for (const name of Object.keys(console)) console[name] = () => {};
process.stdin.on = () => process.stdin;
process.stdout.write = process.stderr.write = () => true;
globalThis.require = name => {
  note(name.endsWith(".json") ? "json" : "require", [name]);
  return name.endsWith(".json") ? JSON.parse(reading(path.resolve(name))) : require(name);
};

const named = (file, opens, changes) => opens.some(x => {
  if (changes && x.Act <= 1) return false;
  const pattern = path.resolve(x.Path).replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp("^" + (x.Each ? pattern.replaceAll("*", "[^/]*") : pattern.replaceAll("*", "\\*")) + "$").test(path.resolve(String(file)));
});

const wrong = ([name, args], opens) => {
  switch (name) {
    case "require": return !/^(node:)?(fs|path)$/.test(args[0]);
    case "json": return !named(args[0], opens, false);
    case "fs.readFileSync": return args[0] !== 0 && !named(args[0], opens, false);
    case "fs.writeFileSync": case "fs.appendFileSync": case "fs.mkdirSync": case "fs.unlinkSync": return !named(args[0], opens, true);
  }
  return !harmless.has(name);
};

let ran = 0;
const found = [];
for (const line of reading(process.argv[2], "utf8").split("\n").filter(Boolean)) {
  const row = JSON.parse(line);
  let script, error;
  try { script = new vm.Script(row.Text) } catch { continue }
  events = [];
  active = true;
  try { script.runInThisContext({ timeout: 300 }) } catch (e) { error = e }
  active = false;
  ran++;
  if (/Code generation/.test(String(error && error.message))) found.push("it evaluates text:\n" + row.Text);
  for (const event of events)
    if (wrong(event, row.Opens) && found.length < 20) found.push(`${event[0]} ${String(event[1]).slice(0, 200)} is not one of ${JSON.stringify(row.Opens)} in:\n${row.Text}`);
}
print(JSON.stringify({ Ran: ran, Wrong: found }), () => exit(0));
