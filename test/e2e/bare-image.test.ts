// The executable on an empty machine: a root file system with only the libraries that it is linked
// against, no Node, no shell, no git, no network.
import { execFileSync, spawnSync, type SpawnSyncReturns } from "node:child_process";
import { constants, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

import { afterAll, beforeAll, expect, test } from "vitest";

const SVC = join(import.meta.dirname, "../../dist/svc");
const IMAGE = mkdtempSync(join(tmpdir(), "svc-image-"));
afterAll(() => rmSync(IMAGE, { recursive: true, force: true }));

/** Root may change its root directory; other users become root in a user namespace. */
const ENTER = process.getuid?.() === 0 ? ["--net"] : ["--user", "--map-root-user", "--net"];

beforeAll(() => {
  copyIn(SVC, "/svc");
  const listed = execFileSync("ldd", [SVC], { encoding: "utf8" });
  for (const [path] of listed.matchAll(/\/\S+/g)) copyIn(path, path);
  for (const folder of ["project", "data"]) mkdirSync(join(IMAGE, folder));
  writeFileSync(
    join(IMAGE, "project/orbit.ts"),
    "/** Radius at which a satellite keeps its place over the ground. */\n" +
      "export function geostationaryRadius(mass: number): number {\n  return mass;\n}\n",
  );
});

/** PATH serves to find `unshare` and `chroot`; inside, none of its folders exist. */
const ENV = { PATH: process.env["PATH"] ?? "", HOME: "/", SERVICE_HOME: "/data" };

function copyIn(file: string, path: string): void {
  const target = join(IMAGE, path);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(file, target, constants.COPYFILE_FICLONE);
}

function command(args: readonly string[]): readonly string[] {
  return [...ENTER, "chroot", IMAGE, "/svc", ...args];
}

function svc(...args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync("unshare", command(args), { env: ENV, encoding: "utf8" });
}

test("it prints its version and its self-check passes", () => {
  expect(svc("--version")).toMatchObject({ status: 0, stderr: "" });
  expect(svc("--self-check")).toMatchObject({ status: 0, stderr: "" });
});

test("it indexes and finds, with syntax", () => {
  const { status, stdout, stderr } = svc("search", "geostationary radius", "/project", "--json");
  expect([status, stderr]).toEqual([0, expect.not.stringContaining("Error")]);
  expect(JSON.parse(stdout)).toMatchObject({
    results: [{ path: "/project/orbit.ts", language: "typescript", symbol: "geostationaryRadius" }],
  });
});

test("it serves an editor", async () => {
  const { status, stdout } = svc("auth", "token", "create", "--name", "bare");
  expect(status).toBe(0);
  const client = new Client({ name: "bare", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command: "unshare",
      args: [...command(["mcp", "--stdio", "--root", "/project"])],
      env: { ...ENV, SERVICE_TOKEN: stdout.trim() },
      stderr: "ignore",
    }),
  );
  const answer = await client.callTool({
    name: "search_context",
    arguments: { query: "where does a satellite keep its place" },
  });
  await client.close();
  expect(answer).toHaveProperty(["content", 0, "text"], expect.stringContaining("orbit.ts:"));
});
