// Makes the packages for npm from the programs in dist/, and packs them:
//
//	node packaging/npm/build.mjs VERSION linux/amd64 darwin/arm64 …
//
// policyctl has both programs, so that its installer finds the small one beside itself;
// @policyctl/hook has the small one, which an agent starts. Neither holds a program: each
// names one package for each platform as an optional dependency, and npm installs that of
// the machine. Nothing is downloaded when they are installed.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const [version, ...platforms] = process.argv.slice(2);
const cpus = { amd64: "x64", arm64: "arm64" };
const systems = { linux: "linux", darwin: "darwin", windows: "win32" };
const out = resolve("dist/packages");
const common = {
  version,
  license: "Apache-2.0",
  homepage: "https://github.com/policyctl/policyctl",
  repository: { type: "git", url: "git+https://github.com/policyctl/policyctl.git" },
};

for (const [name, programs, about] of [
  ["policyctl", ["policyctl", "policyctl-hook"], "A policy engine for coding agents: allow, ask or deny before a tool call runs"],
  ["@policyctl/hook", ["policyctl-hook"], "The part of policyctl that a coding agent starts before each call"],
]) {
  const optionalDependencies = {};
  for (const platform of platforms) {
    const [os, arch] = platform.split("/");
    const exe = os === "windows" ? ".exe" : "";
    const part = `@policyctl/${programs[0]}-${systems[os]}-${cpus[arch]}`;
    optionalDependencies[part] = version;
    const dir = join("dist/npm", part);
    mkdirSync(join(dir, "bin"), { recursive: true });
    for (const program of programs) {
      const file = join(dir, "bin", program + exe);
      copyFileSync(`dist/${os}_${arch}/${program}${exe}`, file);
      chmodSync(file, 0o755);
    }
    write(dir, { name: part, description: `${programs.join(" and ")} for ${systems[os]} ${cpus[arch]}`, ...common, os: [systems[os]], cpu: [cpus[arch]], files: ["bin"] });
    pack(dir);
  }
  const dir = join("dist/npm", name);
  mkdirSync(join(dir, "bin"), { recursive: true });
  copyFileSync("packaging/npm/start.js", join(dir, "bin/start.js"));
  const bin = {};
  for (const program of programs) {
    bin[program] = `bin/${program}.js`;
    writeFileSync(join(dir, bin[program]), `#!/usr/bin/env node\nrequire("./start.js")("${programs[0]}", "${program}");\n`, { mode: 0o755 });
  }
  const man = name === "policyctl" ? readdirSync("dist/assets/man").map((page) => `man/${page}`) : [];
  if (man.length > 0) cpSync("dist/assets/man", join(dir, "man"), { recursive: true });
  write(dir, { name, description: about, ...common, bin, man, files: ["bin", "man"], engines: { node: ">=18" }, optionalDependencies });
  pack(dir);
}

function write(dir, manifest) {
  writeFileSync(join(dir, "package.json"), JSON.stringify(manifest, null, 2) + "\n");
  copyFileSync("LICENSE", join(dir, "LICENSE"));
}

function pack(dir) {
  execFileSync("npm", ["pack", "--silent", "--pack-destination", out], { cwd: dir, stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" });
}
