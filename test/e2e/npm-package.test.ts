// The npm package: its contents, and its behaviour once npm has installed it: with the executable of this platform from
// a registry, and without a network on the user's Node.
import {
  execFile,
  execFileSync,
  spawn,
  spawnSync,
  type SpawnSyncReturns,
} from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

import { afterAll, beforeAll, expect, test } from "vitest";

import { packageName, platformArchive } from "../../scripts/release/channels/npm-platform.ts";
import { readProduct } from "../../scripts/release/channels/product.ts";
import { isHost } from "../../scripts/release/executables.ts";
import { makeNpmPackage } from "../../scripts/release/npm-package.ts";
import { TARGETS, type ReleaseTarget } from "../../scripts/release/targets.ts";
import { GRAMMAR_FILES } from "../../src/base/grammar-files.ts";
import { startNpmRegistry, type NpmRegistry } from "../helpers/npm-registry.ts";

const ROOT = join(import.meta.dirname, "../..");
const BASE = mkdtempSync(join(tmpdir(), "svc-npm-"));
const SOURCE = join(BASE, "source");
const PREFIX = join(BASE, "prefix");
const PROJECT = join(BASE, "project");
const SVC = join(PREFIX, "bin/svc");
/** A separate home: without the user's npm settings and cache. */
const ENV = {
  HOME: join(BASE, "home"),
  PATH: process.env["PATH"] ?? "",
  DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent",
};

const EXECUTABLE = join(ROOT, "dist/svc");
const HOST = `${process.platform}-${process.arch}`;
const inFolder = promisify(execFile);

let listed: readonly string[] = [];
let registry: NpmRegistry;
beforeAll(async () => {
  for (const folder of [ENV.HOME, PROJECT]) mkdirSync(folder);
  writeFileSync(
    join(PROJECT, "orbit.ts"),
    "/** Radius at which a satellite keeps its place over the ground. */\n" +
      "export function geostationaryRadius(mass: number): number {\n  return mass;\n}\n",
  );
  await makeNpmPackage(SOURCE, TARGETS);
  const [{ filename, files }] = JSON.parse(npm("pack", "--json", "--pack-destination", BASE));
  listed = files.map(({ path }: { path: string }) => path);
  npm("install", "--global", "--offline", "--prefix", PREFIX, join(BASE, filename));
  registry = await startNpmRegistry([join(BASE, filename), ...platformArchives()]);
}, 120_000);
afterAll(() => {
  registry.close();
  rmSync(BASE, { recursive: true, force: true });
});

/**
 * With the built executable for this platform. npm downloads no package of another platform, so those need no real
 * executable.
 */
function platformArchives(): readonly string[] {
  const product = readProduct();
  const other = join(BASE, "other");
  writeFileSync(other, "");
  return TARGETS.map((target) => {
    const executable = isHost(target) ? EXECUTABLE : other;
    // Level 0: to compress 130 MB takes seconds, and nothing here depends on it.
    const archive = platformArchive({ target, executable, notices: "", product }, 0);
    writeFileSync(archiveOf(target), archive);
    return archiveOf(target);
  });
}

function archiveOf(target: Pick<ReleaseTarget, "id">): string {
  return join(BASE, `${packageName(target)}.tgz`);
}

function npm(...args: readonly string[]): string {
  return execFileSync("npm", args, {
    cwd: SOURCE,
    env: ENV,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
}

function svc(...args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(SVC, args, { cwd: PROJECT, env: ENV, encoding: "utf8" });
}

test("it holds the program with its assets, man pages and notices, and nothing else", () => {
  const chunks = listed.filter((file) => /^lib\/assets\/code\/[\w-]+\.js$/.test(file));
  expect(chunks.length).toBeGreaterThan(100);
  const grammarFiles = new Set(Object.values(GRAMMAR_FILES));
  const grammars = [...grammarFiles].map((file) => `lib/assets/grammar/${basename(file)}`);
  const man = readdirSync(join(ROOT, "man")).map((page) => `man/${page}`);
  const assets = [
    "embedding-table",
    "manifest.json",
    "page/admin.js",
    "page/app.js",
    "page/icon.svg",
    "page/index.html",
    "page/markdown.js",
    "page/style.css",
    "pdf-cmaps",
    "pdf.js",
    "third-party-notices",
    "tree-sitter.wasm",
  ].map((name) => `lib/assets/${name}`);
  const others = ["LICENSE", "README.md", "THIRD_PARTY_NOTICES", "bin/svc.js", "lib/boot.cjs"];
  const expected = [...chunks, ...grammars, ...man, ...assets, ...others, "package.json"];
  expect(listed.toSorted()).toEqual(expected.toSorted());
});

test("its notices match its contents: neither Node nor the keychain addon", () => {
  const notices = readFileSync(join(SOURCE, "THIRD_PARTY_NOTICES"), "utf8");
  expect(notices).toContain("\nundici ");
  expect(notices).not.toContain("Node.js is licensed for use as follows:");
  expect(notices).not.toContain("keyring");
  expect(svc("--licenses").stdout === notices).toBe(true);
});

test("it runs where npm installed it", () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect(svc("--version")).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: "" });
  const check = svc("--self-check");
  expect([check.status, check.stdout]).toEqual([0, expect.stringMatching(/^\d+ assets, 0 code/)]);
  const { stdout, status } = svc("search", "geostationary radius", "--json");
  expect(status).toBe(0);
  // The kind and the name come from syntax, so workers and grammars are found, too.
  expect(JSON.parse(stdout)).toMatchObject({
    results: [{ path: "orbit.ts", symbol: "geostationaryRadius" }],
  });
});

