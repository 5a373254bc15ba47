import { spawn, spawnSync, type SpawnSyncReturns } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = path.join(import.meta.dirname, "../..");
const SVC = path.join(ROOT, "dist/svc");

let home = "";
beforeAll(() => {
  home = mkdtempSync(path.join(os.tmpdir(), "svc-executable-"));
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

/** Runs the executable with only the given environment. */
function call(
  args: readonly string[],
  {
    file = SVC,
    cwd = home,
    env = {},
  }: { file?: string; cwd?: string; env?: NodeJS.ProcessEnv } = {},
): SpawnSyncReturns<string> {
  const environment = { SERVICE_HOME: path.join(home, "data"), ...env };
  return spawnSync(file, args, { cwd, env: environment, encoding: "utf8" });
}

test("--version prints the version of package.json", () => {
  const manifest = readFileSync(path.join(ROOT, "package.json"), "utf8");
  const { version }: { version: string } = JSON.parse(manifest);
  expect(call(["--version"])).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: "" });
});

test("every asset inside is intact and V8 accepts every code cache", () => {
  const { status, stdout } = call(["--self-check"]);
  expect(stdout).toMatch(/^\d+ assets, [1-9]\d* code caches\n/);
  expect(status).toBe(0);
});

test("--self-check prints the sums that a build of the same source has", () => {
  const executable = createHash("sha256").update(readFileSync(SVC)).digest("hex");
  const [, ...sums] = call(["--self-check"]).stdout.trimEnd().split("\n");
  expect(sums).toEqual([
    `executable   sha256 ${executable}`,
    expect.stringMatching(/^program {6}sha256 [0-9a-f]{64}$/),
    expect.stringMatching(/^code caches {2}sha256 [0-9a-f]{64}$/),
    "A build of the same source has the same sums: docs/releasing.md.",
  ]);
});

test("it ignores NODE_OPTIONS of the environment", () => {
  const marker = path.join(home, "loaded");
  const preload = path.join(home, "preload.cjs");
  writeFileSync(preload, `require("node:fs").writeFileSync(${JSON.stringify(marker)}, "");`);

  const { status, stderr } = call(["--help"], {
    env: { NODE_OPTIONS: `--require=${preload} --inspect` },
  });
  expect(status).toBe(0);
  expect(stderr).not.toContain("Debugger");
  expect(() => readFileSync(marker)).toThrow("ENOENT");
});

test("SIGUSR1 opens no debugger and leaves the session running", async () => {
  const root = path.join(home, "empty-project");
  mkdirSync(root);
  const server = spawn(SVC, ["mcp", "--stdio", "--root", root], {
    env: { SERVICE_HOME: path.join(home, "data") },
  });
  let log = "";
  server.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const closed = new Promise((resolve) => {
    server.on("close", resolve);
  });
  const answers = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const ping = async (id: number): Promise<unknown> => {
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n`);
    return JSON.parse(String((await answers.next()).value));
  };

  expect(await ping(1)).toMatchObject({ id: 1, result: {} });
  server.kill("SIGUSR1");
  expect(await ping(2)).toMatchObject({ id: 2, result: {} });
  server.stdin.end();
  await closed;
  expect(log).not.toContain("Debugger");
});

test("a copy in an empty folder indexes and answers without node_modules or a PATH", () => {
  const folder = path.join(home, "elsewhere");
  mkdirSync(path.join(folder, "project"), { recursive: true });
  const file = path.join(folder, "svc");
  copyFileSync(SVC, file);
  writeFileSync(
    path.join(folder, "project/orbit.ts"),
    "/** Radius at which a satellite keeps its place over the ground. */\n" +
      "export function geostationaryRadius(mass: number): number {\n  return mass;\n}\n",
  );

  const { status, stdout, stderr } = call(["search", "geostationary radius", "project", "--json"], {
    file,
    cwd: folder,
  });
  expect(stderr).not.toContain("Error");
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    results: [{ path: "project/orbit.ts", language: "typescript", symbol: "geostationaryRadius" }],
  });
});
