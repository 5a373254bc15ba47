// The npm package: its contents, and that it works where npm installs it, without a network.
import { execFileSync, spawnSync, type SpawnSyncReturns } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

import { afterAll, beforeAll, expect, test } from "vitest";

import { makeNpmPackage } from "../../scripts/release/npm-package.ts";
import { GRAMMAR_FILES } from "../../src/base/grammar-files.ts";

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

let listed: readonly string[] = [];
beforeAll(async () => {
  for (const folder of [ENV.HOME, PROJECT]) mkdirSync(folder);
  writeFileSync(
    join(PROJECT, "orbit.ts"),
    "/** Radius at which a satellite keeps its place over the ground. */\n" +
      "export function geostationaryRadius(mass: number): number {\n  return mass;\n}\n",
  );
  await makeNpmPackage(SOURCE);
  const [{ filename, files }] = JSON.parse(npm("pack", "--json", "--pack-destination", BASE));
  listed = files.map(({ path }: { path: string }) => path);
  npm("install", "--global", "--offline", "--prefix", PREFIX, join(BASE, filename));
}, 120_000);
afterAll(() => rmSync(BASE, { recursive: true, force: true }));

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
  const grammars = Object.keys(GRAMMAR_FILES).map((name) => `lib/assets/grammar/${name}.wasm`);
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

test("an older Node gets an error that names the required version", () => {
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
  expect(run.stderr).toMatch(/^svc: this is Node 20\.20\.2, and svc needs 24 or later\./);
});
