// Starts a program of the platform's package in the place of this one.
const { spawnSync } = require("node:child_process");

module.exports = (part, program) => {
  const name = `@policyctl/${part}-${process.platform}-${process.arch}`;
  let file;
  try {
    file = require.resolve(`${name}/bin/${program}${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    console.error(`${program}: the package ${name} is not installed: there is none for this platform, or npm was told to leave optional dependencies out`);
    process.exit(2); // agents read it as no
  }
  const { status, signal, error } = spawnSync(file, process.argv.slice(2), { stdio: "inherit" });
  if (error) {
    console.error(`${program}: ${error.message}`);
    process.exit(2);
  }
  if (signal) process.kill(process.pid, signal);
  process.exit(status ?? 2);
};