test("its MCP server answers, and `svc install` writes the command that starts it", async () => {
  expect(svc("install", "cursor").status).toBe(0);
  const file = join(ENV.HOME, ".cursor/mcp.json");
  const { command, args } = JSON.parse(readFileSync(file, "utf8")).mcpServers.svc;
  const started = args.map((arg: string) => arg.replace("${workspaceFolder}", PROJECT));
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({ command, args: started, cwd: PROJECT, env: ENV, stderr: "ignore" }),
  );
  const answer = await client.callTool({
    name: "search_context",
    arguments: { query: "where does a satellite keep its place" },
  });
  await client.close();
  expect(answer).toHaveProperty(["content", 0, "text"], expect.stringContaining("orbit.ts:"));
});

test("npm installs it from a registry with the executable of this platform only, which answers", async () => {
  const prefix = join(BASE, "with executable");
  const from = ["--registry", registry.url, "--no-audit", "--no-fund"];
  await inFolder("npm", ["install", "--global", "--prefix", prefix, ...from, "svc"], {
    cwd: PROJECT,
    env: ENV,
  });
  const archives = registry.requests.filter((path) => /^svc-.*\.tgz$/.test(path));
  expect(archives).toEqual([`svc-${HOST}.tgz`]);
  const run = (...args: readonly string[]): string =>
    execFileSync(join(prefix, "bin/svc"), args, { cwd: PROJECT, env: ENV, encoding: "utf8" });
  const sum = createHash("sha256").update(readFileSync(EXECUTABLE)).digest("hex");
  expect(run("--self-check")).toContain(`\nexecutable   sha256 ${sum}\n`);
  expect(JSON.parse(run("search", "geostationary radius", "--json"))).toMatchObject({
    results: [{ path: "orbit.ts", symbol: "geostationaryRadius" }],
  });
}, 120_000);

test("npx runs it in an empty folder", async () => {
  const empty = mkdtempSync(join(BASE, "empty-"));
  const { stdout } = await inFolder(
    "npx",
    ["--yes", "--registry", registry.url, "svc", "--self-check"],
    { cwd: empty, env: ENV },
  );
  expect(stdout).toContain("\nexecutable   sha256 ");
  expect(readdirSync(empty)).toEqual([]);
}, 120_000);

test("a package that names no others asks a registry for none, and runs the executable installed next to it", async () => {
  const folder = join(BASE, "alone");
  // Without building a new bundle, because only the manifest differs.
  cpSync(SOURCE, folder, { recursive: true });
  const file = join(folder, "package.json");
  const { optionalDependencies, ...manifest } = JSON.parse(readFileSync(file, "utf8"));
  expect(Object.keys(optionalDependencies)).toContain(`svc-${HOST}`);
  writeFileSync(file, JSON.stringify(manifest));
  const before = registry.requests.length;
  const prefix = join(BASE, "side by side");
  const files = [folder, archiveOf({ id: HOST })];
  const options = ["--registry", registry.url, "--no-audit", "--no-fund", "--install-links"];
  await inFolder("npm", ["install", "--global", "--prefix", prefix, ...options, ...files], {
    cwd: PROJECT,
    env: ENV,
  });
  expect(registry.requests.slice(before).filter((path) => path.startsWith("svc"))).toEqual([]);
  const check = execFileSync(join(prefix, "bin/svc"), ["--self-check"], {
    env: ENV,
    encoding: "utf8",
  });
  expect(check).toContain("\nexecutable   sha256 ");
}, 120_000);

test("svc upgrade leaves a program of npm to npm", () => {
  const program = join(BASE, "with executable/bin/svc");
  const run = spawnSync(program, ["upgrade", BASE], { env: ENV, cwd: PROJECT, encoding: "utf8" });
  expect([run.status, run.stdout]).toEqual([2, ""]);
  expect(run.stderr).toContain("Run `npm install --global svc@latest` instead.");
});

test("a Node that cannot replace its process passes on the exit code and the signals", async () => {
  const folder = join(BASE, "with executable/lib/node_modules/svc");
  const preload = join(BASE, "without-execve.cjs");
  writeFileSync(preload, "delete process.execve;");
  const args = ["--require", preload, join(folder, "bin/svc.js")];
  const options = { cwd: PROJECT, env: ENV, encoding: "utf8" } as const;
  expect(spawnSync(process.execPath, [...args, "no-such-command"], options)).toMatchObject({
    status: 2,
    stdout: "",
    stderr: expect.stringContaining("no-such-command"),
  });
  const server = spawn(process.execPath, [...args, "serve", "--port", "0"], {
    cwd: PROJECT,
    env: { ...ENV, SERVICE_DATA_KEY_FILE: join(BASE, "data.key") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  await once(server.stderr, "data");
  server.kill("SIGTERM");
  const [code, signal] = await once(server, "exit");
  expect([code, signal]).toEqual([0, null]);
});

test("an older Node gets an error that names the required version, and runs the executable if it is there", () => {
  const old = join(BASE, "old-node.cjs");
  writeFileSync(
    old,
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });',
  );
  const run = spawnSync(
    process.execPath,
    ["--require", old, join(SOURCE, "bin/svc.js"), "status"],
    {
      encoding: "utf8",
      env: ENV,
    },
  );
  expect(run.status).toBe(2);
  expect(run.stdout).toBe("");
  expect(run.stderr).toContain(
    `svc: this is Node 20.20.2, and svc needs 24 or later, or the package svc-${HOST}`,
  );
  const installed = join(BASE, "with executable/lib/node_modules/svc/bin/svc.js");
  const args = ["--require", old, installed, "--version"];
  expect(spawnSync(process.execPath, args, { encoding: "utf8", env: ENV })).toMatchObject({
    status: 0,
    stdout: `${readProduct().version}\n`,
  });
});
